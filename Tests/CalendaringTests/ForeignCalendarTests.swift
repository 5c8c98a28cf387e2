import RemindCore
import Testing

@testable import Calendaring

@Suite("What other programs write otherwise")
struct ForeignCalendarTests {
    @Test(
        "a to-do with nothing but alarms that are not ours rings when it is due",
        arguments: [
            ["ACTION:X-FOO"], ["ACTION:DISPLAY", "PROXIMITY:ARRIVE"],
            ["ACTION:DISPLAY", "X-KDE-KCALCORE-ENABLED:FALSE"],
        ])
    func alarmsNotOurs(lines: [String]) throws {
        let alarm = ["BEGIN:VALARM"] + lines + ["TRIGGER:-PT5M", "END:VALARM"]
        let read = try ReadCalendar(calendar("VTODO", ["DUE:20300210T100000Z"] + alarm))
        #expect(try read.rings(now: "2030-01-01T00:00:00Z") == ["2030-02-10T10:00:00Z"])
        // From what the store keeps of it, too.
        let kept = "BEGIN:VCALENDAR\n" + PlanText.text(read.items[0]) + "END:VCALENDAR\n"
        #expect(
            try ReadCalendar(kept.utf8).rings(now: "2030-01-01T00:00:00Z")
                == ["2030-02-10T10:00:00Z"])
    }

    @Test(
        "a duration with months or with years leaves its alarm out, and says so",
        arguments: ["-P15M", "-P1M", "-P1Y", "-2115415M"])
    func noDuration(trigger: String) throws {
        let lines = ["DUE:20300210T100000Z"] + alarm("TRIGGER:\(trigger)")
        let read = try ReadCalendar(calendar("VTODO", lines))
        #expect(read.items.map(\.alarms.count) == [0])
        #expect(read.problems.map { $0.reason.hasPrefix("An alarm was left out") } == [true])
        #expect(read.refused.isEmpty)
    }

    @Test(
        "minor parts that are wrong leave title and date, and are noted",
        arguments: [
            "DURATION:P1M", "DURATION:1 hour", "RRULE:", "RRULE:FREQ=DAILY;X-FOO=1",
            "RRULE:FREQ=DAILY;COUNT=2;WKST=", "RRULE:FREQ=DAILY;COUNT=2;BYDAY=",
            "RRULE:FREQ=DAILY;COUNT=2;UNTIL=20300301", "RRULE:FREQ=WEEKLY;BYDAY=+1MO",
            "RRULE:RSCALE=GREGORIAN;FREQ=YEARLY;BYYEARDAY=42;SKIP=FORWARD",
            "RRULE:RSCALE=GREGORIAN;FREQ=MONTHLY;SKIP=UPWARD",
        ])
    func minorParts(line: String) throws {
        let read = try ReadCalendar(
            calendar("VTODO", ["SUMMARY:Tea", "DTSTART:20300211T100000Z", line]))
        #expect(read.items.map(\.summary) == ["Tea"])
        #expect(read.problems.map(\.isRefusal) == [false])
        let rings = try read.rings(now: "2030-01-01T00:00:00Z")
        #expect(rings.first == "2030-02-11T10:00:00Z")
    }

    @Test(
        "a date and a time in one to-do: the kind of DUE says when it rings",
        arguments: [
            ("DTSTART;VALUE=DATE:20300209", "DUE:20300210T100000Z", "2030-02-10T10:00:00Z"),
            ("DTSTART:20300209T100000Z", "DUE;VALUE=DATE:20300210", "2030-02-10T09:00:00Z"),
        ])
    func mixedKinds(start: String, due: String, ring: String) throws {
        let read = try ReadCalendar(calendar("VTODO", [start, due]))
        #expect(try read.rings(now: "2030-01-01T00:00:00Z") == [ring])
    }

    @Test(
        "a time zone with a colon that is not quoted, fractions and offsets",
        arguments: [
            ("DUE;TZID=tzone://Microsoft/Utc:20300710T100000", "2030-07-10T10:00:00Z"),
            ("DUE;TZID=(UTC+01:00) Amsterdam, Berlin:20300710T100000", "2030-07-10T08:00:00Z"),
            ("DUE:20300710T100000.000Z", "2030-07-10T10:00:00Z"),
            ("DUE:2030-07-10T10:00:00+03:00", "2030-07-10T07:00:00Z"),
        ])
    func times(line: String, ring: String) throws {
        let read = try ReadCalendar(calendar("VTODO", [line]))
        #expect(read.refused.isEmpty)
        #expect(try read.rings(now: "2030-01-01T00:00:00Z") == [ring])
    }

    @Test("further lines of a text without their blank belong to it, and are noted")
    func linesWithoutBlanks() throws {
        // tutao/tutanota#3379, super-productivity/super-productivity#6443
        let read = try ReadCalendar(
            calendar(
                "VTODO",
                [
                    "SUMMARY:Tea", "DESCRIPTION:Buy\\, today:", "green tea, not black", "two",
                    "LOCATION:12 Main St", "Albuquerque", "DUE:20300210T100000Z", "soon",
                    "COMMENT:last", "line",
                ]))
        let item = try #require(read.items.first)
        #expect(item.description == "Buy, today:\ngreen tea, not black\ntwo")
        #expect(
            item.foreignProperties == ["LOCATION:12 Main St\\nAlbuquerque", "COMMENT:last\\nline"])
        #expect(
            read.problems.map(\.reason) == [
                "‘green tea, not black’ is not a line of the form NAME:VALUE: taken as more of "
                    + "‘DESCRIPTION’.",
                "‘two’ is not a line of the form NAME:VALUE: taken as more of ‘DESCRIPTION’.",
                "‘Albuquerque’ is not a line of the form NAME:VALUE: taken as more of ‘LOCATION’.",
                "‘soon’ is not a line of the form NAME:VALUE.",
                "‘line’ is not a line of the form NAME:VALUE: taken as more of ‘COMMENT’.",
            ])
        #expect(try read.rings(now: "2030-01-01T00:00:00Z") == ["2030-02-10T10:00:00Z"])
        let stored = ICalendarReader.item(
            stored: item.text.joined(separator: "\n"), zones: try Machine("UTC"))
        #expect(stored?.description == item.description)
    }

    @Test("what a title cannot hold goes to the note, and is noted")
    func longTitle() throws {
        let title = String(repeating: "abc", count: 1001)
        let read = try ReadCalendar(
            calendar("VTODO", ["SUMMARY:\(title)", "DESCRIPTION:more", "DUE:20300210T100000Z"]))
        let item = try #require(read.items.first)
        #expect(item.summary == title.prefix(Limits.title))
        #expect(item.description == title.dropFirst(Limits.title) + "\n\nmore")
        #expect(read.problems.map(\.isRefusal) == [false])
    }

    @Test("METHOD:CANCEL: the item does not ring, and stays cancelled when it is stored")
    func methodCancel() throws {
        let read = try ReadCalendar(
            calendar(
                "VTODO", ["STATUS:NEEDS-ACTION", "DUE:20300210T100000Z"], before: ["METHOD:CANCEL"])
        )
        let item = try #require(read.items.first)
        #expect(item.isCancelled && item.state == .done)
        #expect(item.text.filter { $0.hasPrefix("STATUS") } == ["STATUS:CANCELLED"])
        #expect(read.problems.isEmpty)
    }

    @Test(
        "an alarm that Thunderbird has put off rings when it comes back",
        arguments: [true, false])
    func snoozedByThunderbird(hasAlarm: Bool) throws {
        let lines = ["DUE:20300210T100000Z", "X-MOZ-SNOOZE-TIME:20300210T113000Z"]
        let read = try ReadCalendar(
            calendar("VTODO", lines + (hasAlarm ? alarm("TRIGGER:-PT5M") : [])))
        let own = hasAlarm ? "2030-02-10T09:55:00Z" : "2030-02-10T10:00:00Z"
        #expect(try read.rings(now: "2030-01-01T00:00:00Z") == [own, "2030-02-10T11:30:00Z"])
    }

    @Test(
        "an END that is missing is noted, and the item comes in",
        arguments: ["BEGIN:VALARM\nTRIGGER:-PT5M\nEND:VTODO\n", ""])
    func missingEnd(rest: String) throws {
        let text =
            "BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:a\nDUE:20300210T100000Z\n\(rest)END:VCALENDAR\n"
        let read = try ReadCalendar(text.utf8)
        #expect(read.items.map(\.uid) == ["a"])
        #expect(read.problems.map(\.isRefusal) == [false])
    }

    @Test(
        "a trigger whose meaning is plain rings then, and is noted",
        arguments: [
            ("PT", "2030-02-10T10:00:00Z"),  // ical4j/ical4j#502, of Apple's calendar
            ("P", "2030-02-10T10:00:00Z"),  // horde/horde#139, kewisch/ical.js#400
            ("-P1H", "2030-02-10T09:00:00Z"),  // sabre-io/vobject#361
            ("-PT1W", "2030-02-03T10:00:00Z"),  // linagora/twake-calendar-frontend#1201
            ("-P-2D", "2030-02-08T10:00:00Z"),  // ical4j/ical4j#498
            ("-P1DT-0H", "2030-02-09T10:00:00Z"), ("-PT1D2H", "2030-02-09T08:00:00Z"),
        ])
    func plainTriggers(trigger: String, ring: String) throws {
        let lines = ["DUE:20300210T100000Z"] + alarm("TRIGGER:\(trigger)") + alarm("TRIGGER:PT5M")
        let read = try ReadCalendar(calendar("VTODO", lines))
        #expect(
            try read.rings(now: "2030-01-01T00:00:00Z") == [ring, "2030-02-10T10:05:00Z"])
        #expect(read.problems.map(\.isRefusal) == [false])
        #expect(read.problems[0].reason.hasPrefix("‘TRIGGER’ has ‘\(trigger)’: taken as"))
        // Written again, it is a duration of iCalendar.
        #expect(!read.items[0].text.contains("TRIGGER:\(trigger)"))
    }

    @Test(
        "midnight as 24:00 and a leap second go out as they were read",
        arguments: [
            ("20300210T240000Z", "20300211T000000Z"), ("20161231T235960Z", "20161231T235959Z"),
            ("20300210T235959Z", "20300210T235959Z"), ("20301213T130000", "20301213T130000"),
        ])
    func strictTimes(written: String, kept: String) throws {
        let read = try ReadCalendar(calendar("VTODO", ["DUE:" + written]))
        #expect(read.items[0].text.filter { $0.hasPrefix("DUE") } == ["DUE:" + kept])
    }

    @Test("an UNTIL without Z of a series in UTC is in UTC", arguments: ["Europe/Berlin", "UTC"])
    func universalUntil(zone: String) throws {
        let lines = ["DTSTART:20300310T090000Z", "RRULE:FREQ=DAILY;UNTIL=20300311T090000"]
        let read = try ReadCalendar(calendar("VEVENT", lines), zone: zone)
        #expect(
            try read.rings(now: "2030-01-01T00:00:00Z", zone: zone)
                == ["2030-03-10T09:00:00Z", "2030-03-11T09:00:00Z"])
        #expect(read.problems.isEmpty)
    }

    @Test("an occurrence of a series that Thunderbird has put off rings when it comes back")
    func snoozedOccurrence() throws {
        let lines = [
            "DTSTART:20240430T093000Z", "RRULE:FREQ=DAILY;COUNT=3",
            "X-MOZ-LASTACK:20240501T084600Z",
            "X-MOZ-SNOOZE-TIME-1714555800000000:20240501T091000Z",
        ]
        let read = try ReadCalendar(calendar("VEVENT", lines + alarm("TRIGGER:-PT45M")))
        let rings = ["2024-05-01T09:10:00Z", "2024-05-02T08:45:00Z"]
        #expect(try read.rings(now: "2024-05-01T08:50:00Z") == rings)
        // From what the store keeps of it, too.
        let kept = "BEGIN:VCALENDAR\n" + PlanText.text(read.items[0]) + "END:VCALENDAR\n"
        #expect(try ReadCalendar(kept.utf8).rings(now: "2024-05-01T08:50:00Z") == rings)
    }
}
