import RemindAPI

/// `watch`.
enum Watching {
    /// One line an event, each written at once, until interrupted.
    /// - Throws: exit 69 when the daemon ends: nothing that happens from then on would be seen.
    @Sendable static func watch(_ session: Session) throws(Failure) -> ExitStatus {
        try session.callMore(Watch.self, patient: true) { _ throws(Failure) in
        } each: { bytes throws(Failure) in
            // The first reply only says that the daemon watches.
            guard let change = try Change(bytes) else { return }
            if session.json {
                try session.output.writeLine(json: bytes)
            } else {
                let event = change.event.padded(toCells: 9)
                try session.output.write("\(event) \(change.heading)\n")
            }
            try session.output.flush()
        }
        throw Failure(
            "Unreachable", "The daemon has stopped: there is nothing more to watch.",
            hint: "systemctl --user start remindd.socket", exit: .unavailable)
    }
}

/// An event of the stream.
private struct Change {
    let event: String
    /// Of the task that it is about.
    let heading: String

    /// `nil` for a reply without an event.
    init?(_ bytes: [UInt8]) throws(Failure) {
        var (event, reminder): (String?, ReminderRecord?)
        var json = JSONReader(bytes)
        do {
            try json.object { name, json throws(JSONReader.Fault) in
                switch name {
                case "event": event = try json.optionalString()
                case "reminder": reminder = json.null() ? nil : try ReminderRecord(reading: &json)
                default: return
                }
            }
        } catch {
            throw .malformedJSON(error)
        }
        guard let event else { return nil }
        self.event = event.singleLine
        heading = reminder?.heading ?? ""
    }
}
