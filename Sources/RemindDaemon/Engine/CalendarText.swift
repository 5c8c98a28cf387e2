import Calendaring
import RemindCore
import Store

/// A reminder as the lines of a VTODO or a VEVENT, without folds.
struct CalendarText {
    let schedule: Schedule<SystemZones>
    let now: Instant

    func lines(_ exported: ExportedReminder) -> [String] {
        let reminder = exported.reminder
        guard let item = exported.item, !item.text.isEmpty else {
            return own(reminder, uid: exported.item?.uid ?? reminder.id.text)
        }
        let lines = item.text.split(separator: "\n").map { String($0) }
        guard !isUntouched(reminder, since: item),
            let stored = ICalendarReader.item(stored: item.text, zones: schedule.zones)
        else { return completed(lines, state(reminder, isMoved: false), reminder) }
        return CalendarMerge(calendar: self, reminder: reminder, item: stored).lines(lines)
    }

    /// What goes out as it came in, and our own property (empty: none); `nil`: it is to be written
    /// anew.
    func plain(_ exported: ExportedReminder) -> (text: String, state: String)? {
        guard let item = exported.item, !item.text.isEmpty,
            isUntouched(exported.reminder, since: item)
        else { return nil }
        let state = state(exported.reminder, isMoved: false).text
        return (item.text, state.isEmpty ? "" : ReminderState.name + ":" + state)
    }

    private func isUntouched(_ reminder: Reminder, since item: CalendarItemRecord) -> Bool {
        item.stored == reminder.modified && reminder.alarm.rings == 0
            && reminder.alarm.state != .snoozed
    }

    /// Puts in what each component must have and may lack, and our own property.
    func completed(_ lines: [String], _ state: ReminderState, _ reminder: Reminder) -> [String] {
        var (result, begin, isStamped, isFirst) = ([String](), 0, false, true)
        for line in lines {
            if line == "BEGIN:VTODO" || line == "BEGIN:VEVENT" {
                (begin, isStamped) = (result.count + 1, false)
            } else if line.hasPrefix("DTSTAMP") {
                isStamped = true
            } else if line == "END:VTODO" || line == "END:VEVENT" {
                if !isStamped {
                    let stamp = "DTSTAMP:" + ContentLineWriter.utc(reminder.modified)
                    result.insert(stamp, at: begin)
                }
                let text = state.text
                if isFirst, !text.isEmpty { result.append(ReminderState.name + ":" + text) }
                isFirst = false
            }
            result.append(line)
        }
        return result
    }

    /// What an imported reminder is beyond its text.
    /// - Parameter isMoved: the current occurrence may be another than a reader would take.
    func state(_ reminder: Reminder, isMoved: Bool) -> ReminderState {
        var state = ReminderState()
        if reminder.list != Reminder.defaultList { state.list = reminder.list }
        state.nag = reminder.nag
        state.countsFromCompletion = reminder.recurrence?.rule.basis == .completion
        if reminder.recurrence != nil, isMoved || !isNext(reminder) {
            state.current = reminder.deadline
        }
        if reminder.alarm.rings > 0 {
            (state.rings, state.rungThrough) = (reminder.alarm.rings, reminder.alarm.rungThrough)
        }
        if reminder.alarm.state == .ringing { state.ring = reminder.alarm.ring }
        return state
    }

    /// Whether the current occurrence of a series is the one that a reader takes who is not told
    /// which: the next that is ahead.
    private func isNext(_ reminder: Reminder) -> Bool {
        guard reminder.recurrence?.rule.basis == .schedule else { return false }
        guard reminder.plan == nil, let deadline = reminder.deadline,
            let next = try? schedule.occurrence(of: reminder, from: now.advanced(byMilliseconds: 1))
        else { return true }
        return (try? schedule.instant(of: next)) == (try? schedule.instant(of: deadline))
    }

    /// A reminder that did not come from a calendar.
    private func own(_ reminder: Reminder, uid: String) -> [String] {
        let modified = ContentLineWriter.utc(reminder.modified)
        var lines = [
            "BEGIN:VTODO", "UID:" + ContentLineWriter.escaped(uid), "DTSTAMP:" + modified,
            "CREATED:" + ContentLineWriter.utc(reminder.created), "LAST-MODIFIED:" + modified,
            Self.summary(reminder),
        ]
        lines += Self.description(reminder) + Self.categories(reminder)
        lines.append(Self.priority(reminder))
        lines += Self.status(reminder)
        let times = CalendarTimes(schedule: schedule, reminder: reminder, isEvent: false)
        lines += times.lines
        lines.append(ReminderState.name + ":" + ownState(reminder, times).text)
        lines +=
            CalendarAlarms(schedule: schedule, reminder: reminder, uid: uid, isEvent: false)
            .lines
        return lines + ["END:VTODO"]
    }

    private func ownState(_ reminder: Reminder, _ times: CalendarTimes) -> ReminderState {
        var state = state(reminder, isMoved: true)
        state.isNative = true
        (state.scheduled, state.created) = (reminder.scheduled, reminder.created)
        (state.modified, state.completed) = (reminder.modified, reminder.completed)
        state.before = reminder.before
        (state.rungThrough, state.ring) = (reminder.alarm.rungThrough, reminder.alarm.ring)
        if !times.saysAll { state.current = reminder.deadline }
        if let rule = reminder.recurrence?.rule.rrule, rule != times.rule { state.rule = rule }
        return state
    }

    static func summary(_ reminder: Reminder) -> String {
        "SUMMARY:" + ContentLineWriter.escaped(reminder.title)
    }

    static func description(_ reminder: Reminder) -> [String] {
        reminder.note.map { ["DESCRIPTION:" + ContentLineWriter.escaped($0)] } ?? []
    }

    static func categories(_ reminder: Reminder) -> [String] {
        guard !reminder.tags.isEmpty else { return [] }
        return ["CATEGORIES:" + reminder.tags.map(ContentLineWriter.escaped).joined(separator: ",")]
    }

    /// RFC 5545 section 3.8.1.9: 1 is the highest, 5 the middle, 9 the lowest.
    static func priority(_ reminder: Reminder) -> String {
        switch reminder.priority {
        case .high: "PRIORITY:1"
        case .normal: "PRIORITY:5"
        case .low: "PRIORITY:9"
        }
    }

    static func status(_ reminder: Reminder) -> [String] {
        guard reminder.state == .done else { return ["STATUS:NEEDS-ACTION"] }
        let completed = ContentLineWriter.utc(reminder.completed ?? reminder.modified)
        return ["STATUS:COMPLETED", "COMPLETED:" + completed, "PERCENT-COMPLETE:100"]
    }
}
