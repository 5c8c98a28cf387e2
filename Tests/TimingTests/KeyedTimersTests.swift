import Testing

@testable import Timing

private let now: UInt64 = 1_770_000_000_000

@Suite struct KeyedTimersTests {
    @Test func setAgainReplacesTheTick() {
        var timers = KeyedTimers(now: now)
        let filings = [timers.set(7, tick: now + 10), timers.set(7, tick: now + 5000)]
        let next = timers.nextTick
        let early = timers.popDue(upTo: now + 4999)
        let due = timers.popDue(upTo: now + 5000)

        #expect(filings == [.held, .held])
        #expect(next == now + 5000)
        #expect(early == nil)
        #expect(due == KeyedTimers.Due(key: 7, tick: now + 5000))
        #expect(timers.count == 0)
    }

    @Test func cancelIsTrueOnceAndFalseAfterwards() {
        var timers = KeyedTimers(now: now)
        _ = timers.set(1, tick: now + 10)
        _ = timers.set(2, tick: now + 20)
        let cancelled = [timers.cancel(1), timers.cancel(1), timers.cancel(3)]
        let areSet = [timers.isSet(1), timers.isSet(2)]
        let next = timers.nextTick

        #expect(cancelled == [true, false, false])
        #expect(areSet == [false, true])
        #expect(next == now + 20)
        #expect(timers.count == 1)
    }

    @Test func poppedKeyIsNoLongerHeldAndMayBeSetAtOnce() {
        var timers = KeyedTimers(now: now)
        _ = timers.set(1, tick: now + 10)
        let due = timers.popDue(upTo: now + 10)
        let isSet = timers.isSet(1)
        _ = timers.set(1, tick: now + 10)
        let again = timers.popDue(upTo: now + 10)

        #expect(due?.key == 1)
        #expect(!isSet)
        #expect(again?.key == 1)
    }

    @Test func setBeyondTheHorizonLeavesTheKeyUnheld() {
        var timers = KeyedTimers(now: now)
        _ = timers.set(1, tick: now + 10)
        let filing = timers.set(1, tick: now + KeyedTimers.horizon + 1)
        let next = timers.nextTick

        #expect(filing == .beyondHorizon)
        #expect(next == nil)
        #expect(timers.count == 0)
    }

    @Test func removeAllForgetsEveryKey() {
        var timers = KeyedTimers(now: now)
        for key in 1...50 as ClosedRange<Int64> { _ = timers.set(key, tick: now + UInt64(key)) }
        timers.removeAll(now: now - 1000)
        let next = timers.nextTick

        #expect(timers.count == 0)
        #expect(timers.now == now - 1000)
        #expect(next == nil)
    }

    @Test func keysAgreeWithADictionaryOverRandomOperations() {
        var generator = SeededGenerator(seed: 8)
        var timers = KeyedTimers(now: now)
        var model: [Int64: UInt64] = [:]
        var clock = now
        for _ in 0..<20_000 {
            let key = Int64(generator.next() % 200)
            switch generator.next() % 8 {
            case 0..<5:
                let tick = clock + generator.next() % 100_000
                _ = timers.set(key, tick: tick)
                model[key] = tick
            case 5:
                let cancelled = timers.cancel(key)
                #expect(cancelled == (model.removeValue(forKey: key) != nil))
            default:
                clock += generator.next() % 2000
                while let due = timers.popDue(upTo: clock) {
                    #expect(model.removeValue(forKey: due.key) == due.tick)
                }
            }
            let next = timers.nextTick
            guard timers.count == model.count, next == model.values.min() else {
                Issue.record("\(timers.count) keys, next \(next ?? 0); not \(model)")
                return
            }
        }
        #expect(timers.now == clock)
    }
}
