import Testing

@testable import RemindCore

@Suite("Cases from public trackers: phrases")
struct PhraseCaseTests {
    private func check(
        _ now: String, _ zone: String, _ phrase: String, _ expected: String
    ) throws {
        let understanding = try context(now, zone: zone).understand(phrase)
        #expect(understanding.instant == Instant(rfc3339: expected), "‘\(phrase)’")
    }

    @Test(
        "A-date-01",
        arguments: [
            ("tomorrow 12am", "2024-03-13T23:00:00Z"), ("tomorrow 12pm", "2024-03-14T11:00:00Z"),
            ("tomorrow noon", "2024-03-14T11:00:00Z"),
        ])
    func twelve(phrase: String, expected: String) throws {
        try check("2024-03-13T10:00:00+01:00", "Europe/Berlin", phrase, expected)
    }

    @Test("A-date-02")
    func goneByToday() throws {
        try check("2024-05-07T23:00:00-05:00", "America/Chicago", "9am", "2024-05-08T14:00:00Z")
    }

    @Test(
        "A-date-03",
        arguments: [
            "2024-02-30 09:00", "2025-04-31 09:00", "july 42 9am", "2025-13-01 09:00",
            "2025-06-10 24:61",
        ])
    func noSuchDate(phrase: String) throws {
        let context = try context("2024-01-15T08:00:00+00:00", zone: "Europe/London")
        #expect(throws: PhraseError.self) { try context.understand(phrase) }
    }

    @Test("A-date-04")
    func eveOfTheSpringChange() throws {
        try check(
            "2024-03-30T20:00:00+01:00", "Europe/Berlin", "tomorrow 9am", "2024-03-31T07:00:00Z")
    }

    @Test("A-date-05")
    func localToday() throws {
        try check(
            "2024-06-04T21:00:00-07:00", "America/Los_Angeles", "tomorrow 9am",
            "2024-06-05T16:00:00Z")
    }

    @Test("A-date-06")
    func comingSaturday() throws {
        try check(
            "2024-04-21T15:00:00+03:00", "Europe/Helsinki", "saturday 10:00",
            "2024-04-27T07:00:00Z")
    }

    @Test("A-date-07")
    func dayThatIsNoMonth() throws {
        let phrase = "25/9/2025 10:00"
        let understanding = try context("2025-03-02T12:00:00+01:00", zone: "Europe/Paris")
            .understand(phrase)
        #expect(understanding.instant == Instant(rfc3339: "2025-09-25T08:00:00Z"))
    }

    @Test("A-date-08")
    func weekdays() throws {
        let understanding = try context("2024-05-03T18:30:00+02:00", zone: "Europe/Paris")
            .understand("every weekday 18:00")
        #expect(understanding.instant == Instant(rfc3339: "2024-05-06T16:00:00Z"))
        #expect(
            understanding.recurrence?.rule.rrule == "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR")
    }

    @Test("A-date-09", arguments: ["FRIDAY 09:00", "Fri 09:00", "fri 09:00"])
    func noLocale(phrase: String) throws {
        try check("2024-06-05T12:00:00+03:00", "Europe/Istanbul", phrase, "2024-06-07T06:00:00Z")
    }
}
