import RemindAPI
import RemindCore
import Testing

@testable import RemindDaemon

/// The clock stood weeks ahead and was put back.
@Suite("A clock that was ahead")
struct ClockAheadTests {
    private func setClock(_ world: World, _ now: String, restarting: Bool) throws {
        world.clock.now = try #require(Instant(rfc3339: now))
        if restarting { try world.restart() } else { world.isolated { $0.clockChanged() } }
    }

    private func next(_ world: World) throws -> String? {
        let ring = try world.reminder(1).alarm.nextRing
        return world.isolated { engine in ring.map { engine.timetable.rfc3339($0) } }
    }

    @Test(
        "A series stayed in the future after a clock that was weeks ahead: its next occurrence is the first one ahead, and what rang stays rung",
        arguments: [false, true], ["", "dismiss", "done"])
    func series(restarting: Bool, answer: String) throws {
        let world = try World(now: "2024-05-01T10:30:00+02:00")
        try world.add("Pills") { $0.every = "every day at 9:00" }
        try setClock(world, "2024-06-10T10:00:00+02:00", restarting: restarting)
        #expect(world.shown == ["Pills"])
        if answer == "dismiss" {
            try world.isolated { _ = try $0.dismiss(try $0.find("1"), origin: .command) }
        } else if answer == "done" {
            try world.isolated {
                _ = try $0.complete(try $0.find("1"), series: false, origin: .command)
            }
        }
        try setClock(world, "2024-05-01T10:31:00+02:00", restarting: restarting)
        let again = restarting && answer.isEmpty ? ["Pills"] : []
        let seen = restarting ? again : ["Pills"]
        #expect(world.shown == seen)
        #expect(try next(world) == "2024-05-02T09:00:00+02:00")
        for day in 2...9 {
            try world.advance(to: "2024-05-0\(day)T09:00:00+02:00")
            #expect(world.shown.count == seen.count + day - 1)
        }
        for date in ["2024-06-08", "2024-06-09"] {
            try world.advance(to: "\(date)T09:00:00+02:00")
        }
        let count = world.shown.count
        // This one rang while the clock was wrong.
        try world.advance(to: "2024-06-10T09:00:00+02:00")
        #expect(world.shown.count == count)
        try world.advance(to: "2024-06-11T09:00:00+02:00")
        #expect(world.shown.count == count + 1)
    }

    @Test("What rang does not ring again when the clock goes back and forth, a step at a time")
    func backAndForth() throws {
        let world = try World(now: "2024-05-01T10:30:00+02:00")
        try world.add("Walk") { $0.every = "every 2 hours" }
        try world.advance(to: "2024-05-01T12:30:00+02:00")
        #expect(world.shown == ["Walk"])
        for now in ["11:00", "12:31", "12:00", "14:29", "09:00", "14:29"] {
            try setClock(world, "2024-05-01T\(now):00+02:00", restarting: false)
            #expect(world.shown == ["Walk"], "\(now)")
        }
        try world.advance(to: "2024-05-01T14:30:00+02:00")
        #expect(world.shown == ["Walk", "Walk"])
    }

    @Test("A battery that is empty sets the clock to 1970 at each start: nothing rings for that")
    func emptyBattery() throws {
        let world = try World(now: "2024-05-01T08:30:00+02:00")
        try world.add("Pills") { $0.every = "every day at 9:00" }
        try world.advance(to: "2024-05-01T09:00:00+02:00")
        try world.isolated {
            _ = try $0.complete(try $0.find("1"), series: false, origin: .command)
        }
        let before = try world.reminder(1)
        for now in ["1970-01-01T00:01:00Z", "2024-05-01T09:30:00+02:00"] {
            try setClock(world, now, restarting: true)
            #expect(world.shown == [])
            #expect(try world.reminder(1) == before)
        }
    }

    @Test("A clock that comes up a month behind and is put right rings nothing twice")
    func monthBehind() throws {
        let world = try World(now: "2024-03-01T08:30:00+01:00")
        try world.add("Pills") { $0.every = "every day at 9:00" }
        for day in ["2024-05-01", "2024-05-02"] {
            try world.advance(to: "\(day)T09:00:00+02:00")
            try world.isolated {
                _ = try $0.dismiss(try $0.find("1"), origin: .command)
            }
        }
        let shown = world.shown.count
        for now in ["2024-04-01T00:00:10+02:00", "2024-05-02T10:00:00+02:00"] {
            try setClock(world, now, restarting: false)
            #expect(world.shown.count == shown)
        }
        #expect(try next(world) == "2024-05-03T09:00:00+02:00")
    }

    @Test("A snooze, a nag and a pause that began while the clock was ahead count from now")
    func lengths() throws {
        let world = try World(now: "2024-05-01T10:30:00+02:00")
        try world.add("Tea", at: "11:00")
        try world.add("Bread", at: "11:00") { $0.nag = "5m" }
        try setClock(world, "2024-06-10T10:00:00+02:00", restarting: false)
        let now = world.clock.now
        try world.isolated {
            _ = try $0.snooze(
                try $0.find("1"), until: now.advanced(bySeconds: 600), origin: .command)
            try $0.pause(until: now.advanced(bySeconds: 300))
        }
        try setClock(world, "2024-05-01T10:40:00+02:00", restarting: false)
        #expect(try next(world) == "2024-05-01T10:50:00+02:00")
        #expect(try world.reminder(2).alarm.nextRing == world.clock.now.advanced(bySeconds: 300))
        let pause = world.isolated { $0.pause }
        #expect(pause == world.clock.now.advanced(bySeconds: 300))
        try world.restart()
        #expect(world.isolated { $0.pause } == pause)
    }

    /// The timer that the jump makes due may be heard before the jump itself.
    @Test(
        "A snooze and a pause outlive a clock that jumps back, twice, and is put right",
        arguments: [false, true])
    func jumpBack(timerFirst: Bool) throws {
        let world = try World(now: "2024-05-01T08:00:00+02:00")
        try world.add("Tea", at: "11:00")
        try world.advance(to: "2024-05-01T11:00:00+02:00")
        let (snoozed, paused) = (
            world.clock.now.advanced(bySeconds: 1200), world.clock.now.advanced(bySeconds: 600)
        )
        try world.isolated {
            _ = try $0.snooze(try $0.find("1"), until: snoozed, origin: .command)
            try $0.pause(until: paused)
        }
        for step in ["09:01", "08:30"] {
            try setClock(world, "2024-05-01T\(step):00+02:00", restarting: step == "08:30")
            let now = world.clock.now
            #expect(
                try world.reminder(1).alarm.snoozedUntil == now.advanced(bySeconds: 1200))
            #expect(world.isolated { $0.pause } == now.advanced(bySeconds: 600))
        }
        if timerFirst {
            world.clock.now = try #require(Instant(rfc3339: "2024-05-01T11:04:00+02:00"))
            world.isolated { $0.timerFired() }
        }
        try setClock(world, "2024-05-01T11:04:00+02:00", restarting: false)
        #expect(try world.reminder(1).alarm.snoozedUntil == snoozed)
        #expect(world.isolated { $0.pause } == paused)
        let shown = world.shown
        try world.advance(to: "2024-05-01T11:19:59+02:00")
        #expect(world.shown == shown)
        try world.advance(to: "2024-05-01T11:20:00+02:00")
        #expect(world.shown == shown + ["Tea"])
    }

    /// Also of a task that was made in the hour that the clock lost.
    @Test(
        "A nag and a snooze of a task that is younger than the clock are as long as they were meant",
        arguments: ["2024-05-01T10:05:00+02:00", "2024-04-30T11:05:00+02:00"])
    func youngerThanTheClock(now: String) throws {
        let world = try World(now: "2024-05-01T10:55:00+02:00")
        try world.add("Tea", at: "11:00")
        try world.add("Bread", at: "11:00") { $0.nag = "5m" }
        try world.advance(to: "2024-05-01T11:00:00+02:00")
        let until = world.clock.now.advanced(bySeconds: 600)
        try world.isolated {
            _ = try $0.snooze(try $0.find("1"), until: until, origin: .command)
        }
        let shown = world.shown.count
        try setClock(world, now, restarting: false)
        let put = world.clock.now
        #expect(try world.reminder(1).alarm.nextRing == put.advanced(bySeconds: 600))
        #expect(try world.reminder(2).alarm.nextRing == put.advanced(bySeconds: 300))
        #expect(world.shown.count == shown)
        world.clock.now = put.advanced(bySeconds: 600)
        world.isolated { $0.timerFired() }
        #expect(world.shown.count == shown + 2)
        try world.isolated { _ = try $0.dismiss(try $0.find("2"), origin: .command) }
        try world.advance(to: "2024-05-01T12:00:00+02:00")
        #expect(world.shown.count == shown + 2)
    }
}
