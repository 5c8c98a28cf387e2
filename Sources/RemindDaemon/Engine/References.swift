import RemindAPI
import RemindCore
import Store

/// Finding the reminders that a reference means (the interface's REFERENCE).
extension Engine {
    /// Characters of an identifier's beginning or ending that are enough to ask for it.
    static let shortestIdentifierPart = 4

    /// - Parameter reference: a number, a UUID or a part of one, `last`, or `all` (what rings now).
    /// - Throws: `noSuchReminder`, `ambiguous`, or an error of the store.
    func find(_ reference: String) throws(APIError) -> [Reminder] {
        try storing { try lookUp(reference).get() }.map(asItRings)
    }

    /// The one reminder that is meant; `all` is refused.
    func findOne(_ reference: String) throws(APIError) -> Reminder {
        let found = try find(reference)
        guard found.count == 1, let reminder = found.first else {
            throw .ambiguous(reference, matches: found.map(\.number))
        }
        return reminder
    }

    private func lookUp(_ text: String) throws(StoreError) -> Result<[Reminder], APIError> {
        switch text {
        case "last":
            return Self.one(try lastRung(), or: text, hint: "Nothing has rung yet.")
        case "all":
            let ringing = try whatRings()
            return ringing.isEmpty
                ? .failure(.noSuchReminder(text, hint: "Nothing rings now: remindctl next"))
                : .success(ringing)
        default: break
        }
        if let number = Self.number(text), let found = try store.reminder(number: number) {
            return .success([found])
        }
        if let id = Self.identifier(text) {
            return Self.one(try store.reminder(id: id), or: text, hint: "remindctl list --all")
        }
        return try lookUpPart(text)
    }

    private func lookUpPart(_ text: String) throws(StoreError) -> Result<[Reminder], APIError> {
        let part = text.lowercased().filter { $0 != "-" }
        guard part.utf8.count >= Self.shortestIdentifierPart, part.utf8.count < 32,
            part.utf8.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) })
        else { return .failure(.noSuchReminder(text, hint: "remindctl list shows the numbers.")) }
        var found = try store.reminders(idPrefix: part, limit: 6)
        let endings = try store.reminders(idSuffix: part, limit: 6)
        for reminder in endings where !found.contains(where: { $0.number == reminder.number }) {
            found.append(reminder)
        }
        guard found.count <= 1 else {
            return .failure(.ambiguous(text, matches: found.map(\.number)))
        }
        return one(found.first, text)
    }

    private func one(_ found: Reminder?, _ text: String) -> Result<[Reminder], APIError> {
        Self.one(found, or: text, hint: "remindctl list shows the numbers.")
    }

    private static func one(
        _ found: Reminder?, or text: String, hint: String
    ) -> Result<[Reminder], APIError> {
        found.map { .success([$0]) } ?? .failure(.noSuchReminder(text, hint: hint))
    }

    /// A whole identifier as other programs write it: also without dashes, in braces, as a URN
    /// (RFC 9562 section 4).
    private static func identifier(_ text: String) -> UUIDv7? {
        var bare = text[...]
        if bare.lowercased().hasPrefix("urn:uuid:") {
            bare = bare.dropFirst("urn:uuid:".count)
        } else if bare.hasPrefix("{"), bare.hasSuffix("}") {
            bare = bare.dropFirst().dropLast()
        }
        guard bare.utf8.count == 32 else { return UUIDv7(text: String(bare)) }
        guard bare.utf8.allSatisfy({ UInt8(ascii: "+") != $0 }),
            let high = UInt64(bare.prefix(16), radix: 16),
            let low = UInt64(bare.suffix(16), radix: 16)
        else { return nil }
        return UUIDv7(high: high, low: low)
    }

    /// `7` or `#7`.
    private static func number(_ text: String) -> Int64? {
        let digits = text.hasPrefix("#") ? text.dropFirst() : Substring(text)
        guard digits.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return Int64(digits)
    }
}
