/// Says how far a moment is from another, in whole words: `in 3 years`, `2 hours ago`.
package enum RelativePhrase {
    /// `in 5 minutes`, `in 1 hour 30 minutes`, `3 days ago`, `now`: what was asked for reads back
    /// as it was asked (`1 month`, `2 weeks`, `100 days`), and what lies further away is told in
    /// months, rounded, and from two years on in whole years, rounded down.
    ///
    /// The milliseconds of both count for nothing, and neither does a change of the clock by an
    /// hour in between: civil deadlines have neither.
    package static func text(from now: Instant, to instant: Instant) -> String {
        let seconds = instant.seconds - now.seconds
        guard seconds != 0 else { return instant < now ? "less than a second ago" : "now" }
        let length = length(Int64(seconds.magnitude), from: min(now, instant))
        return seconds > 0 ? "in \(length)" : "\(length) ago"
    }

    /// `1 day`, `12 days`.
    static func days(_ count: Int) -> String {
        length(Int64(count) * day, from: Instant(seconds: 0))
    }

    private static let hour: Int64 = 3600
    private static let day: Int64 = 86_400

    private static func length(_ seconds: Int64, from start: Instant) -> String {
        switch seconds {
        case ..<600: return pair(seconds, 60, "minute", "second")
        case ..<(day - 30): return pair((seconds + 30) / 60, 60, "hour", "minute")
        case ..<(7 * day - hour):
            let hours = (seconds + hour / 2) / hour
            let isNearWhole = hours > 25 && (hours % 24 == 23 || hours % 24 == 1)
            return isNearWhole
                ? counted((hours + 1) / 24, "day") : pair(hours, 24, "day", "hour")
        default: return length(days: Int((seconds + hour) / day), from: start)
        }
    }

    /// Of a week and more: as months when it is that many, else as weeks or days up to a hundred.
    private static func length(days: Int, from start: Instant) -> String {
        let first = CivilDateTime(secondsSinceEpoch: start.seconds).date
        let last = CivilDate(daysSinceEpoch: first.daysSinceEpoch + days)
        // A day more or less is allowed: the dates are those of UTC.
        var months = (last.year - first.year) * 12 + last.month - first.month + 1
        var missing = 0
        repeat {
            missing = first.adding(months: months).daysSinceEpoch - last.daysSinceEpoch
            if missing > 1 { months -= 1 }
        } while missing > 1
        switch days {
        case 14... where missing >= -1 && months > 0: break
        case ...100:
            return days >= 14 && days % 7 == 0
                ? counted(Int64(days / 7), "week") : counted(Int64(days), "day")
        default:
            // Rounded while a month counts, so that 52 weeks are a year.
            if months < 24, missing < -15 { months += 1 }
        }
        return months < 24
            ? pair(Int64(months), 12, "year", "month") : counted(Int64(months / 12), "year")
    }

    /// `1 hour 30 minutes`; a part that is zero is left out.
    private static func pair(
        _ count: Int64, _ size: Int64, _ long: String, _ short: String
    ) -> String {
        let parts = [(count / size, long), (count % size, short)].filter { $0.0 > 0 }
        return parts.map { counted($0.0, $0.1) }.joined(separator: " ")
    }

    private static func counted(_ count: Int64, _ name: String) -> String {
        "\(count) \(name)\(count == 1 ? "" : "s")"
    }
}

extension CalendarDuration {
    /// How late something is, for its `label`: `12 min`, `3 days 4 h`; from an hour on without the
    /// seconds, from a day on without the minutes.
    package static func rounded(seconds: Int64) -> CalendarDuration {
        switch seconds {
        case ..<3600: CalendarDuration(seconds: seconds)
        case ..<86_400: CalendarDuration(seconds: seconds / 60 * 60)
        default:
            CalendarDuration(
                days: Int(seconds / 86_400), seconds: seconds % 86_400 / 3600 * 3600)
        }
    }

    /// For labels: `10 min`, `1 h 30 min`, `2 days`, `1 month`. The duration parser reads it back.
    package var label: String {
        var parts: [String] = []
        func add(_ count: Int64, _ one: String, _ many: String) {
            if count != 0 { parts.append("\(count) \(count == 1 ? one : many)") }
        }
        let (months, days) = (Int64(months.magnitude), Int64(days.magnitude))
        let seconds = Int64(clamping: seconds.magnitude)
        add(months / 12, "year", "years")
        add(months % 12, "month", "months")
        let inWeeks = days % 7 == 0
        add(inWeeks ? days / 7 : 0, "week", "weeks")
        add(inWeeks ? 0 : days, "day", "days")
        add(seconds / 3600, "h", "h")
        add(seconds / 60 % 60, "min", "min")
        add(seconds % 60, "s", "s")
        if parts.isEmpty { return "0 min" }
        let isNegative = self.months < 0 || self.days < 0 || self.seconds < 0
        return (isNegative ? "-" : "") + parts.joined(separator: " ")
    }
}
