import RemindCore

/// Takes out of an RRULE what other programs put in and what can be done without, so that the rest
/// of the rule counts. What is wrong in earnest is left for the check of the rule.
enum RuleRepair {
    /// - Parameters:
    ///   - isUniversal: what repeats begins at a time in UTC, in which an UNTIL without `Z` is meant.
    ///   - note: is told what was left out.
    /// - Returns: the value of the rule, upper case.
    static func repaired(
        _ property: ICalendarProperty, isUniversal: Bool, note: (Int, String) -> Void
    ) -> String {
        let parts = property.value.tidiedRule.uppercased().split(separator: ";").map { String($0) }
        let hasCount = parts.contains { $0.hasPrefix("COUNT=") }
        let hasYearDays = parts.contains { $0.hasPrefix("BYYEARDAY=") }
        let isShort = ["WEEKLY", "DAILY"].contains { parts.contains("FREQ=" + $0) }
        var kept: [String] = []
        for part in parts {
            if isForeign(part) || hasCount && part.hasPrefix("UNTIL=")
                || hasYearDays && part.hasPrefix("SKIP=")
            {
                note(property.line, "‘\(part.prefix(40))’ in ‘RRULE’ was left out.")
            } else if isShort, part.hasPrefix("BYDAY="), part.contains(where: \.isNumber) {
                note(
                    property.line,
                    "The numbers in ‘\(part.prefix(40))’ were left out: they count in months and "
                        + "years.")
                kept.append(part.filter { !$0.isNumber && $0 != "+" && $0 != "-" })
            } else if isUniversal, part.hasPrefix("UNTIL="), part.contains("T"), part.last != "Z",
                part.utf8.count == 21
            {
                kept.append(part + "Z")
            } else {
                kept.append(part)
            }
        }
        return kept.joined(separator: ";")
    }

    /// Parts without a value, extensions, an unknown way to move days that a month lacks (RFC 7529),
    /// an interval of none, and a count beyond all that is counted: they are passed over here.
    private static func isForeign(_ part: String) -> Bool {
        if part.hasPrefix("COUNT=") {
            let digits = part.utf8.dropFirst(6)
            let isNumber = digits.allSatisfy { (48...57).contains($0) }
            let isEndless = Int(part.dropFirst(6)).map { $0 > Limits.occurrencesSearched } ?? true
            return digits.isEmpty || isNumber && isEndless
        }
        if part.hasPrefix("SKIP=") {
            return ParsedRule.Skip(rawValue: String(part.dropFirst(5))) == nil
        }
        return part.last == "=" || part.hasPrefix("X-") || part == "INTERVAL=0"
    }
}
