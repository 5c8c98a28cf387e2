import RemindCore

/// Alarms and rules as vCalendar 1.0 has them (1996, sections 2.1.4 and 2.4.4): some telephones
/// and old programs write them still.
enum OldForms {
    /// By their names: what each does.
    private static let alarms = [
        "DALARM": "DISPLAY", "AALARM": "AUDIO", "MALARM": "EMAIL", "PALARM": "PROCEDURE",
    ]

    static func isAlarm(_ name: String) -> Bool { name.utf8.count == 6 && alarms[name] != nil }

    /// A VALARM of `DALARM:20240501T084500Z;PT5M;2;Text`: when, snooze, how often again.
    ///
    /// - Parameter start: the DTSTART of what repeats, whose alarm goes with each occurrence.
    /// - Returns: `nil` when it has no time.
    static func alarm(_ property: ICalendarProperty, start: ICalendarProperty?) -> Component? {
        let fields = property.value.split(separator: ";", omittingEmptySubsequences: false)
            .map { String($0).trimmedASCII }
        guard let time = fields.first, let when = CivilDateTime(icalendar: time) else { return nil }
        var lines = ["ACTION:" + (alarms[property.name] ?? "DISPLAY")]
        let isUniversal = time.uppercased().hasSuffix("Z")
        if let start, let first = CivilDateTime(icalendar: start.value.trimmedASCII),
            isUniversal == start.value.trimmedASCII.uppercased().hasSuffix("Z")
        {
            let seconds = when.secondsSinceEpoch - first.secondsSinceEpoch
            lines.append("TRIGGER:" + CalendarDuration(seconds: seconds).iso8601)
        } else {
            lines.append("TRIGGER;VALUE=DATE-TIME:" + time)
        }
        if fields.count > 2, let repeats = Int(fields[2]), repeats > 0,
            CalendarDuration(icalendar: fields[1]) != nil
        {
            lines += ["DURATION:" + fields[1], "REPEAT:\(repeats)"]
        }
        var alarm = Component(name: "VALARM", line: property.line)
        alarm.properties = lines.compactMap { ICalendarProperty(text: $0, line: property.line) }
        return alarm
    }

    /// An RRULE of `W2 MO TH #10`, `MP1 1+ MO #0`, `MD1 15 20241231T000000Z`; `nil` when it is none.
    /// Without an end it has two occurrences, with `#0` it has no end.
    static func rule(_ text: String) -> String? {
        var words = text.uppercased().split(separator: " ").map(String.init)
        guard let head = words.first, !text.contains("=") else { return nil }
        let kind = String(head.prefix { $0.isLetter })
        guard let form = forms[kind], let interval = Int(head.dropFirst(kind.count)), interval > 0
        else { return nil }
        words.removeFirst()
        var end = "COUNT=2"
        if let last = words.last, last.first == "#" || CivilDateTime(icalendar: last) != nil {
            guard let given = self.end(last) else { return nil }
            end = given
            words.removeLast()
        }
        guard let days = kind == "MP" ? positions(words) : numbers(words, kind) else { return nil }
        let by = days.isEmpty || form.by.isEmpty ? "" : form.by + "=" + days.joined(separator: ",")
        return ["FREQ=" + form.frequency, "INTERVAL=\(interval)", by, end]
            .filter { !$0.isEmpty }.joined(separator: ";")
    }

    private static let forms: [String: (frequency: String, by: String)] = [
        "D": ("DAILY", ""), "W": ("WEEKLY", "BYDAY"), "MP": ("MONTHLY", "BYDAY"),
        "MD": ("MONTHLY", "BYMONTHDAY"), "YM": ("YEARLY", "BYMONTH"), "YD": ("YEARLY", "BYYEARDAY"),
    ]

    private static let weekdays: Set<String> = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]

    /// Empty: without end.
    private static func end(_ word: String) -> String? {
        guard word.first == "#" else { return "UNTIL=" + word }
        guard let count = Int(word.dropFirst()), count >= 0 else { return nil }
        return count == 0 ? "" : "COUNT=\(count)"
    }

    /// `1+ MO TU 2- FR`: a position holds for the days behind it.
    private static func positions(_ words: [String]) -> [String]? {
        var (position, days) = (0, [String]())
        for word in words {
            if weekdays.contains(word) {
                days.append(position == 0 ? word : "\(position)" + word)
            } else if let number = signed(word) {
                position = number
            } else {
                return nil
            }
        }
        return days
    }

    private static func numbers(_ words: [String], _ kind: String) -> [String]? {
        var found: [String] = []
        for word in words {
            if kind == "W" {
                guard weekdays.contains(word) else { return nil }
                found.append(word)
            } else {
                guard let number = word == "LD" ? -1 : signed(word) else { return nil }
                found.append(String(number))
            }
        }
        return found
    }

    /// `2`, `2+`, `2-`: the sign stands behind.
    private static func signed(_ word: String) -> Int? {
        let digits = word.last == "+" || word.last == "-" ? word.dropLast() : word[...]
        guard let number = Int(digits), number > 0 else { return nil }
        return word.last == "-" ? -number : number
    }
}

extension Component {
    /// Alarms, rules and durations in old and in broken forms become those of iCalendar.
    ///
    /// - Parameter note: is told of what was taken in another way than it stands.
    mutating func modernize(_ note: (Int, String) -> Void) {
        for place in children.indices where children[place].name == "VALARM" {
            children[place].replaceValue(of: "TRIGGER", with: DurationRepair.repaired, note)
            children[place].replaceValue(of: "DURATION", with: DurationRepair.repaired, note)
        }
        var hasAlarms = false, hasRule = false, hasDuration = false
        for property in properties {
            if OldForms.isAlarm(property.name) { hasAlarms = true }
            if property.name == "RRULE" { hasRule = true }
            if property.name == "DURATION" { hasDuration = true }
        }
        if hasDuration { replaceValue(of: "DURATION", with: DurationRepair.repaired, note) }
        if hasRule { replaceValue(of: "RRULE", with: OldForms.rule, note) }
        if hasRule { replaceValue(of: "RRULE", with: RuleForm.repaired, note) }
        if hasAlarms { takeAlarms(start: hasRule ? first("DTSTART") : nil, note) }
    }

    private mutating func takeAlarms(
        start: ICalendarProperty?, _ note: (Int, String) -> Void
    ) {
        for property in properties where OldForms.isAlarm(property.name) {
            if let alarm = OldForms.alarm(property, start: start) {
                children.append(alarm)
            } else if !property.value.trimmedASCII.isEmpty {
                note(
                    property.line,
                    "An alarm was left out: ‘\(property.name)’ has ‘\(property.value.prefix(40))’, "
                        + "which has no time.")
            }
        }
        properties.removeAll { OldForms.isAlarm($0.name) }
    }

    private mutating func replaceValue(
        of name: String, with repair: (String) -> String?, _ note: (Int, String) -> Void
    ) {
        for place in properties.indices where properties[place].name == name {
            let property = properties[place]
            guard let value = repair(property.value),
                let repaired = ICalendarProperty(
                    text: property.text.dropLast(property.value.count) + value,
                    line: property.line)
            else { continue }
            note(
                property.line, "‘\(name)’ has ‘\(property.value.prefix(40))’: taken as ‘\(value)’.")
            properties[place] = repaired
        }
    }
}
