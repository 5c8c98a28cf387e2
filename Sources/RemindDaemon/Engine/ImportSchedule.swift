import Calendaring
import RemindCore

/// When an item of a calendar is due, how it repeats and when it rings, as a reminder says it.
extension ImportConversion {
    func setSchedule(_ item: ICalendarItem, _ own: ReminderState, _ reminder: inout Reminder) {
        reminder.deadline = item.deadline
        reminder.recurrence = recurrence(item, own)
        let alarms = NativeAlarms(item, own)
        if let alarms {
            reminder.before = alarms.before
        } else {
            reminder.plan = PlanText.text(item)
        }
        let plan = ItemPlan(item, schedule: schedule)
        setOccurrence(plan, own, &reminder)
        // Nothing has got its deadline later than now.
        reminder.scheduled =
            own.isNative ? own.scheduled.map { min($0, now) } : item.deadline == nil ? nil : now
        (reminder.alarm.rings, reminder.alarm.rungThrough) = (own.rings ?? 0, own.rungThrough)
        guard reminder.state == .open else { return }
        setAlarm(plan, alarms, own, &reminder)
        if let ring = own.ring, !isOver(ring, of: reminder) { setRing(ring, &reminder) }
    }

    /// What rang when it was exported, and had no answer, rings on; a snooze keeps its ring.
    private func setRing(_ ring: Ring, _ reminder: inout Reminder) {
        reminder.alarm.ring = ring
        guard reminder.alarm.state != .snoozed else { return }
        reminder.alarm.state = .ringing
        reminder = reminder.rearmed(facts(reminder))
    }

    private func recurrence(_ item: ICalendarItem, _ own: ReminderState) -> Recurrence? {
        guard var recurrence = item.recurrence else { return nil }
        if own.isNative, let rule = own.rule { recurrence.rule.rrule = rule }
        if own.countsFromCompletion { recurrence.rule.basis = .completion }
        for change in item.overrides {
            guard let id = change.recurrenceID else { continue }
            recurrence.exceptions.append(id)
            if let base = change.base, change.state == .open { recurrence.additions.append(base) }
        }
        return recurrence
    }

    /// The occurrence that is current, and whether an event is over.
    private func setOccurrence(
        _ plan: ItemPlan<SystemZones>, _ own: ReminderState, _ reminder: inout Reminder
    ) {
        if let current = own.current {
            reminder.deadline = current
            return
        }
        let item = plan.item
        if plan.repeats {
            if let next = try? plan.occurrence(after: now) {
                reminder.deadline = next
                return
            }
            let last = try? plan.occurrence(upTo: now)
            reminder.deadline = last ?? item.deadline
        }
        guard item.component == .event, reminder.state == .open, !own.isNative else { return }
        guard let end = end(of: item, last: reminder.deadline), end <= now else { return }
        // Nobody has to do what has gone by.
        reminder.state = .done
        reminder.completed = end
    }

    private func end(of item: ICalendarItem, last: Deadline?) -> Instant? {
        let moment = item.recurrence == nil ? item.end ?? last : last
        return moment.flatMap { try? schedule.overdue($0) }
    }

    private func setAlarm(
        _ plan: ItemPlan<SystemZones>, _ native: NativeAlarms?, _ own: ReminderState,
        _ reminder: inout Reminder
    ) {
        reminder.alarm.state = .pending
        guard native != nil else {
            // What fell due before it came in is over.
            let past = plan.position(of: now)
            reminder.alarm.rungThrough = max(past, own.rungThrough ?? .min)
            reminder = reminder.rearmed((try? plan.facts(for: reminder, now: now)) ?? .nothing)
            return
        }
        var facts = facts(reminder)
        if let due = facts.due {
            reminder.alarm.rungThrough = due.position
            facts = self.facts(reminder)
        }
        if let until = native?.snoozedUntil, until > now {
            (reminder.alarm.state, reminder.alarm.snoozedUntil) = (.snoozed, until)
        }
        reminder = reminder.rearmed(facts)
    }

    private func facts(_ reminder: Reminder) -> ScheduleFacts {
        (try? schedule.plan(for: reminder, now: now)) ?? .nothing
    }
}

/// The alarms of an item as a reminder has them: one when it is due, the others before.
struct NativeAlarms {
    private(set) var before: [CalendarDuration] = []
    private(set) var snoozedUntil: Instant?

    /// `nil` when they are others, or the item has what a reminder cannot say.
    init?(_ item: ICalendarItem, _ own: ReminderState) {
        guard item.overrides.isEmpty, item.acknowledged == nil, item.furtherRules.isEmpty,
            item.excludedRules.isEmpty
        else { return nil }
        if own.isNative, Self.areThose(own.before, item) {
            before = own.before
            snoozedUntil = item.alarms.first { $0.snoozes != nil }?.absolute
            return
        }
        if item.recurrence != nil, item.component == .todo, item.duration != nil { return nil }
        if item.recurrence != nil, item.component == .todo, let start = item.start,
            let end = item.end, start != end
        {
            return nil
        }
        guard !item.alarms.isEmpty else { return }
        guard item.deadline?.isDateOnly == false else { return nil }
        var leads: [CalendarDuration] = []
        for alarm in item.alarms {
            guard let lead = alarm.lead(of: item) else { return nil }
            leads.append(lead)
        }
        guard leads.contains(where: \.isZero), leads.count <= Limits.leadTimes else { return nil }
        before = leads.filter { !$0.isZero }.map(\.negated)
    }

    /// Whether the alarms are those that we write for these lead times. Those of a date are counted
    /// from the one without a lead, as the time at which dates ring may be another one here.
    private static func areThose(_ before: [CalendarDuration], _ item: ICalendarItem) -> Bool {
        guard let deadline = item.deadline else { return true }
        let leads = item.alarms.filter { $0.snoozes == nil }.map { $0.offset(of: item) }
        guard leads.allSatisfy({ $0 != nil }) else { return false }
        var found = Set(leads.compactMap { $0?.exactSeconds })
        var expected = Set(before.map { -$0.withoutMonths.exactSeconds })
        if deadline.isDateOnly {
            if before.isEmpty { return found.isEmpty }
            let latest = found.max() ?? 0
            found = Set(found.map { $0 - latest })
        }
        expected.insert(0)
        return found == expected
    }
}

extension ICalendarAlarm {
    fileprivate var absolute: Instant? {
        if case .absolute(let instant) = trigger { instant } else { nil }
    }

    /// How far from the deadline it rings; `nil` when it is not a plain alarm of that kind.
    fileprivate func lead(of item: ICalendarItem) -> CalendarDuration? {
        acknowledged == nil && snoozes == nil ? offset(of: item) : nil
    }

    /// The same, whether it was seen or not.
    fileprivate func offset(of item: ICalendarItem) -> CalendarDuration? {
        guard rings, repeats == 0 else { return nil }
        let hasEnd = item.end != nil || item.duration != nil
        switch trigger {
        case .start(let lead):
            let isDue =
                item.component == .event || item.start == nil || !hasEnd
                || item.start == item.end
            return isDue ? lead : nil
        case .end(let lead): return item.component == .todo ? lead : nil
        case .absolute: return nil
        }
    }
}
