import Testing

@testable import RemindCore

@Suite("Rules, on Wednesday 2024-05-01 at 10:30 in Berlin")
struct PhraseRuleTests {
    private static let rules: [(phrase: String, start: String, rrule: String)] = [
        ("every day at 9", "2024-05-02T09:00:00", "FREQ=DAILY"),
        ("every day 18:00", "2024-05-01T18:00:00", "FREQ=DAILY"),
        ("every 3 days", "2024-05-04", "FREQ=DAILY;INTERVAL=3"),
        ("every 3 days 18:00", "2024-05-01T18:00:00", "FREQ=DAILY;INTERVAL=3"),
        ("every other day", "2024-05-03", "FREQ=DAILY;INTERVAL=2"),
        ("every P2D", "2024-05-03", "FREQ=DAILY;INTERVAL=2"),
        ("weekdays", "2024-05-02", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"),
        ("weekends", "2024-05-04", "FREQ=WEEKLY;BYDAY=SA,SU"),
        ("every weekend", "2024-05-04", "FREQ=WEEKLY;BYDAY=SA"),
        ("every weekday and saturday", "2024-05-02", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA"),
        (
            "weekdays and saturdays at 9", "2024-05-02T09:00:00",
            "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA"
        ),
        ("every monday & weekends", "2024-05-04", "FREQ=WEEKLY;BYDAY=MO,SA,SU"),
        ("every friday, weekends", "2024-05-03", "FREQ=WEEKLY;BYDAY=FR,SA,SU"),
        ("weekly on weekdays and sun", "2024-05-02", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SU"),
        ("every friday the 13th", "2024-09-13", "FREQ=MONTHLY;BYMONTHDAY=13;BYDAY=FR"),
        ("every fri 13th at 18:00", "2024-09-13T18:00:00", "FREQ=MONTHLY;BYMONTHDAY=13;BYDAY=FR"),
        ("every tuesday the first", "2024-10-01", "FREQ=MONTHLY;BYMONTHDAY=1;BYDAY=TU"),
        (
            "every friday the 13th of october", "2028-10-13",
            "FREQ=YEARLY;BYMONTH=10;BYMONTHDAY=13;BYDAY=FR"
        ),
        ("every day at nine thirty", "2024-05-02T09:30:00", "FREQ=DAILY"),
        ("every mon-fri at 8:30", "2024-05-02T08:30:00", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"),
        ("every sat to mon", "2024-05-04", "FREQ=WEEKLY;BYDAY=MO,SA,SU"),
        ("every fri, mon & wed 9am", "2024-05-03T09:00:00", "FREQ=WEEKLY;BYDAY=MO,WE,FR"),
        (
            "every monday, wednesday and friday at 9am", "2024-05-03T09:00:00",
            "FREQ=WEEKLY;BYDAY=MO,WE,FR"
        ),
        ("every week on monday and on thursday", "2024-05-02", "FREQ=WEEKLY;BYDAY=MO,TH"),
        ("every wednesday", "2024-05-08", "FREQ=WEEKLY;BYDAY=WE"),
        ("every wednesday 18:00", "2024-05-01T18:00:00", "FREQ=WEEKLY;BYDAY=WE"),
        ("weekly on mondays", "2024-05-06", "FREQ=WEEKLY;BYDAY=MO"),
        ("every 2 weeks on mon,fri", "2024-05-03", "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR"),
        ("every other tuesday", "2024-05-07", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU"),
        ("fortnightly", "2024-05-15", "FREQ=WEEKLY;INTERVAL=2"),
        ("every month", "2024-06-01", "FREQ=MONTHLY"),
        ("every quarter", "2024-08-01", "FREQ=MONTHLY;INTERVAL=3"),
        ("monthly on the 31st", "2024-05-31", "FREQ=MONTHLY;BYMONTHDAY=28,29,30,31;BYSETPOS=-1"),
        ("every 30th", "2024-05-30", "FREQ=MONTHLY;BYMONTHDAY=28,29,30;BYSETPOS=-1"),
        ("every month on the 29th", "2024-05-29", "FREQ=MONTHLY;BYMONTHDAY=28,29;BYSETPOS=-1"),
        ("every 28th", "2024-05-28", "FREQ=MONTHLY;BYMONTHDAY=28"),
        ("monthly on the 15th and the 1st", "2024-05-15", "FREQ=MONTHLY;BYMONTHDAY=1,15"),
        ("every 1st and 31st", "2024-05-31", "FREQ=MONTHLY;BYMONTHDAY=1,-1"),
        ("the 1st of every month", "2024-06-01", "FREQ=MONTHLY;BYMONTHDAY=1"),
        ("every last day of the month", "2024-05-31", "FREQ=MONTHLY;BYMONTHDAY=-1"),
        (
            "every last weekday of the month", "2024-05-31",
            "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1"
        ),
        ("every last friday", "2024-05-31", "FREQ=MONTHLY;BYDAY=-1FR"),
        ("every first monday of the month at 9am", "2024-05-06T09:00:00", "FREQ=MONTHLY;BYDAY=1MO"),
        ("every second tuesday of the month", "2024-05-14", "FREQ=MONTHLY;BYDAY=2TU"),
        ("every 5th thursday", "2024-05-30", "FREQ=MONTHLY;BYDAY=5TH"),
        ("every 2 months on the 2nd tuesday", "2024-05-14", "FREQ=MONTHLY;INTERVAL=2;BYDAY=2TU"),
        ("yearly on 1 may", "2025-05-01", "FREQ=YEARLY;BYMONTH=5;BYMONTHDAY=1"),
        ("every may 1st at 9pm", "2024-05-01T21:00:00", "FREQ=YEARLY;BYMONTH=5;BYMONTHDAY=1"),
        ("every 31 jan", "2025-01-31", "FREQ=YEARLY;BYMONTH=1;BYMONTHDAY=31"),
        ("every 29 feb", "2025-02-28", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=28,29;BYSETPOS=-1"),
        ("every last day of february", "2025-02-28", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1"),
        ("every year on the 2nd sunday of may", "2024-05-12", "FREQ=YEARLY;BYMONTH=5;BYDAY=2SU"),
        ("every half hour", "2024-05-01T09:00:00+00:00", "FREQ=MINUTELY;INTERVAL=30"),
        ("every 1h30m", "2024-05-01T10:00:00+00:00", "FREQ=MINUTELY;INTERVAL=90"),
        ("every 36h", "2024-05-02T20:30:00+00:00", "FREQ=HOURLY;INTERVAL=36"),
        ("hourly", "2024-05-01T09:30:00+00:00", "FREQ=HOURLY"),
        ("every 90 seconds", "2024-05-01T08:31:30+00:00", "FREQ=SECONDLY;INTERVAL=90"),
        ("every morning", "2024-05-02T09:00:00", "FREQ=DAILY"),
        ("every noon", "2024-05-01T12:00:00", "FREQ=DAILY"),
        ("9am every monday", "2024-05-06T09:00:00", "FREQ=WEEKLY;BYDAY=MO"),
        ("every day 9am UTC", "2024-05-01T09:00:00 UTC", "FREQ=DAILY"),
        ("every day 9am Europe/Paris", "2024-05-02T09:00:00 Europe/Paris", "FREQ=DAILY"),
        ("every day until friday", "2024-05-02", "FREQ=DAILY;UNTIL=20240503"),
        ("every day at 9 until friday", "2024-05-02T09:00:00", "FREQ=DAILY;UNTIL=20240503T235959"),
        (
            "every day at 9 until friday 8am", "2024-05-02T09:00:00",
            "FREQ=DAILY;UNTIL=20240503T080000"
        ),
        (
            "every day at 9 Europe/Paris until 2024-05-04", "2024-05-02T09:00:00 Europe/Paris",
            "FREQ=DAILY;UNTIL=20240504T215959Z"
        ),
        (
            "every 2 hours until 18:00", "2024-05-01T10:30:00+00:00",
            "FREQ=HOURLY;INTERVAL=2;UNTIL=20240501T160000Z"
        ),
        ("every day 3 times", "2024-05-02", "FREQ=DAILY;COUNT=3"),
        ("every monday for five times", "2024-05-06", "FREQ=WEEKLY;BYDAY=MO;COUNT=5"),
        (
            "every 2 hours starting tomorrow 9am", "2024-05-02T07:00:00+00:00",
            "FREQ=HOURLY;INTERVAL=2"
        ),
        (
            "every month starting 2024-05-31", "2024-05-31",
            "FREQ=MONTHLY;BYMONTHDAY=28,29,30,31;BYSETPOS=-1"
        ),
        ("every 3 days after completion", "2024-05-04", "FREQ=DAILY;INTERVAL=3"),
    ]

    @Test("A rule begins and repeats", arguments: rules)
    func rule(phrase: String, start: String, rrule: String) throws {
        let understanding = try context().understand(phrase)
        #expect(understanding.deadline.short == start)
        let recurrence = try #require(understanding.recurrence)
        #expect(recurrence.rule.rrule == rrule)
        #expect(recurrence.start == understanding.deadline)
        #expect((recurrence.rule.basis == .completion) == phrase.contains("completion"))
    }

    @Test(
        "A rule that counts from today keeps the day that a month lacks",
        arguments: [
            (
                "2024-01-31", "every month", "2024-02-29",
                "FREQ=MONTHLY;BYMONTHDAY=28,29,30,31;BYSETPOS=-1"
            ),
            (
                "2024-02-29", "every year", "2025-02-28",
                "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=28,29;BYSETPOS=-1"
            ),
            (
                "2024-01-30", "monthly", "2024-02-29",
                "FREQ=MONTHLY;BYMONTHDAY=28,29,30;BYSETPOS=-1"
            ),
        ])
    func monthEnds(today: String, phrase: String, start: String, rrule: String) throws {
        let understanding = try context("\(today)T10:30:00+01:00").understand(phrase)
        #expect(understanding.deadline.short == start)
        #expect(understanding.recurrence?.rule.rrule == rrule)
    }

    @Test("Before AllDayTime the first day is today")
    func earlyMorning() throws {
        let context = try context("2024-05-01T08:00:00+02:00")
        for phrase in ["daily", "every 3 days", "weekly", "every month", "every year", "weekdays"] {
            #expect(try context.understand(phrase).deadline.short == "2024-05-01", "‘\(phrase)’")
        }
    }

    @Test("Weeks of two begin on WeekStart")
    func weekStart() throws {
        var settings = Settings()
        settings.weekStart = .sunday
        let rule = try context(settings: settings).understand("every 2 weeks on mon,sun").recurrence
        #expect(rule?.rule.rrule == "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,SU;WKST=SU")
    }

    private static let anchored: [(rule: String, start: Deadline, expected: String?)] = {
        guard let date = CivilDate(year: 2024, month: 8, day: 31), let nine = CivilTime(hour: 9)
        else { return [] }
        let wall = CivilDateTime(date, nine)
        return [
            ("every day", .floating(wall), "2024-08-31T09:00:00"),
            ("monday", .floating(wall), "2024-09-02T09:00:00"),
            ("month", .date(date), "2024-08-31"), ("3h", .date(date), "2024-08-31T07:00:00+00:00"),
            ("day at 7", .date(date), "2024-08-31T07:00:00"),
            ("every day at 9", .floating(wall), "2024-08-31T09:00:00"),
            ("every day at 7", .floating(wall), nil),
            ("week", .zoned(wall, zone: "Asia/Tokyo"), "2024-08-31T09:00:00 Asia/Tokyo"),
            ("2 hours", .floating(wall), "2024-08-31T07:00:00+00:00"),
            ("day", .absolute(Instant(seconds: 1_725_087_600)), "2024-08-31T09:00:00"),
            ("2h", .absolute(Instant(seconds: 1_725_087_600)), "2024-08-31T07:00:00+00:00"),
        ]
    }()

    @Test("A rule beside a deadline starts there", arguments: anchored)
    func anchor(rule: String, start: Deadline, expected: String?) throws {
        guard case .english(let phrase) = try RuleText.parse(rule) else {
            Issue.record("‘\(rule)’ is English")
            return
        }
        let context = try context()
        #expect((try? context.understand(phrase, from: start).deadline.short) == expected)
    }

    @Test(
        "A RULE may be an RRULE",
        arguments: [
            ("FREQ=DAILY;INTERVAL=2", "FREQ=DAILY;INTERVAL=2"),
            ("RRULE:freq=weekly;byday=mo", "FREQ=WEEKLY;BYDAY=MO"),
            (" byday=mo;freq=weekly", "BYDAY=MO;FREQ=WEEKLY"),
        ])
    func rrule(text: String, expected: String) throws {
        #expect(try RuleText.parse(text) == .rrule(expected))
    }

    @Test(
        "A RULE that is none is refused with rules that work",
        arguments: [
            "", "  ", "tomorrow", "dayly", "2", "every", "every blue moon", "monday monday",
        ])
    func refused(text: String) throws {
        let error = try #require(throws: PhraseError.self) { try RuleText.parse(text) }
        #expect(!error.suggestions.isEmpty)
        for suggestion in error.suggestions {
            #expect(throws: Never.self) { try RuleText.parse(suggestion.phrase) }
        }
    }
}
