import RemindAPI
import RemindCore

/// `log`.
enum Logging {
    @Sendable static func log(_ session: Session) throws(Failure) -> ExitStatus {
        let bytes = try session.call(Log.self) { json throws(Failure) in
            if let reference = session.arguments.operands.first {
                json.field("reference", reference)
            }
            try session.writeOptions(to: &json)
        }
        let entries = try Reply(bytes, with: ["entries"]).entries
        if session.json {
            for entry in entries { try session.output.writeLine(json: entry) }
            return .done
        }
        if entries.isEmpty { try session.output.write("Nothing has rung yet.\n") }
        let now = session.surroundings.now()
        var rows: [LogRow] = []
        for entry in entries { rows.append(try LogRow(entry, now: now)) }
        let table = LogTable(
            rows, columns: session.surroundings.terminal?.columns,
            style: session.style)
        for line in table.lines { try session.output.write(line + "\n") }
        return .done
    }
}
