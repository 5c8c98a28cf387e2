import Calendaring
import Popups
import RemindAPI
import RemindCore
import Testing

@testable import RemindDaemon

@Suite("A newer version of a calendar's task: what was done here stays")
struct ImportProgressTests {
    private let world: World

    /// A daily task, at 11:00 from 2 May on.
    init() throws {
        world = try World()
        try take(0)
    }

    private func take(
        _ sequence: Int, _ more: [String] = [], alarm: String = "PT0S", end: String = ""
    ) throws {
        let lines =
            [
                "BEGIN:VCALENDAR", "BEGIN:VTODO", "UID:tea@example.org", "SEQUENCE:\(sequence)",
                "DTSTAMP:2024010\(sequence + 1)T000000Z", "SUMMARY:Tea",
                "DUE;TZID=Europe/Berlin:20240502T110000", "RRULE:FREQ=DAILY\(end)",
            ] + more + [
                "BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER;RELATED=END:\(alarm)", "END:VALARM",
                "END:VTODO", "END:VCALENDAR", "",
            ]
        _ = try world.imports(lines.joined(separator: "\r\n"))
    }

    private func alarm() throws -> Alarm { try world.reminder(1).alarm }

    private func due() throws -> String {
        let deadline = try #require(try world.reminder(1).deadline)
        return world.isolated { $0.timetable.words(deadline) }
    }

    private func ring() throws {
        try world.advance(to: "2024-05-02T11:00:00+02:00")
        #expect(world.shown == ["Tea"])
    }

    private func done(series: Bool = false) throws {
        try world.isolated { engine in
            _ = try engine.complete([try engine.findOne("1")], series: series, origin: .command)
        }
    }

    private static let versions: [(name: String, lines: [String], alarm: String, end: String)] = [
        ("another alarm", [], "-PT20M", ""),
        ("one occurrence less", ["EXDATE;TZID=Europe/Berlin:20240509T110000"], "PT0S", ""),
        ("one occurrence more", ["RDATE;TZID=Europe/Berlin:20240509T150000"], "PT0S", ""),
        ("the same once more", ["X-OTHER:1"], "PT0S", ""),
        ("a last day", [], "PT0S", ";UNTIL=20240508T090000Z"),
        ("a count", [], "PT0S", ";COUNT=5"),
    ]

    private func takeNewer(_ name: String) throws {
        let version = try #require(Self.versions.first { $0.name == name })
        try take(1, version.lines, alarm: version.alarm, end: version.end)
    }

    @Test("What rings goes on", arguments: versions.map(\.name))
    func ringing(version: String) throws {
        try ring()
        try takeNewer(version)
        #expect(try alarm().state == .ringing)
        #expect(try alarm().rings == 1)
        #expect(try due().hasPrefix("Thu 2 May 2024, 11:00"))
    }

    @Test("A snooze goes on, and rings when it ends", arguments: versions.map(\.name))
    func snoozed(version: String) throws {
        try ring()
        try world.isolated { engine in
            let until = engine.clock.now.advanced(bySeconds: 3600)
            _ = try engine.snooze([try engine.findOne("1")], until: until, origin: .command)
        }
        try takeNewer(version)
        #expect(try alarm().state == .snoozed)
        try world.advance(to: "2024-05-02T12:00:00+02:00")
        #expect(try alarm().rings == 2)
    }

    @Test("Occurrences that are done do not come back", arguments: versions.map(\.name))
    func completed(version: String) throws {
        try done()
        try done()
        try takeNewer(version)
        #expect(try due().hasPrefix("Sat 4 May 2024, 11:00"))
        try world.advance(to: "2024-05-03T23:00:00+02:00")
        #expect(world.shown == [])
        try world.advance(to: "2024-05-04T11:00:00+02:00")
        #expect(world.shown == ["Tea"])
    }

    @Test("The occurrence that rings is taken out: the next one is current")
    func takenOut() throws {
        try ring()
        try take(1, ["EXDATE;TZID=Europe/Berlin:20240502T110000"])
        #expect(try alarm().state == .pending)
        #expect(try due().hasPrefix("Fri 3 May 2024, 11:00"))
        #expect(world.presenter.wanted.isEmpty)
    }

    @Test("A series that ended before the occurrence that rings has nothing more to ring")
    func ended() throws {
        try done()
        try world.advance(to: "2024-05-03T11:00:00+02:00")
        #expect(try alarm().state == .ringing)
        try take(1, end: ";UNTIL=20240502T090000Z")
        let rings = try alarm().rings
        try world.advance(to: "2024-05-05T12:00:00+02:00")
        #expect(try alarm().rings == rings && world.presenter.wanted.isEmpty)
    }

    @Test("A series of which all was done goes on when it is made longer")
    func longer() throws {
        try take(1, end: ";COUNT=2")
        try done()
        try done()
        #expect(try world.reminder(1).state == .done)
        try take(2, end: ";COUNT=4")
        #expect(try world.reminder(1).state == .open)
        #expect(try due().hasPrefix("Sat 4 May 2024, 11:00"))
        try world.advance(to: "2024-05-03T23:00:00+02:00")
        #expect(world.shown == [])
        try world.advance(to: "2024-05-04T11:00:00+02:00")
        #expect(try alarm().state == .ringing)
    }

    @Test("A series that was ended here before its time stays done when it is made longer")
    func endedHere() throws {
        try take(1, end: ";COUNT=3")
        try done()
        try done(series: true)
        try take(2, end: ";COUNT=5")
        #expect(try world.reminder(1).state == .done)
        try world.advance(to: "2024-05-09T11:00:00+02:00")
        #expect(world.shown == [])
    }
}
