package import RemindCore

/// A task as `task export` writes it.
package struct TaskwarriorTask: Sendable {
    /// Where it begins, counted from 1.
    package var line: Int
    /// Its texts, as they are: `description`, `status`, `due` and so on.
    package var texts: [String: String] = [:]
    package var tags: [String] = []
    package var annotations: [(entry: String, description: String)] = []

    package init(line: Int) { self.line = line }

    fileprivate var uuid: String { texts["uuid"] ?? "" }
    fileprivate var status: String { texts["status"] ?? "pending" }
}

/// Makes items of taskwarrior's tasks. A recurring one and its instances that are open become one
/// series, whose current occurrence is the first of those; so all that have to do with series
/// wait for the end.
package struct Taskwarrior<Zones: ZoneDatabase> {
    private let zones: Zones
    private var series: [TaskwarriorTask] = []
    private var instances: [String: [TaskwarriorTask]] = [:]
    private var count = 0
    private var deleted = 0

    package init(zones: Zones) { self.zones = zones }

    package mutating func take(_ task: TaskwarriorTask, _ body: (ICalendarOutput) -> Void) {
        guard count < ICalendarLimits.items else {
            return body(.problem(.tooMany(line: task.line)))
        }
        count += 1
        if let reason = task.fault {
            return body(
                .problem(
                    .init(
                        uid: task.texts["uuid"], line: task.line, reason: reason, isRefusal: true)))
        }
        switch (task.status, task.texts["parent"]) {
        case ("deleted", _): deleted += 1
        case ("recurring", _): series.append(task)
        case ("completed", _), (_, nil): emit(task, nil, body)
        case (_, let parent?): instances[parent, default: []].append(task)
        }
    }

    package mutating func end(_ body: (ICalendarOutput) -> Void) {
        for task in series {
            let open = (instances.removeValue(forKey: task.uuid) ?? [])
                .compactMap { one in one.instant("due").map { ($0, one) } }
            emit(task, open.min { $0.0 < $1.0 }?.1, body)
        }
        let lone = instances.values.flatMap { $0 }.sorted { $0.line < $1.line }
        for task in lone { emit(task, nil, body) }
        if deleted > 0 {
            let reason = "Left out what was deleted in taskwarrior: \(deleted)."
            body(.problem(.init(line: 1, reason: reason)))
        }
        (series, instances, deleted) = ([], [:], 0)
    }

    /// - Parameter current: the instance of a series that is open.
    private func emit(
        _ task: TaskwarriorTask, _ current: TaskwarriorTask?, _ body: (ICalendarOutput) -> Void
    ) {
        let uid = "taskwarrior-" + task.uuid
        var item = ICalendarItem(
            uid: uid, line: task.line, title: task.texts["description"] ?? "",
            source: task.source + (current?.source ?? []))
        item.categories = task.tags
        item.priority = task.priority
        item.description = note(task)
        item.created = task.instant("entry")
        item.lastModified = [task, current].compactMap { $0?.instant("modified") }.max()
        item.own = ReminderState()
        item.own?.list = task.texts["project"]
        if task.status == "completed" {
            item.state = .done
            item.completed = task.instant("end")
        }
        for reason in setSchedule(task, current, &item) {
            body(.problem(.init(uid: uid, line: task.line, reason: reason)))
        }
        body(.item(item))
    }

    private func note(_ task: TaskwarriorTask) -> String? {
        let lines = task.annotations.map { annotation in
            let day = TaskwarriorTask.instant(annotation.entry).map {
                zones.local.civil(at: $0).date.iso8601 + " "
            }
            return (day ?? "") + annotation.description
        }
        return lines.isEmpty ? nil : lines.joined(separator: "\n")
    }

    /// - Returns: what was left out.
    private func setSchedule(
        _ task: TaskwarriorTask, _ current: TaskwarriorTask?, _ item: inout ICalendarItem
    ) -> [String] {
        var problems = task.times.filter { task.texts[$0] != nil && task.instant($0) == nil }.map {
            "‘\($0)’ is not a time that taskwarrior writes: ‘\(task.texts[$0] ?? "")’."
        }
        let due = task.instant("due")
        guard let instant = due ?? task.instant("scheduled") ?? task.instant("wait") else {
            return problems
        }
        let repeats = task.status == "recurring"
        item.setDue(deadline(instant, repeats: repeats))
        if repeats, !setSeries(task, current, instant, &item) {
            let recur = task.texts["recur"] ?? ""
            problems.append("It does not repeat here: ‘\(recur)’ is not understood.")
        }
        if let due, let scheduled = task.instant("scheduled"), scheduled < due,
            item.deadline?.isDateOnly == false
        {
            let lead = CalendarDuration(seconds: scheduled.seconds - due.seconds)
            item.alarms = [CalendarDuration(), lead].map {
                ICalendarAlarm(trigger: .end($0), line: task.line)
            }
        }
        return problems
    }

    private func setSeries(
        _ task: TaskwarriorTask, _ current: TaskwarriorTask?, _ due: Instant,
        _ item: inout ICalendarItem
    ) -> Bool {
        let first = zones.local.civil(at: due).date
        guard let recur = task.texts["recur"],
            var rule = TaskwarriorRecurrence.rrule(recur, first: first)
        else { return false }
        let isElapsed = rule.hasPrefix("FREQ=HOURLY") || rule.hasPrefix("FREQ=MINUTELY")
        let start = deadline(
            current?.instant("due") ?? due, repeats: true, isDay: isElapsed ? false : nil)
        if let until = task.instant("until") {
            rule += ";UNTIL=" + self.until(until, start)
        }
        item.setDue(start, rule: rule)
        if current != nil { item.own?.current = start }
        return true
    }

    private func until(_ instant: Instant, _ start: Deadline) -> String {
        let isUTC = if case .zoned = start { true } else { false }
        let civil =
            isUTC
            ? CivilDateTime(secondsSinceEpoch: instant.seconds) : zones.local.civil(at: instant)
        if start.isDateOnly { return PlainRule.compact(civil.date) }
        let time = civil.time.iso8601.filter { $0 != ":" }
        return PlainRule.compact(civil.date) + "T" + time + (isUTC ? "Z" : "")
    }

    /// Midnight means a day; a series is at the same time of the day here, whatever the clocks do.
    private func deadline(_ instant: Instant, repeats: Bool, isDay: Bool? = nil) -> Deadline {
        let civil = zones.local.civil(at: instant)
        if isDay ?? (civil.time == .midnight) { return .date(civil.date) }
        guard repeats else { return .absolute(instant) }
        let name = zones.local.identifier
        let isKnown = zones.knownZone(named: name) != nil
        return isKnown ? .zoned(civil, zone: name) : .floating(civil)
    }
}

extension TaskwarriorTask {
    fileprivate var times: [String] {
        ["due", "scheduled", "wait", "until", "end", "entry", "modified"]
    }

    /// What is so wrong with it that it cannot come in.
    fileprivate var fault: String? {
        let statuses = ["pending", "waiting", "completed", "deleted", "recurring"]
        if uuid.isEmpty { return "It has no uuid." }
        if uuid.utf8.count > 100 { return "Its uuid is too long." }
        if !statuses.contains(status) { return "Its status is not known: ‘\(status)’." }
        if texts["description"]?.allSatisfy(\.isWhitespace) ?? true {
            return "It has no description."
        }
        return nil
    }

    fileprivate var priority: Reminder.Priority {
        switch texts["priority"] {
        case "H": .high
        case "L": .low
        default: .normal
        }
    }

    fileprivate func instant(_ name: String) -> Instant? { texts[name].flatMap(Self.instant) }

    /// `20300501T070000Z`.
    fileprivate static func instant(_ text: String) -> Instant? {
        let bytes = Array(text.utf8)
        guard bytes.count == 16, bytes[8] == UInt8(ascii: "T"), bytes[15] == UInt8(ascii: "Z")
        else {
            return nil
        }
        func number(_ range: Range<Int>) -> Int? {
            let digits = bytes[range]
            guard digits.allSatisfy({ (48...57).contains($0) }) else { return nil }
            return digits.reduce(0) { $0 * 10 + Int($1) - 48 }
        }
        guard let year = number(0..<4), let month = number(4..<6), let day = number(6..<8),
            let hour = number(9..<11), let minute = number(11..<13), let second = number(13..<15),
            let date = CivilDate(year: year, month: month, day: day),
            let time = CivilTime(hour: hour, minute: minute, second: second)
        else { return nil }
        return Instant(seconds: CivilDateTime(date, time).secondsSinceEpoch)
    }

    /// All that counts: not its urgency, which changes every day, nor what only its own program
    /// needs.
    fileprivate var source: [String] {
        let names = [
            "description", "status", "due", "scheduled", "wait", "until", "end", "entry",
            "priority", "project", "recur", "uuid",
        ]
        return names.map { texts[$0] ?? "" } + tags + ["notes"]
            + annotations.flatMap { [$0.entry, $0.description] }
    }
}

/// The value of `recur`: a word, or a number and a unit.
enum TaskwarriorRecurrence {
    static func rrule(_ text: String, first: CivilDate) -> String? {
        if text == "weekdays" { return "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR" }
        guard let step = words[text] ?? CalendarDuration(iso8601: text) ?? counted(text) else {
            return nil
        }
        return PlainRule.rrule(every: step, first: first)
    }

    private static let words: [String: CalendarDuration] = [
        "daily": .init(days: 1), "day": .init(days: 1), "weekly": .init(days: 7),
        "sennight": .init(days: 14), "biweekly": .init(days: 14), "fortnight": .init(days: 14),
        "monthly": .init(months: 1), "bimonthly": .init(months: 2), "quarterly": .init(months: 3),
        "semiannual": .init(months: 6), "annual": .init(months: 12), "yearly": .init(months: 12),
        "biannual": .init(months: 24), "biyearly": .init(months: 24),
        "hourly": .init(seconds: 3600),
    ]

    /// `2wks`, `10d`, `month`.
    private static func counted(_ text: String) -> CalendarDuration? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let count = digits.isEmpty ? 1 : Int(digits) ?? 0
        guard (1...99_999).contains(count) else { return nil }
        switch text[digits.endIndex...] {
        case "min", "mins", "minute", "minutes": return .init(seconds: Int64(count) * 60)
        case "h", "hr", "hrs", "hour", "hours": return .init(seconds: Int64(count) * 3600)
        case "d", "day", "days": return .init(days: count)
        case "w", "wk", "wks", "week", "weeks": return .init(days: 7 * count)
        case "mo", "mos", "mth", "mths", "mnth", "mnths", "month", "months":
            return .init(months: count)
        case "q", "qtr", "qtrs", "qrtr", "qrtrs", "quarter", "quarters":
            return .init(months: 3 * count)
        case "y", "yr", "yrs", "year", "years": return .init(months: 12 * count)
        default: return nil
        }
    }
}
