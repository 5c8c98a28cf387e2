import Synchronization
package import VarlinkWire

/// Answers one call. May be used from any queue; replies go out in the order they are made.
///
/// There is exactly one final reply: what comes after it is dropped, and a responder that is let go
/// without one answers `InternalError`, so that no client waits forever. When the client has gone,
/// replies are dropped.
package final class Responder: Sendable {
    private let connection: Connection
    private let id: UInt64
    private let isFinal = Atomic(false)

    init(connection: Connection, id: UInt64) {
        self.connection = connection
        self.id = id
    }

    deinit {
        guard !isFinal.load(ordering: .relaxed) else { return }
        let id = id
        connection.perform { $0.abandon(id) }
    }

    /// Whether nobody will take a reply any more, as far as the system knows now. One poll(2).
    package var isPeerGone: Bool { connection.isPeerGone }

    /// Replies with a value that encodes as a JSON object.
    /// - Parameter continues: more replies follow; if the caller has not asked for `more`, it gets
    ///   `org.varlink.service.ExpectedMore` as the final reply instead.
    package func reply(_ parameters: some Encodable & Sendable, continues: Bool = false) {
        give(.value(parameters, continues: continues), continues: continues)
    }

    /// Replies with a JSON object that is encoded already.
    package func reply(rawParameters: [UInt8], continues: Bool = false) {
        let reply = Reply(rawParameters: rawParameters, continues: continues)
        give(.reply(reply), continues: continues)
    }

    /// Makes an error the final reply.
    package func fail(_ error: VarlinkError) { give(.reply(Reply(error)), continues: false) }

    private func give(_ answer: Answer, continues: Bool) {
        if !continues { isFinal.store(true, ordering: .relaxed) }
        connection.give(answer, to: id)
    }

    /// Makes an error the final reply.
    package func fail(error name: String, parameters: some Encodable) {
        fail(VarlinkError(name: name, parameters: parameters))
    }

    /// Runs `action` once, on the queue of the connections, as soon as the client has taken most of what
    /// was replied so far (`Limits.backlogBytes` are left at most): how a long stream goes no faster
    /// than its reader. Never when the client goes before that. A later action replaces this one.
    package func whenDrained(_ action: @escaping @Sendable () -> Void) {
        let id = id
        connection.perform { $0.setDrained(id, action) }
    }

    /// Runs `action` once, on the queue of the connections, if the client goes or the server stops before
    /// the final reply; at once when that has happened already. A later action replaces this one.
    package func onCancel(_ action: @escaping @Sendable () -> Void) {
        let id = id
        connection.perform { $0.setCancel(id, action) }
    }
}
