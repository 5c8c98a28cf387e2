import RemindCore

/// A recurrence rule in a few words, for a column: how often, without its finer parts.
enum RuleWords {
    private static let units = [
        "SECONDLY": "second", "MINUTELY": "minute", "HOURLY": "hour", "DAILY": "day",
        "WEEKLY": "week", "MONTHLY": "month", "YEARLY": "year",
    ]
    private static let days = [
        "MO": "mon", "TU": "tue", "WE": "wed", "TH": "thu", "FR": "fri", "SA": "sat", "SU": "sun",
    ]

    /// `every 2 weeks` for `FREQ=WEEKLY;INTERVAL=2`; the rule itself when it is not understood.
    static func words(for rule: String) -> String {
        let parts = parts(of: rule)
        guard let unit = parts["FREQ"].flatMap({ units[$0] }) else { return rule.singleLine }
        let interval = parts["INTERVAL"].flatMap { Int($0) } ?? 1
        if interval == 1, parts["FREQ"] == "WEEKLY", let named = dayNames(parts["BYDAY"]) {
            return "every \(named)"
        }
        return interval == 1 ? "every \(unit)" : "every \(interval) \(unit)s"
    }

    private static func parts(of rule: String) -> [String: String] {
        var parts: [String: String] = [:]
        let text = rule.hasPrefix("RRULE:") ? rule.dropFirst(6) : rule[...]
        for part in text.uppercased().split(whereSeparator: { $0 == ";" || $0 == "\n" }) {
            let sides = part.split(separator: "=", maxSplits: 1)
            if sides.count == 2 { parts[String(sides[0])] = String(sides[1]) }
        }
        return parts
    }

    private static func dayNames(_ list: String?) -> String? {
        guard let list else { return nil }
        let names = list.split(separator: ",").map { days[String($0)] }
        if names.contains(nil) { return nil }
        return list == "MO,TU,WE,TH,FR"
            ? "weekday" : names.compactMap(\.self).joined(separator: ",")
    }
}

/// An ISO 8601 duration in a few words.
enum DurationWords {
    /// `1 day 2 hours` for `P1DT2H`; the text itself when it is not understood.
    static func words(for text: String) -> String {
        guard let duration = CalendarDuration(iso8601: text) else { return text.singleLine }
        let seconds = duration.seconds.magnitude
        let parts: [(UInt64, String)] = [
            (UInt64(duration.months.magnitude), "month"), (UInt64(duration.days.magnitude), "day"),
            (seconds / 3600, "hour"), (seconds / 60 % 60, "minute"), (seconds % 60, "second"),
        ]
        let said = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)\($0.0 == 1 ? "" : "s")" }
        return said.isEmpty ? "0 seconds" : said.joined(separator: " ")
    }
}
