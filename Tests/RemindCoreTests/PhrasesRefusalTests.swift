import Testing

@testable import RemindCore

@Suite("Refusals, on Wednesday 2024-05-01 at 10:30 in Berlin")
struct PhraseRefusalTests {
    /// The phrase, the offending part of it, and a phrase that must be among the suggestions.
    static let refused: [(phrase: String, place: String, suggestion: String?)] = [
        ("9 tomorrow", "9", "at 9 tomorrow"), ("tomorrow 9", "9", "tomorrow at 9"),
        ("12:60", "12:60", nil), ("9:5", "9:5", nil), ("9 : 30", "9", nil),
        ("009:00", "009:00", nil),
        ("1730pm", "1730pm", "17:30"), ("13pm", "13pm", "13:00"),
        ("tonight 2am", "tonight 2am", "tomorrow 2:00"), ("tonight noon", "tonight noon", nil),
        ("tomorrow night", "night", "tomorrow evening"),
        ("tomorrow afternoon", "afternoon", "tomorrow 15:00"),
        ("next week", "next week", "monday next week"), ("next month", "next month", "in 1 month"),
        ("next weekend", "next weekend", "saturday next week"),
        ("last friday", "last friday", "friday"), ("may", "may", "1 may"),
        ("1 may 30", "1 may 30", "2030-05-01"), ("1.5.30", "1.5.30", "2030-05-01"),
        ("24-05-10", "24-05-10", "2024-05-10"), ("10.05", "10.05", "10 may"),
        ("9.30", "9.30", "9:30"), ("5.25.2024", "5.25.2024", "2024-05-25"),
        ("thu 1 may 2030", "thu 1 may 2030", "2030-05-01"), ("2024-05", "2024-05", nil),
        ("31 feb", "31 feb", "29 feb"), ("32nd", "32nd", "31st"), ("second", "second", nil),
        ("9h30", "9h30", "9h 30m"), ("10m30", "30", "10m"), ("1h1h", "1h1h", nil),
        ("30m 1h", "30m 1h", "1h 30m"), ("1.5 days", "1.5 days", nil), ("half a day", "half", nil),
        ("++10m", "+", "+10m"), ("in -5m", "-", "in 5m"), ("in ten", "ten", "in 10 minutes"),
        ("0 days", "0 days", nil), ("in 9998 years", "in 9998 years", nil),
        ("99999999999999999999 minutes", "99999999999999999999 minutes", nil),
        ("9999-12-31 24:00", "9999-12-31 24:00", nil), ("10 minuts", "minuts", "10 minutes"),
        ("friday – 9am", "–", "friday 9am"), ("tomorrow at", "at", "tomorrow"),
        ("tomorrow,", ",", "tomorrow"), ("tomorrow,, 9am", ",", "tomorrow, 9am"),
        ("tomorow 9am", "tomorow", "tomorrow 9am"), ("wensday", "wensday", "wednesday"),
        ("9am fridayy", "fridayy", "9am friday"), ("tomorrow ☕", "☕", "tomorrow"),
        ("9am pst", "pst", "9am America/Los_Angeles"), ("9am PT", "PT", "9am America/Los_Angeles"),
        ("9am +2", "+2", "9am +02:00"), ("9am +25:00", "+25:00", "9am +02:00"),
        ("tomorrow UTC", "UTC", "tomorrow"),
        ("tomorrow Europe/Paris", "Europe/Paris", "tomorrow 9:00 Europe/Paris"),
        ("mondays", "mondays", "every monday"), ("in 3 hours at 9am", "in 3 hours", "in 3 hours"),
        ("friday in 2 weeks", "in 2 weeks", "in 2 weeks"),
        ("tomorrow friday", "friday", "friday"), ("9am 10am", "10am", "10am"),
        ("@1714639200000", "@1714639200000", "@1714639200"),
        ("2024-05-10 09:00:00.5", "2024-05-10 09:00:00.5", "Fri 10 May 2024, 09:00"),
        ("tomorrow\u{200B}9am", "\u{200B}", nil), ("tomorrow\u{7}", "\u{7}", "tomorrow"),
        ("next friday", "next friday", "friday next week"), ("amen", "amen", nil),
        ("9am or 10am", "10am", nil), ("every 1 may 2030", "2030", "every 1 may"),
        ("every 3rd day", "3rd day", "every 3 days"), ("every day 9", "9", "every day at 9"),
        ("every second tuesday", "second tuesday", "every other tuesday"),
        ("every 31 april", "31 april", "every 30 apr"), ("every 6th friday", "6th friday", nil),
        ("every 2 mondays", "2 mondays", "every other monday"), ("every 1d12h", "1d12h", nil),
        ("every night", "night", nil), ("every day 24:00", "every day 24:00", nil),
        ("every 2 hours at 9am", "every 2 hours at 9am", "every 2 hours"),
        ("every day for 3", "for 3", "every day for 3 times"),
        ("every day for 0 times", "for 0 times", nil), ("every day until", "", nil),
        ("every day for 2 times until friday", "every day for 2 times until friday", nil),
        ("every day 9am +02:00", "every day 9am +02:00", "every day at 9:00 UTC"),
        ("every friday after completion", "every friday after completion", nil),
        ("monthly on friday", "monthly on friday", nil),
        ("every 1st and 30th", "1st and 30th", nil),
        ("tomorrow every day", "tomorrow", nil), ("every 9000 years", "every 9000 years", nil),
    ]

    @Test("A phrase is refused at its place, with phrases that work", arguments: refused)
    func refusal(phrase: String, place: String, suggestion: String?) throws {
        let context = try context()
        let error = try #require(throws: PhraseError.self) { try context.understand(phrase) }
        #expect(String(decoding: Array(phrase.utf8)[error.range], as: UTF8.self) == place)
        #expect(!error.isPast)
        #expect(error.reason.hasSuffix("."))
        if let suggestion { #expect(error.suggestions.map(\.phrase).contains(suggestion)) }
        #expect(!error.suggestions.isEmpty && error.suggestions.count <= 3)
        for suggestion in error.suggestions {
            #expect(suggestion.meaning != nil)
            #expect(throws: Never.self) { try context.understand(suggestion.phrase) }
        }
    }

    @Test(
        "A past phrase is refused with how long ago and a way ahead",
        arguments: [
            ("today 09:00", "1 hour 30 minutes ago", "09:00"),
            ("10 may 1730", "293 years ago", "10 may 17:30"),
            ("@1730", "54 years ago", "17:30"), ("@0", "54 years ago", "00:00"),
            ("@9", "54 years ago", "09:00"),
            ("today midnight", "10 hours 30 minutes ago", "00:00"),
            ("yesterday", "yesterday", "tomorrow"), ("2024-04-01", "1 month ago", "1 apr"),
            ("this morning", "1 hour 30 minutes ago", "09:00"),
            ("monday this week", "2 days ago", "29 apr"),
            ("-5m", "5 minutes ago", "in 10 minutes"),
        ])
    func past(phrase: String, ago: String, suggestion: String) throws {
        let context = try context()
        let error = try #require(throws: PhraseError.self) { try context.understand(phrase) }
        #expect(error.isPast)
        #expect(error.reason.contains(ago))
        #expect(error.suggestions.map(\.phrase).contains(suggestion))
    }

    @Test("Both dates of ‘next friday’ are shown")
    func nextFriday() throws {
        let context = try context()
        let error = try #require(throws: PhraseError.self) {
            try context.understand("next friday 9am")
        }
        #expect(
            error.hint == "Try ‘friday 9am’ (Fri 3 May 2024, 09:00) or ‘friday next week 9am’ "
                + "(Fri 10 May 2024, 09:00).")
        #expect(error.caret == (0, 11))
    }

    @Test("The caret counts characters, not bytes")
    func caret() throws {
        let context = try context()
        let error = try #require(throws: PhraseError.self) { try context.understand("９：３０pm ほげ") }
        #expect(error.caret == (7, 2))
    }

    @Test(
        "Control characters are refused by name",
        arguments: ["\u{0}", "\u{1B}", "\u{85}", "\u{FEFF}"])
    func control(character: String) throws {
        let context = try context()
        let error = try #require(throws: PhraseError.self) {
            try context.understand("tomorrow\(character)9am")
        }
        #expect(error.reason.contains("‘U+"))
    }
}

/// Bits in a fixed order for each seed (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }
}

@Suite("Random phrases")
struct PhraseSoupTests {
    private static let scraps =
        Vocabulary.all + [
            " ", " ", " ", ",", ":", "-", "/", ".", "+", "@", "'", "&", "T", "Z", "9", "09", "17",
            "31",
            "30", "2024", "2030", "0900", "20240510", "99999999999999999999", "9:30", "9am", "1st",
            "2024-05-10", "10/05/2024", "Europe/Paris", "EST", "ß", "９", "\u{A0}", "\u{0}", "☕",
            "é",
        ]

    @Test("10,000 soups are understood or refused, each with suggestions that work")
    func soup() throws {
        let context = try context()
        var understood = 0
        for seed in 0..<10_000 as Range<UInt64> {
            var generator = SeededGenerator(seed: seed)
            var phrase = ""
            for _ in 0..<Int.random(in: 1...7, using: &generator) {
                phrase += Self.scraps.randomElement(using: &generator) ?? ""
                if Bool.random(using: &generator) { phrase += " " }
            }
            do throws(PhraseError) {
                let understanding = try context.understand(phrase)
                understood += 1
                if understanding.instant < context.now, !understanding.deadline.isDateOnly {
                    Issue.record("‘\(phrase)’ is in the past")
                }
            } catch {
                check(error, phrase, context)
            }
        }
        #expect(understood > 100)
    }

    private func check(
        _ error: PhraseError, _ phrase: String, _ context: PhraseContext<SomeZones>
    ) {
        let isInside = error.range.upperBound <= phrase.utf8.count
        if !isInside || error.suggestions.isEmpty || error.reason.isEmpty {
            Issue.record("‘\(phrase)’: \(error)")
        }
        for suggestion in error.suggestions
        where (try? context.understand(suggestion.phrase)) == nil {
            Issue.record("‘\(phrase)’: ‘\(suggestion.phrase)’ does not work")
        }
    }
}

@Suite("A rule beside another time")
struct RuleBesideTimeTests {
    @Test("is refused, with suggestions that are tried without suggestions of their own")
    func otherTime() throws {
        let context = try context()
        guard case .english(let rule) = try RuleText.parse("weekday at 9") else { return }
        let start = Deadline.floating(CivilDateTime(secondsSinceEpoch: 1_893_452_340))
        let error = #expect(throws: PhraseError.self) {
            _ = try context.understand(rule, from: start)
        }
        #expect(error?.reason.contains("another time of day") == true)
        #expect(error?.suggestions.map(\.phrase) == ["weekday at 22:59"])
    }
}
