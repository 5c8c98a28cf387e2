import Testing

@testable import RemindCore

@Suite("Phrases, on Wednesday 2024-05-01 at 10:30 in Berlin")
struct PhraseMeaningTests {
    private static let days: [(String, String)] = [
        ("mon", "2024-05-06"), ("tues", "2024-05-07"), ("thurs", "2024-05-02"),
        ("fri.", "2024-05-03"), ("1 sept", "2024-09-01"), ("Sept. 5", "2024-09-05"),
        ("this wednesday", "2024-05-08"), ("weekend", "2024-05-04"), ("this weekend", "2024-05-04"),
        ("friday this week", "2024-05-03"), ("next week friday", "2024-05-10"),
        ("the day after tomorrow", "2024-05-03"), ("the 15th", "2024-05-15"),
        ("1st", "2024-06-01"), ("1st of the month", "2024-06-01"), ("15th of june", "2024-06-15"),
        ("june the first", "2024-06-01"), ("the first of june", "2024-06-01"),
        ("31st", "2024-05-31"), ("30th", "2024-05-30"), ("1 may", "2025-05-01"),
        ("end of the month", "2024-05-31"), ("end of next month", "2024-06-30"),
        ("end of february", "2025-02-28"), ("start of next month", "2024-06-01"),
        ("end of year", "2024-12-31"), ("the last day of the month", "2024-05-31"),
        ("10-May-2024", "2024-05-10"), ("2024/05/10", "2024-05-10"), ("2024-5-9", "2024-05-09"),
        ("10. may", "2024-05-10"), ("May 1st, 2030", "2030-05-01"),
        ("Wed 1 May 2030", "2030-05-01"), ("friday the 10th", "2024-05-10"),
        ("friday, 10 may", "2024-05-10"), ("10/10/2024", "2024-10-10"),
        ("2024–05–10", "2024-05-10"), ("tomorrow\u{202F}", "2024-05-02"),
    ]

    private static let times: [(String, String)] = [
        ("9 a.m.", "2024-05-02T09:00:00"), ("5 p.m. tomorrow", "2024-05-02T17:00:00"),
        ("12:30am", "2024-05-02T00:30:00"), ("9.30pm", "2024-05-01T21:30:00"),
        ("7 o’clock", "2024-05-02T07:00:00"), ("at seven", "2024-05-02T07:00:00"),
        ("12 noon", "2024-05-01T12:00:00"), ("midnight tonight", "2024-05-02T00:00:00"),
        ("tonight at 8", "2024-05-01T20:00:00"), ("tonight 8:30", "2024-05-01T20:30:00"),
        ("tomorrow evening at 8", "2024-05-02T20:00:00"), ("at 0", "2024-05-02T00:00:00"),
        ("tomorrow morning at 8", "2024-05-02T08:00:00"), ("this evening", "2024-05-01T19:00:00"),
        ("8 in the evening", "2024-05-01T20:00:00"), ("in the morning", "2024-05-02T09:00:00"),
        ("friday evening", "2024-05-03T19:00:00"), ("at 9 tomorrow", "2024-05-02T09:00:00"),
        ("tomorrow 24:00", "2024-05-03T00:00:00"), ("friday 24:00", "2024-05-04T00:00:00"),
        ("2024-05-10 24:00", "2024-05-11T00:00:00"), ("tomorrow midnight", "2024-05-02T00:00:00"),
        ("10 may 0900", "2024-05-10T09:00:00"), ("10 may 2030 2030", "2030-05-10T20:30:00"),
        ("wed 10:30", "2024-05-08T10:30:00"), ("wed 10:31", "2024-05-01T10:31:00"),
        ("1 may 10:31", "2024-05-01T10:31:00"), ("1 may at 9", "2025-05-01T09:00:00"),
        ("today 10:30", "2024-05-01T10:30:00"), ("today 24:00", "2024-05-02T00:00:00"),
        ("20240510T090030", "2024-05-10T09:00:30"), ("٩:٣٠", "2024-05-02T09:30:00"),
        ("3 days 9am", "2024-05-04T09:00:00"), ("2024-05-10T09", "2024-05-10T09:00:00"),
        ("0900 may 2", "2024-05-02T09:00:00"), ("Fri, 10 May 2024 09:00:00", "2024-05-10T09:00:00"),
        ("9am in 3 days", "2024-05-04T09:00:00"),
        ("in 2 weeks at 18:00", "2024-05-15T18:00:00"),
    ]

    private static let lengths: [(String, String)] = [
        ("in a week", "2024-05-08T10:30:00"), ("P1D", "2024-05-02T10:30:00"),
        ("1 month 2 days", "2024-06-03T10:30:00"),
        ("2 days from now", "2024-05-03T10:30:00"), ("in two years", "2026-05-01T10:30:00"),
        ("an hour and a half", "2024-05-01T10:00:00+00:00"), ("1.5h", "2024-05-01T10:00:00+00:00"),
        ("in forty-five minutes", "2024-05-01T09:15:00+00:00"),
        ("in a quarter of an hour", "2024-05-01T08:45:00+00:00"),
        ("1 hour, 30 minutes", "2024-05-01T10:00:00+00:00"),
        ("1 hour and 30 minutes", "2024-05-01T10:00:00+00:00"),
        ("PT36H", "2024-05-02T20:30:00+00:00"), ("1d 2h", "2024-05-02T10:30:00+00:00"),
        ("2147483648 seconds", "2092-05-19T11:44:08+00:00"), ("now", "2024-05-01T08:30:00+00:00"),
    ]

    private static let zones: [(String, String)] = [
        ("9am Europe/Paris", "2024-05-02T09:00:00 Europe/Paris"),
        ("9am europe/paris tomorrow", "2024-05-02T09:00:00 Europe/Paris"),
        ("9am tomorrow Europe/Paris", "2024-05-02T09:00:00 Europe/Paris"),
        ("tomorrow 9am Etc/GMT+5", "2024-05-02T09:00:00 Etc/GMT+5"),
        ("tomorrow at 9 America/Port-au-Prince", "2024-05-02T09:00:00 America/Port-au-Prince"),
        ("9am Japan", "2024-05-02T09:00:00 Japan"), ("09:00Z", "2024-05-01T09:00:00+00:00"),
        ("9am UTC+2", "2024-05-02T07:00:00+00:00"), ("9am gmt-05:00", "2024-05-01T14:00:00+00:00"),
        ("noon +0530", "2024-05-02T06:30:00+00:00"), ("9am+02", "2024-05-02T07:00:00+00:00"),
        ("20240510T090000Z", "2024-05-10T09:00:00+00:00"),
        ("2024-05-10T09:00:00.123Z", "2024-05-10T09:00:00+00:00"),
    ]

    @Test("A phrase means", arguments: days + times + lengths + zones)
    func meaning(phrase: String, expected: String) throws {
        #expect(try context().understand(phrase).deadline.short == expected)
    }

    @Test("The fraction of a second of an instant is kept")
    func fraction() throws {
        let understanding = try context().understand("2024-05-10T09:00:00.123Z")
        #expect(understanding.instant.milliseconds % 1000 == 123)
    }

    @Test("Days and times join in every way and in either order to the same meaning")
    func combinations() throws {
        let context = try context()
        let days = [
            "tomorrow", "thu", "thursday", "2024-05-02", "20240502", "2 may", "may 2", "2nd",
            "2.5.2024", "2/5/2024", "in 1 day", "thu 2 may 2024", "thursday this week",
        ]
        let times = [
            "9am", "9 am", "9:00am", "9.00am", "09:00", "9:00", "09:00:00", "0900", "morning",
        ]
        let zones = [
            ("", "2024-05-02T09:00:00"), (" Europe/Paris", "2024-05-02T09:00:00 Europe/Paris"),
            ("Z", "2024-05-02T09:00:00+00:00"), (" UTC", "2024-05-02T09:00:00+00:00"),
            ("+02:00", "2024-05-02T07:00:00+00:00"),
        ]
        var dayFirst = context
        dayFirst.settings.dateOrder = .dayFirst
        for day in days {
            for time in times {
                for (zone, expected) in zones where !(zone == "Z" && time.last?.isLetter == true) {
                    let timed = time + zone
                    var phrases = [" ", "@", ", ", ",", " at ", " @ ", ", at "].map {
                        day + $0 + timed
                    }
                    phrases += [" ", ", ", " on ", "@", ", on "].map { timed + $0 + day }
                    if time.first?.isNumber == true, day.last?.isLetter == true || day.contains("-")
                    {
                        phrases.append(day + "T" + timed)
                    }
                    for phrase in phrases {
                        let meaning = try? dayFirst.understand(phrase).deadline.short
                        #expect(meaning == expected, "‘\(phrase)’")
                    }
                }
            }
        }
    }

    @Test("Case, blanks and locale-bound letters change nothing")
    func folding() throws {
        let context = try context()
        for phrase in [
            "FRIDAY 09:00", "Fri 09:00", "  fri\t09:00\n", "fri\u{A0}09:00", "ｆri 09:00",
        ] {
            let isFolded = phrase.unicodeScalars.allSatisfy { $0.value < 0xFF00 }
            let meaning = try? context.understand(phrase).deadline.short
            #expect(meaning == (isFolded ? "2024-05-03T09:00:00" : nil))
        }
        #expect(throws: PhraseError.self) { try context.understand("frıday 09:00") }
        #expect(throws: PhraseError.self) { try context.understand("FRİDAY 09:00") }
    }

    @Test("A phrase of 1000 bytes is read, one of 1001 is not")
    func lengthLimit() throws {
        let padding = String(repeating: " ", count: Limits.phrase - 8)
        let context = try context()
        #expect(try context.understand("tomorrow" + padding).deadline.short == "2024-05-02")
        let error = #expect(throws: PhraseError.self) {
            try context.understand("tomorrow " + padding)
        }
        #expect(error?.reason.contains("1001") == true)
    }
}

@Suite("Kinds of deadline, and what they depend on")
struct PhraseKindTests {
    @Test(
        "With a zone asked for, wall times keep it and instants do not need it",
        arguments: [
            ("tomorrow 9am", "2024-05-02T09:00:00 Asia/Tokyo"),
            ("in 2 days", "2024-05-03T17:30:00 Asia/Tokyo"),
            ("18:00", "2024-05-01T18:00:00 Asia/Tokyo"), ("tomorrow", "2024-05-02"),
            ("in 20m", "2024-05-01T08:50:00+00:00"), ("noon UTC", "2024-05-01T12:00:00+00:00"),
            ("9am Europe/Paris", "2024-05-02T09:00:00 Europe/Paris"),
        ])
    func explicitZone(phrase: String, expected: String) throws {
        let context = try context(explicit: "Asia/Tokyo")
        #expect(try context.understand(phrase).deadline.short == expected)
    }

    @Test(
        "A date rings at AllDayTime; today's at Evening, then the next day",
        arguments: [
            ("08:00", "today", "2024-05-01T09:00:00"), ("09:00", "today", "2024-05-01T19:00:00"),
            ("18:59", "2024-05-01", "2024-05-01T19:00:00"),
            ("19:00", "today", "2024-05-02T09:00:00"), ("20:00", "tomorrow", "2024-05-02T09:00:00"),
        ])
    func dateRing(clock: String, phrase: String, expected: String) throws {
        let context = try context("2024-05-01T\(clock):00+02:00")
        let understanding = try context.understand(phrase)
        #expect(understanding.deadline.isDateOnly)
        #expect(context.zone.civil(at: understanding.instant).iso8601 == expected)
    }

    private static let orders: [(Settings.DateOrder, String, String?)] = [
        (.dayFirst, "10/05/2024", "2024-05-10"),
        (.monthFirst, "10/05/2024", "2024-10-05"), (.dayFirst, "25/12/2024", "2024-12-25"),
        (.dayFirst, "12/25/2024", nil), (.monthFirst, "25/12/2024", nil),
        (.monthFirst, "10.5.2024", "2024-05-10"),
    ]

    @Test("DateOrder decides between day and month, and only there", arguments: orders)
    func dateOrder(order: Settings.DateOrder, phrase: String, expected: String?) throws {
        var settings = Settings()
        settings.dateOrder = order
        let context = try context(settings: settings)
        #expect((try? context.understand(phrase).deadline.short) == expected)
    }

    @Test(
        "Next week begins on WeekStart",
        arguments: [
            (Weekday.monday, "sunday next week", "2024-05-12"),
            (.sunday, "sunday next week", "2024-05-05"),
            (.sunday, "saturday next week", "2024-05-11"),
            (.saturday, "friday next week", "2024-05-10"),
        ])
    func weekStart(start: Weekday, phrase: String, expected: String) throws {
        var settings = Settings()
        settings.weekStart = start
        #expect(try context(settings: settings).understand(phrase).deadline.short == expected)
    }

    private static let clockChanges: [(String, String, String?)] = [
        ("2025-03-30 02:30", "2025-03-30T01:30:00+00:00", "03:30 is taken"),
        ("2024-10-27 02:30", "2024-10-27T00:30:00+00:00", "the first is taken"),
        ("2024-10-27 03:00", "2024-10-27T02:00:00+00:00", nil),
        ("2024-10-27 02:30 +01:00", "2024-10-27T01:30:00Z", nil),
    ]

    @Test("A gap and an overlap are told", arguments: clockChanges)
    func clockChange(phrase: String, expected: String, note: String?) throws {
        let understanding = try context().understand(phrase)
        #expect(understanding.instant == Instant(rfc3339: expected))
        #expect(understanding.notes.count == (note == nil ? 0 : 1))
        if let note { #expect(understanding.notes.first?.contains(note) == true) }
    }

    @Test("A date rings in the machine's zone, whatever zone it was read in")
    func dateWithZone() throws {
        let understanding = try context(explicit: "Asia/Tokyo").understand("tomorrow")
        #expect(understanding.instant == Instant(rfc3339: "2024-05-02T09:00:00+02:00"))
    }

    @Test("A snooze takes a phrase that happens once")
    func once() throws {
        let context = try context()
        #expect(try context.understandOnce("10m").deadline.short == "2024-05-01T08:40:00+00:00")
        let error = try #require(throws: PhraseError.self) { try context.understandOnce("daily") }
        #expect(error.reason.contains("‘daily’"))
        #expect(!error.suggestions.isEmpty)
    }

    @Test("Days in another zone are counted there, and the answer says so")
    func otherToday() throws {
        let late = try context("2024-06-04T21:00:00-07:00", zone: "America/Los_Angeles")
        let understanding = try late.understand("tomorrow 9am UTC")
        #expect(understanding.deadline.short == "2024-06-06T09:00:00+00:00")
        #expect(understanding.notes.first?.contains("Wed 5 Jun 2024") == true)
    }

    @Test("Midnight of a day is its beginning, and the answer says so")
    func midnight() throws {
        #expect(try context().understand("friday midnight").notes.count == 1)
        #expect(try context().understand("midnight").notes.isEmpty)
    }

    @Test(
        "The past is kept when it is asked for",
        arguments: [
            ("yesterday", "2024-04-30"), ("today 09:00", "2024-05-01T09:00:00"),
            ("-5m", "2024-05-01T08:25:00+00:00"), ("3 days ago", "2024-04-28T10:30:00"),
            ("2024-04-30 23:59", "2024-04-30T23:59:00"), ("monday this week", "2024-04-29"),
            ("@-1", "1969-12-31T23:59:59+00:00"), ("9am", "2024-05-02T09:00:00"),
        ])
    func past(phrase: String, expected: String) throws {
        #expect(try context(allowPast: true).understand(phrase).deadline.short == expected)
    }
}
