import Testing

@testable import RemindCore

/// Phrases as people type them, and what they mean on Wednesday 2024-05-01 at 10:30 in Berlin; of a
/// rule also its RRULE.
@Suite struct PhrasesTypedTests {
    private static let meanings: [(String, String)] = [
        ("every day at 9:00, 5 times", "2024-05-02T09:00:00 FREQ=DAILY;COUNT=5"),
        ("end of may", "2024-05-31"),
        ("tomorrow at evening", "2024-05-02T19:00:00"),
        ("5 may at 3pm", "2024-05-05T15:00:00"),
        ("5 May 2025, 15:00", "2025-05-05T15:00:00"),
        ("2025/01/13", "2025-01-13"),
        ("friday 24:00", "2024-05-04T00:00:00"),
        ("noon", "2024-05-01T12:00:00"),
        ("12 am", "2024-05-02T00:00:00"),
        ("12:00 noon", "2024-05-01T12:00:00"),
        ("tomorrow at 12:00 midnight", "2024-05-02T00:00:00"),
        ("29 feb", "2028-02-29"),
        ("31 dec 23:59", "2024-12-31T23:59:00"),
        ("31 december 2024 at midnight", "2024-12-31T00:00:00"),
        ("at 9 in the morning", "2024-05-02T09:00:00"),
        ("9 at night", "2024-05-01T21:00:00"),
        ("half past 5", "2024-05-02T05:30:00"),
        ("half past five", "2024-05-02T05:30:00"),
        ("quarter to six", "2024-05-02T05:45:00"),
        ("quarter to 6", "2024-05-02T05:45:00"),
        ("quarter past 5", "2024-05-02T05:15:00"),
        ("a quarter to six", "2024-05-02T05:45:00"),
        ("ten to six", "2024-05-02T05:50:00"),
        ("ten past six", "2024-05-02T06:10:00"),
        ("10 past 6", "2024-05-02T06:10:00"),
        ("twenty past three", "2024-05-02T03:20:00"),
        ("five to noon", "2024-05-01T11:55:00"),
        ("half past noon", "2024-05-01T12:30:00"),
        ("half past 5pm", "2024-05-01T17:30:00"),
        ("at half past 5", "2024-05-02T05:30:00"),
        ("tomorrow at half past 5", "2024-05-02T05:30:00"),
        ("half past seven tomorrow evening", "2024-05-02T19:30:00"),
        ("quarter to six pm", "2024-05-01T17:45:00"),
        ("at seven", "2024-05-02T07:00:00"),
        ("seven pm", "2024-05-01T19:00:00"),
        ("seven in the evening", "2024-05-01T19:00:00"),
        ("17h", "2024-05-02T01:30:00+00:00"),
        ("5.30pm", "2024-05-01T17:30:00"),
        ("1730", "2024-05-01T17:30:00"),
        ("in 5 min", "2024-05-01T08:35:00+00:00"),
        ("in half hour", "2024-05-01T09:00:00+00:00"),
        ("in 2 1/2 hours", "2024-05-01T11:00:00+00:00"),
        ("in 2 and a half hours", "2024-05-01T11:00:00+00:00"),
        ("in two and a half hours", "2024-05-01T11:00:00+00:00"),
        ("in one and a half hours", "2024-05-01T10:00:00+00:00"),
        ("1:30", "2024-05-02T01:30:00"),
        ("in 2 days 9am", "2024-05-03T09:00:00"),
        ("a week from friday", "2024-05-10"),
        ("two weeks from friday", "2024-05-17"),
        ("monday at 9", "2024-05-06T09:00:00"),
        ("thurs 5pm", "2024-05-02T17:00:00"),
        ("this wednesday", "2024-05-08"),
        ("the coming friday", "2024-05-03"),
        ("on the coming friday", "2024-05-03"),
        ("this coming friday", "2024-05-03"),
        ("next week on friday", "2024-05-10"),
        ("saturday", "2024-05-04"),
        ("1st of june", "2024-06-01"),
        ("15th at noon", "2024-05-15T12:00:00"),
        ("15th of next month", "2024-06-15"),
        ("15th next month", "2024-06-15"),
        ("the 15th of this month", "2024-05-15"),
        ("31st", "2024-05-31"),
        ("first monday of next month", "2024-06-03"),
        ("last day of next month", "2024-06-30"),
        ("end of june", "2024-06-30"),
        ("today", "2024-05-01"),
        ("tomorrow", "2024-05-02"),
        ("2024-05-02 09:00 +02:00", "2024-05-02T07:00:00+00:00"),
        ("2-may-2024", "2024-05-02"),
        ("25 dec", "2024-12-25"),
        ("Wed 8 May 2024 14:00", "2024-05-08T14:00:00"),
        ("8 may wednesday", "2024-05-08"),
        ("9am monday", "2024-05-06T09:00:00"),
        ("every 9am", "2024-05-02T09:00:00 FREQ=DAILY"),
        ("every day at 9:00 and 18:00", "2024-05-01T18:00:00 FREQ=DAILY;BYHOUR=9,18;BYMINUTE=0"),
        ("every day at 9 and 18", "2024-05-01T18:00:00 FREQ=DAILY;BYHOUR=9,18;BYMINUTE=0"),
        ("every day at 9am and 6pm", "2024-05-01T18:00:00 FREQ=DAILY;BYHOUR=9,18;BYMINUTE=0"),
        (
            "every day at 9am, 1pm and 6pm",
            "2024-05-01T13:00:00 FREQ=DAILY;BYHOUR=9,13,18;BYMINUTE=0"
        ),
        ("daily at 9:00, 18:00", "2024-05-01T18:00:00 FREQ=DAILY;BYHOUR=9,18;BYMINUTE=0"),
        ("daily at 9:15 and 18:15", "2024-05-01T18:15:00 FREQ=DAILY;BYHOUR=9,18;BYMINUTE=15"),
        ("hourly", "2024-05-01T09:30:00+00:00 FREQ=HOURLY"),
        ("every 90 minutes", "2024-05-01T10:00:00+00:00 FREQ=MINUTELY;INTERVAL=90"),
        ("every 2 days", "2024-05-03 FREQ=DAILY;INTERVAL=2"),
        ("every week", "2024-05-08 FREQ=WEEKLY"),
        ("every other friday", "2024-05-03 FREQ=WEEKLY;INTERVAL=2;BYDAY=FR"),
        ("every monday and wednesday", "2024-05-06 FREQ=WEEKLY;BYDAY=MO,WE"),
        ("every mon/wed/fri", "2024-05-03 FREQ=WEEKLY;BYDAY=MO,WE,FR"),
        ("every weekend", "2024-05-04 FREQ=WEEKLY;BYDAY=SA"),
        ("every 15th at 9", "2024-05-15T09:00:00 FREQ=MONTHLY;BYMONTHDAY=15"),
        ("monthly on the last day", "2024-05-31 FREQ=MONTHLY;BYMONTHDAY=-1"),
        ("every 1st and 15th", "2024-05-15 FREQ=MONTHLY;BYMONTHDAY=1,15"),
        ("every 2nd tuesday", "2024-05-14 FREQ=MONTHLY;BYDAY=2TU"),
        ("every 3 months", "2024-08-01 FREQ=MONTHLY;INTERVAL=3"),
        ("quarterly", "2024-08-01 FREQ=MONTHLY;INTERVAL=3"),
        ("every 5 may", "2024-05-05 FREQ=YEARLY;BYMONTH=5;BYMONTHDAY=5"),
        ("tomorrow at 9：00", "2024-05-02T09:00:00"),
        ("2025", "2024-05-01T20:25:00"),
        ("+1d", "2024-05-02T10:30:00"),
        ("1 m", "2024-05-01T08:31:00+00:00"),
        ("1y", "2025-05-01T10:30:00"),
        ("1000000 days", "4762-03-29T10:30:00"),
        ("may the 5th", "2024-05-05"),
        ("twenty-first of june", "2024-06-21"),
        ("june twenty first", "2024-06-21"),
        ("5-may", "2024-05-05"),
        ("1030", "2024-05-02T10:30:00"),
        ("friday 10 in the morning", "2024-05-03T10:00:00"),
        ("third friday of june 2024", "2024-06-21"),
        ("last weekday of the month", "2024-05-31"),
        ("first weekday of june", "2024-06-03"),
        ("last workday of every month", "2024-05-31 FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1"),
        ("first workday of the month", "2024-06-03"),
        ("1st jan 2025 12am", "2025-01-01T00:00:00"),
        ("2024-10-27T02:30:00+01:00", "2024-10-27T01:30:00+00:00"),
        ("every morning and evening", "2024-05-01T19:00:00 FREQ=DAILY;BYHOUR=9,19;BYMINUTE=0"),
        ("every day at noon and midnight", "2024-05-01T12:00:00 FREQ=DAILY;BYHOUR=0,12;BYMINUTE=0"),
        (
            "every mon and thu at 8 and 20",
            "2024-05-02T08:00:00 FREQ=WEEKLY;BYDAY=MO,TH;BYHOUR=8,20;BYMINUTE=0"
        ),
        (
            "every month on the 31st at 9 and 18",
            "2024-05-31T09:00:00 FREQ=MONTHLY;BYMONTHDAY=28,29,30,31;BYSETPOS=-2,-1;BYHOUR=9,18;BYMINUTE=0"
        ),
        (
            "every last workday at 9 and 17",
            "2024-05-31T09:00:00 FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2,-1;BYHOUR=9,17;BYMINUTE=0"
        ),
        (
            "every day at 9 and 18 for 5 times",
            "2024-05-01T18:00:00 FREQ=DAILY;BYHOUR=9,18;BYMINUTE=0;COUNT=5"
        ),
        (
            "every day at 7 and 9 in the evening",
            "2024-05-01T19:00:00 FREQ=DAILY;BYHOUR=19,21;BYMINUTE=0"
        ),
        (
            "every day at 9:00, 9:30, 18:00 and 18:30",
            "2024-05-01T18:00:00 FREQ=DAILY;BYHOUR=9,18;BYMINUTE=0,30"
        ),
        ("every evening at 7 and 9", "2024-05-01T19:00:00 FREQ=DAILY;BYHOUR=19,21;BYMINUTE=0"),
        ("twenty second of may at noon", "2024-05-22T12:00:00"),
        ("the twenty-second", "2024-05-22"),
        ("thirty first of december", "2024-12-31"),
        ("2 days before friday", "2024-05-01"),
        ("3 days before 1 june at 9am", "2024-05-29T09:00:00"),
        ("2 days after the 15th", "2024-05-17"),
        ("a month after 1 june", "2024-07-01"),
        ("a month before end of year", "2024-11-30"),
        ("the day after friday", "2024-05-04"),
        ("the day before friday", "2024-05-02"),
        ("day before 1 june", "2024-05-31"),
        ("half past midnight", "2024-05-02T00:30:00"),
        ("quarter to midnight", "2024-05-01T23:45:00"),
        ("quarter to one", "2024-05-02T00:45:00"),
        ("quarter to one am", "2024-05-02T00:45:00"),
        ("quarter to 12pm", "2024-05-01T11:45:00"),
        ("half past 12", "2024-05-01T12:30:00"),
        ("half past 13", "2024-05-01T13:30:00"),
        ("half past 5 in the evening", "2024-05-01T17:30:00"),
        ("quarter to nine tonight", "2024-05-01T20:45:00"),
        ("five minutes to six", "2024-05-02T05:55:00"),
        ("7 minutes past 8", "2024-05-02T08:07:00"),
        ("five to nine", "2024-05-02T08:55:00"),
        ("twenty five to seven", "2024-05-02T06:35:00"),
        ("twenty-five past seven", "2024-05-02T07:25:00"),
        ("every day at half past 5", "2024-05-02T05:30:00 FREQ=DAILY"),
        ("in a quarter of an hour", "2024-05-01T08:45:00+00:00"),
        ("in a day", "2024-05-02T10:30:00"),
        ("2nd of next month at 8", "2024-06-02T08:00:00"),
        ("wednesday 8 may 2024 2pm", "2024-05-08T14:00:00"),
        ("8 may 2024, wednesday 2pm", "2024-05-08T14:00:00"),
        ("8 may 2024 wed", "2024-05-08"),
        ("in 1 1/2 hours", "2024-05-01T10:00:00+00:00"),
        ("1/2 hour", "2024-05-01T09:00:00+00:00"),
        ("in 1/2 hour", "2024-05-01T09:00:00+00:00"),
        ("17h30m", "2024-05-02T02:00:00+00:00"),
        ("17.5h", "2024-05-02T02:00:00+00:00"),
        ("0.5h", "2024-05-01T09:00:00+00:00"),
        ("1.25 hours", "2024-05-01T09:45:00+00:00"),
        ("1.25h", "2024-05-01T09:45:00+00:00"),
        ("24h", "2024-05-02T08:30:00+00:00"),
        ("48h", "2024-05-03T08:30:00+00:00"),
        ("1 may at half past 9am", "2025-05-01T09:30:00"),
        ("at 9:30 in the evening", "2024-05-01T21:30:00"),
        ("9 tonight", "2024-05-01T21:00:00"),
        ("tonight at midnight", "2024-05-02T00:00:00"),
        ("tonight 11pm", "2024-05-01T23:00:00"),
        ("sat next week", "2024-05-11"),
        ("this sat", "2024-05-04"),
        ("sun", "2024-05-05"),
        ("on sun at 10", "2024-05-05T10:00:00"),
        ("every tue thu", "2024-05-02 FREQ=WEEKLY;BYDAY=TU,TH"),
        ("every tue & thu", "2024-05-02 FREQ=WEEKLY;BYDAY=TU,TH"),
        ("every tues/thurs at 6pm", "2024-05-02T18:00:00 FREQ=WEEKLY;BYDAY=TU,TH"),
        ("every tuesday, thursday", "2024-05-02 FREQ=WEEKLY;BYDAY=TU,TH"),
        ("every 10th", "2024-05-10 FREQ=MONTHLY;BYMONTHDAY=10"),
        ("every tenth", "2024-05-10 FREQ=MONTHLY;BYMONTHDAY=10"),
        ("every tenth of the month", "2024-05-10 FREQ=MONTHLY;BYMONTHDAY=10"),
        ("every 10th and 20th at noon", "2024-05-10T12:00:00 FREQ=MONTHLY;BYMONTHDAY=10,20"),
        ("every quarter on the 1st", "2024-06-01 FREQ=MONTHLY;INTERVAL=3;BYMONTHDAY=1"),
        ("every 3 months on the 15th", "2024-05-15 FREQ=MONTHLY;INTERVAL=3;BYMONTHDAY=15"),
        ("each monday", "2024-05-06 FREQ=WEEKLY;BYDAY=MO"),
        ("every 24 hours", "2024-05-02T08:30:00+00:00 FREQ=HOURLY;INTERVAL=24"),
        (
            "every 15 minutes starting tomorrow at 9",
            "2024-05-02T07:00:00+00:00 FREQ=MINUTELY;INTERVAL=15"
        ),
        ("every 2 weeks starting friday", "2024-05-03 FREQ=WEEKLY;INTERVAL=2"),
        ("every 2 weeks from friday 10:00", "2024-05-03T10:00:00 FREQ=WEEKLY;INTERVAL=2"),
        ("every sunday at midnight", "2024-05-05T00:00:00 FREQ=WEEKLY;BYDAY=SU"),
    ]

    @Test(arguments: meanings)
    func aPhraseMeans(_ phrase: String, _ meaning: String) throws {
        let understanding = try context().understand(phrase)
        let rule = understanding.recurrence.map { " " + $0.rule.rrule } ?? ""
        #expect(understanding.deadline.short + rule == meaning)
    }

    /// What an answer says about a rule is read again as the same rule.
    @Test(arguments: meanings.map(\.0))
    func theWordsOfARuleAreThatRule(_ phrase: String) throws {
        let understanding = try context().understand(phrase)
        guard let rule = understanding.recurrence?.rule, rule.basis == .schedule,
            let words = RuleWords.phrase(for: rule.rrule)
        else {
            #expect(understanding.recurrence == nil || phrase.contains("completion"))
            return
        }
        guard case .english(let said) = try RuleText.parse(words) else {
            Issue.record("‘\(words)’ is no rule")
            return
        }
        let again = try context().understand(said, from: understanding.deadline)
        #expect(again.recurrence?.rule == rule, "‘\(words)’")
        #expect(again.deadline == understanding.deadline, "‘\(words)’")
    }
}
