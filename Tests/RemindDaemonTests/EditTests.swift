import Popups
import RemindAPI
import RemindCore
import Testing

@testable import RemindDaemon

@Suite("Editing")
struct EditTests {
    private func edit(
        _ world: World, _ change: (inout Edit.Parameters) -> Void
    ) throws -> Reminder {
        var parameters = Edit.Parameters(reference: "1")
        change(&parameters)
        return try world.isolated { [parameters] in try $0.edit(parameters).0 }
    }

    @Test("What is given changes, nothing else")
    func texts() throws {
        let world = try World()
        let before = try world.add("Tea", at: "11:00") { ($0.note, $0.tags) = ("Green", ["home"]) }
        let after = try edit(world) { ($0.title, $0.priority) = ("Coffee", .high) }
        var expected = before
        (expected.title, expected.priority, expected.modified) = ("Coffee", .high, after.modified)
        #expect(after == expected)
        #expect(try world.reminder(1) == expected)
    }

    @Test("An edit that changes nothing writes nothing")
    func nothing() throws {
        let world = try World()
        let before = try world.add("Tea", at: "11:00")
        world.clock.now = world.clock.now.advanced(bySeconds: 60)
        #expect(try edit(world) { $0.title = " Tea " } == before)
        #expect(try world.reminder(1).modified == before.modified)
    }

    @Test("Empty clears")
    func clear() throws {
        let world = try World()
        try world.add("Tea", at: "11:00") {
            ($0.note, $0.tags, $0.list, $0.nag) = ("Green", ["home"], "kitchen", "5m")
        }
        let after = try edit(world) {
            ($0.note, $0.tags, $0.list, $0.nag, $0.at) = ("", [], "", "", "")
        }
        #expect(after.note == nil)
        #expect(after.tags == [])
        #expect(after.list == Reminder.defaultList)
        #expect(after.nag == nil)
        #expect(after.deadline == nil)
        #expect(after.alarm.state == .none)
        #expect(throws: APIError.self) { try edit(world) { $0.title = "" } }
    }

    @Test("Another deadline: the old one does not ring, the new one does")
    func moved() throws {
        let world = try World()
        try world.add("Tea", at: "11:00")
        _ = try edit(world) { $0.at = "12:00" }
        try world.advance(to: "2024-05-01T11:30:00+02:00")
        #expect(world.shown == [])
        try world.advance(to: "2024-05-01T12:00:00+02:00")
        #expect(world.shown == ["Tea"])
    }

    @Test("While it rings: another deadline silences it, another title changes its pop-up")
    func whileRinging() throws {
        let world = try World()
        try world.add("Tea", at: "11:00")
        try world.advance(to: "2024-05-01T11:00:00+02:00")
        _ = try edit(world) { $0.title = "Coffee" }
        #expect(world.presenter.wanted.values.map(\.summary) == ["Coffee"])
        _ = try edit(world) { $0.at = "12:00" }
        #expect(world.presenter.wanted.isEmpty)
        #expect(try world.reminder(1).alarm.state == .pending)
    }

    @Test("A rule is added to the deadline that is there, changed, and taken away")
    func rule() throws {
        let world = try World()
        try world.add("Pills", at: "tomorrow 11:00")
        var after = try edit(world) { $0.every = "day" }
        #expect(after.recurrence?.rule.rrule == "FREQ=DAILY")
        let deadline = try #require(after.deadline)
        let words = world.isolated { $0.timetable.words(deadline) }
        #expect(words == "Thu 2 May 2024, 11:00")
        after = try edit(world) { $0.at = "tomorrow 12:00" }
        #expect(after.recurrence?.rule.rrule == "FREQ=DAILY")
        after = try edit(world) { $0.every = "" }
        #expect(after.recurrence == nil)
        #expect(after.deadline != nil)
    }

    @Test("A refused edit changes nothing")
    func refused() throws {
        let world = try World()
        let before = try world.add("Tea", at: "11:00")
        #expect(throws: APIError.self) {
            try edit(world) { ($0.title, $0.at) = ("Coffee", "next friday") }
        }
        #expect(try world.reminder(1) == before)
    }
}
