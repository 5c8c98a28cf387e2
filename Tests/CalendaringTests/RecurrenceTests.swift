import RemindCore
import Testing

@testable import Calendaring

/// The rings of a series after `now`, in RFC 3339 with the offset of the zone.
func rings(
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

func zoned(_ text: String, _ zone: String) throws -> Deadline {
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
