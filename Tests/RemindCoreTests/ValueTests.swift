import Testing

@testable import RemindCore

@Suite("Values of time")
struct TimeValueTests {
    @Test("Days count to a date and back over all kept years")
    func civilDateRoundTrip() {
        // A prime stride meets every day of every kind of year within the calendar's 400.
        let last = CivilDate.last.daysSinceEpoch
        var previous = CivilDate.first
        for day in stride(from: previous.daysSinceEpoch + 1, through: last, by: 31) {
            let date = CivilDate(daysSinceEpoch: day)
            guard date.daysSinceEpoch == day, previous < date else {
                Issue.record("\(date) does not follow \(previous) as day \(day)")
                return
            }
            previous = date
        }
        #expect(CivilDate(daysSinceEpoch: last) == .last)
    }

    @Test(
        "A known day has its weekday",
        arguments: [
            ("1970-01-01", Weekday.thursday), ("2000-02-29", .tuesday), ("2024-05-01", .wednesday),
            ("1600-12-31", .sunday), ("9999-12-31", .friday),
        ])
    func weekday(text: String, expected: Weekday) throws {
        #expect(try #require(CivilDate(iso8601: text)).weekday == expected)
    }

    @Test(
        "Months are added with the day clamped",
        arguments: [
            ("2024-01-31", 1, "2024-02-29"), ("2023-01-31", 1, "2023-02-28"),
            ("2024-03-31", -1, "2024-02-29"), ("2024-11-30", 3, "2025-02-28"),
            ("0001-01-31", -1, "0001-01-01"), ("9999-12-01", 1, "9999-12-31"),
            ("2024-05-31", .max, "9999-12-31"), ("2024-05-31", .min, "0001-01-01"),
        ])
    func addingMonths(text: String, months: Int, expected: String) throws {
        #expect(try #require(CivilDate(iso8601: text)).adding(months: months).iso8601 == expected)
    }

    @Test(
        "ISO 8601 durations are read, and written in one form",
        arguments: [
            ("PT15M", "PT15M"), ("P2W", "P14D"), ("-PT90S", "-PT1M30S"),
            ("P1Y2M3DT4H5M6S", "P1Y2M3DT4H5M6S"),
            ("+P1D", "P1D"), ("PT0S", "PT0S"), ("pt1h", "PT1H"),
        ])
    func durations(text: String, expected: String) throws {
        #expect(try #require(CalendarDuration(iso8601: text)).iso8601 == expected)
    }

    @Test(
        "What is not an ISO 8601 duration is refused",
        arguments: [
            "", "P", "PT", "15M", "P1H", "PT1D", "PT1M1H", "P1D1D", "P-1D", "PT1.5H", "P1DT",
            "P99999999999999999999D", "P10000Y",
        ])
    func refusedDurations(text: String) {
        #expect(CalendarDuration(iso8601: text) == nil)
    }

    @Test(
        "RFC 3339 times are read, and written with their offset",
        arguments: [
            ("2030-05-01T09:00:00+02:00", 7200, "2030-05-01T09:00:00+02:00"),
            ("2030-05-01T07:00:00Z", 7200, "2030-05-01T09:00:00+02:00"),
            ("1969-12-31T23:59:59-03:30", -12600, "1969-12-31T23:59:59-03:30"),
        ])
    func rfc3339(text: String, offset: Int, expected: String) throws {
        #expect(try #require(Instant(rfc3339: text)).rfc3339(offset: offset) == expected)
    }

    @Test(
        "What is not an RFC 3339 time is refused",
        arguments: [
            "2030-05-01T09:00:00", "2030-05-01", "2030-02-30T09:00:00Z", "2030-05-01T24:00:00Z",
            "2030-05-01T09:00:00+2:00", "2030-05-01T09:00:00Zx", "", "２030-05-01T09:00:00Z",
        ])
    func refusedRFC3339(text: String) { #expect(Instant(rfc3339: text) == nil) }

    @Test("Arithmetic stops at the ends of the kept years")
    func saturation() {
        #expect(Instant.latest.advanced(bySeconds: .max) == .latest)
        #expect(Instant.earliest.advanced(bySeconds: .min) == .earliest)
        #expect(CivilDate.last.adding(days: .max) == .last)
        #expect(CivilDateTime(secondsSinceEpoch: .max).date == .last)
        #expect(CivilDateTime(secondsSinceEpoch: .min).date == .first)
    }
}

@Suite("Identifiers")
struct UUIDv7Tests {
    @Test("A new identifier carries version, variant and creation time, and reads back")
    func roundTrip() throws {
        var generator = SystemRandomNumberGenerator()
        let created = Instant(milliseconds: 1_714_552_200_123)
        let id = UUIDv7(created: created, using: &generator)
        #expect(id.created == created)
        #expect(id.text.count == 36)
        #expect(Array(id.text)[14] == "7")
        #expect("89ab".contains(Array(id.text)[19]))
        #expect(UUIDv7(text: id.text.uppercased()) == id)
    }

    @Test(
        "What is not a UUID is refused",
        arguments: [
            "", "0190f0c2", "0190f0c2-0000-7000-8000-00000000000g",
            "0190f0c2-0000-7000-8000-0000000000001", "+190f0c2-0000-7000-8000-000000000001",
        ])
    func refused(text: String) { #expect(UUIDv7(text: text) == nil) }
}
