import Calendaring
import FaultDisk
import Popups
import RemindAPI
import RemindCore
import Testing
import Timing

@testable import RemindDaemon

@Suite("What was held back is shown at last")
struct HeldBackTests {
    @Test("A pause of weeks ended behind what the wheel holds, and what it held back never came")
    func longPause() throws {
        let world = try World()
        try world.add("Tea", at: "11:00")
        try world.isolated { try $0.pause(until: Instant(rfc3339: "2024-05-25T12:00:00+02:00")) }
        try world.pass(to: "2024-05-25T11:59:59+02:00")
        #expect(world.shown == [])
        try world.pass(to: "2024-05-25T12:00:00+02:00")
        #expect(world.shown == ["Tea"])
        #expect(world.isolated { $0.timers.nextTick } == nil)
    }

    @Test("Quiet hours ended behind what the wheel holds, and what they held back never came")
    func quietHoursOverTheHorizon() throws {
        let world = try World()
        world.settings.quiet = .init(
            from: try #require(CivilTime(hour: 22)), until: try #require(CivilTime(hour: 11)))
        try world.restart()
        try world.add("Tea", at: "2024-05-08 10:00")
        try world.pass(to: "2024-05-08T10:59:59+02:00")
        #expect(try world.reminder(1).alarm.state == .ringing)
        #expect(world.shown == [])
        try world.pass(to: "2024-05-08T11:00:00+02:00")
        #expect(world.shown == ["Tea"])
    }

    @Test("The store could not be read when a pause ended, and what it held back never came")
    func unreadable() throws {
        let world = try World(onFaultyDisk: true)
        let disk = try #require(world.disk)
        try world.add("Tea", at: "11:00")
        try world.isolated { try $0.pause(until: Instant(rfc3339: "2024-05-01T12:00:00+02:00")) }
        try world.pass(to: "2024-05-01T11:59:59+02:00")
        // What SQLite has in its memory is not read again.
        try world.restart()
        disk.arm(.inputOutput, at: 1, lasting: true)
        try world.pass(to: "2024-05-01T12:00:00+02:00")
        disk.disarm()
        try world.pass(to: "2024-05-01T12:00:02+02:00")
        #expect(world.shown == ["Tea"])
    }

    @Test("The disk was full when the zone changed: deadlines stayed where they were")
    func zoneOnAFullDisk() throws {
        let world = try World(onFaultyDisk: true)
        let disk = try #require(world.disk)
        try world.add("Tea", at: "2024-05-01 18:00")
        disk.arm(.full, at: 1, lasting: true)
        world.isolated { $0.zoneChanged(.init(environment: ["TZ": "Asia/Tokyo"])) }
        disk.disarm()
        try world.pass(to: "2024-05-01T10:30:02+02:00")
        let ring = try world.reminder(1).alarm.nextRing
        #expect(ring == Instant(rfc3339: "2024-05-01T18:00:00+09:00"))
    }

    @Test("Another program held the lock and the zone had changed: the daemon did not start")
    func startOnALockedStore() throws {
        let world = try World()
        try world.add("Tea", at: "2024-05-01 18:00")
        world.end()
        let lock = try DatabaseLock(world.database)
        try world.begin(zone: "Asia/Tokyo")
        lock.release()
        try world.pass(to: "2024-05-01T10:30:02+02:00")
        let ring = try world.reminder(1).alarm.nextRing
        #expect(ring == Instant(rfc3339: "2024-05-01T18:00:00+09:00"))
    }

    @Test("An import that changes what rings: the pop-up went on with the old words")
    func imported() throws {
        let world = try World()
        let text = { (title: String, date: String) in
            """
            BEGIN:VCALENDAR
            BEGIN:VTODO
            UID:a
            SUMMARY:\(title)
            LAST-MODIFIED:\(date)
            DUE:20240501T090000Z
            END:VTODO
            END:VCALENDAR

            """
        }
        _ = try world.imports(text("Tea", "20240401T000000Z"))
        try world.pass(to: "2024-05-01T11:00:00+02:00")
        #expect(world.shown == ["Tea"])
        _ = try world.imports(text("Green tea", "20240501T090000Z"))
        #expect(try world.reminder(1).title == "Green tea")
        #expect(world.shown == ["Tea", "Green tea"])
    }

    @Test("The machine slept over the end of a pause: what came due in it had a pop-up each")
    func sleptOverThePause() throws {
        let world = try World()
        try world.add("Tea", at: "11:00")
        try world.add("Milk", at: "11:30")
        try world.isolated { try $0.pause(until: Instant(rfc3339: "2024-05-01T12:00:00+02:00")) }
        try world.advance(to: "2024-05-01T13:00:00+02:00")
        #expect(world.shown == ["2 reminders"])
        #expect(world.presenter.wanted.keys.sorted() == ["digest"])
    }

    @Test(
        "The machine slept over the end of quiet hours: what came due in them had a pop-up each",
        arguments: [false, true])
    func sleptOverQuietHours(fromTheBeginning: Bool) throws {
        let world = try World()
        world.settings.quiet = .init(
            from: try #require(CivilTime(hour: 22)), until: try #require(CivilTime(hour: 7)))
        try world.restart()
        try world.add("Tea", at: "23:00")
        try world.add("Milk", at: "2024-05-02 05:00")
        if !fromTheBeginning { try world.advance(to: "2024-05-01T23:00:00+02:00") }
        #expect(world.shown == [])
        try world.advance(to: "2024-05-02T08:00:00+02:00")
        #expect(world.shown == ["2 reminders"])
        #expect(world.presenter.wanted.keys.sorted() == ["digest"])
    }

    @Test("What came due after the quiet hours, too, over which the machine slept, has its pop-up")
    func sleptOverOne() throws {
        let world = try World()
        world.settings.quiet = .init(
            from: try #require(CivilTime(hour: 22)), until: try #require(CivilTime(hour: 7)))
        try world.restart()
        try world.add("Tea", at: "23:00")
        try world.add("Milk", at: "2024-05-02 07:30")
        try world.advance(to: "2024-05-02T08:00:00+02:00")
        #expect(world.shown == ["Tea", "Milk"])
    }
}
