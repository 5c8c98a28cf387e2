import Calendaring
import Popups
import RemindAPI
import RemindCore
import Testing

@testable import RemindDaemon

@Suite("Editing how a task rings, with the same deadline")
struct EditAlarmTests {
    /// A task that rang at 11:00.
    private func rung(_ change: (inout Add.Parameters) -> Void = { _ in }) throws -> World {
        let world = try World()
        try world.add("Tea", at: "11:00", change)
        try world.advance(to: "2024-05-01T11:00:00+02:00")
        #expect(world.shown == ["Tea"])
        return world
    }

    @discardableResult
    private func edit(
        _ world: World, _ change: (inout Edit.Parameters) -> Void
    ) throws -> Alarm {
        var parameters = Edit.Parameters(reference: "1")
        change(&parameters)
        return try world.isolated { [parameters] in try $0.edit(parameters).0.alarm }
    }

    private static let changes: [(String, @Sendable (inout Edit.Parameters) -> Void)] = [
        ("a lead time", { $0.before = ["15m"] }), ("a nag", { $0.nag = "30m" }),
        ("a rule", { $0.every = "week" }), ("no rule", { $0.every = "" }),
    ]

    @Test("What was answered does not ring again", arguments: changes.map(\.0))
    func dismissed(name: String) throws {
        let world = try rung { $0.every = "day" }
        try world.isolated { engine in
            _ = try engine.dismiss([try engine.findOne("1")], origin: .command)
        }
        let change = try #require(Self.changes.first { $0.0 == name }).1
        try edit(world, change)
        try world.advance(to: "2024-05-01T22:00:00+02:00")
        #expect(world.shown == ["Tea"])
    }

    @Test("What rings goes on ringing, as the same ring", arguments: changes.map(\.0))
    func ringing(name: String) throws {
        let world = try rung { $0.every = "day" }
        let change = try #require(Self.changes.first { $0.0 == name }).1
        let alarm = try edit(world, change)
        #expect(alarm.state == .ringing)
        #expect(alarm.rings == 1)
        #expect(world.presenter.wanted.values.map(\.summary) == ["Tea"])
    }

    @Test("A snooze ends when it was to end", arguments: changes.map(\.0))
    func snoozed(name: String) throws {
        let world = try rung { $0.every = "day" }
        try world.isolated { engine in
            let until = engine.clock.now.advanced(bySeconds: 3600)
            _ = try engine.snooze([try engine.findOne("1")], until: until, origin: .command)
        }
        let change = try #require(Self.changes.first { $0.0 == name }).1
        let alarm = try edit(world, change)
        #expect(alarm.state == .snoozed)
        #expect(alarm.nextRing == Instant(rfc3339: "2024-05-01T10:00:00Z"))
        try world.advance(to: "2024-05-01T12:00:00+02:00")
        #expect(try world.reminder(1).alarm.rings == 2)
    }

    @Test("A nag that is set while it rings begins, one that is cleared ends")
    func nagWhileRinging() throws {
        let world = try rung()
        try edit(world) { $0.nag = "10m" }
        try world.pass(to: "2024-05-01T11:20:00+02:00")
        #expect(try world.reminder(1).alarm.rings == 3)
        #expect(try edit(world) { $0.nag = "" }.nextRing == nil)
        try world.pass(to: "2024-05-01T12:00:00+02:00")
        #expect(try world.reminder(1).alarm.rings == 3)
    }

    @Test(
        "What came with alarms of its own rings at those that are ahead, in every zone",
        arguments: ["Europe/Berlin", "America/New_York", "UTC"])
    func imported(zone: String) throws {
        let world = try World(zone: zone)
        _ = try world.imports(
            """
            BEGIN:VCALENDAR
            BEGIN:VTODO
            UID:tea@example.org
            SUMMARY:Tea
            DUE;TZID=\(zone):20240510T120000
            RRULE:FREQ=DAILY
            BEGIN:VALARM
            ACTION:DISPLAY
            TRIGGER;RELATED=END:-PT2H
            END:VALARM
            BEGIN:VALARM
            ACTION:DISPLAY
            TRIGGER;RELATED=END:PT10M
            END:VALARM
            END:VTODO
            END:VCALENDAR

            """)
        let due = try #require(try world.reminder(1).deadline)
        let noon = try world.isolated { try $0.timetable.schedule.instant(of: due).instant }
        try world.advance(to: noon.advanced(bySeconds: -7200).rfc3339(in: FixedZone.utc))
        #expect(world.shown == ["Tea"])
        try edit(world) { $0.nag = "1d" }
        try world.isolated { engine in
            _ = try engine.dismiss([try engine.findOne("1")], origin: .command)
        }
        #expect(try world.reminder(1).alarm.nextRing == noon.advanced(bySeconds: 600))
        let alarm = try edit(world) { $0.before = ["3h", "1h"] }
        #expect(alarm.nextRing == noon.advanced(bySeconds: -3600))
    }

    @Test("A lead time that has gone by does not ring, one that is ahead does")
    func leadTimes() throws {
        let world = try World()
        try world.add("Tea", at: "12:00")
        try world.add("Day", at: "tomorrow")
        let alarm = try edit(world) { $0.before = ["2h", "15m"] }
        #expect(alarm.nextRing == Instant(rfc3339: "2024-05-01T09:45:00Z"))
        let day = try edit(world) { ($0.reference, $0.before) = ("2", ["1d"]) }
        #expect(day.nextRing == Instant(rfc3339: "2024-05-02T07:00:00Z"))
    }
}
