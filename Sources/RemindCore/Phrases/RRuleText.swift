/// Writes English rules as RRULE values (RFC 5545 section 3.3.10).
enum RRuleText {
    /// - Parameters:
    ///   - anchor: the day the rule counts from; a rule without days of its own keeps to it, also
    ///     where a month is too short for it.
    ///   - times: the times of a day when there are several.
    ///   - until: the value of UNTIL.
    static func text(
        of rule: RulePhrase, anchor: CivilDate, times: [CivilTime], weekStart: Weekday,
        until: String?
    ) -> String {
        let perDay = max(times.count, 1)
        var parts = [frequency(rule.cycle)]
        parts += days(rule, anchor: anchor).map { spread($0, over: perDay) }
        if perDay > 1 { parts += RuleTimes(times).parts }
        if case .weeks(let interval) = rule.cycle, interval > 1, weekStart != .monday {
            parts.append("WKST=" + code(weekStart))
        }
        if let count = rule.count { parts.append("COUNT=\(count)") }
        if let until { parts.append("UNTIL=" + until) }
        return parts.joined(separator: ";")
    }

    /// A position counts times, not days, when a day has several of them.
    private static func spread(_ part: String, over perDay: Int) -> String {
        guard perDay > 1, part.hasPrefix("BYSETPOS="), let nth = Int(part.dropFirst(9)) else {
            return part
        }
        let last = nth > 0 ? nth * perDay : (nth + 1) * perDay - 1
        let positions = (0..<perDay).map { String(last - perDay + 1 + $0) }
        return "BYSETPOS=" + positions.joined(separator: ",")
    }

    private static func frequency(_ cycle: RulePhrase.Cycle) -> String {
        let (name, interval): (String, Int64) =
            switch cycle {
            case .elapsed(let seconds) where seconds % 3600 == 0: ("HOURLY", seconds / 3600)
            case .elapsed(let seconds) where seconds % 60 == 0: ("MINUTELY", seconds / 60)
            case .elapsed(let seconds): ("SECONDLY", seconds)
            case .days(let count): ("DAILY", Int64(count))
            case .weeks(let count): ("WEEKLY", Int64(count))
            case .months(let count): ("MONTHLY", Int64(count))
            case .years(let count): ("YEARLY", Int64(count))
            }
        return "FREQ=\(name)" + (interval == 1 ? "" : ";INTERVAL=\(interval)")
    }

    private static func days(_ rule: RulePhrase, anchor: CivilDate) -> [String] {
        switch (rule.place, rule.cycle) {
        case (.weekdays(let days)?, _): ["BYDAY=" + days.map(code).joined(separator: ",")]
        case (.ofMonth(let place)?, _): monthDays(place)
        case (.ofYear(2, .days([29]))?, .years(let count)) where count % 4 == 0:
            // Of leap years alone; in those that lack it, it does not come.
            ["BYMONTH=2", "BYMONTHDAY=29"]
        case (.ofYear(let month, let place)?, _):
            ["BYMONTH=\(month)"] + (month == 2 ? monthDays(place) : plainMonthDays(place))
        case (nil, _) where rule.basis == .completion: []  // counted from the day it was done
        case (nil, .months) where anchor.day > 28: monthDays(.days([anchor.day]))
        case (nil, .years) where anchor.month == 2 && anchor.day == 29:
            ["BYMONTH=2"] + monthDays(.days([29]))
        case (nil, _): []
        }
    }

    /// Of a month other than February, which always has the same length.
    private static func plainMonthDays(_ place: RulePhrase.MonthPlace) -> [String] {
        guard case .days(let days) = place else { return monthDays(place) }
        return ["BYMONTHDAY=" + days.map(String.init).joined(separator: ",")]
    }

    /// One day after the 28th becomes the last of those up to it: `the 31st` clamps and comes back.
    private static func monthDays(_ place: RulePhrase.MonthPlace) -> [String] {
        switch place {
        case .days(let days):
            guard days.count == 1, let day = days.first, day > 28 else {
                return ["BYMONTHDAY=" + days.map(String.init).joined(separator: ",")]
            }
            return [
                "BYMONTHDAY=" + (28...day).map(String.init).joined(separator: ","), "BYSETPOS=-1",
            ]
        case .weekday(let nths, let weekday):
            return ["BYDAY=" + nths.map { "\($0)" + code(weekday) }.joined(separator: ",")]
        case .dated(let day, let weekday):
            return ["BYMONTHDAY=\(day)", "BYDAY=" + code(weekday)]
        case .workday(let nth): return ["BYDAY=MO,TU,WE,TH,FR", "BYSETPOS=\(nth)"]
        }
    }

    private static func code(_ weekday: Weekday) -> String {
        ["MO", "TU", "WE", "TH", "FR", "SA", "SU"][weekday.rawValue]
    }

    /// `20300501`.
    static func date(_ date: CivilDate) -> String {
        padded(date.year, 4) + padded(date.month, 2) + padded(date.day, 2)
    }

    /// `20300501T090000`.
    static func local(_ wall: CivilDateTime) -> String {
        let time = wall.time
        return date(wall.date) + "T" + padded(time.hour, 2) + padded(time.minute, 2)
            + padded(time.second, 2)
    }

    /// `20300501T070000Z`.
    static func utc(_ instant: Instant) -> String {
        local(CivilDateTime(secondsSinceEpoch: instant.seconds)) + "Z"
    }
}
