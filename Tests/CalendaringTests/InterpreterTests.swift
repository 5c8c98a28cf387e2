import RemindCore
import Testing

@testable import Calendaring

@Suite("Phrases, rules and zones together")
struct InterpreterTests {
    private func interpreter() throws -> Interpreter<Machine> {
        Interpreter(schedule: try schedule("Europe/Berlin"))
    }

    private func now() throws -> Instant { try instant("2024-05-01T10:30:00+02:00") }

    private func texts(_ understood: Interpretation, _ limit: Int) throws -> [String] {
        let interpreter = try interpreter()
        return try interpreter.occurrences(of: understood, limit: limit).map { occurrence in
            if case .date(let date) = occurrence.deadline { return date.iso8601 }
            return occurrence.instant.rfc3339(in: interpreter.schedule.zones.local)
        }
    }

    @Test(
        "English rules give these occurrences",
        arguments: [
            ("every day at 9", ["2024-05-02T09:00:00+02:00", "2024-05-03T09:00:00+02:00"]),
            ("daily", ["2024-05-02", "2024-05-03", "2024-05-04"]),
            ("every 3 days", ["2024-05-04", "2024-05-07", "2024-05-10"]),
            (
                "every weekday 18:00",
                [
                    "2024-05-01T18:00:00+02:00", "2024-05-02T18:00:00+02:00",
                    "2024-05-03T18:00:00+02:00", "2024-05-06T18:00:00+02:00",
                ]
            ),
            ("weekdays", ["2024-05-02", "2024-05-03", "2024-05-06"]),
            (
                "every mon,wed,fri 09:00",
                [
                    "2024-05-03T09:00:00+02:00", "2024-05-06T09:00:00+02:00",
                    "2024-05-08T09:00:00+02:00",
                ]
            ),
            ("every monday", ["2024-05-06", "2024-05-13", "2024-05-20"]),
            ("every other tuesday", ["2024-05-07", "2024-05-21", "2024-06-04"]),
            ("weekly", ["2024-05-08", "2024-05-15", "2024-05-22"]),
            ("every month", ["2024-06-01", "2024-07-01", "2024-08-01"]),
            (
                "monthly on the 31st",
                ["2024-05-31", "2024-06-30", "2024-07-31", "2024-08-31", "2024-09-30"]
            ),
            ("every last friday", ["2024-05-31", "2024-06-28", "2024-07-26"]),
            ("every 2nd tuesday", ["2024-05-14", "2024-06-11", "2024-07-09"]),
            ("every last day of the month", ["2024-05-31", "2024-06-30", "2024-07-31"]),
            ("every year", ["2025-05-01", "2026-05-01", "2027-05-01"]),
            ("every 29 feb", ["2025-02-28", "2026-02-28", "2027-02-28", "2028-02-29"]),
            (
                "every 45 minutes",
                [
                    "2024-05-01T11:15:00+02:00", "2024-05-01T12:00:00+02:00",
                    "2024-05-01T12:45:00+02:00",
                ]
            ),
            (
                "every 2h",
                [
                    "2024-05-01T12:30:00+02:00", "2024-05-01T14:30:00+02:00",
                    "2024-05-01T16:30:00+02:00",
                ]
            ),
        ])
    func english(phrase: String, expected: [String]) throws {
        let asWhen = try interpreter().understand(when: phrase, now: now())
        #expect(try texts(asWhen, expected.count) == expected)
        let asRule = try interpreter().understand(every: phrase, now: now())
        #expect(asRule == asWhen)
    }

    @Test(
        "rules with an end have no more occurrences",
        arguments: [
            ("every day 09:00 until 2024-05-04", ["02", "03", "04"]),
            ("every day 09:00 for 2 times", ["02", "03"]),
        ])
    func ends(phrase: String, days: [String]) throws {
        let understood = try interpreter().understand(when: phrase, now: now())
        #expect(try texts(understood, 9) == days.map { "2024-05-\($0)T09:00:00+02:00" })
    }

    @Test(
        "what is no rule, and what never happens, is refused",
        arguments: [
            "every", "every 0 days", "every blue moon", "every 30 feb",
            "every day until 2024-04-01", "every day day",
        ])
    func refused(phrase: String) throws {
        #expect(throws: NotUnderstood.self) {
            try interpreter().understand(when: phrase, now: now())
        }
    }

    @Test(
        "an RRULE begins at the deadline that was given, else with its first match ahead",
        arguments: [
            (nil, "FREQ=DAILY", ["2024-05-02", "2024-05-03"]),
            (nil, "FREQ=WEEKLY;BYDAY=MO;COUNT=2", ["2024-05-06", "2024-05-13"]),
            (
                nil, "FREQ=DAILY;BYHOUR=9,18",
                ["2024-05-01T18:00:00+02:00", "2024-05-02T09:00:00+02:00"]
            ),
            (nil, "FREQ=HOURLY", ["2024-05-01T11:30:00+02:00", "2024-05-01T12:30:00+02:00"]),
            (
                "tomorrow 9am", "FREQ=WEEKLY;BYDAY=MO",
                ["2024-05-06T09:00:00+02:00", "2024-05-13T09:00:00+02:00"]
            ),
            ("2024-05-31", "FREQ=MONTHLY", ["2024-05-31", "2024-07-31"]),
        ] as [(String?, String, [String])])
    func rrule(when: String?, rrule: String, expected: [String]) throws {
        let understood = try interpreter().understand(when: when, rrule: rrule, now: now())
        #expect(try texts(understood, 2) == expected)
        #expect(try interpreter().understand(when: when, every: rrule, now: now()) == understood)
    }

    @Test("errors say which part is at fault")
    func errors() throws {
        let interpreter = try interpreter()
        let now = try now()
        #expect(throws: NotUnderstood.rule(.never("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"))) {
            try interpreter.understand(rrule: "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", now: now)
        }
        #expect(throws: NotUnderstood.self) {
            try interpreter.understand(when: "tomorrow", tz: "Europe/Berln", now: now)
        }
        #expect(throws: NotUnderstood.self) {
            try interpreter.understand(when: "every day", every: "every week", now: now)
        }
        #expect(throws: NotUnderstood.self) {
            try interpreter.understand(when: "tomorrow", rrule: "FREQ=SOMETIMES", now: now)
        }
    }

    @Test("a zone is kept with the deadline; nothing said is nothing due")
    func zones() throws {
        let understood = try interpreter().understand(
            when: "tomorrow 9am", every: "every day", tz: "asia/tokyo", now: now())
        #expect(
            try understood.deadline == .zoned(civil("2024-05-02T09:00:00"), zone: "Asia/Tokyo"))
        #expect(try interpreter().understand(now: now()) == Interpretation())
    }

    @Test(
        "what has no effect, or another one than it seems to, is told",
        arguments: [
            ("9am Asia/Tokyo", nil, nil, "America/New_York", ["is not used", "Asia/Tokyo"]),
            (
                nil, "every day 9am Asia/Tokyo", nil, "America/New_York",
                ["America/New_York", "is not used"]
            ),
            ("2024-05-04", nil, nil, "Asia/Tokyo", ["date without a time"]),
            ("20m", nil, nil, "Asia/Tokyo", ["one instant"]),
            (
                "thursday 9:30", nil, "FREQ=WEEKLY;BYDAY=MO,WE", nil,
                ["does not fall on Thu 2 May 2024, 09:30", "begins on Mon 6 May 2024, 09:30"]
            ),
            (
                "thursday 9:30", "every monday", nil, nil, ["begins on Mon 6 May 2024, 09:30"]
            ),
            ("2024-05-04", nil, "FREQ=DAILY;BYHOUR=9,17", nil, ["BYHOUR", "mean nothing"]),
        ] as [(String?, String?, String?, String?, [String])])
    func told(
        when: String?, every: String?, rrule: String?, tz: String?, parts: [String]
    ) throws {
        let understood = try interpreter().understand(
            when: when, every: every, rrule: rrule, tz: tz, now: now())
        #expect(understood.notes.count == 1)
        for part in parts { #expect(understood.notes.first?.contains(part) == true) }
    }

    @Test(
        "what is as it was said needs no note",
        arguments: [
            ("tomorrow 9am", nil, "Asia/Tokyo"), ("9am Asia/Tokyo", nil, "Asia/Tokyo"),
            ("tomorrow 9am Asia/Tokyo", "FREQ=HOURLY", nil), ("2024-05-31", "FREQ=MONTHLY", nil),
            (nil, "FREQ=DAILY;BYHOUR=9", "Asia/Tokyo"),
        ] as [(String?, String?, String?)])
    func untold(when: String?, rrule: String?, tz: String?) throws {
        let understood = try interpreter().understand(
            when: when, rrule: rrule, tz: tz, now: now())
        #expect(understood.notes == [])
    }

    @Test("a rule of minutes or seconds without a deadline is timed, as one of hours is")
    func minutesAreTimed() throws {
        for (rrule, first) in [
            ("FREQ=DAILY;BYMINUTE=30", "2024-05-02T00:30:00+02:00"),
            ("FREQ=DAILY;BYSECOND=15", "2024-05-02T00:00:15+02:00"),
        ] {
            let understood = try interpreter().understand(rrule: rrule, now: now())
            #expect(try texts(understood, 1) == [first])
        }
    }

    @Test("the first occurrence that is said before the day that Apia left out is found")
    func apia() throws {
        let interpreter = Interpreter(schedule: try schedule("Pacific/Apia"))
        let understood = try interpreter.understand(
            every: "every 2 days 12:00", now: instant("2011-12-28T12:00:00-10:00"))
        let found = try interpreter.occurrences(of: understood, limit: 2)
        #expect(
            found.map { $0.instant.rfc3339(in: interpreter.schedule.zones.local) }
                == ["2011-12-31T12:00:00+14:00", "2012-01-01T12:00:00+14:00"])
    }
}
