import Testing

@testable import Timing

private let now: UInt64 = 1_770_000_000_000

@Suite struct FiringTests {
    @Test(arguments: [0, 1, 64, 4096, 300_000, 20_000_000, 2_000_000_000] as [UInt64])
    func cancelInsideTheSlotThatFiresTakesEffect(ahead: UInt64) throws {
        var wheel = TimerWheel(now: now)
        var handles: [TimerWheel.Handle] = []
        for payload in 0..<6 as Range<Int64> {
            handles.append(try wheel.insert(tick: now + ahead, payload: payload))
        }
        var popped: [Int64] = []
        while let due = wheel.popDue(upTo: now + ahead) {
            popped.append(due.payload)
            guard due.payload == 1 else { continue }
            let cancelled = [0, 1, 2, 5].map { wheel.cancel(handles[$0]) }
            #expect(cancelled == [false, false, true, true])
        }

        #expect(popped == [0, 1, 3, 4])
        #expect(wheel.count == 0)
    }

    @Test func cancelOfAllThatIsLeftInTheFiringSlotEndsIt() throws {
        var wheel = TimerWheel(now: now)
        let handles = try (0..<3).map { try wheel.insert(tick: now + 9, payload: $0) }
        _ = wheel.popDue(upTo: now + 9)
        _ = handles.map { wheel.cancel($0) }
        let next = wheel.nextTick
        let due = wheel.popDue(upTo: now + 9)

        #expect(next == nil)
        #expect(due == nil)
    }

    @Test func insertIntoTheFiringSlotComesInTheSameRound() throws {
        var wheel = TimerWheel(now: now)
        for payload in [1, 2] as [Int64] {
            _ = try wheel.insert(tick: now + 5000, payload: payload)
        }
        var popped: [Int64] = []
        while let due = wheel.popDue(upTo: now + 6000) {
            popped.append(due.payload)
            guard due.payload == 1 else { continue }
            _ = try wheel.insert(tick: due.tick, payload: 3)
            _ = try wheel.insert(tick: due.tick - 1, payload: 4)
            _ = try wheel.insert(tick: due.tick + 1, payload: 5)
            _ = try wheel.insert(tick: now + 6001, payload: 6)
        }

        #expect(popped == [1, 2, 3, 4, 5])
        #expect(wheel.count == 1)
    }

    @Test func lateTimerIsDueAtOnceWithItsOwnTick() throws {
        var wheel = TimerWheel(now: now)
        _ = try wheel.insert(tick: now + 1, payload: 1)
        _ = try wheel.insert(tick: now, payload: 2)
        _ = try wheel.insert(tick: 0, payload: 3)
        let next = wheel.nextTick
        var popped: [TimerWheel.Due] = []
        while let due = wheel.popDue(upTo: now) { popped.append(due) }

        #expect(next == 0)
        #expect(popped.map(\.payload) == [2, 3])
        #expect(popped.map(\.tick) == [now, 0])
    }

    @Test func targetBeforeNowPopsOnlyWhatIsLate() throws {
        var wheel = TimerWheel(now: now)
        _ = try wheel.insert(tick: now + 1, payload: 1)
        _ = try wheel.insert(tick: now - 50, payload: 2)
        let due = wheel.popDue(upTo: now - 100)
        let rest = wheel.popDue(upTo: now - 100)

        #expect(due?.payload == 2)
        #expect(rest == nil)
        #expect(wheel.now == now)
    }

    @Test func nextTickIsExactAfterTheEarliestOnAHighLevelWasCancelled() throws {
        var wheel = TimerWheel(now: now)
        let month: UInt64 = 30 * 86_400_000
        let handles = try (0..<500).map {
            try wheel.insert(tick: now + month + UInt64($0) * 3, payload: $0)
        }
        var announced: [UInt64?] = []
        for handle in handles.dropLast() {
            _ = wheel.cancel(handle)
            announced.append(wheel.nextTick)
        }

        #expect(announced == (1..<500).map { now + month + $0 * 3 })
    }
}

@Suite struct SweepTests {
    /// Many at one moment, answered one after another, with the timer armed anew after each.
    @Test func nextTickStaysExactWhileTiedTimersAreCancelledOneByOne() throws {
        var wheel = TimerWheel(now: now)
        let hour: UInt64 = 3_600_000
        let handles = try (0..<100_000).map { try wheel.insert(tick: now + hour, payload: $0) }
        let later = try wheel.insert(tick: now + hour + 1, payload: -1)
        var wrong = 0
        for handle in handles.dropLast() {
            _ = wheel.cancel(handle)
            if wheel.nextTick != now + hour { wrong += 1 }
        }
        _ = handles.last.map { wheel.cancel($0) }
        let last = wheel.nextTick
        let isHeld = wheel.holds(later)

        #expect(wrong == 0)
        #expect(last == now + hour + 1)
        #expect(isHeld)
    }

    @Test func cancelledTimersAreSweptFromEverySlotAndTheRestComesInOrder() throws {
        var wheel = TimerWheel(now: now)
        let ticks = (0..<10_000).map { now + UInt64($0) * 7919 % 40_000_000_000 }
        let handles = try ticks.enumerated().map {
            try wheel.insert(tick: $1, payload: Int64($0))
        }
        for (index, handle) in handles.enumerated() where index % 10 != 0 {
            _ = wheel.cancel(handle)
        }
        _ = try wheel.insert(tick: now + 1, payload: -1)
        let places = wheel.placeCount
        for index in 0..<8_000 { _ = try wheel.insert(tick: now + 2, payload: Int64(index)) }
        var popped: [UInt64] = []
        while let due = wheel.popDue(upTo: now + TimerWheel.horizon) { popped.append(due.tick) }

        #expect(wheel.placeCount == places)
        #expect(popped.count == 1_000 + 1 + 8_000)
        #expect(popped == popped.sorted())
        #expect(wheel.count == 0)
    }

    @Test func wheelOfCancelledTimersOnlyIsEmpty() throws {
        var wheel = TimerWheel(now: now)
        for ahead in [0, 1, 70, 5000, 300_000, 20_000_000, 2_000_000_000] as [UInt64] {
            for _ in 0..<40 { _ = wheel.cancel(try wheel.insert(tick: now + ahead, payload: 0)) }
        }
        let next = wheel.nextTick
        let due = wheel.popDue(upTo: now + TimerWheel.horizon)

        #expect(next == nil)
        #expect(due == nil)
        #expect(wheel.count == 0)
    }
}

@Suite struct HandleTests {
    @Test func staleHandleNeverMeetsTheNextTimerInItsPlace() throws {
        var wheel = TimerWheel(now: now)
        var stale: [TimerWheel.Handle] = []
        for round in 1...200 as ClosedRange<UInt64> {
            let handle = try wheel.insert(tick: now + round, payload: 1)
            let met = stale.filter { wheel.cancel($0) || wheel.holds($0) }
            let isHeld = wheel.holds(handle)
            #expect(met.isEmpty)
            #expect(isHeld)
            if round.isMultiple(of: 2) {
                _ = wheel.cancel(handle)
            } else {
                _ = wheel.popDue(upTo: now + round)
            }
            stale.append(handle)
        }
        #expect(Set(stale).count == 200)
    }

    @Test func removeAllMakesHandlesStaleAndMayGoBackInTime() throws {
        var wheel = TimerWheel(now: now)
        let handles = try [1, 100, 1_000_000].map { try wheel.insert(tick: now + $0, payload: 0) }
        wheel.removeAll(now: now - 500)
        _ = try wheel.insert(tick: now - 499, payload: 5)
        let cancelled = handles.map { wheel.cancel($0) }
        let due = wheel.popDue(upTo: now - 499)

        #expect(cancelled == [false, false, false])
        #expect(due?.payload == 5)
    }

    @Test func placesOfCancelledTimersAreUsedAgain() throws {
        var wheel = TimerWheel(now: now)
        for round in 0..<20_000 as Range<UInt64> {
            let handle = try wheel.insert(tick: now + 1_000_000_000 + round, payload: 0)
            _ = wheel.cancel(handle)
        }
        let keeper = try wheel.insert(tick: now + 1_000_000_000, payload: 1)
        for round in 0..<20_000 as Range<UInt64> {
            let handle = try wheel.insert(tick: now + 1_000_000_000 + round, payload: 0)
            _ = wheel.cancel(handle)
        }
        let isHeld = wheel.holds(keeper)

        #expect(wheel.placeCount < 100)
        #expect(isHeld)
    }
}
