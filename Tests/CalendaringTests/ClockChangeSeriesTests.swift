import RemindCore
import Testing

@testable import Calendaring

@Suite("Series across clock changes")
struct ClockChangeSeriesTests {
    /// The first occurrences of a floating series in a zone.
    private func listed(
        _ rrule: String, _ start: String, zone: String = "Europe/Berlin", limit: Int = 4
    ) throws -> [String] {
        let schedule = try schedule(zone)
        let recurrence = Recurrence(
            rule: RecurrenceRule(rrule: rrule), start: .floating(try civil(start)))
        let first = try schedule.instant(of: recurrence.start).instant
        return try schedule.occurrences(
            of: recurrence, after: first.advanced(byMilliseconds: -1), limit: limit
        ).map { $0.instant.rfc3339(in: schedule.zones.local) }
    }

    @Test(
        "two occurrences at one instant in the spring gap are one",
        arguments: [
            (
                "FREQ=DAILY;BYHOUR=2,3", "2025-03-30T02:30:00",
                ["2025-03-30T03:30:00+02:00", "2025-03-31T02:30:00+02:00"]
            ),
            (
                "FREQ=HOURLY;BYMINUTE=30", "2025-03-30T00:30:00",
                [
                    "2025-03-30T00:30:00+01:00", "2025-03-30T01:30:00+01:00",
                    "2025-03-30T03:30:00+02:00", "2025-03-30T04:30:00+02:00",
                ]
            ),
        ])
    func twins(rrule: String, start: String, expected: [String]) throws {
        #expect(try listed(rrule, start, limit: expected.count) == expected)
        let rung = try rings(
            rrule, .floating(civil(start)), zone: "Europe/Berlin",
            now: "2025-03-29T23:00:00+01:00", limit: expected.count)
        #expect(rung == expected)
    }

    @Test("of two at one instant the later stays when the one in the gap is taken out")
    func twinTakenOut() throws {
        let found = try rings(
            "FREQ=DAILY;BYHOUR=2,3", .floating(civil("2025-03-29T02:30:00")),
            zone: "Europe/Berlin", now: "2025-03-29T12:00:00+01:00", limit: 2,
            exceptions: [.floating(civil("2025-03-30T02:30:00"))])
        #expect(found == ["2025-03-30T03:30:00+02:00", "2025-03-31T02:30:00+02:00"])
    }

    @Test(
        "UNTIL in UTC is compared as an instant in gaps and overlaps",
        arguments: [
            (
                "FREQ=DAILY;UNTIL=20251026T013000Z", "2025-10-25T02:45:00",
                ["2025-10-25T02:45:00+02:00", "2025-10-26T02:45:00+02:00"]
            ),
            (
                "FREQ=DAILY;UNTIL=20251026T004459Z", "2025-10-25T02:45:00",
                ["2025-10-25T02:45:00+02:00"]
            ),
            (
                "FREQ=DAILY;UNTIL=20250330T010000Z", "2025-03-29T02:15:00",
                ["2025-03-29T02:15:00+01:00"]
            ),
            (
                "FREQ=DAILY;UNTIL=20250330T011500Z", "2025-03-29T02:15:00",
                ["2025-03-29T02:15:00+01:00", "2025-03-30T03:15:00+02:00"]
            ),
        ])
    func until(rrule: String, start: String, expected: [String]) throws {
        #expect(try listed(rrule, start) == expected)
        let rung = try rings(
            rrule, .floating(civil(start)), zone: "Europe/Berlin",
            now: "2025-03-29T00:00:00+01:00", limit: 4)
        #expect(rung == expected)
    }

    @Test("the occurrence of a day that Apia left out in 2011 rings the day after")
    func apia() throws {
        #expect(
            try listed(
                "FREQ=DAILY;INTERVAL=2", "2011-12-30T12:00:00", zone: "Pacific/Apia", limit: 2)
                == ["2011-12-31T12:00:00+14:00", "2012-01-01T12:00:00+14:00"])
    }

    @Test("times of the day mean nothing to a series of dates")
    func datesIgnoreTimes() throws {
        #expect(
            try expand("FREQ=DAILY;BYHOUR=9,17;BYMINUTE=30", from: "2024-05-02", limit: 3)
                == ["2024-05-02", "2024-05-03", "2024-05-04"])
        #expect(throws: ScheduleError.self) {
            try expand("FREQ=HOURLY;BYMINUTE=30", from: "2024-05-02")
        }
    }
}
