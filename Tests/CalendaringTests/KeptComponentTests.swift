import RemindCore
import Testing

@testable import Calendaring

/// What of a calendar is neither a to-do nor an event.
@Suite struct KeptComponentTests {
    private static func read(_ lines: String..., chunk: Int = 1 << 20) throws -> ReadCalendar {
        let all = ["BEGIN:VCALENDAR", "VERSION:2.0"] + lines + ["END:VCALENDAR"]
        return try ReadCalendar(all.map { $0 + "\r\n" }.joined().utf8, chunk: chunk)
    }

    private static let todo = ["BEGIN:VTODO", "UID:t", "SUMMARY:Tea", "END:VTODO"]

    @Test(
        "a journal, a free/busy time and an unknown component were dropped: they come out as they are"
    )
    func kept() throws {
        let file = try Self.read(
            "BEGIN:VJOURNAL", "UID:j", "DTSTAMP:20240401T000000Z", "SEQUENCE:2",
            #"DESCRIPTION;X-P="a:b":Odd\z; text"#, "END:VJOURNAL", "BEGIN:VFREEBUSY", "UID:f",
            "FREEBUSY:20240401T000000Z/PT1H", "END:VFREEBUSY", "begin:x-anything", "X-Y:1",
            "BEGIN:X-PART", "X-Z:2", "END:X-PART", "END:X-ANYTHING", "BEGIN:VAVAILABILITY",
            "UID:v", "BEGIN:AVAILABLE", "UID:w", "END:AVAILABLE", "END:VAVAILABILITY",
            Self.todo.joined(separator: "\r\n"), chunk: 7)
        #expect(
            file.components.map(\.name) == ["VJOURNAL", "VFREEBUSY", "X-ANYTHING", "VAVAILABILITY"])
        #expect(file.components.map(\.line) == [3, 9, 13, 19])
        #expect(file.components[0].uid == "j")
        #expect(file.components[0].sequence == 2)
        #expect(
            file.components[0].text == [
                "BEGIN:VJOURNAL", "UID:j", "DTSTAMP:20240401T000000Z", "SEQUENCE:2",
                #"DESCRIPTION;X-P="a:b":Odd\z; text"#, "END:VJOURNAL",
            ])
        #expect(
            file.components[2].text == [
                "BEGIN:X-ANYTHING", "X-Y:1", "BEGIN:X-PART", "X-Z:2", "END:X-PART",
                "END:X-ANYTHING",
            ])
        #expect(file.items.map(\.summary) == ["Tea"])
        #expect(file.problems.isEmpty)
    }

    @Test("one without a UID gets one made of its content, whatever DTSTAMP says")
    func identity() throws {
        func uid(_ stamp: String, _ text: String) throws -> String? {
            try Self.read("BEGIN:VFREEBUSY", "DTSTAMP:\(stamp)", "COMMENT:\(text)", "END:VFREEBUSY")
                .components.first?.uid
        }
        let one = try #require(try uid("20240401T000000Z", "a"))
        #expect(one.hasPrefix("content-") && one.utf8.count == 24)
        #expect(try uid("20240501T000000Z", "a") == one)
        #expect(try uid("20240401T000000Z", "b") != one)
    }

    @Test(
        "one without a UID is the same one when its export is read")
    func exported() throws {
        let stored = try Self.read(
            "BEGIN:VFREEBUSY", "DTSTART;TZID=W. Europe Standard Time:20240401T090000", "broken",
            "END:VFREEBUSY")
        let component = try #require(stored.components.first)
        let again = try Self.read(component.text.joined(separator: "\r\n")).components
        #expect(again.map(\.uid) == [component.uid])
        #expect(stored.problems.map(\.uid) == [component.uid])
    }

    @Test("a to-do behind a component that is not closed is not lost in it")
    func unclosed() throws {
        for name in ["VJOURNAL", "X-ANYTHING"] {
            let file = try Self.read("BEGIN:\(name)", "UID:j", Self.todo.joined(separator: "\r\n"))
            #expect(file.items.map(\.summary) == ["Tea"])
            #expect(file.components.map(\.text) == [["BEGIN:\(name)", "UID:j", "END:\(name)"]])
            #expect(file.problems.map(\.reason) == ["‘\(name)’ has no ‘END:\(name)’."])
            #expect(file.refused.isEmpty)
        }
    }

    @Test("one inside another of the same name is a part of it")
    func nested() throws {
        let lines = ["BEGIN:X-A", "BEGIN:X-A", "X-B:1", "END:X-A", "X-C:2", "END:X-A"]
        let file = try Self.read(lines.joined(separator: "\r\n"))
        // Properties are written before the components inside.
        #expect(
            file.components.map(\.text) == [
                ["BEGIN:X-A", "X-C:2", "BEGIN:X-A", "X-B:1", "END:X-A", "END:X-A"]
            ])
    }

    @Test("the choices of a poll are not to-dos: they stay in it")
    func poll() throws {
        let lines = ["BEGIN:VPOLL", "UID:p"] + Self.todo + ["END:VPOLL"] + Self.todo
        let file = try Self.read(lines.joined(separator: "\r\n"))
        #expect(file.items.count == 1)
        #expect(file.components.map(\.text) == [Array(lines.prefix(7))])
    }

    @Test("times in a zone of another name are written in the system's, everything else as it came")
    func zones() throws {
        let zone = [
            "BEGIN:VTIMEZONE", "TZID:Mine", "BEGIN:STANDARD", "DTSTART:19700101T000000",
            "TZOFFSETFROM:+0200", "TZOFFSETTO:+0200", "END:STANDARD", "END:VTIMEZONE",
        ]
        let journal = [
            "BEGIN:VJOURNAL", "UID:j", "DTSTART;TZID=W. Europe Standard Time:20240401T090000",
            "RECURRENCE-ID;TZID=Europe/Paris:20240401T080000", "X-ODD;TZID=Nowhere:20240401T090000",
            "RDATE;TZID=Mine;VALUE=PERIOD:20240401T090000/PT1H", "END:VJOURNAL",
        ]
        // The definition comes behind.
        let file = try Self.read((journal + zone).joined(separator: "\r\n"))
        var expected = journal
        expected[2] = "DTSTART;TZID=Europe/Berlin:20240401T090000"
        #expect(file.components.map(\.text) == [expected])
        #expect(file.components.map(\.recurrence) == [expected[3]])
    }

    @Test("a line with a control character and a blank before it became a part of the one before")
    func blankBehindControl() throws {
        let file = try Self.read("BEGIN:VJOURNAL\r\nUID:j\r\n\u{0} X-A:1\r\nEND:VJOURNAL")
        #expect(
            file.components.map(\.text) == [["BEGIN:VJOURNAL", "UID:j", "X-A:1", "END:VJOURNAL"]])
    }

    @Test("names of properties in lower case hid which occurrence a part is about")
    func namesInLowerCase() throws {
        let id = ":20240401T090000Z"
        let file = try Self.read(
            "BEGIN:VJOURNAL\r\nuid:j\r\nRecurrence-Id\(id)\r\nEND:VJOURNAL\r\n"
                + "BEGIN:VEVENT\r\nuid:a\r\ndtstart\(id)\r\nrrule:FREQ=DAILY\r\nEND:VEVENT\r\n"
                + "BEGIN:VEVENT\r\nuid:a\r\nRecurrence-Id\(id)\r\nEND:VEVENT")
        #expect(file.components.map(\.recurrence) == ["RECURRENCE-ID" + id])
        let item = try #require(file.items.first)
        #expect(item.overrides.count == 1)
        let text = ([item] + item.overrides).flatMap(\.text).joined(separator: "\n")
        let stored = ICalendarReader.item(stored: text, zones: try Machine("UTC"))
        #expect(stored?.overrides.count == 1)
    }

    @Test("one is as large as an item may be, and no larger")
    func size() throws {
        let line = "X-A:" + String(repeating: "a", count: 996)
        for (count, isKept) in [(4194, true), (4195, false)] {
            let lines = ["BEGIN:VJOURNAL"] + Array(repeating: line, count: count) + ["END:VJOURNAL"]
            let file = try Self.read(lines.joined(separator: "\r\n"))
            #expect(file.components.count == (isKept ? 1 : 0))
            #expect(
                file.problems.map(\.reason)
                    == (isKept ? [] : ["It is larger than \(ICalendarLimits.itemBytes) bytes."]))
        }
    }

    @Test("what stands outside of a calendar is none of it")
    func outside() throws {
        let file = try ReadCalendar("BEGIN:VCARD\r\nFN:J\r\nEND:VCARD\r\n".utf8)
        #expect(file.components.isEmpty)
        #expect(file.refused.count == 1)
    }
}
