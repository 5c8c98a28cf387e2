import RemindAPI

/// `show` and `status`.
enum Showing {
    @Sendable static func show(_ session: Session) throws(Failure) -> ExitStatus {
        let now = session.surroundings.now()
        var isFirst = true
        let references = try session.references(session.arguments.operands)
        return try session.forEach(references) { reference throws(Failure) in
            let bytes = try session.call(Show.self) { json throws(Failure) in
                json.field("reference", reference)
            }
            let reply = try Reply(bytes)
            let rings = try reply.ringRecords()
            try session.printReminders(
                reply, none: "Nothing rings.", hanging: ReminderText.valueColumn
            ) { record in
                let lines = ReminderText.full(
                    record, understood: reply.understood,
                    rings: rings.filter { $0.reminder.number == record.number }, now: now,
                    style: session.style)
                defer { isFirst = false }
                return isFirst ? lines : [""] + lines
            }
        }
    }

    @Sendable static func status(_ session: Session) throws(Failure) -> ExitStatus {
        if session.arguments.has("format") || session.arguments.has("follow") {
            var line = try StatusLine(session)
            return session.arguments.has("follow") ? try line.follow() : try line.write()
        }
        let bytes = try session.call(Status.self)
        if session.json {
            try session.output.writeLine(json: bytes)
            return .done
        }
        let status = try StatusFields(bytes)
        try session.write(
            lines: status.lines(now: session.surroundings.now()), hanging: StatusFields.valueColumn)
        return .done
    }
}
