/// Says how far a moment is from another, in whole words: `in 3 years`, `2 hours ago`.
package enum RelativePhrase {
    /// `in 5 minutes`, `3 days ago`, `now`: the largest unit that fits, rounded down.
    package static func text(from now: Instant, to instant: Instant) -> String {
        let seconds = (instant.milliseconds - now.milliseconds) / 1000
        guard seconds != 0 else { return instant < now ? "less than a second ago" : "now" }
        let length = Self.length(seconds: Int64(seconds.magnitude))
        return seconds > 0 ? "in \(length)" : "\(length) ago"
    }

    /// `1 day`, `12 days`.
    static func days(_ count: Int) -> String { length(seconds: Int64(count) * 86_400) }

    private static func length(seconds: Int64) -> String {
        let units: [(seconds: Int64, name: String)] = [
            (31_556_952, "year"), (2_629_746, "month"), (604_800 * 2, "week"), (86_400, "day"),
            (3600, "hour"), (60, "minute"),
        ]
        for unit in units where seconds >= unit.seconds {
            let size = unit.name == "week" ? 604_800 : unit.seconds
            return counted(seconds / size, unit.name)
        }
        return counted(seconds, "second")
    }

    private static func counted(_ count: Int64, _ name: String) -> String {
        "\(count) \(name)\(count == 1 ? "" : "s")"
    }
}

extension CalendarDuration {
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
