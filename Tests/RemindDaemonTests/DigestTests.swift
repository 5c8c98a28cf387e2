import Popups
import RemindAPI
import RemindCore
import Store
import Testing

@testable import RemindDaemon

@Suite("Many at once")
struct DigestTests {
    private func ringing(_ count: Int) throws -> World {
        let world = try World()
        for index in 1...count { try world.add("Item \(index)", at: "11:00") }
        try world.advance(to: "2024-05-01T11:00:00+02:00")
        return world
    }

    @Test("A nag in the instant in which a digest begins: its pop-up stayed beside the digest")
    func nagAmongThem() throws {
        let world = try World()
        try world.add("Pills", at: "10:45") { $0.nag = "15m" }
        for title in ["Tea", "Bread", "Call"] { try world.add(title, at: "11:00") }
        try world.pass(to: "2024-05-01T10:59:59+02:00")
        #expect(world.presenter.wanted.values.map(\.summary) == ["Pills"])
        try world.pass(to: "2024-05-01T11:00:00+02:00")
        #expect(world.presenter.wanted.values.map(\.summary) == ["4 reminders"])
        try world.isolated { _ = try $0.dismiss($0.find("all"), origin: .command) }
        #expect(world.presenter.wanted.isEmpty)
    }

    @Test("Up to DigestAbove, each has its pop-up; one more, and there is one for all")
    func threshold() throws {
        #expect(try ringing(3).presenter.wanted.count == 3)
        let many = try ringing(4).presenter.wanted
        #expect(many.keys.sorted() == ["digest"])
        #expect(many["digest"]?.summary == "4 reminders")
    }

    @Test("What stands on the screen is merged when more come")
    func merged() throws {
        let world = try ringing(3)
        try world.add("Late", at: "11:01") { $0.priority = .high }
        try world.advance(to: "2024-05-01T11:01:00+02:00")
        let wanted = world.presenter.wanted
        #expect(wanted.keys.sorted() == ["digest"])
        #expect(wanted["digest"]?.body.hasPrefix("• Late") == true)
        #expect(wanted["digest"]?.urgency == .critical)
    }

    @Test("A thousand are one pop-up that names a few and counts the rest")
    func thousand() throws {
        let world = try ringing(1000)
        #expect(world.popups.count == 1)
        let body = try #require(world.popups.first?.body)
        #expect(body.split(separator: "\n").count == 6)
        #expect(body.hasSuffix("and 995 more"))
    }

    @Test("Done all: all are done, and the digest goes")
    func doneAll() throws {
        let world = try ringing(5)
        world.screen(.answered(key: "digest", action: "done"))
        for number in 1...5 { #expect(try world.reminder(Int64(number)).state == .done) }
        #expect(world.presenter.wanted.isEmpty)
    }

    @Test("Snooze all: each is snoozed and comes back")
    func snoozeAll() throws {
        let world = try ringing(5)
        world.screen(.answered(key: "digest", action: "snooze"))
        #expect(world.presenter.wanted.isEmpty)
        #expect(try world.reminder(3).alarm.state == .snoozed)
        try world.advance(to: "2024-05-01T11:10:00+02:00")
        #expect(world.presenter.wanted["digest"]?.summary == "5 reminders")
    }

    @Test("Show, and a click, list more and answer nothing", arguments: ["show", "default"])
    func show(action: String) throws {
        let world = try ringing(10)
        world.screen(.answered(key: "digest", action: action))
        #expect(world.presenter.wanted["digest"]?.body.split(separator: "\n").count == 10)
        #expect(try world.isolated { try $0.store.ringing().count } == 10)
    }

    @Test("Each keeps its own state: one answered elsewhere leaves the digest")
    func oneAnswered() throws {
        let world = try ringing(5)
        let third = try world.reminder(3)
        _ = try world.isolated { try $0.complete([third], series: false, origin: .command) }
        #expect(world.presenter.wanted["digest"]?.summary == "4 reminders")
        #expect(world.presenter.wanted["digest"]?.body.contains("Item 3") == false)
        for number in [1, 2, 4, 5] as [Int64] {
            let reminder = try world.reminder(number)
            _ = try world.isolated { try $0.dismiss([reminder], origin: .command) }
        }
        #expect(world.presenter.wanted.isEmpty)
    }

    @Test("Closing the digest dismisses what it listed; the rest takes its place")
    func closed() throws {
        let world = try ringing(7)
        world.screen(.dismissed(key: "digest"))
        #expect(try world.isolated { try $0.store.ringing().count } == 2)
        #expect(world.presenter.wanted["digest"]?.summary == "2 reminders")
        #expect(try world.reminder(1).state == .open)
        world.screen(.dismissed(key: "digest"))
        #expect(world.presenter.wanted.isEmpty)
    }

    @Test("Many that come due while the store is locked are one digest, shown once, and none stays")
    func lockedStore() throws {
        let world = try World()
        for index in 1...6 { try world.add("Item \(index)", at: "11:00") }
        let lock = try DatabaseLock(world.database)
        try world.advance(to: "2024-05-01T11:00:00+02:00")
        try world.advance(to: "2024-05-01T11:00:01+02:00")
        #expect(world.popups.map(\.key) == ["digest"])
        lock.release()
        try world.advance(to: "2024-05-01T11:00:02+02:00")
        #expect(world.popups.count == 1)
        world.screen(.answered(key: "digest", action: "done"))
        #expect(world.presenter.wanted.isEmpty)
        #expect(try world.reminder(6).state == .done)
        #expect(try world.reminder(6).alarm.rings == 1)
    }

    @Test("Pop-ups of the run before give way to a digest when more came due meanwhile")
    func singlesGiveWay() throws {
        let world = try ringing(3)
        let key = try world.reminder(2).id.text
        world.screen(.shown(key: key, serverBusName: ":1.7", id: 5))
        try world.add("Item 4", at: "11:10")
        world.clock.now = try #require(Instant(rfc3339: "2024-05-01T11:30:00+02:00"))
        try world.restart()
        #expect(world.presenter.wanted.keys.sorted() == ["digest"])
        #expect(
            world.presenter.calls.contains(
                .close(key: key, earlier: ShownPopup(serverBusName: ":1.7", id: 5))))
    }

    @Test("After being off, many come as one digest, in the place of the old one")
    func afterRestart() throws {
        let world = try ringing(6)
        world.screen(.shown(key: "digest", serverBusName: ":1.7", id: 9))
        try world.restart()
        #expect(world.popups.map(\.key) == ["digest"])
        #expect(world.popups.first?.earlier == ShownPopup(serverBusName: ":1.7", id: 9))
    }
}

@Suite("Holding back")
struct HoldTests {
    @Test("A pause holds pop-ups back and ends in one digest; each rings in the store meanwhile")
    func pause() throws {
        let world = try World()
        try world.add("Tea", at: "11:00")
        try world.add("Milk", at: "11:05") { $0.priority = .high }
        try world.isolated { try $0.pause(until: Instant(rfc3339: "2024-05-01T12:00:00+02:00")) }
        try world.advance(to: "2024-05-01T11:10:00+02:00")
        #expect(world.shown == [])
        #expect(try world.reminder(1).alarm.state == .ringing)
        try world.advance(to: "2024-05-01T12:00:00+02:00")
        #expect(world.shown == ["2 reminders"])
    }

    @Test("A pause takes away what stands on the screen, and resume brings it back")
    func resume() throws {
        let world = try World()
        try world.add("Tea", at: "11:00")
        try world.advance(to: "2024-05-01T11:00:00+02:00")
        try world.isolated { try $0.pause(until: nil) }
        #expect(world.presenter.wanted.isEmpty)
        try world.isolated { try $0.resume() }
        #expect(world.presenter.wanted.values.map(\.summary) == ["Tea"])
    }

    @Test("A pause survives a restart")
    func pauseAcrossRestart() throws {
        let world = try World()
        try world.add("Tea", at: "11:00")
        try world.isolated { try $0.pause(until: Instant(rfc3339: "2024-05-01T12:00:00+02:00")) }
        try world.restart()
        try world.advance(to: "2024-05-01T11:30:00+02:00")
        #expect(world.shown == [])
        try world.restart()
        #expect(world.shown == [])
        try world.advance(to: "2024-05-01T12:00:00+02:00")
        #expect(world.shown == ["Tea"])
    }

    @Test("A pause holds while the store is locked, too")
    func lockedStore() throws {
        let world = try World()
        try world.add("Tea", at: "11:00")
        try world.isolated { try $0.pause(until: nil) }
        let lock = try DatabaseLock(world.database)
        try world.advance(to: "2024-05-01T11:00:00+02:00")
        #expect(world.shown == [])
        lock.release()
        try world.isolated { try $0.resume() }
        #expect(world.shown == ["Tea"])
    }

    @Test("Answered while it is held, nothing is shown afterwards")
    func answeredMeanwhile() throws {
        let world = try World()
        let tea = try world.add("Tea", at: "11:00")
        try world.isolated { try $0.pause(until: nil) }
        try world.advance(to: "2024-05-01T11:00:00+02:00")
        _ = try world.isolated { try $0.complete([tea], series: false, origin: .command) }
        try world.isolated { try $0.resume() }
        #expect(world.shown == [])
    }

    @Test("Quiet hours across midnight hold back all but high priority, and end by themselves")
    func quiet() throws {
        let world = try World(now: "2024-05-01T20:00:00+02:00")
        world.settings.quiet = Settings.QuietHours(
            from: try #require(CivilTime(hour: 22)), until: try #require(CivilTime(hour: 7)))
        try world.restart()
        try world.add("Tea", at: "23:00")
        try world.add("Urgent", at: "23:30") { $0.priority = .high }
        try world.add("Breakfast", at: "2024-05-02 06:30")
        try world.advance(to: "2024-05-01T23:00:00+02:00")
        try world.advance(to: "2024-05-01T23:30:00+02:00")
        try world.advance(to: "2024-05-02T06:59:00+02:00")
        #expect(world.shown == ["Urgent"])
        try world.advance(to: "2024-05-02T07:00:00+02:00")
        #expect(world.shown.last == "3 reminders")
    }

    @Test(
        "Quiet hours contain their beginning and not their end",
        arguments: [
            (21, false), (22, true), (23, true), (0, true), (6, true), (7, false), (12, false),
        ])
    func quietHours(hour: Int, expected: Bool) throws {
        let quiet = Settings.QuietHours(
            from: try #require(CivilTime(hour: 22)), until: try #require(CivilTime(hour: 7)))
        #expect(quiet.contains(try #require(CivilTime(hour: hour))) == expected)
    }
}
