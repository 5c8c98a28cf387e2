import RemindAPI
import RemindCore
import Store

/// Answers to rings. A button of a pop-up and a command are the same event.
extension Engine {
    func complete(
        _ reminders: [Reminder], series: Bool, group: String? = nil, origin: LogEntry.Origin
    ) throws(APIError) -> [Reminder] {
        let now = clock.now
        return try change(reminders, ChangeKind(.done, group: group)) {
            (reminder) throws(APIError) in
            guard reminder.state == .open else {
                throw .wrongState(
                    "\(reminder.number)",
                    "#\(reminder.number) ‘\(reminder.title)’ is done already.",
                    hint: "remindctl reopen \(reminder.number)")
            }
            let next = series ? nil : timetable.next(after: reminder, completedAt: now)
            var moved = reminder
            if let next { (moved.deadline, moved.alarm.ring) = (next, nil) }
            let facts = next == nil ? .nothing : timetable.facts(for: moved, now: now)
            return reminder.completed(next: next, facts: facts, now: now, origin: origin)
        }
    }

    func reopen(_ reminders: [Reminder], group: String? = nil) throws(APIError) -> [Reminder] {
        let now = clock.now
        return try change(reminders, ChangeKind(.reopen, group: group)) {
            (reminder) throws(APIError) in
            guard reminder.state == .done else {
                throw .wrongState(
                    "\(reminder.number)", "#\(reminder.number) ‘\(reminder.title)’ is open.",
                    hint: "remindctl show \(reminder.number)")
            }
            var open = reminder
            open.state = .open
            let facts = timetable.facts(for: open, now: now)
            return reminder.reopened(facts, now: now, origin: .command)
        }
    }

    func dismiss(
        _ reminders: [Reminder], group: String? = nil, origin: LogEntry.Origin
    ) throws(APIError) -> [Reminder] {
        let now = clock.now
        return try change(reminders, ChangeKind(.dismiss, group: group)) {
            (reminder) throws(APIError) in
            guard reminder.alarm.state == .ringing || reminder.alarm.state == .snoozed else {
                throw .wrongState(
                    "\(reminder.number)",
                    "#\(reminder.number) ‘\(reminder.title)’ does not ring now.",
                    hint: "remindctl list --ringing")
            }
            var answered = reminder
            answered.alarm.state = .pending
            return reminder.dismissed(
                timetable.facts(for: answered, now: now), now: now, origin: origin)
        }
    }

    func snooze(
        _ reminders: [Reminder], until: Instant, origin: LogEntry.Origin
    ) throws(APIError) -> [Reminder] {
        let now = clock.now
        return try change(reminders, ChangeKind(.snooze)) { (reminder) throws(APIError) in
            guard reminder.state == .open else {
                throw .wrongState(
                    "\(reminder.number)", "#\(reminder.number) ‘\(reminder.title)’ is done.",
                    hint: "remindctl reopen \(reminder.number)")
            }
            let facts = timetable.facts(for: reminder, now: now)
            return reminder.snoozed(until: until, facts, now: now, origin: origin)
        }
    }

    func remove(_ reminders: [Reminder], group: String? = nil) throws(APIError) -> [Reminder] {
        let now = clock.now
        try storing {
            try commit(userChange(ChangeKind(.remove, group: group))) {
                for reminder in reminders {
                    try store.append(
                        LogEntry(reminder: reminder, kind: .deleted, at: now, origin: .command))
                    try store.delete(number: reminder.number)
                }
            }
        }
        remember(group: group)
        afterCommit { engine in
            for reminder in reminders {
                engine.cancelTimer(reminder.number)
                engine.forget(reminder)
                engine.tell(.removed, reminder)
            }
            engine.updateScreen(shown: [], closed: reminders)
        }
        return reminders
    }
}
