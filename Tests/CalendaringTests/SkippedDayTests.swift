import RemindCore
import Testing

@testable import Calendaring

@Suite("Rules: days that a month does not have (RFC 7529)")
struct SkippedDayTests {
    @Test(
        "SKIP takes the day before or the day after in their place",
        arguments: [
            (
                "FREQ=MONTHLY;SKIP=FORWARD", "2025-01-31",
                "2025-01-31 2025-03-01 2025-03-31 2025-05-01 2025-05-31 2025-07-01"
            ),
            (
                "FREQ=MONTHLY;SKIP=BACKWARD", "2025-01-31",
                "2025-01-31 2025-02-28 2025-03-31 2025-04-30 2025-05-31 2025-06-30"
            ),
            (
                "FREQ=MONTHLY;BYMONTHDAY=30,31;SKIP=BACKWARD", "2025-01-30",
                "2025-01-30 2025-01-31 2025-02-28 2025-03-30 2025-03-31 2025-04-30"
            ),
            (
                "FREQ=MONTHLY;INTERVAL=3;BYMONTHDAY=31;SKIP=FORWARD", "2025-08-31",
                "2025-08-31 2025-12-01 2026-03-01 2026-05-31"
            ),
            (
                "FREQ=YEARLY;SKIP=FORWARD", "2024-02-29",
                "2024-02-29 2025-03-01 2026-03-01 2027-03-01 2028-02-29"
            ),
            (
                "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;SKIP=BACKWARD", "2098-02-28",
                "2098-02-28 2099-02-28 2100-02-28 2101-02-28 2102-02-28 2103-02-28 2104-02-29"
            ),
            (
                "FREQ=MONTHLY;BYMONTHDAY=31;SKIP=OMIT", "2025-01-31",
                "2025-01-31 2025-03-31 2025-05-31"
            ),
            (
                "FREQ=MONTHLY;BYMONTHDAY=-31;SKIP=FORWARD", "2025-01-01",
                "2025-01-01 2025-03-01 2025-05-01"
            ),
        ])
    func moved(rule: String, start: String, days: String) throws {
        let expected = days.split(separator: " ").map(String.init)
        let rscale = "RSCALE=GREGORIAN;"
        #expect(try expand(rscale + rule, from: start, limit: expected.count) == expected)
        #expect(
            try expand(rscale + rule + ";COUNT=\(expected.count)", from: start, limit: 9)
                == expected)
    }

    @Test("What begins the search on a day that was moved into the next month finds it")
    func searchedFromMovedDay() throws {
        let schedule = try schedule("UTC")
        let recurrence = Recurrence(
            rule: RecurrenceRule(rrule: "FREQ=MONTHLY;SKIP=FORWARD"),
            start: .floating(try civil("2025-01-31T09:00:00")))
        for (now, next) in [
            ("2025-02-28T12:00:00Z", "2025-03-01T09:00:00Z"),
            ("2025-03-01T08:00:00Z", "2025-03-01T09:00:00Z"),
            ("2025-03-01T09:00:00Z", "2025-03-31T09:00:00Z"),
        ] {
            let found = try schedule.occurrences(
                of: recurrence, after: try #require(Instant(rfc3339: now)), limit: 1)
            #expect(found.first?.instant == Instant(rfc3339: next))
        }
    }
}
