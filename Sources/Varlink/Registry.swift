import Synchronization

/// What the connections of one server share: how many there are, which waits longest, how many
/// streams run and how many bytes wait. Touched from every connection's queue.
final class Registry: Sendable {
    private struct Entry {
        let connection: Connection
        /// A call is being answered; else it waits for its client, to call or to take what was replied.
        var isBusy: Bool
        /// Rises with every change, so that the smallest has been as it is for longest.
        var stamp: UInt64
    }

    private struct State {
        var entries: [ObjectIdentifier: Entry] = [:]
        /// Connections that are over, but whose descriptor is not closed yet.
        var closing = 0
        var streams = 0
        var queued = 0
        var stamp: UInt64 = 0
    }

    private let state = Mutex(State())

    var count: Int { state.withLock { $0.entries.count } }
    var streams: Int { state.withLock { $0.streams } }
    var queued: Int { state.withLock { $0.queued } }
    /// No connection is left, and no descriptor of one.
    var isEmpty: Bool { state.withLock { $0.entries.isEmpty && $0.closing == 0 } }
    var connections: [Connection] { state.withLock { $0.entries.values.map(\.connection) } }

    /// Notes the connection, or that it has begun or ended being busy, or has got on.
    func note(_ connection: Connection, isBusy: Bool) {
        state.withLock { state in
            state.stamp += 1
            state.entries[ObjectIdentifier(connection)] =
                Entry(connection: connection, isBusy: isBusy, stamp: state.stamp)
        }
    }

    /// The connection is over; its descriptor is closed soon, see `closed`.
    func remove(_ connection: Connection) {
        state.withLock { state in
            guard state.entries.removeValue(forKey: ObjectIdentifier(connection)) != nil else {
                return
            }
            state.closing += 1
        }
    }

    /// The descriptor of a removed connection is closed.
    func closed() {
        state.withLock { $0.closing -= 1 }
    }

    /// The connection that has waited for its client longest. O(connections).
    func longestWaiting() -> Connection? {
        state.withLock { state in
            state.entries.values.filter { !$0.isBusy }.min { $0.stamp < $1.stamp }?.connection
        }
    }

    /// Counts one more stream, unless there are `limit` already.
    func beginStream(limit: Int) -> Bool {
        state.withLock { state in
            if state.streams >= limit { return false }
            state.streams += 1
            return true
        }
    }

    func endStream() {
        state.withLock { $0.streams -= 1 }
    }

    /// Counts bytes that wait to be sent.
    /// - Returns: whether there are at most `limit` now.
    func queue(_ bytes: Int, limit: Int) -> Bool {
        state.withLock { state in
            state.queued += bytes
            return state.queued <= limit
        }
    }

    /// Takes back bytes that were sent or dropped.
    func unqueue(_ bytes: Int) {
        state.withLock { $0.queued -= bytes }
    }
}
