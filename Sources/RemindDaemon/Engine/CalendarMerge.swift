import Calendaring
import RemindCore

/// Writes an item that came in as it is now: what was changed here is written anew, everything else
/// stays as it came.
struct CalendarMerge {
    let calendar: CalendarText
    let reminder: Reminder
    let item: ICalendarItem

    private var kind: String { item.component.rawValue }

    /// - Parameter lines: of the item and of what replaces its occurrences.
    func lines(_ lines: [String]) -> [String] {
        let conversion = ImportConversion(
            schedule: calendar.schedule, now: calendar.now, list: nil)
        let before = conversion.draft(item).reminder
        let changes = changes(since: before)
        let isMoved = isMoved(since: before)
        let end = lines.firstIndex(of: "END:" + kind) ?? lines.count - 1
        var result = master(Array(lines[...end]), changes, dropsAlarms: isMoved)
        if !isMoved { result += lines[(end + 1)...] }
        var state = calendar.state(reminder, isMoved: !isMoved)
        state.isDone = item.component == .event && reminder.state == .done
        return calendar.completed(result, state, reminder)
    }

    /// Whether it is due, repeats or rings at other times than those of the item.
    private func isMoved(since before: Reminder) -> Bool {
        reminder.plan != before.plan || reminder.before != before.before
            || reminder.recurrence != before.recurrence
            || reminder.recurrence == nil && item.overrides.isEmpty
                && reminder.deadline != before.deadline
    }

    private struct Changes {
        var dropped: Set<String> = ["LAST-MODIFIED", "DTSTAMP"]
        var added: [String] = []
    }

    private func changes(since before: Reminder) -> Changes {
        var changes = Changes()
        func replace(_ names: [String], _ lines: [String]) {
            changes.dropped.formUnion(names)
            changes.added += lines
        }
        let modified = ContentLineWriter.utc(reminder.modified)
        changes.added = ["DTSTAMP:" + modified, "LAST-MODIFIED:" + modified]
        // A title that was made of the note is no longer said by it.
        let losesTitle = item.summary.isEmpty && reminder.note != before.note
        if reminder.title != before.title || losesTitle {
            replace(["SUMMARY"], [CalendarText.summary(reminder)])
        }
        if reminder.note != before.note {
            replace(["DESCRIPTION"], CalendarText.description(reminder))
        }
        if reminder.tags != before.tags {
            replace(["CATEGORIES"], CalendarText.categories(reminder))
        }
        if reminder.priority != before.priority {
            replace(["PRIORITY"], [CalendarText.priority(reminder)])
        }
        if reminder.state != before.state, item.component == .todo {
            replace(
                ["STATUS", "COMPLETED", "PERCENT-COMPLETE"], CalendarText.status(reminder))
        }
        if isMoved(since: before) {
            let times = CalendarTimes(
                schedule: calendar.schedule, reminder: reminder, isEvent: item.component == .event)
            replace(
                [
                    "DTSTART", "DUE", "DTEND", "DURATION", "RRULE", "EXRULE", "RDATE", "EXDATE",
                    "X-MOZ-LASTACK",
                ], times.lines)
        }
        return changes
    }

    private func master(
        _ lines: [String], _ changes: Changes, dropsAlarms: Bool
    ) -> [String] {
        let alarms = CalendarAlarms(
            schedule: calendar.schedule, reminder: reminder, uid: item.uid,
            isEvent: item.component == .event)
        var (result, children) = ([String](), [String]())
        var (depth, inAlarm, firstAlarm) = (0, false, String?.none)
        for line in lines.dropFirst().dropLast() {
            if line.hasPrefix("BEGIN:") {
                depth += 1
                if depth == 1 { inAlarm = line == "BEGIN:VALARM" }
            }
            if depth == 0 {
                if !changes.dropped.contains(name(line)) { result.append(line) }
            } else if !(inAlarm && dropsAlarms) {
                if inAlarm, depth == 1 {
                    if name(line) == "UID", firstAlarm == nil { firstAlarm = value(line) }
                    add(line, seen: alarms.acknowledged, to: &children)
                } else {
                    children.append(line)
                }
            }
            if line.hasPrefix("END:") { depth -= 1 }
        }
        let more = dropsAlarms ? alarms.lines : alarms.snooze(of: firstAlarm)
        return [lines[0]] + result + changes.added + children + more + ["END:" + kind]
    }

    /// A line of an alarm; when its rings have been seen, that stands at its end.
    private func add(_ line: String, seen: Instant?, to lines: inout [String]) {
        guard let seen else { return lines.append(line) }
        if name(line) == "ACKNOWLEDGED" { return }
        if line == "END:VALARM" { lines.append("ACKNOWLEDGED:" + ContentLineWriter.utc(seen)) }
        lines.append(line)
    }

    private func name(_ line: String) -> String {
        line.prefix { $0 != ":" && $0 != ";" }.uppercased()
    }

    private func value(_ line: String) -> String {
        ICalendarProperty(text: line).map { ICalendarText.decoded($0.value) } ?? ""
    }
}
