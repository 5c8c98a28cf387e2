import Popups
import RemindAPI
import RemindCore
import Store
import Testing

@testable import RemindDaemon

@Suite("Calendar files are stored and written")
struct RoundTripTests {
    private let world: World

    init() throws { world = try World() }

    private static func file(_ components: String...) -> String {
        "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Test//EN\r\n" + components.joined()
            + "END:VCALENDAR\r\n"
    }

    private static func todo(_ uid: String, _ lines: String...) -> String {
        "BEGIN:VTODO\r\nUID:\(uid)\r\n" + lines.map { $0 + "\r\n" }.joined() + "END:VTODO\r\n"
    }

    private static let foreign = """
        BEGIN:VCALENDAR\r
        BEGIN:VTODO\r
        UID:foreign@example.com\r
        DTSTAMP:20240401T000000Z\r
        SUMMARY;LANGUAGE=en:Tea\\, with “milk”\r
        DUE;TZID=Europe/Paris:20240601T090000\r
        PRIORITY:3\r
        STATUS:IN-PROCESS\r
        PERCENT-COMPLETE:50\r
        ATTENDEE;CN="Doe, J";PARTSTAT=ACCEPTED:mailto:j@example.com\r
        GEO:37.386013;-122.082932\r
        X-ODD;X-P=a,b:\\z;raw,\\,value\r
        RRULE:FREQ=DAILY;COUNT=3\r
        RRULE:FREQ=WEEKLY;COUNT=2\r
        EXRULE:FREQ=MONTHLY\r
        BEGIN:VALARM\r
        ACTION:AUDIO\r
        TRIGGER:-PT15M\r
        ATTACH;VALUE=URI:ftp://example.com/ping.aud\r
        X-IN-ALARM:yes\r
        END:VALARM\r
        BEGIN:X-PART\r
        X-Y:1\r
        END:X-PART\r
        END:VTODO\r
        END:VCALENDAR\r

        """

    @Test("importing twice changes nothing, a newer version does, an older one is left alone")
    func versions() throws {
        func reply(_ stamp: String, _ title: String) throws -> [Int?] {
            let text = Self.file(
                Self.todo("a", "LAST-MODIFIED:\(stamp)", "SUMMARY:\(title)", "DUE:20240601T090000"))
            let reply = try #require(try world.imports(text).last)
            return [reply.added, reply.changed, reply.unchanged]
        }
        #expect(try reply("20240101T000000Z", "one") == [1, 0, 0])
        #expect(try reply("20240101T000000Z", "one") == [0, 0, 1])
        #expect(try reply("20240102T000000Z", "two") == [0, 1, 0])
        #expect(try reply("20240101T000000Z", "one") == [0, 0, 1])
        #expect(try world.all().map(\.title) == ["two"])
    }

    @Test("what was done here is not undone by the same version")
    func local() throws {
        let text = Self.file(Self.todo("a", "SUMMARY:Tea", "DUE:20240501T103100"))
        _ = try world.imports(text)
        try world.advance(to: "2024-05-01T10:31:00+02:00")
        #expect(world.shown == ["Tea"])
        _ = try world.isolated { try $0.complete($0.find("1"), series: false, origin: .command) }
        let again = try #require(try world.imports(text).last)
        #expect(again.unchanged == 1)
        #expect(try world.reminder(1).state == .done)
    }

    @Test("A-val-03: a repeating alarm that was dismissed does not repeat; other alarms still ring")
    func dismissedRepeats() throws {
        let text = Self.file(
            Self.todo(
                "a", "SUMMARY:Tea", "DUE:20240501T110000", "BEGIN:VALARM", "ACTION:DISPLAY",
                "TRIGGER:-PT15M", "REPEAT:2", "DURATION:PT5M", "END:VALARM", "BEGIN:VALARM",
                "ACTION:DISPLAY", "TRIGGER:-PT3M", "END:VALARM"))
        _ = try world.imports(text)
        try world.advance(to: "2024-05-01T10:45:00+02:00")
        try world.advance(to: "2024-05-01T10:50:00+02:00")
        #expect(try world.reminder(1).alarm.rings == 2)
        _ = try world.isolated { try $0.dismiss($0.find("1"), origin: .command) }
        let next = Instant(rfc3339: "2024-05-01T10:57:00+02:00")
        #expect(try world.reminder(1).alarm.nextRing == next)
        try world.advance(to: "2024-05-01T10:57:00+02:00")
        #expect(try world.reminder(1).alarm.rings == 3)
    }

    @Test("everything foreign is written again as it came")
    func foreign() throws {
        _ = try world.imports(Self.foreign)
        let text = try world.exports()
        for line in Self.foreign.split(separator: "\r\n").dropFirst().dropLast() {
            #expect(text.contains("\r\n" + line + "\r\n"), "\(line)")
        }
        #expect(text.contains("BEGIN:VTIMEZONE\r\nTZID:Europe/Paris\r\n"))
        for line in text.split(separator: "\r\n") { #expect(line.utf8.count <= 75) }
        // Also when something was changed here.
        _ = try world.isolated { engine in
            var edit = Edit.Parameters(reference: "1")
            edit.title = "Coffee"
            return try engine.edit(edit).0
        }
        let edited = try world.exports()
        #expect(edited.contains("\r\nSUMMARY:Coffee\r\n"))
        for line in Self.foreign.split(separator: "\r\n").dropFirst(2).dropLast()
        where !line.hasPrefix("SUMMARY") && !line.hasPrefix("DTSTAMP") {
            #expect(edited.contains("\r\n" + line + "\r\n"), "\(line)")
        }
    }

    @Test("a title that was made of the note stays when the note is changed (no SUMMARY)")
    func titleOfTheNote() throws {
        _ = try world.imports(
            Self.file(Self.todo("a", "DESCRIPTION:Water plants\\nand more", "DUE:20240501T110000")))
        #expect(try world.reminder(1).title == "Water plants")
        #expect(try !world.exports().contains("SUMMARY"))
        try world.advance(to: "2024-05-01T10:31:00+02:00")
        _ = try world.isolated { engine in
            var edit = Edit.Parameters(reference: "1")
            edit.note = "changed"
            return try engine.edit(edit).0
        }
        #expect(try world.exports().contains("\r\nSUMMARY:Water plants\r\n"))
    }

    @Test("an imported task rings at its own alarms and nowhere else")
    func alarms() throws {
        _ = try world.imports(
            Self.file(
                Self.todo(
                    "a", "SUMMARY:Tea", "DUE:20240501T110000", "BEGIN:VALARM", "ACTION:DISPLAY",
                    "TRIGGER;RELATED=END:-PT15M", "END:VALARM")))
        #expect(
            try world.reminder(1).alarm.nextRing == Instant(rfc3339: "2024-05-01T10:45:00+02:00"))
        try world.advance(to: "2024-05-01T10:45:00+02:00")
        #expect(world.shown == ["Tea"])
        let rung = try world.reminder(1)
        #expect(rung.alarm.state == .ringing && rung.alarm.nextRing == nil)
        _ = try world.isolated { try $0.dismiss($0.find("1"), origin: .command) }
        #expect(try world.exports().contains("\r\nACKNOWLEDGED:20240501T084500Z\r\n"))
    }

    @Test("an occurrence that was changed by itself rings with its own title and note (A-rec-07)")
    func changedOccurrence() throws {
        let series = [
            "SUMMARY:Tea", "DESCRIPTION:black", "DTSTART;TZID=Europe/Berlin:20240501T120000",
            "RRULE:FREQ=DAILY;COUNT=3",
        ]
        let change = [
            "SUMMARY:Coffee", "DESCRIPTION:strong",
            "RECURRENCE-ID;TZID=Europe/Berlin:20240502T120000",
            "DTSTART;TZID=Europe/Berlin:20240502T180000",
        ]
        _ = try world.imports(
            Self.file(
                Self.todo("a", series[0], series[1], series[2], series[3]),
                Self.todo("a", change[0], change[1], change[2], change[3])))
        var shown: [[String]] = []
        for time in ["01T12", "02T18", "03T12"] {
            try world.advance(to: "2024-05-\(time):00:00+02:00")
            let popups = world.presenter.wanted.values
            shown.append(popups.map { $0.summary + " " + String($0.body.prefix(6)) })
            _ = try world.isolated { try $0.dismiss($0.find("1"), origin: .command) }
        }
        #expect(shown == [["Tea black\n"], ["Coffee strong"], ["Tea black\n"]])
    }

    @Test("a series with a changed occurrence rings where it says and moves on when it is done")
    func series() throws {
        _ = try world.imports(
            Self.file(
                Self.todo(
                    "a", "SUMMARY:Tea", "DTSTART;TZID=Europe/Berlin:20240501T120000",
                    "DUE;TZID=Europe/Berlin:20240501T130000", "RRULE:FREQ=DAILY;COUNT=4"),
                Self.todo(
                    "a", "RECURRENCE-ID;TZID=Europe/Berlin:20240502T120000", "SUMMARY:Tea, late",
                    "DTSTART;TZID=Europe/Berlin:20240502T180000",
                    "DUE;TZID=Europe/Berlin:20240502T190000")))
        func next() throws -> String? {
            try world.reminder(1).alarm.nextRing?.rfc3339(offset: 7200)
        }
        #expect(try next() == "2024-05-01T13:00:00+02:00")
        try world.advance(to: "2024-05-01T13:00:00+02:00")
        _ = try world.isolated { try $0.complete($0.find("1"), series: false, origin: .command) }
        #expect(try next() == "2024-05-02T19:00:00+02:00")
        try world.advance(to: "2024-05-02T19:00:00+02:00")
        _ = try world.isolated { try $0.complete($0.find("1"), series: false, origin: .command) }
        #expect(try next() == "2024-05-03T13:00:00+02:00")
        #expect(world.shown == ["Tea", "Tea, late"])
    }

    @Test("the import of an export gives the same store")
    func same() throws {
        try fill()
        let other = try World()
        let text = try world.exports { $0.all = true }
        let reply = try #require(try other.imports(text).last)
        #expect(reply.problems.allSatisfy { !$0.refused })
        let (here, there) = (try world.all(), try other.all())
        #expect(there.count == here.count)
        // What came from a calendar has another identifier of ours in each store.
        let ours = { (all: [Reminder]) in all.filter { $0.list != "calendar" } }
        for (mine, its) in zip(ours(here), ours(there)) {
            var its = its
            its.number = mine.number
            #expect(mine == its)
        }
        let again = try #require(try world.imports(text).last)
        #expect(again.changed == 0 && again.added == 0)
    }

    @Test("what rings when it is exported rings on where it is read, ours and a calendar's")
    func ringing() throws {
        try world.add("Tea", at: "10:40") { $0.nag = "5m" }
        try world.add("Pills", at: "every day at 10:40")
        _ = try world.imports(
            Self.file(Self.todo("a", "SUMMARY:Rent", "DUE:20240501T104000")))
        try world.add("Snoozed", at: "10:40")
        try world.advance(to: "2024-05-01T10:40:00+02:00")
        _ = try world.isolated { engine in
            _ = try engine.snooze(Snooze.Parameters(reference: "4", until: "20m"))
        }
        let text = try world.exports()
        let other = try World()
        try other.advance(to: "2024-05-01T10:41:00+02:00")
        _ = try other.imports(text)
        #expect(Set(other.shown) == ["Tea", "Pills", "Rent"])
        let (here, there) = (try world.all(), try other.all())
        for mine in here {
            let its = try #require(there.first { $0.title == mine.title })
            #expect(its.alarm.state == mine.alarm.state && its.alarm.ring == mine.alarm.ring)
            #expect(its.alarm.nextRing == mine.alarm.nextRing, "\(mine.title)")
            #expect(its.alarm.snoozedUntil == mine.alarm.snoozedUntil)
        }
        _ = try other.isolated { try $0.dismiss($0.find("1"), origin: .command) }
        #expect(try other.reminder(1).alarm.state != .ringing)
    }

    /// Tasks of all kinds, ours and those of a calendar.
    private func fill() throws {
        try world.add("Plain")
        try world.add("Floating", at: "2030-05-01 09:00") {
            ($0.before, $0.nag, $0.priority) = (["15m", "1d"], "5m", .high)
            ($0.tags, $0.list, $0.note) = (["a", "b;c"], "work", "Two\nlines, and \\ more;")
        }
        try world.add("Zoned", at: "2030-05-01 09:00 America/New_York")
        try world.add("Absolute") { $0.in = "20m" }
        try world.add("Date", at: "2030-05-01") { $0.before = ["1d"] }
        try world.add("Daily", at: "every day at 9:00 until 2030-06-01")
        try world.add("Month ends", at: "monthly on the 31st")
        try world.add("After", at: "every 3 days after completion")
        try world.add("Done", at: "2030-05-01 09:00")
        _ = try world.isolated { try $0.complete($0.find("9"), series: false, origin: .command) }
        _ = try world.imports(Self.foreign) { $0.list = "calendar" }
    }
}
