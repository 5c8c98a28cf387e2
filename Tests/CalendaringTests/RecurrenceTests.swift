import RemindCore
import Testing

@testable import Calendaring

/// The rings of a series after `now`, in RFC 3339 with the offset of the zone.
private func rings(
    _ rrule: String, _ start: Deadline, zone: String, now: String, limit: Int,
    additions: [Deadline] = [], exceptions: [Deadline] = []
) throws -> [String] {
    let schedule = try schedule(zone)
    var reminder = reminder(start, rrule: rrule)
    reminder.recurrence?.additions = additions
    reminder.recurrence?.exceptions = exceptions
    let local = schedule.zones.local
    return try schedule.rings(of: reminder, after: instant(now), limit: limit)
        .map { $0.instant.rfc3339(in: local) }
}

private func zoned(_ text: String, _ zone: String) throws -> Deadline {
    .zoned(try civil(text), zone: zone)
}

@Suite("Cases of recurrence")
struct RecurrenceCases {
    @Test("A-gap-02: a daily series crosses a gap and keeps its time")
    func gap02() throws {
        let found = try rings(
            "FREQ=DAILY;UNTIL=20260402T003000Z", zoned("2026-03-27T02:30:00", "Europe/Berlin"),
            zone: "Europe/Berlin", now: "2026-03-26T12:00:00+01:00", limit: 10)
        #expect(
            found == [
                "2026-03-27T02:30:00+01:00", "2026-03-28T02:30:00+01:00",
                "2026-03-29T03:30:00+02:00", "2026-03-30T02:30:00+02:00",
                "2026-03-31T02:30:00+02:00", "2026-04-01T02:30:00+02:00",
                "2026-04-02T02:30:00+02:00",
            ])
    }

    @Test("A-fold-02: a daily series rings once in the night that an hour comes twice")
    func fold02() throws {
        let found = try rings(
            "FREQ=DAILY;UNTIL=20261103T063000Z", zoned("2026-10-30T01:30:00", "America/New_York"),
            zone: "America/New_York", now: "2026-10-29T12:00:00-04:00", limit: 10)
        #expect(
            found == [
                "2026-10-30T01:30:00-04:00", "2026-10-31T01:30:00-04:00",
                "2026-11-01T01:30:00-04:00", "2026-11-02T01:30:00-05:00",
                "2026-11-03T01:30:00-05:00",
            ])
    }

    @Test("A-rec-01: months without a 31st are passed over and not counted")
    func rec01() throws {
        let found = try rings(
            "FREQ=MONTHLY;COUNT=6", zoned("2025-01-31T08:00:00", "Europe/Madrid"),
            zone: "Europe/Madrid", now: "2025-01-30T12:00:00+01:00", limit: 10)
        #expect(
            found == [
                "2025-01-31T08:00:00+01:00", "2025-03-31T08:00:00+02:00",
                "2025-05-31T08:00:00+02:00", "2025-07-31T08:00:00+02:00",
                "2025-08-31T08:00:00+02:00", "2025-10-31T08:00:00+01:00",
            ])
    }

    @Test("A-rec-02: 29 February of a common year is passed over")
    func rec02() throws {
        let found = try rings(
            "FREQ=YEARLY", zoned("2012-02-29T12:00:00", "Europe/Berlin"), zone: "Europe/Berlin",
            now: "2012-02-01T00:00:00+01:00", limit: 5)
        #expect(found == [2012, 2016, 2020, 2024, 2028].map { "\($0)-02-29T12:00:00+01:00" })
    }

    @Test("A-rec-03: the last working day of each month")
    func rec03() throws {
        let found = try rings(
            "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1",
            zoned("2018-07-31T16:00:00", "America/New_York"), zone: "America/New_York",
            now: "2018-07-30T12:00:00-04:00", limit: 5)
        #expect(
            found == [
                "2018-07-31T16:00:00-04:00", "2018-08-31T16:00:00-04:00",
                "2018-09-28T16:00:00-04:00", "2018-10-31T16:00:00-04:00",
                "2018-11-30T16:00:00-05:00",
            ])
    }

    @Test(
        "A-rec-04: WKST decides which days share a week",
        arguments: [
            ("MO", ["02", "07", "16", "21"]), ("SU", ["02", "14", "16", "28"]),
        ])
    func rec04(weekStart: String, days: [String]) throws {
        let found = try rings(
            "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=" + weekStart,
            .absolute(instant("2024-01-02T07:00:00Z")), zone: "UTC",
            now: "2024-01-01T00:00:00Z", limit: 9)
        #expect(found == days.map { "2024-01-\($0)T07:00:00+00:00" })
    }

    @Test("A-rec-05: a UTC end is compared as an instant, inclusive")
    func rec05() throws {
        let found = try rings(
            "FREQ=WEEKLY;UNTIL=20240616T220000Z",
            zoned("2024-06-03T08:00:00", "Australia/Brisbane"),
            zone: "Australia/Brisbane", now: "2024-06-01T00:00:00+10:00", limit: 9)
        #expect(found == ["03", "10", "17"].map { "2024-06-\($0)T08:00:00+10:00" })
    }

    @Test("A-rec-06: a rule that never matches has no occurrence; its given start rings once")
    func rec06() throws {
        let start = Deadline.absolute(try instant("2024-02-01T09:00:00Z"))
        let rule = RecurrenceRule(rrule: "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30")
        #expect(try schedule("UTC").firstOccurrence(of: rule, from: start) == nil)
        let found = try rings(
            rule.rrule, start, zone: "UTC", now: "2024-01-01T00:00:00Z", limit: 5)
        #expect(found == ["2024-02-01T09:00:00+00:00"])
        let ordinary = try rings(
            "FREQ=DAILY;COUNT=2", .absolute(instant("2024-02-01T10:00:00Z")), zone: "UTC",
            now: "2024-01-01T00:00:00Z", limit: 5)
        #expect(ordinary == ["2024-02-01T10:00:00+00:00", "2024-02-02T10:00:00+00:00"])
    }

    @Test("A-rec-07: an occurrence that was moved rings at its new time only")
    func rec07() throws {
        let found = try rings(
            "FREQ=DAILY;COUNT=4", zoned("2025-05-26T20:00:00", "Europe/Vienna"),
            zone: "Europe/Vienna", now: "2025-05-26T08:00:00+02:00", limit: 9,
            additions: [zoned("2025-05-28T17:00:00", "Europe/Vienna")],
            exceptions: [zoned("2025-05-28T20:00:00", "Europe/Vienna")])
        #expect(
            found == [
                "2025-05-26T20:00:00+02:00", "2025-05-27T20:00:00+02:00",
                "2025-05-28T17:00:00+02:00", "2025-05-29T20:00:00+02:00",
            ])
    }

    @Test("A-susp-02: a night asleep leaves one ring and the series on its grid")
    func susp02() throws {
        let schedule = try schedule("Europe/Vienna")
        let start = try instant("2025-02-11T23:00:00+01:00")
        let reminder = reminder(.absolute(start), rrule: "FREQ=HOURLY")
        let plan = try schedule.plan(for: reminder, now: instant("2025-02-12T06:30:00+01:00"))
        #expect(try plan.due?.instant == instant("2025-02-12T06:00:00+01:00"))
        #expect(plan.missed == 7)
        #expect(try plan.next?.instant == instant("2025-02-12T07:00:00+01:00"))
        #expect(plan.nextOccurrence == plan.next)
    }
}

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
}
