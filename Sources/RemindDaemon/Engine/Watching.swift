import RemindAPI
import RemindCore

/// Somebody who is told of every change, until they go.
final class Watcher: Sendable {
    /// Takes one event as JSON.
    let send: @Sendable ([UInt8]) -> Void
    /// Ends the stream from our side.
    let end: @Sendable () -> Void

    init(
        send: @escaping @Sendable ([UInt8]) -> Void, end: @escaping @Sendable () -> Void
    ) {
        (self.send, self.end) = (send, end)
    }
}

extension Engine {
    /// Begins to tell; an empty event says that it has begun. How many may watch is the socket's
    /// limit on streams.
    func watch(_ watcher: Watcher) {
        watchers.append(watcher)
        watcher.send(Array("{}".utf8))
    }

    func unwatch(_ watcher: Watcher) { watchers.removeAll { $0 === watcher } }

    /// Ends all streams from our side, each with a last empty event.
    func endWatching() {
        for watcher in watchers { watcher.end() }
        watchers = []
    }

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
