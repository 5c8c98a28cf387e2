package import RemindCore

/// A clock that stood ahead and was put back: what a series did meanwhile is taken back, as far as it
/// was not seen.
extension Schedule {
    /// Points that rang one after the other, looked at to find the first that did not.
    private static var searched: Int { 1000 }

    /// The reminder as it is when the clock has been put back to `now`: its next occurrence is the
    /// first one ahead of `now` that has not rung.
    ///
    /// - Parameters:
    ///   - doneAhead: it was completed while the clock stood ahead of `now`.
    ///   - hasRung: whether a point ahead of `now` has rung.
    /// - Returns: `nil` when nothing has to change.
    package func putBack(
        _ reminder: Reminder, to now: Instant, doneAhead: Bool, hasRung: (RingPoint) -> Bool
    ) throws(ScheduleError) -> Reminder? {
        guard reminder.state == .open, let deadline = reminder.deadline,
            let rung = reminder.alarm.rungThrough
        else { return nil }
        if reminder.recurrence?.rule.basis == .completion {
            guard doneAhead else { return nil }
            return try countedAnew(reminder, deadline, from: now)
        }
        // A date may ring later on its day.
        let before = Deadline.absolute(now.advanced(bySeconds: -86_400))
        guard
            let first = try nextOccurrence(of: reminder, after: before, completed: now)
        else { return nil }
        var moved = reminder
        moved.deadline = first
        moved.alarm.rungThrough = try position(of: now, on: reminder, deadline)
        var next: RingPoint?
        for _ in 0..<Self.searched {
            next = try plan(for: moved, now: now).next
            guard let point = next, hasRung(point) else { break }
            moved.alarm.rungThrough = max(point.position, moved.alarm.rungThrough ?? .min)
        }
        guard let next, moved.alarm.rungThrough ?? .min < rung else { return nil }
        moved.deadline = next.occurrence
        return moved
    }

    /// The place of `instant` on the wall of a reminder.
    private func position(
        of instant: Instant, on reminder: Reminder, _ deadline: Deadline
    ) throws(ScheduleError) -> Int64 {
        if let plan = plan(of: reminder) { return plan.position(of: instant) }
        return try series(of: reminder, deadline: deadline).wall.position(of: instant)
    }

    /// It was done, as far as is known, just now.
    private func countedAnew(
        _ reminder: Reminder, _ deadline: Deadline, from now: Instant
    ) throws(ScheduleError) -> Reminder? {
        guard try instant(of: deadline).instant > now,
            let next = try nextOccurrence(of: reminder, after: deadline, completed: now),
            try instant(of: next).instant < instant(of: deadline).instant
        else { return nil }
        var moved = reminder
        moved.deadline = next
        moved.alarm.rungThrough = try position(of: now, on: reminder, next)
        return moved
    }
}
