import RemindCore

/// A recurrence rule, read and checked (RFC 5545 section 3.3.10).
struct ParsedRule: Hashable {
    enum Frequency: Int, Comparable {
        case secondly, minutely, hourly, daily, weekly, monthly, yearly

        static func < (left: Frequency, right: Frequency) -> Bool { left.rawValue < right.rawValue }
    }

    /// The last moment, inclusive.
    enum Until: Hashable {
        case date(CivilDate)
        case wall(CivilDateTime)
        case instant(Instant)
    }

    /// What becomes of a day of the month that a month does not have (RFC 7529 section 4.1).
    enum Skip: String {
        case omit = "OMIT"
        /// The last day of that month.
        case backward = "BACKWARD"
        /// The first day of the next one.
        case forward = "FORWARD"
    }

    /// `2TU`; an `ordinal` of 0 means every one.
    struct Day: Hashable {
        var ordinal: Int
        var weekday: Weekday
    }

    /// As it was given, upper case.
    let text: String
    var frequency = Frequency.daily
    var interval = 1
    var count: Int?
    var until: Until?
    var weekStart = Weekday.monday
    var bySecond: [Int] = []
    var byMinute: [Int] = []
    var byHour: [Int] = []
    var byDay: [Day] = []
    var byMonthDay: [Int] = []
    var byYearDay: [Int] = []
    var byWeekNumber: [Int] = []
    var byMonth: [Int] = []
    var bySetPosition: [Int] = []
    var skip = Skip.omit

    /// Without BY parts, seconds, minutes and hours are elapsed time from the anchor.
    var isElapsed: Bool { frequency <= .hourly && !hasByParts }

    var hasByParts: Bool {
        !byDay.isEmpty
            || ![
                bySecond, byMinute, byHour, byMonthDay, byYearDay, byWeekNumber,
                byMonth,
            ].allSatisfy(\.isEmpty)
    }

    /// The same rule for dates: BYHOUR, BYMINUTE and BYSECOND are not looked at.
    var withoutTimes: ParsedRule {
        var rule = self
        (rule.byHour, rule.byMinute, rule.bySecond) = ([], [], [])
        return rule
    }

    /// Whether it says at which times of the day it happens.
    var namesTimes: Bool { !byHour.isEmpty || !byMinute.isEmpty || !bySecond.isEmpty }

    /// Seconds of one interval of an elapsed rule.
    var elapsedStep: Int64 {
        let unit: Int64 = frequency == .hourly ? 3600 : frequency == .minutely ? 60 : 1
        return unit * Int64(interval)
    }

    /// Intervals beyond this are longer than all the years that are kept.
    static let longestInterval = 1_000_000_000

    /// - Parameter text: the value of an RRULE, in any case, with or without `RRULE:` before it.
    /// - Throws: `RuleError`, naming the first part that is wrong.
    init(_ text: String) throws(RuleError) {
        let typed = text.uppercased().hasPrefix("RRULE:") ? text.dropFirst(6) : text[...]
        self.text = typed.uppercased()
        guard typed.utf8.count <= Limits.phrase else {
            throw RuleError(
                part: String(typed.prefix(40)),
                message: "The rule is too long: at most \(Limits.phrase) bytes.")
        }
        var seen: Set<String> = []
        for part in typed.split(separator: ";", omittingEmptySubsequences: false) {
            let upper = part.uppercased()
            let pair = upper.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard pair.count == 2, !pair[1].isEmpty else {
                throw .wrong(part, "is not NAME=VALUE; a rule looks like FREQ=WEEKLY;BYDAY=MO")
            }
            guard seen.insert(String(pair[0])).inserted else {
                throw .wrong(part, "stands there a second time; give \(pair[0]) once")
            }
            try read(String(pair[0]), pair[1], part)
        }
        guard seen.contains("FREQ") else {
            throw .wrong(typed, "has no FREQ; begin with FREQ=DAILY, FREQ=WEEKLY or the like")
        }
        try check(typed)
    }

    private mutating func read(
        _ name: String, _ value: Substring, _ part: Substring
    ) throws(RuleError) {
        switch name {
        case "FREQ": frequency = try Self.frequency(value, part)
        case "INTERVAL": interval = try Self.number(value, 1...Self.longestInterval, part)
        case "COUNT": count = try Self.number(value, 1...Limits.occurrencesSearched, part)
        case "UNTIL": until = try Self.until(value, part)
        case "WKST": weekStart = try Self.weekday(value, part)
        case "BYSECOND": bySecond = try Self.numbers(value, 0...60, part)
        case "BYMINUTE": byMinute = try Self.numbers(value, 0...59, part)
        case "BYHOUR": byHour = try Self.numbers(value, 0...23, part)
        case "BYDAY": byDay = try Self.days(value, part)
        case "BYMONTHDAY": byMonthDay = try Self.numbers(value, -31...31, part)
        case "BYYEARDAY": byYearDay = try Self.numbers(value, -366...366, part)
        case "BYWEEKNO": byWeekNumber = try Self.numbers(value, -53...53, part)
        case "BYMONTH": byMonth = try Self.numbers(value, 1...12, part)
        case "BYSETPOS": bySetPosition = try Self.numbers(value, -366...366, part)
        case "RSCALE" where value == "GREGORIAN": break
        case "SKIP" where Skip(rawValue: String(value)) != nil:
            skip = Skip(rawValue: String(value)) ?? .omit
        default: throw .wrong(part, "is not known; RFC 5545 section 3.3.10 lists the parts")
        }
    }

    /// What the RFC forbids between parts.
    private func check(_ typed: Substring) throws(RuleError) {
        let ordinals = byDay.contains { $0.ordinal != 0 }
        let rules: [(wrong: Bool, part: String, what: String)] = [
            (count != nil && until != nil, "UNTIL", "cannot stand with COUNT; give one of them"),
            (
                ordinals && frequency < .monthly, "BYDAY",
                "can number weekdays in monthly and yearly rules only; leave the numbers out"
            ),
            (
                ordinals && !byWeekNumber.isEmpty, "BYDAY",
                "cannot number weekdays with BYWEEKNO; leave the numbers out"
            ),
            (
                !byMonthDay.isEmpty && frequency == .weekly, "BYMONTHDAY",
                "cannot stand in a weekly rule; use FREQ=MONTHLY or FREQ=DAILY"
            ),
            (
                !byYearDay.isEmpty && (.daily...(.monthly)).contains(frequency), "BYYEARDAY",
                "cannot stand in a daily, weekly or monthly rule; use FREQ=YEARLY"
            ),
            (
                !byWeekNumber.isEmpty && frequency != .yearly, "BYWEEKNO",
                "stands in yearly rules only; use FREQ=YEARLY"
            ),
            (
                !bySetPosition.isEmpty && !hasByParts, "BYSETPOS",
                "chooses among what other BY parts give; add one, such as BYDAY"
            ),
            (
                skip != .omit && !byYearDay.isEmpty, "SKIP",
                "is for days of months only; leave it out"
            ),
        ]
        for rule in rules where rule.wrong {
            let part = typed.split(separator: ";").first {
                $0.uppercased().hasPrefix(rule.part + "=")
            }
            throw .wrong(part ?? typed, rule.what)
        }
    }
}
