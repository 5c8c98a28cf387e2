import Popups
import RemindAPI
import RemindCore
import Store
import Testing

@testable import RemindDaemon

private func server(_ name: String = "Plasma", isInhibited: Bool) -> PresenterEvent {
    .serverAppeared(ServerInfo(busName: ":1.7@bus", name: name, isInhibited: isInhibited))
}

@Suite("“Do not disturb” of the desktop")
struct DisturbTests {
    @Test("Rings are kept in the store meanwhile, and come in one digest when it ends")
    func held() throws {
        let world = try World()
        world.screen(server(isInhibited: true))
        try world.add("Tea", at: "11:00")
        try world.add("Milk", at: "11:05")
        try world.advance(to: "2024-05-01T11:05:00+02:00")
        #expect(world.shown == [])
        #expect(try world.reminder(1).alarm.state == .ringing)
        world.screen(.inhibitionChanged(false))
        #expect(world.shown == ["2 reminders"])
    }

    @Test("High priority comes through")
    func high() throws {
        let world = try World()
        world.screen(server(isInhibited: true))
        try world.add("Tea", at: "11:00")
        try world.add("Fire", at: "11:00") { $0.priority = .high }
        try world.advance(to: "2024-05-01T11:00:00+02:00")
        #expect(world.shown == ["Fire"])
        #expect(world.popups.map(\.passesInhibition) == [true])
    }

    @Test("Its beginning takes away what stands on the screen, its end brings it back")
    func beginning() throws {
        let world = try World()
        world.screen(server(isInhibited: false))
        try world.add("Tea", at: "11:00")
        try world.advance(to: "2024-05-01T11:00:00+02:00")
        world.screen(.inhibitionChanged(true))
        #expect(world.presenter.wanted.isEmpty)
        world.screen(.inhibitionChanged(false))
        #expect(world.presenter.wanted.values.map(\.summary) == ["Tea"])
    }

    @Test("A server that goes meanwhile ends nothing; the next one says what is true")
    func nextServer() throws {
        let world = try World()
        world.screen(server(isInhibited: true))
        try world.add("Tea", at: "11:00")
        try world.advance(to: "2024-05-01T11:00:00+02:00")
        world.screen(.serverVanished)
        #expect(world.shown == [])
        world.screen(server("dunst", isInhibited: false))
        #expect(world.shown == ["Tea"])
    }

    @Test("When it ends in quiet hours or in a pause, these go on holding")
    func within() throws {
        let world = try World()
        world.screen(server(isInhibited: true))
        try world.add("Tea", at: "11:00")
        try world.isolated { try $0.pause(until: Instant(rfc3339: "2024-05-01T12:00:00+02:00")) }
        try world.advance(to: "2024-05-01T11:00:00+02:00")
        world.screen(.inhibitionChanged(false))
        #expect(world.shown == [])
        world.screen(.inhibitionChanged(true))
        try world.advance(to: "2024-05-01T12:00:00+02:00")
        #expect(world.shown == [])
        world.screen(.inhibitionChanged(false))
        #expect(world.shown == ["Tea"])
    }

    @Test("status and explain say so")
    func said() throws {
        let world = try World()
        world.screen(server(isInhibited: true))
        try world.add("Tea", at: "11:00")
        try world.advance(to: "2024-05-01T11:00:00+02:00")
        let said = try world.isolated { engine in
            var json = JSONWriter()
            try engine.status(ProgramFacts(processID: 1, database: "/d"), to: &json)
            try engine.explain("1", to: &json)
            return String(decoding: json.bytes, as: UTF8.self)
        }
        #expect(said.contains(#""holding":true,"heldBy":"doNotDisturb","holdingUntil":null"#))
        #expect(said.contains("The desktop's “do not disturb” holds its pop-up back until"))
    }
}

@Suite("Pop-ups that the server takes away")
struct DroppedTests {
    private func ringing(_ count: Int, digestAbove: Int = 10) throws -> World {
        let world = try World()
        world.settings.digestAbove = digestAbove
        try world.restart()
        world.screen(server("GNOME Shell", isInhibited: false))
        for index in 1...count { try world.add("Item \(index)", at: "11:00") }
        try world.advance(to: "2024-05-01T11:00:00+02:00")
        return world
    }

    private func key(_ number: Int64, _ world: World) throws -> String {
        try world.reminder(number).id.text
    }

    @Test(
        "Where the server keeps few and drops the oldest, all become one digest, and no loop begins",
        arguments: [1, 4] as [UInt32])
    func keepsFew(reason: UInt32) throws {
        let world = try ringing(5)
        #expect(world.popups.count == 5)
        world.screen(.closedUnanswered(key: try key(1, world), reason: reason))
        #expect(world.presenter.wanted.keys.sorted() == ["digest"])
        #expect(world.presenter.wanted["digest"]?.summary == "5 reminders")
        // The second drop of the same moment; its pop-up is not wanted any more.
        world.screen(.closedUnanswered(key: try key(2, world), reason: reason))
        #expect(world.popups.count == 6)
        #expect(try world.isolated { try $0.store.ringing().count } == 5)
    }

    @Test("What is alone comes back, each time after twice as long, an hour at most")
    func alone() throws {
        let world = try ringing(1)
        let tea = try key(1, world)
        var time = world.clock.now
        for (index, minutes) in [1, 2, 4, 8, 16, 32, 60, 60].enumerated() {
            world.screen(.closedUnanswered(key: tea, reason: 1))
            time = time.advanced(bySeconds: Int64(minutes) * 60)
            world.clock.now = time.advanced(byMilliseconds: -1)
            world.isolated { $0.timerFired() }
            #expect(world.popups.count == index + 1, "before \(minutes) min")
            world.clock.now = time
            world.isolated { $0.timerFired() }
            #expect(world.popups.count == index + 2, "after \(minutes) min")
        }
    }

    @Test("Answered meanwhile, it does not come back, and the next one begins anew")
    func answered() throws {
        let world = try ringing(1)
        world.screen(.closedUnanswered(key: try key(1, world), reason: 1))
        let item = try world.reminder(1)
        _ = try world.isolated { try $0.complete([item], series: false, origin: .command) }
        try world.advance(to: "2024-05-01T11:30:00+02:00")
        #expect(world.popups.count == 1)
        #expect(world.isolated { $0.dropDelay } == Engine.firstDropDelay)
    }

    @Test("A digest comes back too, with all that rings")
    func digest() throws {
        let world = try ringing(5, digestAbove: 3)
        world.screen(.closedUnanswered(key: "digest", reason: 4))
        try world.advance(to: "2024-05-01T11:01:00+02:00")
        #expect(world.shown == ["5 reminders", "5 reminders"])
    }

    @Test("With Timeout= it goes as it was asked to, and rings on in the list")
    func configured() throws {
        let world = try World()
        world.settings.popupTimeout = 30_000
        try world.restart()
        try world.add("Tea", at: "11:00")
        try world.advance(to: "2024-05-01T11:00:00+02:00")
        world.screen(.closedUnanswered(key: try key(1, world), reason: 1))
        try world.advance(to: "2024-05-01T13:00:00+02:00")
        #expect(world.shown == ["Tea"])
        #expect(try world.reminder(1).alarm.state == .ringing)
    }

    @Test("In a pause it waits for the end of the pause")
    func paused() throws {
        let world = try ringing(1)
        world.screen(.closedUnanswered(key: try key(1, world), reason: 1))
        try world.isolated { try $0.pause(until: nil) }
        try world.advance(to: "2024-05-01T11:30:00+02:00")
        #expect(world.popups.count == 1)
        try world.isolated { try $0.resume() }
        #expect(world.popups.count == 2)
    }
}
