import RemindAPI
package import RemindCore

/// Somebody who is told of every change, until they go.
package struct Watcher: Sendable {
    package let id: UInt64
    /// Takes one event as JSON.
    package let send: @Sendable ([UInt8]) -> Void
    /// Ends the stream from our side.
    package let end: @Sendable () -> Void

    package init(
        id: UInt64, send: @escaping @Sendable ([UInt8]) -> Void, end: @escaping @Sendable () -> Void
    ) {
        (self.id, self.send, self.end) = (id, send, end)
    }
}

extension Engine {
    /// Streams at a time; each costs a connection.
    package static let watchersLimit = 64

    package func watch(_ watcher: Watcher) throws(APIError) {
        guard watchers.count < Self.watchersLimit else {
            throw .tooMany(
                "\(Self.watchersLimit) clients watch already.", limit: Self.watchersLimit)
        }
        watchers.append(watcher)
        watcher.send(Array("{}".utf8))
    }

    package func unwatch(_ id: UInt64) { watchers.removeAll { $0.id == id } }

    /// Tells everyone who watches.
    func tell(_ event: Watch.Event, _ reminder: Reminder) {
        guard !watchers.isEmpty else { return }
        var json = JSONWriter()
        json.object { json in
            json.field("event", event.rawValue)
            json.key("reminder")
            timetable.writer.write(reminder, to: &json)
        }
        for watcher in watchers { watcher.send(json.bytes) }
    }
}
