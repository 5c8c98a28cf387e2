import RemindCore
import Testing

@testable import Calendaring

@Suite("Rules, dates and durations whose meaning is plain, though they are written otherwise")
struct RuleFormTests {
    private func read(_ lines: [String], component: String = "VEVENT") throws -> ReadCalendar {
        try ReadCalendar(calendar(component, ["DTSTART:20300211T100000Z"] + lines))
    }

    private func rings(_ read: ReadCalendar) throws -> [String] {
        try read.rings(now: "2030-01-01T00:00:00Z", limit: 4)
    }

    private static let daily = [11, 12, 13].map { "2030-02-\($0)T10:00:00Z" }

    @Test(
        "such a rule is followed, and said; it is written again as it was taken",
        arguments: [
            // kewisch/ical.js#197, sabre-io/vobject#259
            ("FREQ=DAILY;UNTIL=2030-02-13T10:00:00Z", "FREQ=DAILY;UNTIL=20300213T100000Z"),
            ("FREQ=DAILY;UNTIL=2030-02-13", "FREQ=DAILY;UNTIL=20300213"),
            ("FREQ=DAILY;UNTIL=20300213T1000Z", "FREQ=DAILY;UNTIL=20300213T100000Z"),
            ("FREQ=DAILY;UNTIL=20300213T240000Z", "FREQ=DAILY;UNTIL=20300214T000000Z"),
            ("FREQ=DAILY;UNTIL=20300213T110000+0100", "FREQ=DAILY;UNTIL=20300213T100000Z"),
            ("FREQ=DAILY;UNTIL=20300213Z", "FREQ=DAILY;UNTIL=20300213"),
            ("FREQ=DAILY\\;COUNT=3", "FREQ=DAILY;COUNT=3"),
            ("FREQ=DAILY;FREQ=DAILY;COUNT=3", "FREQ=DAILY;COUNT=3"),
            ("FREQ=DAILY;COUNT=3;BYDAY=MO\\,TU,,WE,", "FREQ=DAILY;COUNT=3;BYDAY=MO,TU,WE"),
        ])
    func plain(given: String, taken: String) throws {
        let read = try read(["RRULE:" + given])
        #expect(try rings(read) == Self.daily)
        let note = "‘RRULE’ has ‘\(given.prefix(40))’: taken as ‘\(taken)’."
        #expect(read.problems.map(\.reason) == [note])
        #expect(read.items[0].text.contains("RRULE:" + taken))
    }

    @Test(
        "a rule in another order or case is nothing to speak of",
        arguments: ["count=3;freq=daily", " FREQ=DAILY; COUNT=3 ;", "FREQ=DAILY;UNTIL=20300213"])
    func wellFormed(rule: String) throws {
        let read = try read(["RRULE:" + rule])
        #expect(try rings(read) == Self.daily)
        #expect(read.problems.isEmpty)
    }

    @Test(
        "an interval of none is one, and a count beyond all counting is no end",
        arguments: ["INTERVAL=0", "COUNT=100001", "COUNT=99999999999999999999"])
    func passedOver(part: String) throws {
        let read = try read(["RRULE:FREQ=DAILY;" + part])
        #expect(try rings(read) == Self.daily + ["2030-02-14T10:00:00Z"])
        #expect(read.problems.map(\.reason) == ["‘\(part)’ in ‘RRULE’ was left out."])
        // Nothing of what came is lost.
        #expect(read.items[0].text.contains("RRULE:FREQ=DAILY;" + part))
    }

    @Test(
        "what is wrong in earnest is not guessed at",
        arguments: ["COUNT=0", "COUNT=-1", "UNTIL=202331", "BYDAY=MON", "INTERVAL=1.5"])
    func wrong(part: String) throws {
        let read = try read(["RRULE:FREQ=DAILY;" + part])
        #expect(try rings(read) == ["2030-02-11T10:00:00Z"])
        #expect(read.problems.first?.reason.contains("is kept, and not followed") == true)
    }

    @Test(
        "of dates that are taken out, one that is wrong does not hide the others",
        arguments: [
            ("EXDATE:20300212T100000Z\\,20300213T100000Z", 0),
            ("EXDATE:20300212T100000Z;20300213T100000Z", 0),
            ("EXDATE:20300212T100000Z,soon,20300213T100000Z", 1),
        ])
    func dates(line: String, notes: Int) throws {
        let read = try read(["RRULE:FREQ=DAILY;COUNT=4", line])
        #expect(try rings(read) == ["2030-02-11T10:00:00Z", "2030-02-14T10:00:00Z"])
        #expect(read.problems.count == notes)
        let stored = ICalendarReader.item(
            stored: read.items[0].text.joined(separator: "\n"), zones: try Machine("UTC"))
        #expect(stored?.recurrence == read.items[0].recurrence)
    }

    @Test(
        "durations with years and months of none, as Java and .NET write them",
        arguments: [
            ("-P0Y0M0DT0H15M0S", "2030-02-11T09:45:00Z"),
            ("-P0Y0M1DT0H0M0.000S", "2030-02-10T10:00:00Z"),
        ])
    func durations(trigger: String, ring: String) throws {
        let read = try read(alarm("TRIGGER:" + trigger))
        #expect(try rings(read) == [ring])
        let end = try self.read(
            ["DURATION:P0Y0M0DT2H0M0S"] + alarm("TRIGGER;RELATED=END:-PT15M"))
        #expect(try rings(end) == ["2030-02-11T11:45:00Z"])
        let again = try self.read(
            alarm("TRIGGER:PT0S", ["REPEAT:1", "DURATION:P0Y0M0DT0H5M0S"]))
        #expect(try rings(again) == ["2030-02-11T10:00:00Z", "2030-02-11T10:05:00Z"])
    }

    @Test(
        "months and parts of a second are no such duration",
        arguments: ["-P1M", "-P0Y1M", "-PT0.5S", "-PT1.0H", "-PT.5S", "-P0Y"])
    func noDurations(text: String) {
        #expect(DurationRepair.repaired(text) == (text == "-P0Y" ? "PT0S" : nil))
    }

    @Test("an event each second rings on, however long ago it began")
    func eachSecond() throws {
        let read = try ReadCalendar(
            calendar("VEVENT", ["DTSTART:19700101T100000Z", "RRULE:FREQ=SECONDLY"]))
        #expect(
            try read.rings(now: "2030-01-01T00:00:00Z", limit: 2)
                == ["2030-01-01T00:00:01Z", "2030-01-01T00:00:02Z"])
    }

    @Test("STATUS as Americans spell it")
    func canceled() throws {
        let read = try read(["STATUS:CANCELED"], component: "VTODO")
        #expect(read.items.map(\.isCancelled) == [true])
        #expect(try rings(read).isEmpty)
    }
}
