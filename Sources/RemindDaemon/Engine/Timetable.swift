import Calendaring
import RemindAPI
import RemindCore

/// What the engine asks about times, answered for the machine's zone as it is now.
///
/// A zone or a rule that was good when it was stored may not be any more (tzdata drops names). Such
/// a reminder must still ring, so its deadline is then read on the machine's own wall.
struct Timetable {
    typealias Zones = SystemZones
    typealias Writer = ReminderWriter<SystemZones>

    let schedule: Schedule<SystemZones>
    let writer: Writer
    /// Of this very timetable: another one may answer otherwise.
    let mark = Mark()

    final class Mark: Sendable {}

    init(zones: SystemZones, settings: Settings) {
        schedule = Schedule(zones: zones, settings: settings)
        writer = ReminderWriter(zones: zones)
    }

    var zones: SystemZones { schedule.zones }

    /// The machine's zone: an IANA name where there is one.
    var zoneName: String { zones.local.identifier }

    /// What is due, what is next.
    func facts(for reminder: Reminder, now: Instant) -> ScheduleFacts {
        tolerant(reminder, or: .nothing) { reminder throws(ScheduleError) in
            try schedule.plan(for: reminder, now: now)
        }
    }

    /// As `Schedule.putBack`; `nil` when it cannot be said.
    func putBack(
        _ reminder: Reminder, to now: Instant, doneAhead: Bool, hasRung: (RingPoint) -> Bool
    ) -> Reminder? {
        tolerant(reminder, or: nil) { reminder throws(ScheduleError) in
            try schedule.putBack(reminder, to: now, doneAhead: doneAhead, hasRung: hasRung)
        }
    }

    /// From when on the reminder counts as overdue; lists are sorted by it.
    func dueInstant(of reminder: Reminder) -> Instant? {
        tolerant(reminder, or: nil) { reminder throws(ScheduleError) in
            guard let deadline = reminder.deadline else { return nil }
            return try schedule.overdue(deadline)
        }
    }

    /// The occurrence that a recurring reminder moves on to; `nil` when there is none any more.
    func next(after reminder: Reminder, completedAt now: Instant) -> Deadline? {
        tolerant(reminder, or: nil) { reminder throws(ScheduleError) in
            guard let deadline = reminder.deadline else { return nil }
            return try schedule.nextOccurrence(of: reminder, after: deadline, completed: now)
        }
    }

    /// Where an instant lies on the wall of a reminder (`RingPoint.position`).
    func position(of instant: Instant, for reminder: Reminder) -> Int64? {
        tolerant(reminder, or: nil) { reminder throws(ScheduleError) in
            try schedule.position(of: instant, for: reminder)
        }
    }

    /// The next rings, the soonest first.
    func rings(of reminder: Reminder, now: Instant, limit: Int) -> [RingPoint] {
        tolerant(reminder, or: []) { reminder throws(ScheduleError) in
            try schedule.rings(of: reminder, after: now, limit: limit)
        }
    }

    /// The instant that `duration` leads to from `now` on the machine's wall: calendar steps at
    /// the same wall time, then elapsed seconds.
    func instant(_ duration: CalendarDuration, after now: Instant) -> Instant {
        guard !duration.isElapsed else { return now.advanced(bySeconds: duration.seconds) }
        let zone = zones.local
        let steps = CalendarDuration(months: duration.months, days: duration.days)
        let moved = zone.resolve(zone.civil(at: now).adding(steps)).instant
        return moved.advanced(bySeconds: duration.seconds)
    }

    private func tolerant<Answer>(
        _ reminder: Reminder, or nothing: Answer,
        _ ask: (Reminder) throws(ScheduleError) -> Answer
    ) -> Answer {
        do {
            return try ask(reminder)
        } catch {
            Journal.error("#\(reminder.number) is read on the machine's own wall: \(error)")
            return (try? ask(reminder.onOwnWall)) ?? nothing
        }
    }
}

extension Reminder {
    /// Without what depends on tzdata or a rule.
    fileprivate var onOwnWall: Reminder {
        var plain = self
        plain.recurrence = nil
        if case .zoned(let civil, _) = deadline { plain.deadline = .floating(civil) }
        return plain
    }
}

/// Times in words.
extension Timetable {
    func rfc3339(_ instant: Instant) -> String { instant.rfc3339(in: zones.local) }

    /// `Wed 1 May 2030, 09:00` on the wall where the deadline is read, without the time for a date.
    func words(_ deadline: Deadline) -> String {
        PhrasePrinter(zone: zone(of: deadline)).text(onWall(deadline)) + foreignZone(of: deadline)
    }

    /// A wall time that does not exist on its day is told as the one that clocks show then.
    private func onWall(_ deadline: Deadline) -> Deadline {
        let zone = zone(of: deadline)
        func shown(_ civil: CivilDateTime) -> CivilDateTime {
            zone.civil(at: zone.resolve(civil).instant)
        }
        return switch deadline {
        case .floating(let civil): .floating(shown(civil))
        case .zoned(let civil, let name): .zoned(shown(civil), zone: name)
        case .date, .absolute: deadline
        }
    }

    /// A wall time of another zone says so.
    private func foreignZone(of deadline: Deadline) -> String {
        guard let name = deadline.zoneName, name != zoneName else { return "" }
        return " " + name
    }

    /// The same, seen at `now`: `09:00` or `today` on that very day.
    func words(_ deadline: Deadline, at now: Instant) -> String {
        let zone = zone(of: deadline)
        let today = zone.civil(at: now).date
        switch onWall(deadline) {
        case .date(let date) where date == today: return "today"
        case .floating(let civil) where civil.date == today,
            .zoned(let civil, _) where civil.date == today:
            return CivilText.time(civil.time) + foreignZone(of: deadline)
        case .absolute(let instant) where zone.civil(at: instant).date == today:
            return CivilText.time(zone.civil(at: instant).time)
        default: return words(deadline)
        }
    }

    /// `Wed 1 May 2030, 09:00 CEST (in 3 years)`, and what else should not go unsaid.
    func understood(_ deadline: Deadline, now: Instant, notes: [String] = []) -> Understood {
        let zone = zone(of: deadline)
        let printer = PhrasePrinter(zone: zone)
        let instant = (try? schedule.instant(of: deadline).instant) ?? now
        let text = printer.textWithZone(deadline, at: instant)
        return Understood(
            text: "\(text) (\(distance(to: deadline, instant, now)))", notes: notes)
    }

    /// Dates are told in days, times in the largest unit that fits.
    private func distance(to deadline: Deadline, _ instant: Instant, _ now: Instant) -> String {
        guard case .date(let date) = deadline else {
            return RelativePhrase.text(from: now, to: instant)
        }
        switch date.daysSinceEpoch - zones.local.civil(at: now).date.daysSinceEpoch {
        case 0: return "today"
        case 1: return "tomorrow"
        case -1: return "yesterday"
        case let days:
            let length = Int64(days) * 86_400
            return RelativePhrase.text(
                from: Instant(seconds: 0), to: Instant(seconds: length))
        }
    }

    private func zone(of deadline: Deadline) -> SystemZone {
        (try? schedule.zone(of: deadline)) ?? zones.local
    }
}
