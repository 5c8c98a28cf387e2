import Calendaring
import Dispatch
import Glibc
import Popups
import RemindAPI
import RemindCore
import Synchronization
import Testing

@testable import RemindDaemon

/// The machine's clock and zone change under the daemon.
@Suite("Clock and zone")
struct ClockTests {
    @Test("A-clock-01: a clock that jumps back and is put right rings once, on time")
    func jumpBack() throws {
        let world = try World(now: "2024-09-10T12:00:00Z", zone: "UTC")
        try world.add("Tea", at: "12:10")
        for step in ["2024-09-10T10:01:00Z", "2024-09-10T12:02:00Z"] {
            world.clock.now = try #require(Instant(rfc3339: step))
            world.isolated { $0.clockChanged() }
            #expect(world.shown == [])
        }
        try world.advance(to: "2024-09-10T12:09:59Z")
        #expect(world.shown == [])
        try world.advance(to: "2024-09-10T12:10:00Z")
        #expect(world.shown == ["Tea"])
        try world.advance(to: "2024-09-10T15:00:00Z")
        #expect(world.shown == ["Tea"])
    }

    @Test("a clock before 1970 does not load what is far ahead without end")
    func beforeTheEpoch() throws {
        let world = try World(now: "1960-01-01T00:00:00Z", zone: "UTC")
        try world.add("Far", at: "1970-05-01 09:00")
        world.isolated { $0.clockChanged() }
        #expect(world.shown == [])
    }

    @Test(
        "A-clock-02: a wait longer than 32 bits of milliseconds does not ring at once",
        arguments: [
            "2024-01-26T09:00:00Z", "2024-03-01T09:00:00Z", "2025-02-04T09:00:00Z",
            "2101-01-01T00:00:00Z",
        ])
    func longWait(due: String) throws {
        let world = try World(now: "2024-01-01T09:00:00Z", zone: "UTC")
        try world.add("Far", at: due)
        try world.advance(to: "2024-01-01T10:00:00Z")
        #expect(world.shown == [])
        let instant = try #require(Instant(rfc3339: due))
        world.clock.now = instant.advanced(bySeconds: -1)
        world.isolated { $0.timerFired() }
        #expect(world.shown == [])
        world.clock.now = instant
        world.isolated { $0.timerFired() }
        #expect(world.shown == ["Far"])
    }

    @Test("A-clock-02: the timer itself waits so long without firing and without spinning")
    func longWaitOfTheTimer() async {
        await #expect(processExitsWith: .success) {
            let queue = DispatchQueue(label: "timer")
            let fired = Mutex(0)
            let timers = (0..<3).map { _ in
                WallTimer(queue: queue) { fired.withLock { $0 += 1 } }
            }
            queue.sync {
                let now = Clock.system.now
                for (timer, days) in zip(timers, [25, 60, 400] as [Int64]) {
                    timer.arm(to: now.advanced(bySeconds: days * 86_400))
                }
            }
            let before = clock()
            poll(nil, 0, 1000)
            queue.sync { timers.forEach { $0.cancel() } }
            #expect(fired.withLock { $0 } == 0)
            // Milliseconds of a second: what spins takes all of it.
            #expect(clock() - before < 200_000)
        }
    }

    @Test("A-susp-01: a reminder that came due in a suspend rings at resume, marked late")
    func suspended() throws {
        let world = try World(now: "2025-02-11T14:00:00+01:00", zone: "Europe/Vienna")
        try world.add("Tea") { $0.in = "10 min" }
        try world.advance(to: "2025-02-11T15:02:00+01:00")
        #expect(world.shown == ["Tea"])
        let body = world.popups.first?.body ?? ""
        #expect(body.contains("14:10"))
        #expect(body.contains("52 min late"))
    }

    @Test(
        "A clock stepped forward rings what it passed, once; stepped back, it does not ring again")
    func stepForward() throws {
        let world = try World()
        try world.add("Tea", at: "11:00")
        world.clock.now = try #require(Instant(rfc3339: "2024-05-01T12:00:00+02:00"))
        world.isolated { $0.clockChanged() }
        #expect(world.shown == ["Tea"])
        world.screen(.answered(key: try world.reminder(1).id.text, action: "default"))
        world.clock.now = try #require(Instant(rfc3339: "2024-05-01T10:00:00+02:00"))
        world.isolated { $0.clockChanged() }
        try world.advance(to: "2024-05-01T11:30:00+02:00")
        #expect(world.shown == ["Tea"])
    }

    @Test("A clock at 1970 rings nothing and loses nothing")
    func noBattery() throws {
        let world = try World()
        try world.add("Tea", at: "11:00")
        world.clock.now = Instant(seconds: 100)
        try world.restart()
        #expect(world.shown == [])
        try world.advance(to: "2024-05-01T11:00:00+02:00")
        #expect(world.shown == ["Tea"])
    }

    @Test("A-tz-01: a floating deadline follows the zone without a restart, an instant does not")
    func zoneChange() throws {
        let world = try World(now: "2024-07-03T07:00:00+09:00", zone: "Asia/Tokyo")
        try world.add("Floating", at: "2024-07-03 10:00")
        try world.add("Instant", at: "2024-07-03T10:00:00+09:00")
        world.isolated { $0.zoneChanged(SystemZones(environment: ["TZ": "Asia/Singapore"])) }
        try world.advance(to: "2024-07-03T01:00:00Z")
        #expect(world.shown == ["Instant"])
        try world.advance(to: "2024-07-03T02:00:00Z")
        #expect(world.shown == ["Instant", "Floating"])
    }

    @Test("A zone that was changed while no daemon ran moves floating deadlines too")
    func zoneChangeWhileOff() throws {
        let world = try World(now: "2024-07-03T07:00:00+09:00", zone: "Asia/Tokyo")
        try world.add("Floating", at: "2024-07-03 10:00")
        try world.restart(zone: "Asia/Singapore")
        try world.advance(to: "2024-07-03T01:59:59Z")
        #expect(world.shown == [])
        try world.advance(to: "2024-07-03T02:00:00Z")
        #expect(world.shown == ["Floating"])
    }
}
