import Calendaring
import RemindCore

/// What was done here of a task that comes in anew.
extension ImportConversion {
    /// A newer version of `existing`, with what belongs to this store alone and with what the user
    /// did here: a series that is the same goes on where it is.
    ///
    /// - Parameters:
    ///   - version: when the newer one was written.
    ///   - draft: what it says.
    func keeping(
        _ existing: Reminder, _ version: Instant, _ draft: Reminder, list: String?
    ) -> Reminder {
        var after = draft
        (after.number, after.id, after.created) = (existing.number, existing.id, existing.created)
        if list == nil { after.list = existing.list }
        after.nag = after.nag ?? existing.nag
        after.alarm.rings = existing.alarm.rings
        guard draft.hasSameOccurrences(as: existing) else { return after }
        guard draft.state == .open else {
            if existing.state == .done {
                (after.deadline, after.scheduled) = (existing.deadline, existing.scheduled)
                after.alarm = existing.alarm
            }
            return after
        }
        if let next = continuation(of: existing, in: draft) {
            (after.deadline, after.scheduled) = (next, nil)
            after.alarm = Alarm(state: .pending, rings: existing.alarm.rings)
            after.goOn(from: existing, now: now, timetable: timetable)
            return after
        }
        if existing.state == .done {
            guard let completed = existing.completed, completed > version else { return after }
            (after.state, after.completed) = (.done, completed)
        }
        let ringsAlike = draft.hasSameRings(as: existing)
        return ringsAlike ? after.being(where: existing) : goingOn(after, existing) ?? after
    }

    /// The first occurrence that a newer version has behind the last one here, when all of them were
    /// done: the series was made longer. One that was ended early stays so.
    func continuation(of existing: Reminder, in draft: Reminder) -> Deadline? {
        guard existing.state == .done, draft.state == .open,
            draft.recurrence != existing.recurrence,
            draft.hasSameOccurrences(as: existing), draft.recurrence?.rule.basis == .schedule,
            let deadline = existing.deadline,
            let last = try? schedule.instant(of: deadline).instant.advanced(byMilliseconds: 1),
            (try? schedule.occurrence(of: existing, from: last)) == nil
        else { return nil }
        return try? schedule.occurrence(of: draft, from: last)
    }

    private var timetable: Timetable {
        Timetable(zones: schedule.zones, settings: schedule.settings)
    }

    /// The same series with other alarms, or with occurrences that were moved or taken out: what was
    /// done, rang or is snoozed stays so.
    ///
    /// - Returns: `nil` when nothing is left of the series.
    private func goingOn(_ draft: Reminder, _ existing: Reminder) -> Reminder? {
        var after = draft.being(where: existing)
        if draft.recurrence?.rule.basis == .schedule, let deadline = existing.deadline,
            let current = try? schedule.instant(of: deadline).instant
        {
            guard let next = try? schedule.occurrence(of: draft, from: current) else { return nil }
            if (try? schedule.instant(of: next).instant) != current {
                after.deadline = next
                after.alarm = Alarm(state: .pending, rings: existing.alarm.rings)
            }
        }
        guard after.state == .open else { return after }
        after.goOn(from: existing, now: now, timetable: timetable)
        return after
    }
}

extension Reminder {
    /// A series that counts from the same start by the same rule, whenever it ends, or the same
    /// deadline.
    fileprivate func hasSameOccurrences(as other: Reminder) -> Bool {
        guard let recurrence, let its = other.recurrence else {
            return recurrence == other.recurrence && deadline == other.deadline
        }
        return recurrence.rule.endless == its.rule.endless && recurrence.start == its.start
    }

    /// Of two with the same occurrences: none is taken out or added, and the alarms are the same.
    fileprivate func hasSameRings(as other: Reminder) -> Bool {
        recurrence == other.recurrence && before == other.before && plan == other.plan
    }

    fileprivate func being(where other: Reminder) -> Reminder {
        var moved = self
        (moved.deadline, moved.scheduled, moved.alarm) = (
            other.deadline, other.scheduled, other.alarm
        )
        return moved
    }
}

extension RecurrenceRule {
    fileprivate var endless: RecurrenceRule {
        var rule = self
        rule.rrule = rrule.split(separator: ";")
            .filter { !$0.hasPrefix("COUNT=") && !$0.hasPrefix("UNTIL=") }.joined(separator: ";")
        return rule
    }
}
