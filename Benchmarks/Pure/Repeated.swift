import Calendaring
import RemindCore
import Timing

/// Operations that are run so many times and no more, to have their instructions counted
/// (valgrind's callgrind): what two counts differ by is what that many operations take.
enum Repeated: String, CaseIterable {
    case phrase, rule, wheel

    func run(_ count: Int) {
        switch self {
        case .phrase: Self.parsePhrases(count)
        case .rule: Self.findOccurrences(count)
        case .wheel: Self.turnWheel(count)
        }
    }

    private static func parsePhrases(_ count: Int) {
        let context = PhraseContext(now: benchmarkNow, zones: benchmarkSchedule.zones)
        for _ in 0..<count { use(try? context.understand("friday at 17:00")) }
    }

    private static func findOccurrences(_ count: Int) {
        let recurrence = benchmarkRecurrence("FREQ=WEEKLY;BYDAY=MO,WE,FR")
        for _ in 0..<count {
            use(try? benchmarkSchedule.occurrences(of: recurrence, after: benchmarkNow, limit: 1))
        }
    }

    /// Timers all over the horizon, half of them cancelled, the others popped in order.
    private static func turnWheel(_ count: Int) {
        var wheel = TimerWheel(now: 0, capacity: count)
        for index in 0..<count {
            let tick = UInt64(truncatingIfNeeded: index &* 2_654_435_761) % TimerWheel.horizon
            guard let handle = try? wheel.insert(tick: tick, payload: Int64(index)) else {
                continue
            }
            if index & 1 == 0 { use(wheel.cancel(handle)) }
        }
        while let due = wheel.popDue(upTo: TimerWheel.horizon) { use(due) }
    }
}
