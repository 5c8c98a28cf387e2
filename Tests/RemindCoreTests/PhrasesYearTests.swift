import Testing

@testable import RemindCore

@Suite("Years beside days, on Wednesday 2024-05-01 at 10:30 in Berlin")
struct PhraseYearTests {
    @Test(
        "A year belongs to its day and is no time",
        arguments: [
            ("end of feb 2028", "2028-02-29"), ("last day of february 2028", "2028-02-29"),
            ("end of may 2030", "2030-05-31"), ("start of june 2030", "2030-06-01"),
            ("end of year 2030", "2030-12-31"), ("june 15 , 2030", "2030-06-15"),
            ("end of may 2030 at 9am", "2030-05-31T09:00:00"),
            ("last friday of may", "2024-05-31"), ("first monday of june", "2024-06-03"),
            ("the last friday of may 2030", "2030-05-31"), ("2nd tuesday of may", "2024-05-14"),
            ("first monday of april 9am", "2025-04-07T09:00:00"),
            ("last friday in may", "2024-05-31"), ("first monday of the month", "2024-05-06"),
            ("5th monday of feb", "2044-02-29"),
            ("1 may at 2030", "2024-05-01T20:30:00"), ("tomorrow 2030", "2024-05-02T20:30:00"),
            ("friday 1930", "2024-05-03T19:30:00"), ("1 may 1730h", nil),
        ] as [(String, String?)])
    func belongs(phrase: String, expected: String?) throws {
        #expect((try? context().understand(phrase))?.deadline.short == expected)
    }

    @Test(
        "Four digits that could be a year or a time are refused with both",
        arguments: [
            ("the 15th 2025", ["the 15th at 20:25"]),
            ("2030 1 may", ["1 may 2030", "1 may at 20:30"]),
            ("2030 may 1", ["may 1 2030", "may 1 at 20:30"]),
            ("end of month 2030", ["end of month at 20:30"]),
            ("every 1 may , 2030", ["every 1 may", "every 1 may , at 20:30"]),
            ("every last day of february 2030", ["every last day of february"]),
            ("monthly on the 15th 2030", ["monthly on the 15th", "monthly on the 15th at 20:30"]),
            (
                "every day at 9 until the 15th 2030",
                ["every day at 9 until the 15th", "every day at 9 until the 15th at 20:30"]
            ),
        ])
    func ambiguous(phrase: String, suggestions: [String]) throws {
        let context = try context()
        let error = try #require(throws: PhraseError.self) { try context.understand(phrase) }
        #expect(Array(error.suggestions.map(\.phrase).prefix(suggestions.count)) == suggestions)
    }

    @Test("The year of the day that ends a rule is no time of the rule")
    func until() throws {
        let rule = try context().understand("every day until end of may 2030")
        #expect(rule.recurrence?.rule.rrule == "FREQ=DAILY;UNTIL=20300531")
        #expect(rule.deadline.isDateOnly)
    }

    @Test(
        "A hint offers a year as a time only where it stood as one",
        arguments: ["yesterday", "2024-02-29", "monday this week", "1.4.2024", "20240401"])
    func noTimeOfYear(phrase: String) throws {
        let context = try context()
        let error = try #require(throws: PhraseError.self) { try context.understand(phrase) }
        #expect(error.suggestions.allSatisfy { !$0.phrase.contains(":") })
    }

    @Test(
        "A hint is what could have been meant",
        arguments: [
            ("2030-W18-3", "2030-05-01"), ("2030-W18", "2030-04-29"), ("in 9am", "at 9am"),
            ("10 apr 2024", "10 apr 20:24"), ("1y6m", "1y6mo"), ("in 1 year 6m", "in 1 year 6mo"),
            ("15nd", "15th"), ("june 9rd", "june 9th"), ("every 22th", "every 22nd"),
            ("every day until friday at noon", "every day at noon until friday"),
            ("every day until friday, at noon", "every day at noon until friday"),
            ("every morning until friday at 8", "every morning at 8 until friday"),
            ("every morning at 14:00", "every morning"),
            ("every day until friday 9:30", "every day at 9:30 until friday"),
        ])
    func hint(phrase: String, suggestion: String) throws {
        let context = try context()
        let error = try #require(throws: PhraseError.self) { try context.understand(phrase) }
        #expect(error.suggestions.first?.phrase == suggestion)
    }

    @Test("‘m’ behind a year is refused with months and minutes, and elsewhere is minutes")
    func minutesOfYear() throws {
        let error = try #require(throws: PhraseError.self) { try DurationPhrase.parse("1y6m") }
        #expect(error.suggestions.map(\.phrase) == ["1y6mo", "1y 6min"])
        #expect(try DurationPhrase.parse("1y 2mo 6m").seconds == 360)
        #expect(try DurationPhrase.parse("1y 6 minutes").seconds == 360)
        #expect(try DurationPhrase.parse("P1Y6M").months == 18)
    }

    @Test(
        "Rules may be said in these ways too",
        arguments: [
            ("every morning at 8", "2024-05-02T08:00:00", "FREQ=DAILY"),
            ("every day at 7 in the evening", "2024-05-01T19:00:00", "FREQ=DAILY"),
            ("every monday evening at 7", "2024-05-06T19:00:00", "FREQ=WEEKLY;BYDAY=MO"),
            ("every morning UTC", "2024-05-01T09:00:00 UTC", "FREQ=DAILY"),
            ("every monday evening", "2024-05-06T19:00:00", "FREQ=WEEKLY;BYDAY=MO"),
            ("every night at 10", "2024-05-01T22:00:00", "FREQ=DAILY"),
            ("weekly on weekdays", "2024-05-02", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"),
            ("every mon wed fri", "2024-05-03", "FREQ=WEEKLY;BYDAY=MO,WE,FR"),
            ("every 2nd and 4th tuesday", "2024-05-14", "FREQ=MONTHLY;BYDAY=2TU,4TU"),
            (
                "every first and third monday at 9", "2024-05-06T09:00:00",
                "FREQ=MONTHLY;BYDAY=1MO,3MO"
            ),
            ("every first and last friday", "2024-05-03", "FREQ=MONTHLY;BYDAY=1FR,-1FR"),
            (
                "every day at 9 until friday noon", "2024-05-02T09:00:00",
                "FREQ=DAILY;UNTIL=20240503T120000"
            ),
        ])
    func rules(phrase: String, start: String, rrule: String) throws {
        let rule = try context().understand(phrase)
        #expect(rule.deadline.short == start)
        #expect(rule.recurrence?.rule.rrule == rrule)
    }

    @Test("Blanks before an RRULE and semicolons behind it count for nothing")
    func rrule() throws {
        for text in ["FREQ=DAILY;", " RRULE: FREQ=DAILY;;", "  FREQ=DAILY ; "] {
            #expect(try RuleText.parse(text) == .rrule("FREQ=DAILY"), "‘\(text)’")
        }
    }
}
