/// What peers can make the server hold, each with a name. Sizes in bytes, times in milliseconds.
package struct Limits: Sendable {
    /// The largest call, without its NUL. Longer: `MessageTooLong`, and the connection is closed.
    package var messageBytes = 1 << 20
    /// Connections open at once. One more takes the place of one that waits for its client, for a
    /// call or to take replies (`Registry.givingWay`); when none does, it waits itself.
    package var connections = 128
    /// A process with more connections than this makes room for its further ones itself, and for
    /// those of others before they do, when all places are taken.
    package var connectionsOfProcess = 32
    /// A connection whose client has called since gives way after those whose has not.
    package var recentMilliseconds = 1_000
    /// Clients that wait for a place at once, and how long they do: then they get
    /// `TooManyConnections` and are closed. One more takes the turn of the first.
    package var arrivals = 128
    package var arrivalMilliseconds = 160
    /// With so many connections at once, or so many unsent bytes of all, much is held in memory; it is
    /// over when a quarter is left for so long (`VarlinkServer.calmed`).
    package var burstConnections = 32
    package var burstBytes = 16 << 20
    package var calmMilliseconds = 1_000
    /// Calls of one connection being answered at once, where their methods allow it; and they take no
    /// more than `messageBytes` and one message. Further ones wait until those have been answered.
    package var callsAhead = 128
    /// Calls with `more` being answered at once, over all connections. One more: `TooManyStreams`.
    package var streams = 64
    /// The largest reply. Larger: `ReplyTooLong` is sent in its place.
    package var replyBytes = Limits.replyBytesDefault
    /// A connection with more than this unsent gets its next call handled only when less is left.
    package var backlogBytes = 256 << 10
    /// A stream to a connection with more than this unsent is cut: the client is dropped.
    package var queuedBytes = 8 << 20
    /// Unsent bytes of all connections together. The client whose reply would exceed it is dropped.
    package var queuedBytesTotal = 256 << 20
    /// A client that takes nothing of what is queued for it for so long is dropped.
    package var stallMilliseconds = 10_000
    /// How long `stop` waits for calls being handled and replies being sent.
    package var stopMilliseconds = 2_000
    /// After accept(2) failed for want of descriptors or memory, when to try again at the latest.
    package var acceptRetryMilliseconds = 1_000

    package init() {}

    /// Connections that wait to be accepted. One more waits in connect(2), or gets EAGAIN where it does
    /// not want to wait. Not as many as the kernel allows, since whoever comes waits behind all of
    /// them, also behind those whose client has gone again. remindd.socket has the same number.
    package static let pendingConnections: Int32 = 1024

    /// Server and client agree on this one: the largest reply sent and the largest taken.
    package static let replyBytesDefault = 64 << 20
}
