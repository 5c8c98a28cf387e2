import Testing

@testable import RemindCore

/// Phrases that were once read as something else than what people mean by them, or whose hint left
/// a part out: on Wednesday 2024-05-01 at 10:30 in Berlin.
@Suite("Phrases that are easily misread") struct PhrasesTroubleTests {
    @Test(
        "is refused, and the hint says both things it could be",
        arguments: [
            // phrase, the place of the caret, the first hint, another hint
            ("1730 hours", "1730 hours", "17:30", "in 1730 hours"),
            ("1700hrs", "1700hrs", "17:00", "in 1700hrs"),
            ("tomorrow 0900 hours", "0900 hours", "tomorrow 09:00", nil),
            ("2400 hours", "2400 hours", "24:00", "in 2400 hours"),
            ("1,000 minutes", "1,000 minutes", "1000 minutes", nil),
            ("in 1,500 hours", "1,500 hours", "in 1500 hours", "in 1.500 hours"),
            ("25 dec 2130", "2130", "25 dec at 21:30", "2130-12-25"),
            ("may 10, 2359", "2359", "may 10, at 23:59", "2359-05-10"),
            (
                "every other weekday", "other weekday", "every mon,wed,fri",
                "every 2 weeks on weekdays"
            ),
            (
                "every other weekday at 9", "other weekday", "every mon,wed,fri at 9",
                "every 2 weeks on weekdays at 9"
            ),
            (
                "every other weekday and saturday", "other weekday and saturday",
                "every mon,wed,fri", "every 2 weeks on weekdays"
            ),
            ("every weekday on saturday", "on saturday", "every weekday", nil),
            ("every friday the 32nd", "friday the 32nd", "every friday the 13th", nil),
            (
                "every 3 days after completion for 3 times", "for 3 times",
                "every 3 days after completion until end of next month",
                "every 3 days after completion"
            ),
            (
                "every day at 9 after completion, 5 times", "5 times",
                "every day at 9 after completion, until end of next month", nil
            ),
            ("2024-05-10 9h", "9h", "2024-05-10 at 9", nil),
            ("friday the 13th", "friday the 13th", "2024-05-13", "2024-09-13"),
            ("fri 13th at 8", "fri 13th at 8", "2024-05-13", "2024-09-13"),
            ("10. 5. 2024", "10. 5. 2024", "2024-05-10", nil),
            ("10 / 5 / 2024 9am", "10 / 5 / 2024", "2024-05-10 9am", "2024-10-05 9am"),
            ("2024-may-10", "2024-may-10", "2024-05-10", nil),
            ("May-10-2024 9am", "May-10-2024", "2024-05-10 9am", nil),
            (
                "Fri May 10 09:00:00 CEST 2024", "CEST", "Fri May 10 09:00:00 Europe/Berlin 2024",
                nil
            ),
        ] as [(String, String, String, String?)])
    func refused(phrase: String, place: String, hint: String, other: String?) throws {
        let error = try #require(throws: PhraseError.self) { try context().understand(phrase) }
        let utf8 = Array(phrase.utf8)
        #expect(String(decoding: utf8[error.range], as: UTF8.self) == place)
        let hints = error.suggestions.map(\.phrase)
        #expect(hints.first == hint)
        if let other { #expect(hints.contains(other), "\(hints)") }
    }

    @Test(
        "is what was said, though something else looks like it",
        arguments: [
            ("in 1730 hours", "2024-07-12T10:30:00Z"), ("+0900 hours", "2024-06-07T20:30:00Z"),
            ("1730 hours from now", "2024-07-12T10:30:00Z"),
            ("1200 hours 30 minutes", "2024-06-20T09:00:00Z"),
            ("0.125h", "2024-05-01 10:37:30"), ("1.25 hours", "2024-05-01 11:45"),
            ("Fri May 10 09:00:00 2024", "2024-05-10 09:00"),
            ("at nine thirty", "2024-05-02 09:30"), ("at ten forty-five", "2024-05-01 10:45"),
            ("tomorrow at seven fifteen pm", "2024-05-02 19:15"),
            ("nine thirty am tomorrow", "2024-05-02 09:30"),
            ("friday at eleven ten", "2024-05-03 11:10"),
            ("10 may 9am, 2025", "2025-05-10 09:00"),
            ("25 dec 2030", "2030-12-25"), ("25 dec 2130 at 9", "2130-12-25 09:00"),
            ("9am 25 dec 2130", "2130-12-25 09:00"), ("mon 25 dec 2130", "2130-12-25"),
            ("a week from today", "2024-05-08"), ("2 weeks from today at 9", "2024-05-15 09:00"),
            ("2 weeks from now", "2024-05-15 10:30"), ("2 hours from today", "2024-05-01 12:30"),
            ("1200 day after tomorrow", "2024-05-03 12:00"),
            ("at 17 day after tomorrow", "2024-05-03 17:00"),
            ("0500 the day after tomorrow", "2024-05-03 05:00"),
            ("1200 days after tomorrow", "2027-08-15"), ("2 days after tomorrow", "2024-05-04"),
            ("wed 1 may", "2024-05-01"), ("wednesday 1st", "2024-05-01"),
            ("wed 1 may 17:00", "2024-05-01 17:00"),
            ("in ninety minutes", "2024-05-01 12:00"),
            ("PT1.5H", "2024-05-01 12:00"), ("in pt1h1.5m", "2024-05-01 11:31:30"),
            ("in seventy-five minutes", "2024-05-01 11:45"),
            ("an hour and half", "2024-05-01 12:00"), ("5 o'clock pm", "2024-05-01 17:00"),
            ("tomorrow 5 o'clock am", "2024-05-02 05:00"),
        ])
    func understood(phrase: String, expected: String) throws {
        let found = try context().understand(phrase)
        guard let instant = Instant(rfc3339: expected) else {
            #expect(expected.hasPrefix(found.deadline.short) || same(found, expected))
            return
        }
        #expect(found.instant == instant)
    }

    private func same(_ found: Understanding, _ expected: String) -> Bool {
        guard let date = expected.split(separator: " ").first,
            let time = expected.split(separator: " ").last,
            let instant = Instant(rfc3339: "\(date)T\(time)\(time.count == 5 ? ":00" : "")+02:00")
        else { return false }
        // Of winter days the wall time is compared.
        return found.instant == instant || found.deadline.short.contains("\(date)T\(time)")
    }

    @Test(
        "repeats as people mean it",
        arguments: [
            (
                "every 4 years on feb 29", "2028-02-29",
                "FREQ=YEARLY;INTERVAL=4;BYMONTH=2;BYMONTHDAY=29"
            ),
            (
                "every 8 years on 29 feb", "2028-02-29",
                "FREQ=YEARLY;INTERVAL=8;BYMONTH=2;BYMONTHDAY=29"
            ),
            (
                "every 2 years on 29 feb", "2025-02-28",
                "FREQ=YEARLY;INTERVAL=2;BYMONTH=2;BYMONTHDAY=28,29;BYSETPOS=-1"
            ),
            ("every monday through friday", "2024-05-02", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"),
            ("every day through 2024-05-03", "2024-05-02", "FREQ=DAILY;UNTIL=20240503"),
            ("every hour and a half", "2024-05-01T10:00:00+00:00", "FREQ=MINUTELY;INTERVAL=90"),
            (
                "every hour and 15 minutes", "2024-05-01T09:45:00+00:00",
                "FREQ=MINUTELY;INTERVAL=75"
            ),
            ("every PT1.5H", "2024-05-01T10:00:00+00:00", "FREQ=MINUTELY;INTERVAL=90"),
            ("every other mon", "2024-05-06", "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO"),
            (
                "every other week on weekdays", "2024-05-02",
                "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TU,WE,TH,FR"
            ),
        ])
    func repeats(phrase: String, first: String, rule: String) throws {
        let found = try context().understand(phrase)
        #expect(found.deadline.short == first)
        #expect(found.recurrence?.rule.rrule == rule)
    }

    @Test(
        "A hint leaves nothing out",
        arguments: [
            ("every day except sunday", "every mon,tue,wed,thu,fri,sat"),
            ("every day except on weekends", "every mon,tue,wed,thu,fri"),
            ("every day at 9 except sundays", "every mon,tue,wed,thu,fri,sat at 9"),
            ("daily except sat and sun at 9", "every mon,tue,wed,thu,fri at 9"),
            ("weekdays except friday", "every mon,tue,wed,thu"),
            ("every weekday but wednesday 18:00", "every mon,tue,thu,fri 18:00"),
            ("1½ hours", "1.5 hours"), ("½ hour", "0.5 hour"), ("in .5h", "in 0.5h"),
            ("930", "9:30"), ("0:30am", "0:30"), ("UTC 9am", "9am UTC"),
            ("monday through friday", "every monday through friday"),
            ("the friday", "friday"), ("every 3rd week", "every 3 weeks"),
            ("every second hour", "every 2 hours"), ("every 2h30", "every 2h 30m"),
            ("monthly on the 5", "monthly on the 5th"),
            ("monthly on day 5", "monthly on the 5th"),
            ("every end of month", "every last day of the month"),
            ("every single monday", "every monday"), ("in 1 quarter", "in 3 months"),
            ("in one hundred minutes", "in 100 minutes"), ("1 hour before 5pm", "at 16:00"),
            ("half an hour after noon", "at 12:30"), ("an hour before midnight", "at 23:00"),
        ])
    func hint(phrase: String, expected: String) throws {
        let error = try #require(throws: PhraseError.self) { try context().understand(phrase) }
        #expect(error.suggestions.first?.phrase == expected)
    }

    @Test(
        "An exception behind a time was read for ever: it is refused",
        arguments: [
            ("5pm but not monday", "but"), ("17 without", "without"),
            ("tomorrow 9am except sunday", "except"), ("@17without*", "without*"),
            ("noon excluding weekends", "excluding weekends"), ("at 9 but", "but"),
        ])
    func exception(phrase: String, place: String) throws {
        let error = try #require(throws: PhraseError.self) { try context().understand(phrase) }
        #expect(String(decoding: Array(phrase.utf8)[error.range], as: UTF8.self) == place)
    }
}
