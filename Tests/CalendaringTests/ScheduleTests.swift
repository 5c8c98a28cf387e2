import RemindCore
import Testing

@testable import Calendaring

/// A machine in a given zone; other zones come from the system.
struct Machine: ZoneDatabase {
    let local: SystemZone
    private let system = SystemZones(environment: [:])

    init(_ name: String) throws { local = try system.zone(named: name) }

    func zone(named name: String) throws(UnknownZone) -> SystemZone {
        try system.zone(named: name)
    }
}

func schedule(_ zone: String, settings: Settings = Settings()) throws -> Schedule<Machine> {
    Schedule(zones: try Machine(zone), settings: settings)
}

/// A reminder with a deadline, set at `scheduled`.
func reminder(
    _ deadline: Deadline?, before: [CalendarDuration] = [], rrule: String? = nil,
    basis: RecurrenceRule.Basis = .schedule, start: Deadline? = nil, scheduled: Instant? = nil
) -> Reminder {
    var reminder = Reminder(
        id: UUIDv7(high: 1, low: 2), title: "Tea", created: Instant(seconds: 0))
    reminder.deadline = deadline
    reminder.before = before
    reminder.scheduled = scheduled
    if let rrule, let deadline {
        reminder.recurrence = Recurrence(
            rule: RecurrenceRule(rrule: rrule, basis: basis), start: start ?? deadline)
    }
    return reminder
}

func date(_ text: String) throws -> Deadline {
    .date(try #require(CivilDate(iso8601: text)))
}

@Suite("One-off deadlines")
struct OneOffTests {
    @Test(
        "a date rings at AllDayTime, and set on its day after that in the evening or next day",
        arguments: [
            (nil, "2024-05-01T09:00:00+02:00"),
            ("2024-04-30T23:00:00+02:00", "2024-05-01T09:00:00+02:00"),
            ("2024-05-01T08:59:00+02:00", "2024-05-01T09:00:00+02:00"),
            ("2024-05-01T10:30:00+02:00", "2024-05-01T19:00:00+02:00"),
            ("2024-05-01T19:00:01+02:00", "2024-05-02T09:00:00+02:00"),
            ("2024-05-02T12:00:00+02:00", "2024-05-01T09:00:00+02:00"),
        ] as [(String?, String)])
    func dates(scheduled: String?, rings: String) throws {
        let schedule = try schedule("Europe/Berlin")
        let set = try scheduled.map(instant)
        #expect(
            try schedule.instant(of: date("2024-05-01"), scheduled: set).instant == instant(rings))
    }

    @Test("a date is overdue when its day has ended, a time when it has come")
    func overdue() throws {
        let schedule = try schedule("Europe/Berlin")
        #expect(
            try schedule.overdue(date("2024-05-01")) == instant("2024-05-02T00:00:00+02:00"))
        #expect(
            try schedule.overdue(.floating(civil("2024-05-01T09:00:00")))
                == instant("2024-05-01T09:00:00+02:00"))
    }

    @Test("an unknown zone is an error that names it")
    func unknownZone() throws {
        let deadline = Deadline.zoned(try civil("2030-05-01T09:00:00"), zone: "Europe/Berln")
        let error = try #require(
            #expect(throws: ScheduleError.self) { try schedule("UTC").instant(of: deadline) })
        guard case .zone(let unknown) = error else { throw error }
        #expect(unknown.suggestions.first == "Europe/Berlin")
    }

    @Test("deadline and lead times ring in order, calendar steps at the same wall time")
    func leadTimes() throws {
        let schedule = try schedule("Europe/Berlin")
        // Summer time begins on 30 March 2025.
        let reminder = reminder(
            .floating(try civil("2025-03-30T12:00:00")),
            before: [
                CalendarDuration(days: 1), CalendarDuration(seconds: 36 * 3600),
                CalendarDuration(seconds: -900),
            ])
        let points = try schedule.rings(
            of: reminder, after: instant("2025-03-28T12:00:00+01:00"), limit: 9)
        #expect(
            try points.map(\.instant) == [
                instant("2025-03-28T22:00:00Z"), instant("2025-03-29T11:00:00Z"),
                instant("2025-03-30T10:00:00Z"), instant("2025-03-30T10:15:00Z"),
            ])
    }

    @Test("what has come and has not rung is due; what has rung stays rung when the clock steps")
    func planAndClock() throws {
        let schedule = try schedule("UTC")
        var reminder = reminder(
            .floating(try civil("2030-05-01T09:00:00")), before: [CalendarDuration(seconds: 900)])
        let before = try schedule.plan(for: reminder, now: instant("2030-05-01T08:00:00Z"))
        #expect(before.due == nil)
        #expect(try before.next?.instant == instant("2030-05-01T08:45:00Z"))
        let late = try schedule.plan(for: reminder, now: instant("2030-05-01T10:00:00Z"))
        #expect(try late.due?.instant == instant("2030-05-01T09:00:00Z"))
        #expect(late.missed == 0 && late.next == nil && late.nextOccurrence == nil)
        reminder.alarm.rungThrough = late.due?.position
        let again = try schedule.plan(for: reminder, now: instant("2030-05-01T08:00:00Z"))
        #expect(again == .nothing)
    }

    @Test("a lead time that had gone by when the deadline was set does not ring")
    func leadTimeGoneBy() throws {
        let schedule = try schedule("UTC")
        let now = try instant("2030-05-01T08:50:00Z")
        let reminder = reminder(
            .floating(try civil("2030-05-01T09:00:00")), before: [CalendarDuration(seconds: 900)],
            scheduled: now)
        let plan = try schedule.plan(for: reminder, now: now)
        #expect(plan.due == nil)
        #expect(try plan.next?.instant == instant("2030-05-01T09:00:00Z"))
    }

    @Test("done, or without a deadline: nothing rings")
    func nothing() throws {
        var done = reminder(.floating(try civil("2030-05-01T09:00:00")))
        done.state = .done
        let now = try instant("2030-05-02T00:00:00Z")
        #expect(try schedule("UTC").plan(for: done, now: now) == .nothing)
        #expect(try schedule("UTC").plan(for: reminder(nil), now: now) == .nothing)
    }

    @Test("milliseconds of an instant are kept")
    func milliseconds() throws {
        let deadline = Deadline.absolute(Instant(milliseconds: 1_900_000_000_123))
        let plan = try schedule("UTC").plan(
            for: reminder(deadline), now: Instant(milliseconds: 1_900_000_000_122))
        #expect(plan.next?.instant == Instant(milliseconds: 1_900_000_000_123))
        #expect(plan.next?.occurrence == deadline)
    }
}

@Suite("Cases of one-off deadlines")
struct OneOffCases {
    @Test("A-gap-01: a time in a gap is read with the offset before it")
    func gap01() throws {
        let deadline = Deadline.zoned(try civil("2025-03-30T02:30:00"), zone: "Europe/Berlin")
        let plan = try schedule("Europe/Berlin").plan(
            for: reminder(deadline), now: instant("2025-03-29T12:00:00+01:00"))
        #expect(try plan.next?.instant == instant("2025-03-30T01:30:00Z"))
        #expect(plan.nextOccurrence == nil)
    }

    @Test("A-fold-01: a time that comes twice means the first, once")
    func fold01() throws {
        let deadline = Deadline.zoned(try civil("2024-11-03T01:30:00"), zone: "America/New_York")
        let points = try schedule("America/New_York").rings(
            of: reminder(deadline), after: instant("2024-11-02T20:00:00-04:00"), limit: 5)
        #expect(try points.map(\.instant) == [instant("2024-11-03T05:30:00Z")])
    }

    @Test("A-tz-01: a floating deadline moves with the machine's zone")
    func tz01() throws {
        let reminder = reminder(.floating(try civil("2024-07-03T10:00:00")))
        let now = try instant("2024-07-03T08:00:00+09:00")
        let before = try schedule("Asia/Tokyo").plan(for: reminder, now: now)
        #expect(try before.next?.instant == instant("2024-07-03T01:00:00Z"))
        let after = try schedule("Asia/Singapore").plan(for: reminder, now: now)
        #expect(try after.next?.instant == instant("2024-07-03T02:00:00Z"))
        #expect(after.next?.position == before.next?.position)
    }
}
