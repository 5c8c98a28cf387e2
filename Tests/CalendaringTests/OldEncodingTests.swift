import RemindCore
import Testing

@testable import Calendaring

@Suite("Files in other encodings")
struct OldEncodingTests {
    private static let text = """
        BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nUID:a\r\nSUMMARY:Zürich 買い物 🧑‍🤝‍🧑\r\n\
        DUE:20300501T090000Z\r\nEND:VTODO\r\nEND:VCALENDAR\r\n
        """

    private static func wide(_ text: String, isBig: Bool, mark: Bool) -> [UInt8] {
        let units = (mark ? [0xFEFF] : []) + Array(text.utf16)
        return units.flatMap { unit in
            let bytes = [UInt8(unit >> 8), UInt8(unit & 0xFF)]
            return isBig ? bytes : bytes.reversed()
        }
    }

    @Test(
        "UTF-16 is read, in either order, with and without its mark, however it is cut",
        arguments: [true, false], [true, false])
    func wide(isBig: Bool, mark: Bool) throws {
        for chunk in [1, 2, 3, 7, 1000] {
            let read = try ReadCalendar(
                Self.wide(Self.text, isBig: isBig, mark: mark), chunk: chunk)
            #expect(read.items.map(\.summary) == ["Zürich 買い物 🧑‍🤝‍🧑"], "\(chunk)")
            #expect(read.problems.isEmpty)
        }
    }

    @Test("half a character at the end of UTF-16 spoils nothing before it")
    func halfCharacter() throws {
        let bytes = Self.wide(Self.text, isBig: false, mark: true) + [0x3D, 0xD8, 0x01]
        #expect(try ReadCalendar(bytes).items.map(\.summary) == ["Zürich 買い物 🧑‍🤝‍🧑"])
    }

    @Test(
        "quoted-printable and character sets of vCalendar 1.0 are undone, and written as iCalendar",
        arguments: [
            ("SUMMARY;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:Caf=C3=A9 bill", "Café bill"),
            ("SUMMARY;QUOTED-PRINTABLE:Caf=c3=a9=20bill", "Café bill"),
            ("SUMMARY;CHARSET=ISO-8859-1;ENCODING=QUOTED-PRINTABLE:Caf=E9 =A4", "Café ¤"),
            ("SUMMARY;charset=windows-1252;encoding=quoted-printable:=80 5", "€ 5"),
            ("SUMMARY;ENCODING=QUOTED-PRINTABLE:One=0D=0Atwo", "One\ntwo"),
            ("SUMMARY;ENCODING=QUOTED-PRINTABLE:One =\r\ntwo=\r\n three", "One two three"),
            ("SUMMARY;ENCODING=QUOTED-PRINTABLE:1 =3D 1", "1 = 1"),
            ("SUMMARY;ENCODING=QUOTED-PRINTABLE:a=b", "a=b"),
            ("SUMMARY;X-A=b:a=3Db", "a=3Db"),
        ])
    func quotedPrintable(line: String, title: String) throws {
        let read = try ReadCalendar(calendar("VTODO", ["DUE:20300501T090000Z", line]))
        #expect(read.items.map(\.summary) == [title])
        let text = read.items[0].text.joined(separator: "\n")
        #expect(!text.uppercased().contains("QUOTED") && !text.uppercased().contains("CHARSET"))
        #expect(text.contains("DUE:20300501T090000Z"))
    }

    @Test(
        "a line that only looks as if it were quoted-printable does not take the next one in",
        arguments: ["SUMMARY;ENCODING=QUOTED-PRINTABLEX:Tea=", "X-QUOTED-PRINTABLE;A=b:Tea="])
    func notQuotedPrintable(line: String) throws {
        let read = try ReadCalendar(calendar("VTODO", [line, "DUE:20300501T090000Z"]))
        let text = try #require(read.items.first).text
        #expect(text.contains(line) && text.contains("DUE:20300501T090000Z"))
    }

    @Test("raw bytes are read in the character set that the line names")
    func rawBytes() throws {
        var bytes = Array("BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:a\n".utf8)
        bytes += Array("SUMMARY;CHARSET=ISO-8859-1:Caf".utf8) + [0xE9, 0x0A]
        bytes += Array("DUE:20300501T090000Z\nEND:VTODO\n".utf8)
        #expect(try ReadCalendar(bytes).items.map(\.summary) == ["Café"])
    }

    @Test(
        "an offset is read as people mean it",
        arguments: [
            ("GMT+05:30", "2030-07-10T04:30:00Z"), ("UTC-3", "2030-07-10T13:00:00Z"),
            ("UTC+03:00", "2030-07-10T07:00:00Z"), ("+0545", "2030-07-10T04:15:00Z"),
            ("GMT-0930", "2030-07-10T19:30:00Z"), ("GMT+14", "2030-07-09T20:00:00Z"),
            ("(UTC+05:30) Nowhere", "2030-07-10T04:30:00Z"), ("GMT+0", "2030-07-10T10:00:00Z"),
        ])
    func offsets(zone: String, due: String) throws {
        let read = try ReadCalendar(
            calendar("VTODO", ["DUE;TZID=\"\(zone)\":20300710T100000"]), zone: "America/New_York")
        let rings = try read.rings(now: "2030-01-01T00:00:00Z", zone: "America/New_York")
        #expect(rings == [due])
        #expect(read.problems.isEmpty)
    }
}
