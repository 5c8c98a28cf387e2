import RemindCore
import Testing

@testable import Calendaring

private let due = "DUE:20240501T090000Z"

@Suite("Reading calendar files")
struct ICalendarReaderTests {
    @Test(
        "lines are unfolded whatever the chunks",
        arguments: [1, 2, 3, 7, 64], ["\r\n", "\n", "\r", "\r\r\n"])
    func chunks(size: Int, end: String) throws {
        let text =
            "\u{FEFF}BEGIN:VCALENDAR\(end)BEGIN:VTODO\(end)UID:a\(end)SUMM\(end) ARY:Gr"
            + "\(end)\tü\(end) ß\(end)\(due)\(end)END:VTODO\(end)END:VCALENDAR"
        let read = try ReadCalendar(text.utf8, chunk: size)
        #expect(read.items.map(\.summary) == ["Grüß"])
        #expect(read.items.map(\.line) == [2])
        #expect(read.problems.isEmpty)
    }

    @Test(
        "what other programs leave out or do wrong is put up with",
        arguments: [
            "BEGIN:VTODO\nUID:a\nSUMMARY:Tea\n\(due)\nEND:VTODO\n",
            "BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:a\nSUMMARY:Tea\n\(due)\nEND:VCALENDAR\n",
            "BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:a\nSUMMARY:Tea\n\(due)",
            "BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:a\n\(due)\nSUMMARY:T\0ea\nEND:VTODO\n",
            "begin:vcalendar\nbegin:vtodo\nuid:a\nsummary:Tea\n\(due)\nend:vtodo\n",
            "BEGIN:VCALENDAR\n\n\nBEGIN:VTODO\n\nUID:a\nSUMMARY:Tea\n\(due)\nEND:VTODO\n",
            "BEGIN:VCALENDAR\nBEGIN:VTODO\nSUMMARY:Tea\n\(due)\nEND:VTODO\n",
            "BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:a\nSUMMARY;X=\"a:b;c\":Tea\n\(due)\nEND:VTODO\n",
            "BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:a\nSUMMARY;X=\"a:Tea\n\(due)\nEND:VTODO\n",
            "BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:a\nSUMMARY:Tea\nDUE:2024-05-01T09:00:00Z\nEND:VTODO",
            "BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:a\nSUMMARY:Tea\nDUE;TZID=UTC:20240501T0900\n",
        ])
    func tolerant(text: String) throws {
        let read = try ReadCalendar(text.utf8)
        #expect(read.items.map { $0.summary.suffix(3) } == ["Tea"])
        #expect(read.refused.isEmpty)
        #expect(try read.rings(now: "2024-01-01T00:00:00Z") == ["2024-05-01T09:00:00Z"])
    }

    @Test("an empty line of CR CR ends what stands before it")
    func doubledReturn() throws {
        var lines = ContentLines(limit: 100)
        var found: [ContentLines.Line] = []
        lines.feed(Array("A:1\r\r B\r\rC:2\r\r\n D\r\r\r\nE".utf8)) { found.append($0) }
        lines.finish { found.append($0) }
        #expect(
            found.map { String(decoding: $0.bytes, as: UTF8.self) } == ["A:1", "B", "C:2D", "E"])
    }

    @Test(
        "the escapes of a text are undone, in ASCII and beyond",
        arguments: [
            ("plain", "plain"), ("a\\, b\\; c\\\\", "a, b; c\\"), ("a\\nb\\Nc", "a\nb\nc"),
            ("C:\\temp\\Users\\", "C:\\temp\\Users\\"), ("\\1\\\"\\.", "1\"."),
            ("\\äb\\€", "\\äb€"),
            ("Grüße\\, Jürgen", "Grüße, Jürgen"), ("tab\tand\nline", "tab\tand\nline"),
            ("bell\u{7}", "bell\u{FFFD}"), ("\u{85}\u{A0}\u{7F}", "\u{FFFD}\u{A0}\u{FFFD}"),
            // A control character behind a backslash came in as it was.
            ("\\\u{7}", "\u{FFFD}"), ("a\\\u{B}, b", "a\u{FFFD}, b"),
            ("", ""), ("\\", "\\"),
        ])
    func escapes(written: String, meant: String) {
        #expect(ICalendarText.decoded(written) == meant)
        // U+00B5 sends all of it the long way.
        #expect(ICalendarText.decoded("µ" + written) == "µ" + meant)
    }

    @Test(
        "a list is cut at its commas",
        arguments: [
            ("home,errand", ["home", "errand"]), ("a\\,b, c ,,d", ["a,b", "c", "d"]), ("", []),
            ("ä,\\n,ö\\;", ["ä", "ö;"]), ("\u{7},b", ["\u{FFFD}", "b"]),
        ])
    func lists(written: String, items: [String]) {
        #expect(ICalendarText.list(written) == items)
    }

    @Test("an item that is not closed ends where the next one begins")
    func unclosed() throws {
        let text =
            "BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:a\nSUMMARY:One\n\(due)\nBEGIN:VALARM\nACTION:AUDIO\n"
            + "TRIGGER:-PT5M\nBEGIN:VTODO\nUID:b\nSUMMARY:Two\n\(due)\nEND:VTODO\nEND:VCALENDAR\n"
            + "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:c\nSUMMARY:Three\nDTSTART:20240502T090000Z\n"
            + "END:VEVENT\nEND:VCALENDAR\n"
        let read = try ReadCalendar(text.utf8)
        #expect(read.items.map(\.summary) == ["One", "Two", "Three"])
        #expect(read.items.map(\.alarms.count) == [1, 0, 0])
    }

    @Test("a broken item is reported with UID and line, and the rest comes in")
    func broken() throws {
        let text =
            "BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:bad\nDUE:20240230T090000Z\nEND:VTODO\nBEGIN:VTODO\n"
            + "UID:rule\n\(due)\nRRULE:FREQ=NEVER\nEND:VTODO\nBEGIN:VTODO\nUID:good\n\(due)\n"
            + "no property\nEND:VTODO\nEND:VCALENDAR\n"
        let read = try ReadCalendar(text.utf8)
        #expect(read.items.map(\.uid) == ["good", "rule"])
        #expect(read.refused == ["bad"])
        #expect(read.problems.first { $0.uid == "bad" }?.line == 4)
        #expect(read.problems.first { $0.uid == "rule" }?.line == 9)
        #expect(read.problems.first { $0.uid == "good" }?.isRefusal == false)
    }

    @Test(
        "what is no calendar file says so",
        arguments: ["", "<html>\n</html>", "\0\0\u{1}", "BEGIN"])
    func noCalendar(text: String) throws {
        let read = try ReadCalendar(text.utf8)
        #expect(read.items.isEmpty)
        #expect(read.problems.map(\.isRefusal) == [true])
    }

    @Test("of several items with one UID the newest counts, whichever comes first")
    func versions() throws {
        func todo(_ title: String, _ sequence: Int) -> String {
            "BEGIN:VTODO\nUID:a\nSUMMARY:\(title)\nSEQUENCE:\(sequence)\n\(due)\nEND:VTODO\n"
        }
        let text = "BEGIN:VCALENDAR\n" + todo("Old", 1) + todo("New", 2) + todo("Older", 0)
        let read = try ReadCalendar(text.utf8)
        #expect(read.items.map(\.summary) == ["Old", "New"])
        #expect(read.refused == ["a"])
    }

    @Test(
        "STATUS, COMPLETED and PERCENT-COMPLETE in any combination",
        arguments: [
            ([], Reminder.State.open), (["STATUS:NEEDS-ACTION"], .open),
            (["STATUS:IN-PROCESS", "PERCENT-COMPLETE:99"], .open), (["STATUS:COMPLETED"], .done),
            (["COMPLETED:20240101T000000Z"], .done), (["STATUS:CANCELLED"], .done),
            (["STATUS:completed", "PERCENT-COMPLETE:0"], .done),
            (["PERCENT-COMPLETE:100", "STATUS:NEEDS-ACTION"], .done),
        ])
    func states(lines: [String], state: Reminder.State) throws {
        let read = try ReadCalendar(calendar("VTODO", lines + [due]))
        #expect(read.items.map(\.state) == [state])
        let rings = try read.rings(now: "2024-01-01T00:00:00Z")
        #expect(rings.isEmpty == (state == .done))
    }

    @Test("texts, lists and priorities")
    func texts() throws {
        let read = try ReadCalendar(
            calendar(
                "VTODO",
                [
                    "SUMMARY;LANGUAGE=de;X=^'a^n^^^':Tea \\; more\\, please", "PRIORITY:1",
                    "DESCRIPTION:one\\Ntwo \\\\n three C:\\temp", "CATEGORIES:a,b\\, c,,d",
                    "CATEGORIES:e", "LOCATION:Home", due,
                ]))
        let item = try #require(read.items.first)
        #expect(item.summary == "Tea ; more, please")
        #expect(item.description == "one\ntwo \\n three C:\\temp")
        #expect(item.categories == ["a", "b, c", "d", "e"])
        #expect(item.priority == .high)
        #expect(item.foreignProperties == ["LOCATION:Home"])
    }

    @Test("RFC 6868 escapes in parameters")
    func parameters() throws {
        let line = ContentLines.Line(number: 1, bytes: Array("A;B=x^'y^nz^^,\"q;:,\";C=^x:v".utf8))
        let property = try #require(ICalendarProperty(line: line))
        #expect(property.parameters.map(\.values) == [["x\"y\nz^", "q;:,"], ["^x"]])
        #expect(property.value == "v")
    }
}

@Suite("Limits of calendar files")
struct ICalendarLimitTests {
    @Test("a line is cut at its limit", arguments: [0, 1])
    func line(over: Int) {
        var lines = ContentLines(limit: 10)
        var found: [ContentLines.Line] = []
        lines.feed(Array(repeating: UInt8(ascii: "a"), count: 10 + over)) { found.append($0) }
        lines.finish { found.append($0) }
        #expect(found.map(\.bytes.count) == [10])
        #expect(found.map(\.isCut) == [over == 1])
    }

    @Test("alarms beyond the limit are left out and reported", arguments: [0, 1])
    func alarms(over: Int) throws {
        let count = ICalendarLimits.alarms + over
        let lines = (1...count).flatMap { alarm("TRIGGER:-PT\($0)M") }
        let read = try ReadCalendar(calendar("VTODO", [due] + lines))
        #expect(read.items.map(\.alarms.count) == [ICalendarLimits.alarms])
        #expect(read.problems.count == over)
    }

    @Test("an item beyond the limit is refused", arguments: [false, true])
    func item(over: Bool) throws {
        let line = "X-A:" + String(repeating: "x", count: 500_000)
        let lines = Array(repeating: line, count: over ? 9 : 8)
        let read = try ReadCalendar(calendar("VTODO", [due] + lines))
        #expect(read.items.isEmpty == over)
        #expect(read.refused.isEmpty == !over)
    }

    @Test("components too deep inside others are left out")
    func depth() throws {
        let deep = (1...100).map { "BEGIN:X-\($0)" }
        let read = try ReadCalendar(calendar("VTODO", [due] + deep))
        #expect(read.items.count == 1)
        #expect(!read.problems.isEmpty)
    }

    @Test("alarms that repeat without end, in series without end, take no time")
    func work() throws {
        let lines = alarm("TRIGGER:-P9999D", ["REPEAT:999999999", "DURATION:PT1S"])
        let read = try ReadCalendar(
            calendar("VTODO", ["DTSTART:20240101T000000Z", "RRULE:FREQ=SECONDLY"] + lines))
        let rings = try read.rings(now: "2024-01-01T00:00:00Z", limit: 3)
        #expect(rings == ["2024-01-01T00:00:01Z", "2024-01-01T00:00:02Z", "2024-01-01T00:00:03Z"])
    }
}
