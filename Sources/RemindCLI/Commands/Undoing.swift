import RemindAPI
import RemindCore

/// `undo`.
enum Undoing {
    @Sendable static func undo(_ session: Session) throws(Failure) -> ExitStatus {
        if session.arguments.has("list") { return try list(session) }
        if session.arguments.has("limit") {
            throw .usage(
                "--limit goes with --list.", hint: "remindctl undo --list --limit 5")
        }
        try session.callMore(Undo.self, patient: false) { _ throws(Failure) in
        } each: { bytes throws(Failure) in
            let reply = try UndoReply(bytes)
            if session.json {
                for bytes in reply.reminders { try session.output.writeLine(json: bytes) }
            } else if let change = reply.change {
                let outcome = reply.outcome.map { " — \($0.singleLine)" } ?? ""
                try session.write(lines: ["Undone: \(change.words)\(outcome)"])
            }
        }
        return .done
    }

    private static func list(_ session: Session) throws(Failure) -> ExitStatus {
        let bytes = try session.call(Changes.self) { json throws(Failure) in
            try session.writeOptions(to: &json)
        }
        let changes = try UndoReply(bytes, with: "changes").changes
        if session.json {
            for change in changes { try session.output.writeLine(json: change) }
            return .done
        }
        let now = session.surroundings.now()
        var rows: [(at: String, words: String)] = []
        for bytes in changes {
            let change = try UndoReply.change(bytes)
            let at = Moment(change.at, dateOffset: 0)?.words(now: now) ?? change.at.singleLine
            rows.append((at, change.words))
        }
        let width = rows.map(\.at.cells).max() ?? 0
        for row in rows {
            let line = session.style.written("\(row.at.padded(toCells: width))  \(row.words)")
            let columns = session.surroundings.terminal?.columns
            let shown = columns.map { line.cut(toCells: $0, ascii: session.style.isASCII) }
            try session.output.write((shown ?? line) + "\n")
        }
        if rows.isEmpty { try session.output.write("There is nothing to undo.\n") }
        return .done
    }
}

extension Changes.Change {
    /// `done #7 Pay rent`; `done #7 Pay rent and 2 more`.
    var words: String {
        guard count > 0 else { return what.singleLine }
        let more = count > 1 ? " and \(count - 1) more" : ""
        return "\(what.singleLine) #\(number) \(title.singleLine)\(more)"
    }
}

/// The parts of a reply of `Undo` and of `Changes` that are printed.
private struct UndoReply {
    var change: Changes.Change?
    var outcome: String?
    /// As they now are; those that are gone as they were.
    var reminders: [ArraySlice<UInt8>] = []
    var changes: [ArraySlice<UInt8>] = []

    /// - Parameter field: what a reply has, else it is none.
    init(_ bytes: [UInt8], with field: String = "reminders") throws(Failure) {
        var json = JSONReader(bytes)
        var isWhole = false
        do {
            try json.object { name, json throws(JSONReader.Fault) in
                isWhole = isWhole || name == field
                switch name {
                case "change": change = json.null() ? nil : try Changes.Change(reading: &json)
                case "outcome": outcome = try json.optionalString()
                case "reminders", "removed":
                    try json.array { json throws(JSONReader.Fault) in
                        reminders.append(try json.raw())
                    }
                case "changes":
                    try json.array { json throws(JSONReader.Fault) in
                        changes.append(try json.raw())
                    }
                default: return
                }
            }
        } catch {
            throw .malformedJSON(error)
        }
        guard isWhole else { throw .lacking(field) }
    }

    static func change(_ bytes: ArraySlice<UInt8>) throws(Failure) -> Changes.Change {
        var json = JSONReader(Array(bytes))
        do { return try Changes.Change(reading: &json) } catch { throw .malformedJSON(error) }
    }
}
