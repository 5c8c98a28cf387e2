import Testing

@testable import Timing

/// A distance ahead at which a timer changes level, or the tick beside it.
private let distances: [UInt64] = (0...5).flatMap { level in
    let width = UInt64(1) << UInt64(6 * level)
    return [width - 1, width, width + 1, 63 * width, 64 * width - 1].filter {
        $0 > 0 && $0 <= TimerWheel.horizon
    }
}

/// Where the clock stands: in the middle of everything, at a turn of all levels, and beside it.
private let starts: [UInt64] = [1_770_000_000_000, 26 << 36, (26 << 36) - 1, (26 << 36) + 1]

@Suite struct BoundaryTests {
    @Test(arguments: starts, distances)
    func timerFiresAtItsTickAndNotBefore(now: UInt64, distance: UInt64) throws {
        var wheel = TimerWheel(now: now)
        _ = try wheel.insert(tick: now + distance, payload: 7)
        let announced = wheel.nextTick
        let early = wheel.popDue(upTo: now + distance - 1)
        let announcedAgain = wheel.nextTick
        let due = wheel.popDue(upTo: now + distance)
        let rest = wheel.popDue(upTo: now + distance)

        #expect(announced == now + distance)
        #expect(early == nil)
        #expect(announcedAgain == now + distance)
        #expect(due == TimerWheel.Due(payload: 7, tick: now + distance))
        #expect(rest == nil)
        #expect(wheel.count == 0)
    }

    @Test(arguments: starts, distances)
    func timersOnBothSidesOfABoundaryComeInOrder(now: UInt64, distance: UInt64) throws {
        var wheel = TimerWheel(now: now)
        let ticks = [distance + 1, distance, distance - 1]
            .filter { $0 <= TimerWheel.horizon }.map { now + $0 }
        for tick in ticks { _ = try wheel.insert(tick: tick, payload: 0) }
        var popped: [UInt64] = []
        while let due = wheel.popDue(upTo: now + TimerWheel.horizon) { popped.append(due.tick) }

        #expect(popped == ticks.reversed())
    }

    @Test(arguments: starts, distances)
    func timerCancelledAtABoundaryIsGone(now: UInt64, distance: UInt64) throws {
        var wheel = TimerWheel(now: now)
        let handle = try wheel.insert(tick: now + distance, payload: 1)
        _ = try wheel.insert(tick: now + TimerWheel.horizon, payload: 2)
        _ = wheel.popDue(upTo: now + distance / 2)
        let cancelled = wheel.cancel(handle)
        let next = wheel.nextTick
        let due = wheel.popDue(upTo: now + TimerWheel.horizon)

        #expect(cancelled)
        #expect(next == now + TimerWheel.horizon)
        #expect(due?.payload == 2)
    }

    @Test(arguments: starts)
    func horizonIsInclusiveAndBeyondItIsAnError(now: UInt64) throws {
        var wheel = TimerWheel(now: now)
        let last = now + TimerWheel.horizon
        _ = try wheel.insert(tick: last, payload: 1)
        #expect(throws: TimerWheel.BeyondHorizon(tick: last + 1, now: now)) {
            try Self.insert(tick: last + 1, into: &wheel)
        }
        let next = wheel.nextTick

        #expect(wheel.count == 1)
        #expect(next == last)
    }

    @Test func horizonMovesWithTheClock() throws {
        var wheel = TimerWheel(now: 1000)
        _ = wheel.popDue(upTo: 1001)
        _ = try wheel.insert(tick: 1001 + TimerWheel.horizon, payload: 1)
        let next = wheel.nextTick

        #expect(next == 1001 + TimerWheel.horizon)
    }

    @Test func horizonIsOverTwoYears() {
        #expect(TimerWheel.horizon == 67_645_734_912)
        #expect(TimerWheel.horizon > 2 * 365 * 86_400_000)
    }

    @Test func emptyYearIsCrossedAtOnce() throws {
        let now: UInt64 = 1_770_000_000_000
        let year: UInt64 = 365 * 86_400_000
        var wheel = TimerWheel(now: now)
        for century in 1...100 as ClosedRange<UInt64> {
            let due = wheel.popDue(upTo: now + century * 100 * year)
            #expect(due == nil)
        }
        _ = try wheel.insert(tick: wheel.now + 5, payload: 9)
        let due = wheel.popDue(upTo: wheel.now + year)

        #expect(due?.tick == now + 10_000 * year + 5)
    }

    private static func insert(tick: UInt64, into wheel: inout TimerWheel) throws {
        _ = try wheel.insert(tick: tick, payload: 0)
    }
}
