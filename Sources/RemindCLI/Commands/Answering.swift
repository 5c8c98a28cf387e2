import RemindAPI
import RemindCore

/// The commands that change tasks by their references.
enum Answering {
    @Sendable static func done(_ session: Session) throws(Failure) -> ExitStatus {
        let now = session.surroundings.now()
        return try change(session, Done.self, none: "Nothing rings.") { record in
            var lines = ["Done: \(record.heading)"]
            if record.state == .open, let moment = record.moment {
                let zone = record.timeZone.map { " \($0.singleLine)" } ?? ""
                lines.append("  next: \(moment.words(now: now))\(zone)")
            }
            return lines
        }
    }

    @Sendable static func reopen(_ session: Session) throws(Failure) -> ExitStatus {
        try change(session, Reopen.self, none: "Nothing was reopened.") { record in
            ["Open again: \(record.heading)" + (record.dueText.map { " — \($0)" } ?? "")]
        }
    }

    @Sendable static func remove(_ session: Session) throws(Failure) -> ExitStatus {
        try change(session, Remove.self, none: "Nothing rings.") { ["Removed: \($0.heading)"] }
    }

    @Sendable static func dismiss(_ session: Session) throws(Failure) -> ExitStatus {
        try change(session, Dismiss.self, none: "Nothing rings.") { ["Dismissed: \($0.heading)"] }
    }

    @Sendable static func snooze(_ session: Session) throws(Failure) -> ExitStatus {
        let words = session.arguments.operands
        let until = words.dropFirst().joined(by: " ")
        let references = try session.references(Array(words.prefix(1)))
        return try session.forEach(references) { reference throws(Failure) in
            let bytes = try session.call(Snooze.self) { json throws(Failure) in
                json.field("reference", reference)
                if words.count > 1 { json.field("until", until) }
            }
            try printSilenced(try Reply(bytes), session)
        }
    }

    private static func printSilenced(_ reply: Reply, _ session: Session) throws(Failure) {
        try session.printReminders(reply, none: "Nothing rings.") { record in
            let end =
                reply.understood.map { $0.text.singleLine }
                ?? record.nextRing.map(ReminderText.time)
            let notes = reply.understood?.notes ?? []
            // What has never rung is not silenced: it gets an alarm.
            let words = record.rings > 0 ? ("silent", " until ") : ("rings", " ")
            return ["\(record.heading) — \(words.0)" + (end.map { words.1 + $0 } ?? "")]
                + notes.map { "  \($0.singleLine)" }
        }
    }

    /// Calls `method` for each reference and prints the tasks as they now are.
    private static func change(
        _ session: Session, _ method: (some RemindersMethod).Type, none: String,
        text: (ReminderRecord) -> [String]
    ) throws(Failure) -> ExitStatus {
        let references = try session.references(session.arguments.operands)
        guard try Confirmation.given(session, for: references) else {
            try session.errors.write("Nothing was changed.\n")
            return .partly
        }
        // What one command did is one step for undo.
        let group = references.count > 1 ? String(UInt64.random(in: .min ... .max), radix: 16) : nil
        return try session.forEach(references) { reference throws(Failure) in
            let bytes = try session.call(method) { json throws(Failure) in
                json.field("reference", reference)
                if let group { json.field("group", group) }
                try session.writeOptions(to: &json)
            }
            try session.printReminders(try Reply(bytes), none: none, text: text)
        }
    }
}

extension Session {
    /// The reminders of a reply: with `--json` their own bytes, else the lines that `text` gives.
    func printReminders(
        _ reply: Reply, none: String? = nil, hanging: Int? = nil,
        text: (ReminderRecord) -> [String]
    ) throws(Failure) {
        if json {
            for bytes in reply.reminders { try output.writeLine(json: bytes) }
            return
        }
        let records = try reply.records()
        for record in records { try write(lines: text(record), hanging: hanging) }
        if records.isEmpty, let none { try output.write(none + "\n") }
    }
}
