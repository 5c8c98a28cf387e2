/// A recurrence rule in a few words, where a few words say all of it: `every 2 weeks`.
package enum RuleWords {
    private static let units = [
        "SECONDLY": "second", "MINUTELY": "minute", "HOURLY": "hour", "DAILY": "day",
        "WEEKLY": "week", "MONTHLY": "month", "YEARLY": "year",
    ]
    private static let days = [
        "MO": "Mon", "TU": "Tue", "WE": "Wed", "TH": "Thu", "FR": "Fri", "SA": "Sat", "SU": "Sun",
    ]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    private static let workdays = "MO,TU,WE,TH,FR"

    /// `every 2 weeks` for `FREQ=WEEKLY;INTERVAL=2`, `3 days after completion`; `nil` when the rule
    /// says more than a few words do. O(bytes).
    package static func phrase(for rule: String) -> String? {
        let text = rule.hasPrefix("RRULE:") ? String(rule.dropFirst(6)) : rule
        return words(parts(of: text))
    }

    private static func words(_ given: [String: String]) -> String? {
        var parts = given
        // It matters only to rules that the other parts make too fine for a few words.
        parts["WKST"] = nil
        let isAfterCompletion = parts["X-BASIS"] == "COMPLETION"
        if isAfterCompletion { parts["X-BASIS"] = nil }
        guard let times = times(&parts) else { return nil }
        guard let frequency = parts.removeValue(forKey: "FREQ"), let unit = units[frequency],
            let interval = Int(parts.removeValue(forKey: "INTERVAL") ?? "1"),
            let end = end(&parts), let place = place(frequency, &parts), parts.isEmpty
        else { return nil }
        if isAfterCompletion {
            guard place.isEmpty, times.isEmpty else { return nil }
            return "\(interval) \(unit)\(interval == 1 ? "" : "s") after completion" + end
        }
        let every = interval == 1 ? "every \(unit)" : "every \(interval) \(unit)s"
        if frequency == "WEEKLY", interval == 1, !place.isEmpty {
            return "every \(place)" + times + end
        }
        return every + (place.isEmpty ? "" : " on \(place)") + times + end
    }

    private static func parts(of rule: String) -> [String: String] {
        var parts: [String: String] = [:]
        for part in rule.uppercased().split(separator: ";") {
            let sides = part.split(separator: "=", maxSplits: 1).map(String.init)
            // What is no rule, or says a thing twice, is shown as it is.
            guard sides.count == 2, parts.updateValue(sides[1], forKey: sides[0]) == nil else {
                return [:]
            }
        }
        return parts
    }
}

/// The finer parts; each takes those that it has words for, and is `nil` where there are none.
extension RuleWords {
    /// ` at 09:00 and 18:00`; positions that count them become positions of days. `nil`: times
    /// that a few words do not say.
    private static func times(_ parts: inout [String: String]) -> String? {
        let lists = (parts.removeValue(forKey: "BYHOUR"), parts.removeValue(forKey: "BYMINUTE"))
        guard lists.0 != nil || lists.1 != nil else { return "" }
        guard let hours = lists.0, let minutes = lists.1, !hours.hasPrefix(","),
            let times = RuleTimes(hours: hours, minutes: minutes)?.times, times.count <= 6,
            ["DAILY", "WEEKLY", "MONTHLY", "YEARLY"].contains(parts["FREQ"])
        else { return nil }
        if let text = parts["BYSETPOS"], times.count > 1 {
            let positions = text.split(separator: ",").compactMap { Int($0) }
            guard let last = positions.last, positions.count == times.count,
                positions == Array((last - times.count + 1)...last),
                (last < 0 ? last + 1 : last) % times.count == 0
            else { return nil }
            parts["BYSETPOS"] = String(
                last < 0 ? (last + 1) / times.count - 1 : last / times.count)
        }
        return " at " + listed(times.map(CivilText.time))
    }

    /// `, 5 times`, `, until 1 May 2030`.
    private static func end(_ parts: inout [String: String]) -> String? {
        if let text = parts.removeValue(forKey: "COUNT") {
            return Int(text).map { $0 == 1 ? ", once" : ", \($0) times" }
        }
        guard let text = parts.removeValue(forKey: "UNTIL") else { return "" }
        // In universal time it may be another day than where the reminder is.
        guard text.utf8.count >= 8, text.last != "Z", let year = Int(text.prefix(4)),
            let month = Int(text.dropFirst(4).prefix(2)), months.indices.contains(month - 1),
            let day = Int(text.dropFirst(6).prefix(2))
        else { return nil }
        return ", until \(day) \(months[month - 1]) \(year)"
    }

    /// Which days of the cycle; empty: the day of the first occurrence.
    private static func place(_ frequency: String, _ parts: inout [String: String]) -> String? {
        switch frequency {
        case "WEEKLY": return weekdays(parts.removeValue(forKey: "BYDAY"))
        case "MONTHLY": return dayOfMonth(&parts).map { $0.isEmpty ? "" : "the \($0)" }
        case "YEARLY":
            guard let text = parts.removeValue(forKey: "BYMONTH") else { return "" }
            guard let month = Int(text), months.indices.contains(month - 1),
                let day = dayOfMonth(&parts), !day.isEmpty
            else { return nil }
            return "the \(day) of \(months[month - 1])"
        default: return ""
        }
    }

    private static func weekdays(_ list: String?) -> String? {
        guard let list else { return "" }
        if list == workdays { return "weekday" }
        let names = list.split(separator: ",").map { days[String($0)] }
        return names.contains(nil) ? nil : listed(names.compactMap(\.self))
    }

    /// `15th`, `last day`, `2nd Tue`, `last workday`; empty when nothing is said.
    private static func dayOfMonth(_ parts: inout [String: String]) -> String? {
        let (list, days) = (
            parts.removeValue(forKey: "BYMONTHDAY"), parts.removeValue(forKey: "BYDAY")
        )
        let position = parts.removeValue(forKey: "BYSETPOS")
        switch (list, days, position) {
        case (nil, nil, nil): return ""
        case (let list?, nil, nil): return daysOfMonth(list)
        case (let list?, nil, "-1"): return clamped(list)
        case (nil, workdays, let position?):
            return Int(position).flatMap { ordinal($0, "workday", named: true) }
        case (nil, let days?, nil): return nthWeekdays(days)
        default: return nil
        }
    }

    /// The last of the days up to it: `31st`, in short months their last day.
    private static func clamped(_ list: String) -> String? {
        let days = list.split(separator: ",").compactMap { Int($0) }
        guard let first = days.first, let last = days.last, first == 28, last <= 31,
            days == Array(28...last)
        else { return nil }
        return ordinal(last, "day")
    }

    /// `1st and 15th`, `15th and last day`.
    private static func daysOfMonth(_ list: String) -> String? {
        let days = list.split(separator: ",").map { Int($0).flatMap { ordinal($0, "day") } }
        return days.contains(nil) ? nil : listed(days.compactMap(\.self))
    }

    /// `2nd and 4th Tue`: of one weekday.
    private static func nthWeekdays(_ list: String) -> String? {
        let items = list.split(separator: ",")
        guard let day = items.first?.suffix(2), let name = days[String(day)],
            items.allSatisfy({ $0.suffix(2) == day })
        else { return nil }
        let places = items.map { Int($0.dropLast(2)).flatMap { ordinal($0, "") } }
        guard !places.contains(nil) else { return nil }
        let words = places.compactMap { $0?.split(separator: " ").joined() }
        return "\(listed(words)) \(name)"
    }

    /// `Mon, Wed and Fri`.
    private static func listed(_ words: [String]) -> String {
        guard let last = words.last, words.count > 1 else { return words.first ?? "" }
        return words.dropLast().joined(separator: ", ") + " and " + last
    }

    /// `2nd`, `last day`; with `named` also the thing that is counted: `2nd Tue`.
    private static func ordinal(_ number: Int, _ thing: String, named: Bool = false) -> String? {
        if number == -1 { return "last \(thing)" }
        guard number > 0 else { return nil }
        let ending =
            switch (number % 100, number % 10) {
            case (11...13, _): "th"
            case (_, 1): "st"
            case (_, 2): "nd"
            case (_, 3): "rd"
            default: "th"
            }
        return "\(number)\(ending)" + (named ? " \(thing)" : "")
    }
}
