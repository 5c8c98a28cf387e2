/// How a reminder may change. Every way is a pure function of the reminder, the event, the time
/// and what the schedule says; the engine commits the outcome and carries it to the screen.

/// What the schedule of a reminder says at one moment.
package struct ScheduleFacts: Hashable, Sendable {
    /// The newest ring point that has come and has not rung.
    package var due: RingPoint?
    /// Occurrences before the one of `due` that came and never rang.
    package var missed: Int
    /// The first ring point still ahead.
    package var next: RingPoint?
    /// The first ring point, come or ahead, of a later occurrence than the current one.
    package var nextOccurrence: RingPoint?

    package init(
        due: RingPoint? = nil, missed: Int = 0, next: RingPoint? = nil,
        nextOccurrence: RingPoint? = nil
    ) {
        (self.due, self.missed, self.next) = (due, missed, next)
        self.nextOccurrence = nextOccurrence
    }

    /// Nothing is scheduled.
    package static let nothing = ScheduleFacts()
}

/// What became of a reminder.
package struct Transition: Hashable, Sendable {
    /// What the screen must show afterwards.
    package enum Popup: Sendable { case unchanged, show, close }

    package var reminder: Reminder
    package var log: [LogEntry]
    package var popup: Popup

    init(_ reminder: Reminder, log: [LogEntry] = [], popup: Popup = .unchanged) {
        (self.reminder, self.log, self.popup) = (reminder, log, popup)
    }
}

extension Reminder {
    /// The alarm set anew after the deadline, the zone or the clock has changed. A ring that is
    /// unanswered or snoozed goes on; what has rung stays rung.
    package func rearmed(_ facts: ScheduleFacts) -> Reminder {
        var changed = self
        if changed.alarm.state == .none || changed.alarm.state == .pending || state == .done {
            changed.alarm.state = .pending
            (changed.alarm.ring, changed.alarm.snoozedUntil) = (nil, nil)
        }
        changed.setNextRing(facts)
        return changed
    }

    /// `nextRing` has come: the newest point that is due rings; else the snooze ends or it nags.
    /// The next occurrence's point is written with it.
    package func rang(_ facts: ScheduleFacts, now: Instant) -> Transition {
        guard state == .open else { return Transition(rearmed(.nothing)) }
        guard let ring = ring(facts, now: now) else { return Transition(rearmed(facts)) }
        var changed = self
        var log: [LogEntry] = []
        if let point = facts.due {
            if let earlier = alarm.ring, earlier.due != point.due {
                log.append(
                    LogEntry(
                        reminder: self, kind: .superseded, at: now, due: earlier.due,
                        origin: .daemon))
            }
            if recurrence != nil { changed.deadline = point.occurrence }
            changed.alarm.rungThrough = max(point.position, alarm.rungThrough ?? .min)
        }
        changed.alarm.state = .ringing
        (changed.alarm.ring, changed.alarm.snoozedUntil) = (ring, nil)
        changed.alarm.rings += 1
        var ahead = facts
        ahead.due = nil
        changed.setNextRing(ahead)
        log.append(
            LogEntry(
                reminder: changed, kind: .rang, at: now, due: ring.due,
                late: max(0, now.milliseconds - lateFrom(facts, ring)), missed: ring.missed,
                origin: .daemon))
        return Transition(changed, log: log, popup: .show)
    }

    /// Completed. A recurring reminder moves on to `next`, its next occurrence; without one, it is
    /// done.
    /// - Parameters:
    ///   - next: the occurrence to move on to, `nil` when the series ends here.
    ///   - facts: the schedule of the reminder as it will be, seen from `next`.
    package func completed(
        next: Deadline?, facts: ScheduleFacts, now: Instant, origin: LogEntry.Origin
    ) -> Transition {
        var changed = self
        changed.modified = now
        (changed.alarm.ring, changed.alarm.snoozedUntil) = (nil, nil)
        if let next {
            changed.deadline = next
            changed.alarm.state = .pending
            changed.setNextRing(facts)
        } else {
            (changed.state, changed.completed) = (.done, now)
            (changed.alarm.state, changed.alarm.nextRing) = (.none, nil)
        }
        let entry = LogEntry(
            reminder: self, kind: .done, at: now, due: alarm.ring?.due, origin: origin)
        return Transition(changed, log: [entry], popup: .close)
    }

    /// The ring was seen; the task stays open and later points still ring.
    package func dismissed(
        _ facts: ScheduleFacts, now: Instant, origin: LogEntry.Origin
    ) -> Transition {
        let entry = LogEntry(
            reminder: self, kind: .dismissed, at: now, due: alarm.ring?.due, origin: origin)
        var changed = self
        changed.alarm.state = .pending
        (changed.alarm.ring, changed.alarm.snoozedUntil) = (nil, nil)
        changed.setNextRing(facts)
        return Transition(changed, log: [entry], popup: .close)
    }

    /// Silent until `until`. Points of the same occurrence that come before are silent too; the
    /// series stays where it is, and the next occurrence rings at its own time.
    package func snoozed(
        until: Instant, _ facts: ScheduleFacts, now: Instant, origin: LogEntry.Origin
    ) -> Transition {
        let entry = LogEntry(
            reminder: self, kind: .snoozed, at: now, due: alarm.ring?.due, origin: origin,
            until: until)
        var changed = self
        (changed.alarm.state, changed.alarm.snoozedUntil) = (.snoozed, until)
        changed.setNextRing(facts)
        return Transition(changed, log: [entry], popup: .close)
    }

    /// A done reminder is open again; what has rung stays rung.
    package func reopened(
        _ facts: ScheduleFacts, now: Instant, origin: LogEntry.Origin
    ) -> Transition {
        var changed = self
        (changed.state, changed.completed, changed.modified) = (.open, nil, now)
        changed.alarm.state = .pending
        changed.setNextRing(facts)
        let entry = LogEntry(reminder: self, kind: .reopened, at: now, origin: origin)
        return Transition(changed, log: [entry])
    }

    /// The ring that begins at `now`; `nil` when nothing is due after all (the clock was stepped
    /// back).
    private func ring(_ facts: ScheduleFacts, now: Instant) -> Ring? {
        if let point = facts.due {
            return Ring(
                scheduled: point.instant, due: point.due, rangAt: now, missed: facts.missed)
        }
        if alarm.state == .snoozed, let until = alarm.snoozedUntil, until <= now {
            var ring = alarm.ring ?? Ring(scheduled: until, due: until, rangAt: now)
            ring.rangAt = now
            return ring
        }
        if alarm.state == .ringing, let nagging = nagInstant, nagging <= now, var ring = alarm.ring
        {
            ring.rangAt = now
            return ring
        }
        return nil
    }

    /// From when lateness counts, in milliseconds: a snooze that ends on time is not late.
    private func lateFrom(_ facts: ScheduleFacts, _ ring: Ring) -> Int64 {
        if facts.due != nil { return ring.scheduled.milliseconds }
        return (alarm.snoozedUntil ?? nagInstant ?? ring.rangAt).milliseconds
    }

    private var nagInstant: Instant? {
        guard let nag, let ring = alarm.ring else { return nil }
        return ring.rangAt.advanced(bySeconds: nag)
    }

    /// Derives `nextRing` from the state; a pending alarm with nothing ahead is none.
    private mutating func setNextRing(_ facts: ScheduleFacts) {
        switch alarm.state {
        case _ where state == .done: alarm.nextRing = nil
        case .none, .pending: alarm.nextRing = facts.due?.instant ?? facts.next?.instant
        case .ringing: alarm.nextRing = earliest(nagInstant, (facts.due ?? facts.next)?.instant)
        case .snoozed:
            alarm.nextRing = earliest(alarm.snoozedUntil, facts.nextOccurrence?.instant)
        }
        if alarm.nextRing == nil, alarm.state == .pending || state == .done {
            alarm.state = .none
        }
    }
}

private func earliest(_ left: Instant?, _ right: Instant?) -> Instant? {
    guard let left, let right else { return left ?? right }
    return min(left, right)
}
