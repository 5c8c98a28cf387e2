import Popups
import RemindAPI
import RemindCore
import Testing

@testable import RemindDaemon

@Suite("Recurring reminders, lead times and nags")
struct RecurringTests {
    private func complete(_ world: World, _ number: Int64, series: Bool = false) throws -> Reminder
    {
        let reminder = try world.reminder(number)
        let done = try world.isolated {
            try $0.complete([reminder], series: series, origin: .command)
        }
        return try #require(done.first)
    }

    private func due(_ world: World, _ number: Int64) throws -> String {
        let reminder = try world.reminder(number)
        let deadline = try #require(reminder.deadline)
        return world.isolated { $0.timetable.words(deadline) }
    }

    @Test("A-susp-02: after a night asleep an hourly series rings once and keeps its grid")
    func hourlyAfterSleep() throws {
        let world = try World(now: "2025-02-11T22:00:00+01:00", zone: "Europe/Vienna")
        try world.add("Stretch") { $0.every = "every 1 hour" }
        try world.advance(to: "2025-02-12T06:30:00+01:00")
        #expect(world.shown == ["Stretch"])
        #expect(world.popups.first?.body.contains("7 earlier occurrences were missed") == true)
        let next = try #require(try world.reminder(1).alarm.nextRing)
        #expect(next == Instant(rfc3339: "2025-02-12T06:00:00Z"))
        #expect(try world.reminder(1).alarm.ring?.due == Instant(rfc3339: "2025-02-12T05:00:00Z"))
        for hour in 7...11 {
            let time = "2025-02-12T\(hour < 10 ? "0" : "")\(hour)"
            let count = world.shown.count
            try world.advance(to: "\(time):00:00+01:00")
            #expect(world.shown.count == count + 1, "next_5: \(time)")
            try world.advance(to: "\(time):30:00+01:00")
            #expect(world.shown.count == count + 1, "re-based on the resume: \(time)")
        }
    }

    @Test("The next occurrence is committed with the ring, and replaces it when it comes")
    func nextOccurrence() throws {
        let world = try World()
        let pills = try world.add("Pills") { ($0.at, $0.every) = ("11:00", "day") }
        try world.advance(to: "2024-05-01T11:00:00+02:00")
        #expect(try world.reminder(1).alarm.nextRing == Instant(rfc3339: "2024-05-02T09:00:00Z"))
        try world.restart()
        try world.advance(to: "2024-05-02T11:00:00+02:00")
        #expect(Set(world.popups.map(\.key)) == [pills.id.text])
        #expect(try due(world, 1) == "Thu 2 May 2024, 11:00")
        #expect(try world.reminder(1).alarm.rings == 2)
    }

    @Test("Done completes this occurrence and moves on, before its time too")
    func done() throws {
        let world = try World()
        try world.add("Pills") { ($0.at, $0.every) = ("11:00", "day") }
        #expect(try complete(world, 1).state == .open)
        #expect(try due(world, 1) == "Thu 2 May 2024, 11:00")
        try world.advance(to: "2024-05-01T12:00:00+02:00")
        #expect(world.shown == [])
        try world.advance(to: "2024-05-02T11:00:00+02:00")
        #expect(world.shown == ["Pills"])
        _ = try complete(world, 1)
        #expect(world.presenter.wanted.isEmpty)
        #expect(try due(world, 1) == "Fri 3 May 2024, 11:00")
    }

    @Test("The last occurrence done ends the series; so does --series")
    func ends() throws {
        let world = try World()
        try world.add("Twice") { $0.every = "every day 11:00 for 2 times" }
        try world.add("Forever") { $0.every = "every day 11:00" }
        _ = try complete(world, 1)
        #expect(try complete(world, 1).state == .done)
        #expect(try complete(world, 2, series: true).state == .done)
        try world.advance(to: "2024-06-01T11:00:00+02:00")
        #expect(world.shown == [])
    }

    @Test("Dismissed: silent until the next occurrence")
    func dismissed() throws {
        let world = try World()
        let pills = try world.add("Pills") { ($0.at, $0.every) = ("11:00", "day") }
        try world.advance(to: "2024-05-01T11:00:00+02:00")
        world.screen(.dismissed(key: pills.id.text))
        #expect(try world.reminder(1).alarm.state == .pending)
        try world.advance(to: "2024-05-02T10:59:00+02:00")
        #expect(world.shown == ["Pills"])
        try world.advance(to: "2024-05-02T11:00:00+02:00")
        #expect(world.shown == ["Pills", "Pills"])
    }

    @Test("A daemon that was off for a year rings the newest once, with the count of missed ones")
    func yearOff() throws {
        let world = try World()
        try world.add("Pills") { ($0.at, $0.every) = ("11:00", "day") }
        world.clock.now = try #require(Instant(rfc3339: "2025-05-01T12:00:00+02:00"))
        try world.restart()
        #expect(world.shown == ["Pills"])
        #expect(world.popups.first?.body.contains("365 earlier occurrences were missed") == true)
        #expect(try due(world, 1) == "Thu 1 May 2025, 11:00")
    }

    @Test("A snooze does not move the series")
    func snoozeKeepsSeries() throws {
        let world = try World()
        try world.add("Pills") { ($0.at, $0.every) = ("11:00", "day") }
        try world.advance(to: "2024-05-01T11:00:00+02:00")
        _ = try world.isolated { try $0.snooze(Snooze.Parameters(reference: "1", until: "3h")) }
        try world.advance(to: "2024-05-01T14:00:00+02:00")
        #expect(world.shown.count == 2)
        #expect(try world.reminder(1).alarm.nextRing == Instant(rfc3339: "2024-05-02T09:00:00Z"))
    }

    @Test("Every lead time rings, then the deadline, in one pop-up that is replaced")
    func leadTimes() throws {
        let world = try World()
        try world.add("Train", at: "12:00") { $0.before = ["15m", "1h"] }
        for time in ["11:00", "11:45", "12:00"] {
            try world.advance(to: "2024-05-01T\(time):00+02:00")
        }
        #expect(world.shown == ["Train", "Train", "Train"])
        #expect(Set(world.popups.map(\.key)).count == 1)
        #expect(world.popups.allSatisfy { !$0.body.contains("late") })
    }

    @Test("A nag rings again until it is answered")
    func nag() throws {
        let world = try World()
        try world.add("Oven", at: "11:00") { $0.nag = "5m" }
        for time in ["11:00", "11:05", "11:10"] {
            try world.advance(to: "2024-05-01T\(time):00+02:00")
        }
        #expect(world.shown.count == 3)
        _ = try complete(world, 1)
        try world.advance(to: "2024-05-01T11:15:00+02:00")
        #expect(world.shown.count == 3)
    }

    @Test("Too frequent a nag is refused", arguments: ["30s", "1s"])
    func shortNag(text: String) throws {
        let world = try World()
        let error = #expect(throws: APIError.self) {
            try world.add("Oven", at: "11:00") { $0.nag = text }
        }
        #expect(error?.message.contains("‘\(text)’") == true)
    }

    @Test("After completion: the next is counted from when it was done")
    func afterCompletion() throws {
        let world = try World()
        try world.add("Water plants") { $0.every = "every 3 days after completion" }
        world.clock.now = try #require(Instant(rfc3339: "2024-05-20T15:00:00+02:00"))
        _ = try complete(world, 1)
        #expect(try due(world, 1).hasPrefix("Thu 23 May 2024"))
    }

    @Test("A done series opened again waits for what is ahead")
    func reopened() throws {
        let world = try World()
        try world.add("Pills") { ($0.at, $0.every) = ("11:00", "day") }
        let done = try complete(world, 1, series: true)
        _ = try world.isolated { try $0.reopen([done]) }
        try world.advance(to: "2024-05-01T11:00:00+02:00")
        #expect(world.shown == ["Pills"])
    }
}
