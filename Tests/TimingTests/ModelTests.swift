import Testing

@testable import Timing

/// How far ahead random timers are set, and how far the clock goes at a time.
enum Spread: String, CaseIterable {
    /// A few ticks only: long lists at one tick.
    case ties
    /// Around a few moments, as reminders at full hours are.
    case clustered
    /// Every level alike.
    case levels
    /// Evenly over the horizon: nearly all on the top level.
    case horizon
    /// Also before `now`.
    case late

    func tick(from now: UInt64, using generator: inout SeededGenerator) -> UInt64 {
        let word = generator.next()
        switch self {
        case .ties: return now + word % 4 * 50
        case .clustered:
            let hour: UInt64 = 3_600_000
            return (now / hour + 1 + word % 40) * hour + (word >> 32) % 3
        case .levels: return now + (word >> 8) % (1 << (word % 36))
        case .horizon: return now + word % (TimerWheel.horizon + 1)
        case .late: return now + word % 300 - min(now, 100)
        }
    }
}

/// One wheel and one model that must answer alike, whatever is done to both.
struct Race: ~Copyable {
    var wheel: TimerWheel
    var model: SortedModel
    var held: [(handle: TimerWheel.Handle, place: UInt64, serial: Int)] = []
    var generator: SeededGenerator
    let spread: Spread

    init(spread: Spread, seed: UInt64, now: UInt64) {
        wheel = TimerWheel(now: now)
        model = SortedModel(now: now)
        generator = SeededGenerator(seed: seed)
        self.spread = spread
    }

    /// One random operation on both, in turn 3000 steps of growth and 3000 of decline.
    /// Nil when they agree, else what they did.
    mutating func step(_ number: Int) throws -> String? {
        let grows = number / 3000 % 2 == 0
        switch generator.next() % 1000 {
        case 0..<(grows ? 700 : 200): return try insert(payload: Int64(number))
        case 0..<(grows ? 940 : 900): return cancel()
        case 0..<999: return pop()
        default: return generator.next() % 8 == 0 ? removeAll() : nil
        }
    }

    mutating func difference(after action: String) -> String? {
        let nextTick = wheel.nextTick
        guard wheel.count == model.entries.count, wheel.now == model.now,
            nextTick == model.nextTick
        else {
            return """
                after \(action): count \(wheel.count), now \(wheel.now), next \(nextTick ?? 0); \
                not \(model.entries.count), \(model.now), \(model.nextTick ?? 0)
                """
        }
        return nil
    }

    private mutating func insert(payload: Int64) throws -> String? {
        let tick = spread.tick(from: wheel.now, using: &generator)
        let handle = try wheel.insert(tick: tick, payload: payload)
        let serial = model.insert(tick: tick, payload: payload)
        held.append((handle, max(tick, model.now), serial))
        return difference(after: "insert \(tick)")
    }

    /// Cancels a timer set at some time, which may have been popped long ago.
    private mutating func cancel() -> String? {
        guard !held.isEmpty else { return nil }
        let index = Int(generator.next() % UInt64(held.count))
        held.swapAt(index, held.count - 1)
        let (handle, place, serial) = held[held.count - 1]
        if generator.next() % 16 != 0 { held.removeLast() }
        let cancelled = wheel.cancel(handle)
        guard cancelled == model.cancel(place: place, serial: serial) else {
            return "cancel of \(place) said \(cancelled)"
        }
        return difference(after: "cancel \(place)")
    }

    /// Pops what is due up to some tick, at times not to the end.
    private mutating func pop() -> String? {
        let tick = max(spread.tick(from: wheel.now, using: &generator), wheel.now)
        let target = wheel.now + (tick - wheel.now) >> (generator.next() % 12)
        let most = generator.next() % 12
        for _ in 0..<most {
            let due = wheel.popDue(upTo: target)
            let expected = model.popDue(upTo: target)
            guard due == expected else {
                return
                    "pop up to \(target): \(String(describing: due)), not \(String(describing: expected))"
            }
            if due == nil { break }
        }
        return difference(after: "pop up to \(target)")
    }

    private mutating func removeAll() -> String? {
        let now = wheel.now - min(wheel.now, generator.next() % 100_000)
        wheel.removeAll(now: now)
        model.removeAll(now: now)
        return difference(after: "removal, now \(now)")
    }
}

@Suite struct ModelTests {
    @Test(arguments: Spread.allCases)
    func wheelAgreesWithASortedArrayOverRandomOperations(spread: Spread) throws {
        var race = Race(spread: spread, seed: 20_300_501, now: 1_770_000_000_000)
        var difference: String?
        for number in 0..<80_000 where difference == nil {
            difference = try race.step(number)
        }
        #expect(difference == nil)
    }

    @Test(arguments: [0, 63, 64, (1 << 36) - 1, 1 << 36, .max - (1 << 50)] as [UInt64])
    func wheelAgreesWithASortedArrayWhereverItStarts(now: UInt64) throws {
        var race = Race(spread: .levels, seed: now, now: now)
        var difference: String?
        for number in 0..<6_000 where difference == nil {
            difference = try race.step(number)
        }
        #expect(difference == nil)
    }
}
