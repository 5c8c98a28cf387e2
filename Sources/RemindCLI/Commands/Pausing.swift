import RemindAPI

/// `pause` and `resume`.
enum Pausing {
    @Sendable static func pause(_ session: Session) throws(Failure) -> ExitStatus {
        let words = session.arguments.operands
        let bytes = try session.call(Pause.self) { json throws(Failure) in
            // A phrase that is blank, an unset variable perhaps, is refused: only no phrase at all
            // means without end.
            if !words.isEmpty { json.field("until", phrase(words)) }
        }
        if session.json {
            try session.output.writeLine(json: bytes)
            return .done
        }
        let understood = try Reply(bytes, with: ["until"]).understood
        let end = understood?.text.singleLine ?? "you say: remindctl resume"
        try session.write(
            lines: ["Pop-ups are held back until \(end)"]
                + (understood?.notes ?? []).map { "  \($0.singleLine)" })
        return .done
    }

    @Sendable static func resume(_ session: Session) throws(Failure) -> ExitStatus {
        let bytes = try session.call(Resume.self)
        if session.json {
            try session.output.writeLine(json: bytes)
        } else {
            let waiting =
                switch try shown(bytes) {
                case nil: ""
                case 0: "; nothing was held back"
                case 1: "; 1 that was held back comes now"
                case let count?: "; \(count) that were held back come now"
                }
            try session.write(lines: ["Pop-ups are shown again\(waiting)."])
        }
        return .done
    }

    /// How many pop-ups come. A daemon of an earlier version does not say.
    private static func shown(_ bytes: [UInt8]) throws(Failure) -> Int64? {
        var (json, shown) = (JSONReader(bytes), Int64?.none)
        do {
            try json.object { name, json throws(JSONReader.Fault) in
                if name == "shown" { shown = try json.integer() }
            }
        } catch {
            throw .malformedJSON(error)
        }
        return shown
    }

    /// `14:00` of `until 14:00`: the word is what one says, and no part of a WHEN.
    private static func phrase(_ words: [String]) -> String {
        let rest = words.first?.lowercased() == "until" ? words.dropFirst() : words[...]
        return rest.joined(separator: " ")
    }
}
