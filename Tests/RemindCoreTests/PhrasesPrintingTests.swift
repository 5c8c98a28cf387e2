import Testing

@testable import RemindCore

@Suite("Deadlines and lengths of time in print")
struct PhrasePrintingTests {
    @Test("What is printed reads back to the same instant, over 5,000 instants")
    func roundTrip() throws {
        var context = try context(allowPast: true)
        let printer = PhrasePrinter(zone: context.zone)
        var generator = SeededGenerator(seed: 1)
        // From 1970 to 2200, and every quarter of an hour about a clock change.
        var seconds = (0..<4800).map { _ in Int64.random(in: 0...7_258_118_400, using: &generator) }
        seconds += (-100...100).map { 1_729_990_800 + $0 * 900 }
        for second in seconds {
            let instant = Instant(seconds: second)
            context.now = instant.advanced(
                bySeconds: Int64.random(in: -9_999...9_999, using: &generator))
            let text = printer.text(instant)
            let understanding = try? context.understand(text)
            #expect(understanding?.instant == instant, "‘\(text)’")
        }
    }

    @Test(
        "A deadline is printed with its zone",
        arguments: [
            ("2030-05-01 09:00", "Wed 1 May 2030, 09:00 +02:00"), ("2030-05-01", "Wed 1 May 2030"),
            ("2030-05-01 09:00:30 Asia/Tokyo", "Wed 1 May 2030, 09:00:30 Asia/Tokyo"),
            ("2030-05-01T09:00Z", "Wed 1 May 2030, 11:00 +02:00"),
            ("0999-05-01", "0999-05-01"),
            ("2024-10-27 02:30 +01:00", "Sun 27 Oct 2024, 02:30+01:00 +01:00"),
        ])
    func zones(phrase: String, expected: String) throws {
        let context = try context(allowPast: true)
        let understanding = try context.understand(phrase)
        let printer = PhrasePrinter(zone: context.zone)
        #expect(
            printer.textWithZone(understanding.deadline, at: understanding.instant) == expected)
        #expect(
            try context.understand(printer.text(understanding.deadline)).deadline.isDateOnly
                == understanding.deadline.isDateOnly)
    }

    @Test(
        "How far away it is",
        arguments: [
            (0, "now"), (1, "in 1 second"), (59, "in 59 seconds"), (60, "in 1 minute"),
            (-7200, "2 hours ago"), (86_399, "in 1 day"), (86_400, "in 1 day"),
            (13 * 86_400, "in 13 days"), (14 * 86_400, "in 2 weeks"), (40 * 86_400, "in 40 days"),
            (-3 * 31_557_600, "3 years ago"),
        ] as [(Int64, String)])
    func relative(seconds: Int64, expected: String) {
        let now = Instant(seconds: 1_714_552_200)
        #expect(RelativePhrase.text(from: now, to: now.advanced(bySeconds: seconds)) == expected)
    }

    @Test(
        "A length of time has a label that reads back",
        arguments: [
            ("10m", "10 min"), ("90m", "1 h 30 min"), ("PT15M", "15 min"), ("1d", "1 day"),
            ("2 weeks", "2 weeks"), ("10 days", "10 days"), ("1y 1mo", "1 year 1 month"),
            ("in half an hour", "30 min"), ("36h", "36 h"), ("90s", "1 min 30 s"),
            ("-10m", "-10 min"),
            ("1 month 3 days 2h", "1 month 3 days 2 h"),
        ])
    func labels(phrase: String, label: String) throws {
        let duration = try DurationPhrase.parse(phrase, allowsNegative: true)
        #expect(duration.label == label)
        #expect(try DurationPhrase.parse(label, allowsNegative: true) == duration)
    }

    @Test(
        "What is no length of time is refused with ones that work",
        arguments: [
            "", " ", "0m", "10", "-10m", "tomorrow", "10 parsecs", "10m 5", "1h,", "P", "PT", "9am",
            "every day", "10 minuts", "999999999999 years", "in", "\u{0}", "1.5 days", "2h 3h",
        ])
    func refusedDurations(phrase: String) throws {
        let error = try #require(throws: PhraseError.self) { try DurationPhrase.parse(phrase) }
        #expect(!error.suggestions.isEmpty)
        for suggestion in error.suggestions {
            #expect(throws: Never.self) { try DurationPhrase.parse(suggestion.phrase) }
        }
    }
}
