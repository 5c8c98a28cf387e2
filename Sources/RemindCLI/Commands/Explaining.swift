import RemindAPI

/// `when` and `explain`.
enum Explaining {
    @Sendable static func explain(_ session: Session) throws(Failure) -> ExitStatus {
        let references = try session.references(session.arguments.operands)
        return try session.forEach(references) { reference throws(Failure) in
            let bytes = try session.call(Explain.self) { json throws(Failure) in
                json.field("reference", reference)
            }
            if session.json { return try session.output.writeLine(json: bytes) }
            let reply = try Reply(bytes)
            try session.write(lines: try reply.records().map(\.heading))
            try session.write(lines: reply.lines.map { "  \($0.singleLine)" })
        }
    }

    @Sendable static func when(_ session: Session) throws(Failure) -> ExitStatus {
        let phrase = session.arguments.operands.joined(by: " ")
        guard !phrase.isEmpty || session.arguments.has("every") || session.arguments.has("rrule")
        else {
            throw .usage("‘when’ needs a WHEN or a rule.", hint: "remindctl when tomorrow 9am")
        }
        let bytes = try session.call(When.self) { json throws(Failure) in
            if !phrase.isEmpty { json.field("phrase", phrase) }
            try session.writeOptions(to: &json)
        }
        if session.json {
            try session.output.writeLine(json: bytes)
            return .done
        }
        try session.write(lines: try Meaning(bytes).lines)
        return .done
    }

    /// The reply as lines: what was understood, what should not go unsaid, the occurrences.
    private struct Meaning {
        private var understood: Understood?
        private var rule: String?
        private var notes: [String] = []
        private var occurrences: [String] = []

        /// - Throws: `MalformedReply`.
        init(_ bytes: [UInt8]) throws(Failure) {
            var json = JSONReader(bytes)
            var isWhole = false
            do {
                try json.object { name, json throws(JSONReader.Fault) in
                    switch name {
                    case "understood": understood = try Understood(reading: &json)
                    case "rule": rule = try json.optionalString()
                    case "notes": notes = try json.strings()
                    case "occurrences": (occurrences, isWhole) = (try json.strings(), true)
                    default: return
                    }
                }
            } catch {
                throw .malformedJSON(error)
            }
            guard isWhole else { throw .lacking("occurrences") }
        }

        var lines: [String] {
            var lines = (understood.map { [$0.text.singleLine] } ?? [])
            lines += (notes + (understood?.notes ?? [])).map { "  \($0.singleLine)" }
            if let rule { lines.append("  repeats \(ReminderText.rule(rule))") }
            // A single time has been said.
            let isSaid = understood != nil && rule == nil && occurrences.count == 1
            return lines + (isSaid ? [] : occurrences.map(ReminderText.time))
        }
    }
}
