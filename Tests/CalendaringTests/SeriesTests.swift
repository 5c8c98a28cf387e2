import RemindCore
import Testing

@testable import Calendaring

@Suite("Series")
struct SeriesTests {
    @Test(
        "a year off: only the newest rings, with the count of the missed; work is bounded",
        arguments: [
            ("FREQ=DAILY", 366, "2025-05-02T09:00:00", "2025-05-03T09:00:00"),
            ("FREQ=MINUTELY", 527_220, "2025-05-02T12:00:00", "2025-05-02T12:01:00"),
            ("FREQ=MINUTELY;BYHOUR=9", 10_000, "2025-05-02T09:59:00", "2025-05-03T09:00:00"),
            ("FREQ=WEEKLY;BYDAY=WE", 52, "2025-04-30T09:00:00", "2025-05-07T09:00:00"),
            ("FREQ=DAILY;COUNT=10", 9, "2024-05-10T09:00:00", nil),
        ] as [(String, Int, String, String?)])
    func yearOff(rrule: String, missed: Int, newest: String, next: String?) throws {
        let reminder = reminder(.floating(try civil("2024-05-01T09:00:00")), rrule: rrule)
        let plan = try schedule("UTC").plan(for: reminder, now: instant("2025-05-02T12:00:00Z"))
        #expect(plan.missed == missed)
        #expect(try plan.due?.instant == instant(newest + "Z"))
        #expect(try plan.next?.instant == next.map { try instant($0 + "Z") })
    }

    @Test("what has rung is neither due nor missed again")
    func rungThrough() throws {
        var reminder = reminder(.floating(try civil("2024-05-01T09:00:00")), rrule: "FREQ=DAILY")
        reminder.alarm.rungThrough = try civil("2024-05-03T09:00:00").secondsSinceEpoch
        let later = try schedule("UTC").plan(for: reminder, now: instant("2024-05-05T12:00:00Z"))
        #expect(try later.due?.instant == instant("2024-05-05T09:00:00Z"))
        #expect(later.missed == 1)
        let back = try schedule("UTC").plan(for: reminder, now: instant("2024-05-02T12:00:00Z"))
        #expect(back.due == nil && back.missed == 0)
        #expect(try back.next?.instant == instant("2024-05-04T09:00:00Z"))
    }

    @Test("lead times ring before each occurrence; the next occurrence is told apart")
    func leadTimes() throws {
        let reminder = reminder(
            .floating(try civil("2024-05-01T09:00:00")),
            before: [CalendarDuration(seconds: 900), CalendarDuration(days: 1)],
            rrule: "FREQ=WEEKLY")
        let schedule = try schedule("UTC")
        let plan = try schedule.plan(for: reminder, now: instant("2024-05-01T08:50:00Z"))
        #expect(try plan.due?.instant == instant("2024-05-01T08:45:00Z"))
        #expect(plan.missed == 0)
        #expect(try plan.next?.instant == instant("2024-05-01T09:00:00Z"))
        #expect(try plan.nextOccurrence?.instant == instant("2024-05-07T09:00:00Z"))
        let points = try schedule.rings(
            of: reminder, after: instant("2024-05-01T09:00:00Z"), limit: 4)
        #expect(
            try points.map(\.instant) == [
                instant("2024-05-07T09:00:00Z"), instant("2024-05-08T08:45:00Z"),
                instant("2024-05-08T09:00:00Z"), instant("2024-05-14T09:00:00Z"),
            ])
    }

    @Test(
        "a lead time that reaches back to the occurrence before does not hide it",
        arguments: [CalendarDuration(days: 1), CalendarDuration(seconds: 25 * 3600)])
    func longLeadTime(lead: CalendarDuration) throws {
        let reminder = reminder(
            .floating(try civil("2024-05-01T09:00:00")), before: [lead], rrule: "FREQ=DAILY")
        let points = try schedule("UTC").rings(
            of: reminder, after: instant("2024-05-01T00:00:00Z"), limit: 3)
        #expect(
            try points.map(\.instant)
                == ["01", "02", "03"].map {
                    try instant("2024-05-\($0)T09:00:00Z")
                })
    }

    @Test("hours are elapsed time through a clock change, days are not")
    func elapsed() throws {
        let start = Deadline.zoned(try civil("2024-10-27T00:30:00"), zone: "Europe/Berlin")
        let hours = try rings(
            "FREQ=HOURLY", start, zone: "Europe/Berlin", now: "2024-10-27T00:00:00+02:00", limit: 5)
        #expect(
            hours == [
                "2024-10-27T00:30:00+02:00", "2024-10-27T01:30:00+02:00",
                "2024-10-27T02:30:00+02:00", "2024-10-27T02:30:00+01:00",
                "2024-10-27T03:30:00+01:00",
            ])
        let days = try rings(
            "FREQ=DAILY", start, zone: "Europe/Berlin", now: "2024-10-27T00:00:00+02:00", limit: 2)
        #expect(days == ["2024-10-27T00:30:00+02:00", "2024-10-28T00:30:00+01:00"])
    }

    @Test("a floating series moves with the zone, and what has rung stays rung")
    func zoneChange() throws {
        var reminder = reminder(.floating(try civil("2024-07-03T10:00:00")), rrule: "FREQ=DAILY")
        let now = try instant("2024-07-03T10:05:00+09:00")
        let due = try #require(try schedule("Asia/Tokyo").plan(for: reminder, now: now).due)
        reminder.alarm.rungThrough = due.position
        let plan = try schedule("Asia/Singapore").plan(for: reminder, now: now)
        #expect(plan.due == nil)
        #expect(try plan.next?.instant == instant("2024-07-04T10:00:00+08:00"))
    }

    @Test("exceptions of any kind take an occurrence out, additions put one in")
    func exceptions() throws {
        let start = Deadline.zoned(try civil("2024-05-01T09:00:00"), zone: "Europe/Berlin")
        let found = try rings(
            "FREQ=DAILY;COUNT=5", start, zone: "Europe/Berlin",
            now: "2024-04-30T00:00:00+02:00", limit: 9,
            additions: [
                .absolute(instant("2024-05-02T12:00:00Z")), date("2024-05-20"),
                .zoned(civil("2024-05-21T09:00:00"), zone: "America/New_York"),
            ],
            exceptions: [
                .absolute(instant("2024-05-02T07:00:00Z")), date("2024-05-03"),
                .zoned(civil("2024-05-04T16:00:00"), zone: "Asia/Tokyo"),
            ])
        #expect(
            found == [
                "2024-05-01T09:00:00+02:00", "2024-05-02T14:00:00+02:00",
                "2024-05-05T09:00:00+02:00", "2024-05-20T09:00:00+02:00",
                "2024-05-21T15:00:00+02:00",
            ])
    }

    @Test("date-only series ring at AllDayTime of each day")
    func dates() throws {
        let found = try rings(
            "FREQ=WEEKLY;BYDAY=MO,FR", date("2024-05-03"), zone: "Europe/Berlin",
            now: "2024-05-03T09:00:00+02:00", limit: 2)
        #expect(found == ["2024-05-06T09:00:00+02:00", "2024-05-10T09:00:00+02:00"])
    }

    @Test(
        "done moves on along the series, or counts from the completion",
        arguments: [
            ("FREQ=DAILY;INTERVAL=3", RecurrenceRule.Basis.schedule, "2024-05-04T09:00:00"),
            ("FREQ=DAILY;INTERVAL=3", .completion, "2024-05-13T09:00:00"),
            ("FREQ=MONTHLY", .completion, "2024-06-10T09:00:00"),
            ("FREQ=WEEKLY;BYDAY=MO", .completion, "2024-05-13T09:00:00"),
            ("FREQ=HOURLY;INTERVAL=2", .completion, "2024-05-10T13:30:00"),
            ("FREQ=DAILY;UNTIL=20240501", .schedule, nil),
            ("FREQ=DAILY;UNTIL=20240510", .completion, nil),
        ] as [(String, RecurrenceRule.Basis, String?)])
    func movesOn(rrule: String, basis: RecurrenceRule.Basis, expected: String?) throws {
        let start = Deadline.floating(try civil("2024-05-01T09:00:00"))
        let schedule = try schedule("UTC")
        let next = try schedule.nextOccurrence(
            of: reminder(start, rrule: rrule, basis: basis), after: start,
            completed: instant("2024-05-10T11:30:00Z"))
        let found = try next.map { try schedule.instant(of: $0).instant }
        #expect(try found == expected.map { try instant($0 + "Z") })
    }

    @Test("a reminder that does not repeat, and one that counts from completion, ring once")
    func single() throws {
        let start = Deadline.floating(try civil("2024-05-01T09:00:00"))
        let schedule = try schedule("UTC")
        let now = try instant("2024-05-01T00:00:00Z")
        let once = reminder(start)
        #expect(try schedule.nextOccurrence(of: once, after: start, completed: now) == nil)
        let counted = reminder(start, rrule: "FREQ=DAILY", basis: .completion)
        #expect(try schedule.rings(of: counted, after: now, limit: 3).count == 1)
    }

    @Test("a current deadline in another zone than the series is placed by its instant")
    func otherZone() throws {
        let start = Deadline.zoned(try civil("2024-05-01T09:00:00"), zone: "Europe/Berlin")
        let current = Deadline.zoned(try civil("2024-05-03T16:00:00"), zone: "Asia/Tokyo")
        let reminder = reminder(current, rrule: "FREQ=DAILY", start: start)
        let schedule = try schedule("UTC")
        let now = try instant("2024-05-02T00:00:00Z")
        let points = try schedule.rings(of: reminder, after: now, limit: 2)
        #expect(
            try points.map(\.instant) == [
                instant("2024-05-03T07:00:00Z"), instant("2024-05-04T07:00:00Z"),
            ])
        let next = try schedule.nextOccurrence(of: reminder, after: current, completed: now)
        #expect(try next == .zoned(civil("2024-05-04T09:00:00"), zone: "Europe/Berlin"))
    }
}
