import RemindCore
import Testing

@testable import Calendaring

/// The first occurrences of a rule that begins at `start` in UTC, as ISO 8601 texts.
func expand(_ rrule: String, from start: String, limit: Int = 5) throws -> [String] {
    let schedule = try schedule("UTC")
    let deadline: Deadline =
        start.contains("T") ? .floating(try civil(start)) : try date(start)
    let recurrence = Recurrence(rule: RecurrenceRule(rrule: rrule), start: deadline)
    return try schedule.occurrences(
        of: recurrence, after: Instant(seconds: -10_000_000_000), limit: limit
    ).map { occurrence in
        if case .date(let date) = occurrence.deadline { return date.iso8601 }
        return String(occurrence.instant.rfc3339(in: FixedZone.utc).prefix(19))
    }
}

@Suite("Rules: what they mean")
struct RuleMeaningTests {
    @Test(
        "the examples of RFC 5545 section 3.8.5.3",
        arguments: [
            ("FREQ=DAILY;COUNT=10", 10, "1997-09-02 1997-09-03", "1997-09-11"),
            ("FREQ=DAILY;INTERVAL=10;COUNT=5", 5, "1997-09-02 1997-09-12", "1997-10-12"),
            (
                "FREQ=WEEKLY;INTERVAL=2;UNTIL=19971224T000000Z;WKST=SU;BYDAY=MO,WE,FR", 24,
                "1997-09-03 1997-09-05 1997-09-15", "1997-12-22"
            ),
            (
                "FREQ=WEEKLY;INTERVAL=2;COUNT=8;WKST=SU;BYDAY=TU,TH", 8,
                "1997-09-02 1997-09-04 1997-09-16", "1997-10-16"
            ),
            ("FREQ=MONTHLY;COUNT=10;BYDAY=1FR", 10, "1997-09-05 1997-10-03", "1998-06-05"),
            (
                "FREQ=MONTHLY;INTERVAL=2;COUNT=10;BYDAY=1SU,-1SU", 10,
                "1997-09-07 1997-09-28 1997-11-02 1997-11-30", "1998-05-31"
            ),
            ("FREQ=MONTHLY;COUNT=6;BYDAY=-2MO", 6, "1997-09-22 1997-10-20", "1998-02-16"),
            ("FREQ=MONTHLY;BYMONTHDAY=-3", 6, "1997-09-28 1997-10-29 1997-11-28", "1998-02-26"),
            ("FREQ=MONTHLY;COUNT=10;BYMONTHDAY=1,-1", 10, "1997-09-30 1997-10-01", "1998-02-01"),
            (
                "FREQ=MONTHLY;INTERVAL=18;COUNT=10;BYMONTHDAY=10,11,12,13,14,15", 10,
                "1997-09-10 1997-09-11", "1999-03-13"
            ),
            ("FREQ=YEARLY;COUNT=10;BYMONTH=6,7", 10, "1998-06-02 1998-07-02", "2002-07-02"),
            (
                "FREQ=YEARLY;INTERVAL=3;COUNT=10;BYYEARDAY=1,100,200", 10, "2000-01-01 2000-04-09",
                "2009-01-01"
            ),
            ("FREQ=YEARLY;BYDAY=20MO", 3, "1998-05-18 1999-05-17", "2000-05-15"),
            ("FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO", 3, "1998-05-11 1999-05-17", "2000-05-15"),
            ("FREQ=YEARLY;BYMONTH=3;BYDAY=TH", 4, "1998-03-05 1998-03-12", "1998-03-26"),
            (
                "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13", 5, "1998-02-13 1998-03-13 1998-11-13",
                "2000-10-13"
            ),
            (
                "FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13", 3, "1997-09-13 1997-10-11",
                "1997-11-08"
            ),
            (
                "FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8", 2,
                "1997-11-04",
                "2001-11-06"
            ),
            (
                "FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3", 3, "1997-09-04 1997-10-07",
                "1997-11-06"
            ),
            (
                "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2", 4, "1997-09-29 1997-10-30",
                "1997-12-30"
            ),
            ("FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5", 5, "1997-09-15 1997-09-30", "1997-11-15"),
        ])
    func standard(rrule: String, count: Int, first: String, last: String) throws {
        let found = try expand(rrule, from: "1997-09-02T09:00:00", limit: count)
        let days = first.split(separator: " ").map { $0 + "T09:00:00" }
        #expect(found.count == count)
        #expect(Array(found.prefix(days.count)) == days.map(String.init))
        #expect(found.last == last + "T09:00:00")
        if rrule.contains("COUNT") || rrule.contains("UNTIL") {
            let all = try expand(rrule, from: "1997-09-02T09:00:00", limit: count + 1)
            #expect(all.count == count)
        }
    }

    @Test(
        "hours and minutes of the same section",
        arguments: [
            ("FREQ=HOURLY;INTERVAL=3;UNTIL=19970902T170000Z", "09:00 12:00 15:00"),
            ("FREQ=MINUTELY;INTERVAL=15;COUNT=6", "09:00 09:15 09:30 09:45 10:00 10:15"),
            ("FREQ=MINUTELY;INTERVAL=90;COUNT=4", "09:00 10:30 12:00 13:30"),
            (
                "FREQ=DAILY;BYHOUR=9,10;BYMINUTE=0,20,40;COUNT=6",
                "09:00 09:20 09:40 10:00 10:20 10:40"
            ),
            (
                "FREQ=MINUTELY;INTERVAL=20;BYHOUR=9,10;COUNT=6",
                "09:00 09:20 09:40 10:00 10:20 10:40"
            ),
        ])
    func subDaily(rrule: String, times: String) throws {
        let found = try expand(rrule, from: "1997-09-02T09:00:00", limit: 9)
        #expect(found.map { String($0.dropFirst(11).prefix(5)) }.joined(separator: " ") == times)
    }

    @Test(
        "month-ends clamp in the form that English rules take",
        arguments: [
            (
                "FREQ=MONTHLY;BYMONTHDAY=28,29,30,31;BYSETPOS=-1", "2024-01-31",
                ["2024-01-31", "2024-02-29", "2024-03-31", "2024-04-30", "2024-05-31"]
            ),
            (
                "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=28,29;BYSETPOS=-1", "2024-02-29",
                ["2024-02-29", "2025-02-28", "2026-02-28", "2027-02-28", "2028-02-29"]
            ),
        ])
    func clamp(rrule: String, start: String, expected: [String]) throws {
        #expect(try expand(rrule, from: start) == expected)
    }

    @Test(
        "UNTIL is inclusive: a date its whole day, a wall time, an instant",
        arguments: [
            ("FREQ=DAILY;UNTIL=20240504", "2024-05-02T09:00:00", 3),
            ("FREQ=DAILY;UNTIL=20240504", "2024-05-02", 3),
            ("FREQ=DAILY;UNTIL=20240504T090000", "2024-05-02T09:00:00", 3),
            ("FREQ=DAILY;UNTIL=20240504T085959", "2024-05-02T09:00:00", 2),
            ("FREQ=DAILY;UNTIL=20240504T090000Z", "2024-05-02T09:00:00", 3),
            ("FREQ=DAILY;UNTIL=20240504T000000Z", "2024-05-02", 3),
            ("FREQ=DAILY;UNTIL=20240501", "2024-05-02T09:00:00", 0),
        ])
    func until(rrule: String, start: String, count: Int) throws {
        #expect(try expand(rrule, from: start, limit: 10).count == count)
    }

    @Test("a start that the rule does not give is no occurrence, and is not counted")
    func startOutsideRule() throws {
        #expect(
            try expand("FREQ=WEEKLY;BYDAY=MO;COUNT=2", from: "2024-05-01T09:00:00")
                == ["2024-05-06T09:00:00", "2024-05-13T09:00:00"])
    }
}

@Suite("Rules: what is refused and what never happens")
struct RuleLimitTests {
    @Test(
        "a wrong rule is refused, naming the part",
        arguments: [
            ("", ""), ("DAILY", "DAILY"), ("FREQ=DAILY;", ""), ("INTERVAL=2", "INTERVAL=2"),
            ("FREQ=FORTNIGHTLY", "FREQ=FORTNIGHTLY"), ("FREQ=DAILY;FREQ=DAILY", "FREQ=DAILY"),
            ("FREQ=DAILY;INTERVAL=0", "INTERVAL=0"), ("FREQ=DAILY;INTERVAL=-1", "INTERVAL=-1"),
            ("FREQ=DAILY;INTERVAL=99999999999", "INTERVAL=99999999999"),
            ("FREQ=DAILY;COUNT=0", "COUNT=0"), ("FREQ=DAILY;COUNT=100001", "COUNT=100001"),
            ("FREQ=DAILY;COUNT=2;UNTIL=20300101", "UNTIL=20300101"),
            ("FREQ=DAILY;UNTIL=20300231", "UNTIL=20300231"),
            ("FREQ=DAILY;UNTIL=20300101Z", "UNTIL=20300101Z"),
            ("FREQ=DAILY;UNTIL=20300101T250000", "UNTIL=20300101T250000"),
            ("FREQ=WEEKLY;BYDAY=XX", "BYDAY=XX"), ("FREQ=WEEKLY;BYDAY=MO,", "BYDAY=MO,"),
            ("FREQ=WEEKLY;BYDAY=2MO", "BYDAY=2MO"), ("FREQ=MONTHLY;BYDAY=0MO", "BYDAY=0MO"),
            ("FREQ=YEARLY;BYWEEKNO=20;BYDAY=1MO", "BYDAY=1MO"),
            ("FREQ=MONTHLY;BYMONTHDAY=0", "BYMONTHDAY=0"),
            ("FREQ=MONTHLY;BYMONTHDAY=32", "BYMONTHDAY=32"),
            ("FREQ=WEEKLY;BYMONTHDAY=1", "BYMONTHDAY=1"),
            ("FREQ=MONTHLY;BYYEARDAY=1", "BYYEARDAY=1"), ("FREQ=MONTHLY;BYWEEKNO=1", "BYWEEKNO=1"),
            ("FREQ=YEARLY;BYMONTH=13", "BYMONTH=13"), ("FREQ=DAILY;BYHOUR=24", "BYHOUR=24"),
            ("FREQ=MONTHLY;BYSETPOS=1", "BYSETPOS=1"), ("FREQ=DAILY;COLOUR=RED", "COLOUR=RED"),
            ("FREQ=DAILY;BYHOUR=\u{0661}", "BYHOUR=\u{0661}"),
            ("FREQ=MONTHLY;RSCALE=HEBREW", "RSCALE=HEBREW"),
        ])
    func refused(rrule: String, part: String) {
        let error = #expect(throws: RuleError.self) { try ParsedRule(rrule) }
        #expect(error?.part == part)
        #expect(error?.message.contains("‘\(part)’") == true)
    }

    @Test("a part that is refused is shown as it was typed, all frequencies are named")
    func typed() {
        let sentence = #expect(throws: RuleError.self) { try ParsedRule("every 2 days") }
        #expect(sentence?.message.hasPrefix("‘every 2 days’ is not NAME=VALUE") == true)
        let part = #expect(throws: RuleError.self) { try ParsedRule("freq=weekly;bymonthday=1") }
        #expect(part?.part == "bymonthday=1")
        let frequency = #expect(throws: RuleError.self) { try ParsedRule("freq=Often") }
        #expect(frequency?.part == "freq=Often")
        #expect(frequency?.message.contains("SECONDLY") == true)
    }

    @Test("the limits on counts and on the length of a rule hold on each side")
    func limits() throws {
        #expect(try ParsedRule("FREQ=DAILY;COUNT=\(Limits.occurrencesSearched)").count == 100_000)
        let hours = "FREQ=DAILY;BYHOUR=" + String(repeating: "9,", count: 488) + "19"
        #expect(try ParsedRule(hours + ",10").byHour == [9, 10, 19])
        #expect(throws: RuleError.self) {
            try ParsedRule(hours + String(repeating: ",9", count: 9))
        }
    }

    @Test("lower case, a prefix and the parts of RFC 7529 that change nothing are taken")
    func lenient() throws {
        let rule = try ParsedRule("rrule:freq=weekly;byday=mo;rscale=gregorian;skip=omit")
        #expect(rule.frequency == .weekly && rule.byDay.map(\.weekday) == [.monday])
    }

    @Test(
        "a rule that can never happen ends after bounded work",
        arguments: [
            "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=30",
            "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30", "FREQ=HOURLY;BYMONTH=2;BYMONTHDAY=30",
            "FREQ=MINUTELY;BYMONTH=2;BYMONTHDAY=30", "FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=31",
            "FREQ=HOURLY;INTERVAL=24;BYHOUR=3", "FREQ=YEARLY;BYWEEKNO=30;BYMONTH=1;BYDAY=MO",
            "FREQ=YEARLY;BYYEARDAY=366;BYMONTH=1", "FREQ=MONTHLY;BYDAY=5MO;BYMONTHDAY=1",
            "FREQ=WEEKLY;BYDAY=MO;BYSETPOS=3", "FREQ=SECONDLY;INTERVAL=2;BYSECOND=1",
            "FREQ=DAILY;BYSECOND=60", "FREQ=YEARLY;BYYEARDAY=-366;BYMONTHDAY=2",
            "FREQ=MONTHLY;INTERVAL=12;BYMONTH=3",
            "FREQ=YEARLY;INTERVAL=100;BYMONTH=2;BYMONTHDAY=30",
        ])
    func never(rrule: String) throws {
        let before = threadSeconds()
        #expect(try expand(rrule, from: "2024-02-01T09:00:00") == [])
        // Unoptimised; in release none takes more than 40 ms.
        #expect(threadSeconds() - before < 5)
    }

    @Test(
        "sparse rules are found",
        arguments: [
            ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO", "2044-02-29T09:00:00"),
            ("FREQ=YEARLY;BYYEARDAY=366", "2024-12-31T09:00:00"),
            ("FREQ=DAILY;BYMONTH=2;BYMONTHDAY=29;BYDAY=TH", "2024-02-29T09:00:00"),
            (
                "FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO;BYHOUR=1;BYMINUTE=2;BYSECOND=3",
                "2044-02-29T01:02:03"
            ),
            ("FREQ=YEARLY;INTERVAL=1000", "2024-02-01T09:00:00"),
        ])
    func sparse(rrule: String, first: String) throws {
        #expect(try expand(rrule, from: "2024-02-01T09:00:00", limit: 1) == [first])
    }

    @Test("series end with the years that are kept")
    func endOfYears() throws {
        #expect(try expand("FREQ=YEARLY", from: "9998-05-01T09:00:00").count == 2)
        #expect(try expand("FREQ=DAILY", from: "9999-12-30T09:00:00").count == 2)
        #expect(try expand("FREQ=HOURLY", from: "9999-12-31T22:00:00").count == 2)
        #expect(try expand("FREQ=MINUTELY;BYSECOND=0", from: "9999-12-31T23:58:00").count == 2)
        #expect(try expand("FREQ=DAILY;INTERVAL=1000000000", from: "2024-02-01").count == 1)
    }

    @Test("a rule of hours needs a time to start from")
    func needsTime() throws {
        #expect(throws: ScheduleError.self) { try expand("FREQ=HOURLY", from: "2024-02-01") }
    }
}
