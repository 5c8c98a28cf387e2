import RemindCore
import Testing

@testable import Calendaring

/// Several rules in one item, and rules that are not understood.
@Suite struct SeveralRuleTests {
    private static func read(_ lines: String..., in zone: String = "UTC") throws -> ReadCalendar {
        try ReadCalendar(calendar("VTODO", ["SUMMARY:Tea"] + lines), zone: zone)
    }

    @Test("of two rules only the first rang: an occurrence of either rings, and one of both once")
    func union() throws {
        let file = try Self.read(
            "DTSTART:20240401T090000Z", "RRULE:FREQ=WEEKLY;COUNT=3",
            "RRULE:FREQ=WEEKLY;BYDAY=WE,MO;COUNT=4", "EXDATE:20240410T090000Z")
        #expect(
            try file.rings(now: "2024-03-01T00:00:00Z") == [
                "2024-04-01T09:00:00Z", "2024-04-03T09:00:00Z", "2024-04-08T09:00:00Z",
                "2024-04-15T09:00:00Z",
            ])
        #expect(file.items[0].furtherRules.map(\.rrule) == ["FREQ=WEEKLY;BYDAY=WE,MO;COUNT=4"])
        #expect(
            file.problems.map(\.reason) == [
                "It repeats by 2 rules: all of them count, and the first is shown."
            ])
        #expect(file.refused.isEmpty)
    }

    @Test("a rule of hours beside one of weeks, on both sides of a clock change")
    func walls() throws {
        let file = try Self.read(
            "DTSTART;TZID=Europe/Paris:20240330T090000", "RRULE:FREQ=WEEKLY;COUNT=2",
            "RRULE:FREQ=HOURLY;INTERVAL=24;COUNT=3")
        #expect(
            try file.rings(now: "2024-03-01T00:00:00Z") == [
                "2024-03-30T08:00:00Z", "2024-03-31T08:00:00Z", "2024-04-01T08:00:00Z",
                "2024-04-06T07:00:00Z",
            ])
    }

    @Test("EXRULE was only noted: what it gives is taken out (RFC 2445 section 4.8.5.2)")
    func excluded() throws {
        let file = try Self.read(
            "DTSTART;TZID=Europe/Paris:20240329T090000", "RRULE:FREQ=DAILY;COUNT=6",
            "EXRULE:FREQ=WEEKLY;BYDAY=SA,SU")
        #expect(
            try file.rings(now: "2024-03-01T00:00:00Z") == [
                "2024-03-29T08:00:00Z", "2024-04-01T07:00:00Z", "2024-04-02T07:00:00Z",
                "2024-04-03T07:00:00Z",
            ])
        #expect(file.problems.isEmpty)
        // Days, too.
        let days = try Self.read(
            "DTSTART;VALUE=DATE:20240329", "RRULE:FREQ=DAILY;COUNT=4",
            "EXRULE:FREQ=WEEKLY;BYDAY=SA,SU")
        #expect(
            try days.rings(now: "2024-03-01T00:00:00Z")
                == ["2024-03-29T09:00:00Z", "2024-04-01T09:00:00Z"])
    }

    @Test("a rule that takes everything out ends the search", .timeLimit(.minutes(1)))
    func nothingLeft() throws {
        let file = try Self.read(
            "DTSTART:20240401T090000Z", "RRULE:FREQ=SECONDLY", "EXRULE:FREQ=SECONDLY")
        #expect(try file.rings(now: "2024-03-01T00:00:00Z").isEmpty)
    }

    @Test("a changed occurrence of the second rule rings where it was moved to, and only there")
    func changed() throws {
        let change = [
            "END:VTODO", "BEGIN:VTODO", "UID:one@example.invalid",
            "RECURRENCE-ID;VALUE=DATE:20240403", "SUMMARY:Coffee", "DTSTART:20240403T120000Z",
        ]
        let file = try ReadCalendar(
            calendar(
                "VTODO",
                [
                    "SUMMARY:Tea", "DTSTART:20240401T090000Z", "RRULE:FREQ=WEEKLY;COUNT=2",
                    "RRULE:FREQ=WEEKLY;BYDAY=WE;COUNT=2",
                ] + change))
        #expect(
            try file.rings(now: "2024-03-01T00:00:00Z") == [
                "2024-04-01T09:00:00Z", "2024-04-03T12:00:00Z", "2024-04-08T09:00:00Z",
                "2024-04-10T09:00:00Z",
            ])
    }

    @Test("so many rules count, and no more")
    func limit() throws {
        for (count, notes) in [(ICalendarLimits.rules, 1), (ICalendarLimits.rules + 1, 2)] {
            let rules = (0..<count).map { "RRULE:FREQ=YEARLY;BYMONTHDAY=\($0 + 1);COUNT=1" }
            let file = try ReadCalendar(
                calendar("VTODO", ["DTSTART:20240401T090000Z"] + rules))
            #expect(file.items[0].furtherRules.count == ICalendarLimits.rules - 1)
            #expect(file.problems.count == notes)
        }
    }

    @Test(
        "an item whose rule is not understood was refused: it rings once, and the rule goes out again",
        arguments: [
            ("RRULE:FREQ=SOMETIMES", "‘RRULE’ is kept, and not followed: ‘FREQ=SOMETIMES’"),
            ("RRULE;X-P=1:FREQ=Weekly;BYDAY=XX", "‘RRULE’ is kept, and not followed: ‘BYDAY=XX’"),
            ("EXRULE:FREQ=SOMETIMES", nil),
            ("RDATE:20240230T090000Z", "‘RDATE’ is kept, and not followed: "),
            ("EXDATE;X-P=1:whenever", nil),
        ])
    func unreadable(rule: String, reason: String?) throws {
        let file = try Self.read("DUE:20240401T090000Z", rule)
        #expect(file.refused.isEmpty)
        #expect(file.items.map(\.recurrence) == [nil])
        #expect(file.items[0].text.contains(rule))
        #expect(file.problems.count == (reason == nil ? 0 : 1))
        if let reason { #expect(file.problems[0].reason.hasPrefix(reason)) }
        #expect(try file.rings(now: "2024-03-01T00:00:00Z") == ["2024-04-01T09:00:00Z"])
    }

    @Test("beside a rule that is not understood, others and added dates count")
    func beside() throws {
        let file = try Self.read(
            "DTSTART:20240401T090000Z", "RRULE:FREQ=SOMETIMES", "RRULE:FREQ=WEEKLY;COUNT=2")
        #expect(
            try file.rings(now: "2024-03-01T00:00:00Z")
                == ["2024-04-01T09:00:00Z", "2024-04-08T09:00:00Z"])
        let dates = try Self.read(
            "DTSTART:20240401T090000Z", "RRULE:FREQ=SOMETIMES", "RDATE:20240402T090000Z")
        #expect(
            try dates.rings(now: "2024-03-01T00:00:00Z")
                == ["2024-04-01T09:00:00Z", "2024-04-02T09:00:00Z"])
    }
}
