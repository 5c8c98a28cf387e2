import Testing

@testable import RemindCore

@Suite("What was asked for is said back, not something else")
struct PhraseSaidBackTests {
    @Test(
        "A length of time is told as it was asked, with milliseconds on the clock",
        arguments: [
            ("1 second", "in 1 second"), ("90s", "in 1 minute 30 seconds"),
            ("20m", "in 20 minutes"),
            ("1h30m", "in 1 hour 30 minutes"), ("23h", "in 23 hours"), ("1 day", "in 1 day"),
            ("2 days 3 hours", "in 2 days 3 hours"), ("1 week", "in 7 days"),
            ("10 days", "in 10 days"), ("2 weeks", "in 2 weeks"), ("15 days", "in 15 days"),
            ("6 weeks", "in 6 weeks"), ("100 days", "in 100 days"), ("1mo", "in 1 month"),
            ("9 months", "in 9 months"), ("52 weeks", "in 1 year"), ("in 1 year", "in 1 year"),
            ("1 year 6 months", "in 1 year 6 months"), ("in 2 years", "in 2 years"),
            ("in 100 years", "in 100 years"),
        ])
    func asked(phrase: String, expected: String) throws {
        for now in ["2024-05-01T10:30:00.900+02:00", "2024-01-31T00:10:00.001+01:00"] {
            let context = try context(now)
            let instant = try context.understand(phrase).instant
            let text = RelativePhrase.text(from: context.now, to: instant)
            #expect(text == expected, "at \(now)")
            // Told a moment later, a day is still a day.
            let later = context.now.advanced(byMilliseconds: 120)
            if instant.seconds - later.seconds > 3600 {
                #expect(RelativePhrase.text(from: later, to: instant) == expected, "after \(now)")
            }
        }
    }

    @Test("Years further away are whole ones, rounded down")
    func years() throws {
        let now = try #require(Instant(rfc3339: "2026-11-30T04:04:21Z"))
        let far = try #require(Instant(rfc3339: "2030-05-01T07:00:00Z"))
        #expect(RelativePhrase.text(from: now, to: far) == "in 3 years")
        // A day short of it.
        #expect(RelativePhrase.text(from: .earliest, to: .latest) == "in 9999 years")
    }

    @Test("A wall time that a clock change takes away is printed as the one that is taken")
    func gap() throws {
        let context = try context()
        let printer = PhrasePrinter(zone: context.zone)
        let floating = try context.understand("2027-03-28 02:30")
        #expect(
            printer.textWithZone(floating.deadline, at: floating.instant)
                == "Sun 28 Mar 2027, 03:30 +02:00")
        let zoned = try context.understand("2027-03-28 02:30 Europe/Berlin")
        #expect(
            printer.textWithZone(zoned.deadline, at: zoned.instant)
                == "Sun 28 Mar 2027, 03:30 Europe/Berlin")
    }

    @Test("The second of two equal wall times west of Greenwich is printed so that it reads back")
    func overlapInTheWest() throws {
        let azores = SomeZone.eu(EUZone(identifier: "Atlantic/Azores", winter: -3600))
        let instant = try #require(Instant(rfc3339: "2024-10-27T01:30:00Z"))
        let context = PhraseContext(
            now: instant.advanced(bySeconds: -86_400), zones: SomeZones(local: azores))
        let text = PhrasePrinter(zone: azores).text(instant)
        #expect(text == "Sun 27 Oct 2024, 00:30 UTC-01:00")
        #expect(try context.understand(text).instant == instant)
    }

    @Test(
        "No unit of an interval is dropped",
        arguments: [
            ("every 1 week 2 days", "FREQ=DAILY;INTERVAL=9"),
            ("every 1w1d", "FREQ=DAILY;INTERVAL=8"),
            ("every P1W2D", "FREQ=DAILY;INTERVAL=9"),
            ("every 1 year 6 months", "FREQ=MONTHLY;INTERVAL=18"),
            ("every P1Y6M", "FREQ=MONTHLY;INTERVAL=18"),
            ("every 2 weeks and 3 days", "FREQ=DAILY;INTERVAL=17"),
            ("every 1 week 7 days", "FREQ=WEEKLY;INTERVAL=2"),
            ("every P2Y", "FREQ=YEARLY;INTERVAL=2"),
            ("every fortnight", "FREQ=WEEKLY;INTERVAL=2"), ("every 1 month 1 week", nil),
        ] as [(String, String?)])
    func interval(phrase: String, rrule: String?) throws {
        let understood = try? context().understand(phrase)
        #expect(understood?.recurrence?.rule.rrule == rrule)
    }

    @Test(
        "After completion, months and years count from the day it was done",
        arguments: [
            ("every month after completion", "FREQ=MONTHLY"),
            ("every 2 years after completion", "FREQ=YEARLY;INTERVAL=2"),
        ])
    func completion(phrase: String, rrule: String) throws {
        for now in ["2026-12-31T10:30:00+01:00", "2024-02-29T10:30:00+01:00"] {
            #expect(try context(now).understand(phrase).recurrence?.rule.rrule == rrule)
        }
    }

    @Test(
        "A range of times is not a time with an offset",
        arguments: [
            ("9:00-10:00", "9:00"), ("9am-10", "9am"),
            ("2024-05-10 09:00-10:00", "2024-05-10 09:00"),
            ("tomorrow 10:00-11:00", "tomorrow 10:00"), ("9:00-17:00", "9:00"),
            ("9am - 10am", "9am"), ("every day 9:00-10:00", "every day 9:00"),
            ("tomorrow 10:00:00-11:00", "tomorrow 10:00:00"),
            ("2024-05-10T09:00-10:00-11:00", "2024-05-10T09:00"),
        ])
    func range(phrase: String, suggestion: String) throws {
        let context = try context()
        let error = try #require(throws: PhraseError.self) { try context.understand(phrase) }
        #expect(error.suggestions.first?.phrase == suggestion)
        #expect(error.suggestions.allSatisfy { !$0.phrase.contains("+") })
    }

    @Test(
        "A timestamp may have a negative offset",
        arguments: [
            "2024-05-10T09:00-05:00", "2024-05-10T09:00:00-05:00", "2024-05-10T09:00:00.0-05:00",
            "2024-05-10 09:00:00-05:00", "20240510T090000-0500", "2024-05-10 09:00 UTC-05:00",
            "2024-05-10 9am UTC-5",
        ])
    func timestamp(phrase: String) throws {
        #expect(
            try context().understand(phrase).deadline.short == "2024-05-10T14:00:00+00:00")
    }
}
