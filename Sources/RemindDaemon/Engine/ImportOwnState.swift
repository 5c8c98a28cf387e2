import Calendaring
import RemindCore

/// What an export of ours says beside iCalendar (`X-REMINDD`) is of the moment at which it was written.
/// Another program that moves the item later, or gives it other alarms, leaves that property as it
/// is: where the two do not agree, it is out of date.
extension ImportConversion {
    /// Our own property of an item, without what is out of date.
    func own(of item: ICalendarItem) -> ReminderState {
        guard var own = item.own else { return ReminderState() }
        // All that we write whole is a VTODO.
        if item.component == .event { own.isNative = false }
        own.rule = own.rule.flatMap { isStill($0, of: item) ? $0 : nil }
        own.current = own.current.flatMap { current($0, of: item, own) }
        return own
    }

    /// Whether what rang is about a deadline that was moved ahead since: it will ring then.
    func isOver(_ ring: Ring, of reminder: Reminder) -> Bool {
        guard let deadline = reminder.deadline,
            let due = try? schedule.instant(of: deadline).instant
        else { return false }
        return due > now && due.seconds != ring.due.seconds
    }

    /// Whether RRULE is what we write of `rule`, its parts in any order.
    private func isStill(_ rule: String, of item: ICalendarItem) -> Bool {
        guard var recurrence = item.recurrence else { return false }
        let written = recurrence.rule.rrule
        recurrence.rule.rrule = rule
        let expected = CalendarTimes.strict(recurrence, schedule)
        return Set(expected.split(separator: ";")) == Set(written.split(separator: ";"))
    }

    /// The current occurrence, at the time at which the item has it by now.
    private func current(
        _ current: Deadline, of item: ICalendarItem, _ own: ReminderState
    ) -> Deadline? {
        guard let start = item.deadline else { return nil }
        guard item.recurrence != nil else {
            // More exact than the property can be.
            let isSame = ContentLineWriter.time("", current) == ContentLineWriter.time("", start)
            return isSame ? current : nil
        }
        if own.countsFromCompletion { return moved(current, of: item, with: start) }
        let plan = ItemPlan(item, schedule: schedule)
        guard let instant = try? schedule.instant(of: current).instant else { return nil }
        func first(from instant: Instant) -> Deadline? {
            try? plan.occurrence(after: instant.advanced(byMilliseconds: -1))
        }
        let second = Instant(seconds: instant.seconds)
        if let next = first(from: second),
            (try? schedule.instant(of: next).instant.seconds) == second.seconds
        {
            return current
        }
        let midnight = CivilDateTime(schedule.day(of: current), .midnight)
        return first(from: schedule.zones.local.resolve(midnight).instant)
    }

    /// By a rule that counts from completion: never before the start, and at its time of day.
    private func moved(
        _ current: Deadline, of item: ICalendarItem, with start: Deadline
    ) -> Deadline {
        guard let from = try? schedule.instant(of: start).instant,
            let instant = try? schedule.instant(of: current).instant, from <= instant
        else { return start }
        if case .absolute = current { return current }
        let rule = item.recurrence?.rule.rrule ?? ""
        if ["HOURLY", "MINUTELY", "SECONDLY", "BYHOUR", "BYMINUTE", "BYSECOND"]
            .contains(where: { rule.contains($0) })
        {
            return current
        }
        let day = schedule.day(of: current)
        return switch start {
        case .date: .date(day)
        case .floating(let civil): .floating(CivilDateTime(day, civil.time))
        case .zoned(let civil, let zone): .zoned(CivilDateTime(day, civil.time), zone: zone)
        case .absolute: current
        }
    }
}
