import RemindCore

/// Rules whose meaning is plain, though RFC 5545 section 3.3.10 has them in another form: an UNTIL
/// as `2030-05-01T09:00:00Z`, escaped commas, commas too many, a part that stands there twice.
enum RuleForm {
    /// - Returns: `nil` when there is nothing to repair.
    static func repaired(_ text: String) -> String? {
        let given = text.tidiedRule.uppercased()
        let plain = given.utf8.contains(UInt8(ascii: "\\")) ? given.filter { $0 != "\\" } : given
        var parts: [String] = []
        for part in plain.split(separator: ";") {
            let form = Self.part(part)
            if !parts.contains(form) { parts.append(form) }
        }
        let repaired = parts.joined(separator: ";")
        return repaired == given ? nil : repaired
    }

    private static func part(_ part: Substring) -> String {
        if part.hasPrefix("UNTIL=") { return "UNTIL=" + until(part.dropFirst(6)) }
        guard part.hasPrefix("BY"), part.last == "," || part.contains(",,") || part.contains("=,"),
            let sign = part.firstIndex(of: "=")
        else { return String(part) }
        let values = part[sign...].dropFirst().split(separator: ",")
        return part[...sign] + values.joined(separator: ",")
    }

    /// A time as it would be written; what is none stays as it is, for the check of the rule.
    private static func until(_ value: Substring) -> String {
        let isStrict = (try? ParsedRule.until(value, value)) != nil
        // `20300501Z` is a day.
        let text = value.utf8.count == 9 && value.last == "Z" ? value.dropLast() : value
        guard !isStrict, let time = WrittenTime(String(text)) else { return String(value) }
        guard let civil = time.civil else { return ContentLineWriter.basic(time.date) }
        return ContentLineWriter.basic(civil) + (time.isUniversal ? "Z" : "")
    }
}
