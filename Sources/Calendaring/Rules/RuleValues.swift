import RemindCore

/// The values of the parts of a rule.
extension ParsedRule {
    static func frequency(_ value: Substring, _ part: Substring) throws(RuleError) -> Frequency {
        switch value {
        case "SECONDLY": .secondly
        case "MINUTELY": .minutely
        case "HOURLY": .hourly
        case "DAILY": .daily
        case "WEEKLY": .weekly
        case "MONTHLY": .monthly
        case "YEARLY": .yearly
        default:
            throw .wrong(
                part,
                "is no frequency; use YEARLY, MONTHLY, WEEKLY, DAILY, HOURLY, MINUTELY or SECONDLY")
        }
    }

    static func number(
        _ value: Substring, _ range: ClosedRange<Int>, _ part: Substring
    ) throws(RuleError) -> Int {
        guard let number = digits(value, signed: false), range.contains(number) else {
            throw .wrong(part, "needs a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// A list, sorted and without doubles. 0 is refused where negative numbers count from the end.
    static func numbers(
        _ value: Substring, _ range: ClosedRange<Int>, _ part: Substring
    ) throws(RuleError) -> [Int] {
        var found: Set<Int> = []
        let signed = range.lowerBound < 0
        for item in value.split(separator: ",", omittingEmptySubsequences: false) {
            guard let number = digits(item, signed: signed), range.contains(number),
                !signed || number != 0
            else {
                let bounds =
                    signed
                    ? "1 to \(range.upperBound) or -1 to \(range.lowerBound)"
                    : "\(range.lowerBound) to \(range.upperBound)"
                throw .wrong(part, "has ‘\(item)’, which is not a number from \(bounds)")
            }
            found.insert(number)
        }
        return found.sorted()
    }

    static func days(_ value: Substring, _ part: Substring) throws(RuleError) -> [Day] {
        var found: [Day] = []
        for item in value.split(separator: ",", omittingEmptySubsequences: false) {
            let weekday = try weekday(item.suffix(2), part)
            let number = item.dropLast(2)
            guard
                number.isEmpty
                    || digits(number, signed: true).map({ $0 != 0 && abs($0) < 54 })
                        ?? false
            else {
                throw .wrong(part, "has ‘\(item)’; weekdays are numbered 1 to 53, or -1 to -53")
            }
            let day = Day(ordinal: digits(number, signed: true) ?? 0, weekday: weekday)
            if !found.contains(day) { found.append(day) }
        }
        return found
    }

    static func weekday(_ value: Substring, _ part: Substring) throws(RuleError) -> Weekday {
        let names = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
        guard let index = names.firstIndex(of: String(value)), let day = Weekday(rawValue: index)
        else {
            throw .wrong(
                part, "has ‘\(value)’, which is no weekday; write MO, TU, WE, TH, FR, SA or SU")
        }
        return day
    }

    /// `20300501`, `20300501T090000` or `20300501T090000Z`.
    static func until(_ value: Substring, _ part: Substring) throws(RuleError) -> Until {
        let universal = value.last == "Z"
        let pieces = value.dropLast(universal ? 1 : 0).split(
            separator: "T", omittingEmptySubsequences: false)
        let dayDigits = pieces.first ?? ""
        guard dayDigits.utf8.count == 8, let number = digits(dayDigits, signed: false),
            let date = CivilDate(
                year: number / 10_000, month: number / 100 % 100, day: number % 100),
            pieces.count == 2 || pieces.count == 1 && !universal
        else { throw wrongUntil(part) }
        if pieces.count == 1 { return .date(date) }
        guard pieces[1].utf8.count == 6, let clock = digits(pieces[1], signed: false),
            let time = CivilTime(
                hour: clock / 10_000, minute: clock / 100 % 100, second: min(clock % 100, 59))
        else { throw wrongUntil(part) }
        let civil = CivilDateTime(date, time)
        return universal ? .instant(Instant(seconds: civil.secondsSinceEpoch)) : .wall(civil)
    }

    private static func wrongUntil(_ part: Substring) -> RuleError {
        .wrong(part, "is no date; write UNTIL=20300501 or UNTIL=20300501T090000Z")
    }

    /// Plain ASCII digits, at most ten, with a sign where one may stand.
    private static func digits(_ text: Substring, signed: Bool) -> Int? {
        let sign = signed && (text.first == "-" || text.first == "+")
        let rest = sign ? text.dropFirst() : text
        guard !rest.isEmpty, rest.utf8.count <= 10,
            rest.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        return Int(text)
    }
}

extension RuleError {
    static func wrong(_ part: Substring, _ what: String) -> RuleError {
        RuleError(part: String(part), message: "‘\(part)’ \(what).")
    }

    static func needsTime(_ rule: ParsedRule) -> RuleError {
        .wrong(rule.text[...], "needs a time to start from; give one, such as ‘today 09:00’")
    }
}
