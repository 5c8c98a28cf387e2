import Timing

private let timers = 1_000_000

/// A million timers spread over the wheel's horizon.
func wheelMeasurements() -> [Measurement] {
    var (inserted, cancelled, popped): ([Double], [Double], [Double]) = ([], [], [])
    for _ in 0..<5 {
        let round = wheelRound()
        inserted.append(round.insert)
        cancelled.append(round.cancel)
        popped.append(round.pop)
    }
    return [
        Measurement("wheel of 1,000,000: insert", nanoseconds: inserted),
        Measurement("wheel of 1,000,000: cancel", nanoseconds: cancelled),
        Measurement("wheel of 1,000,000: pop in order", nanoseconds: popped),
    ]
}

/// Nanoseconds of one insertion, one cancellation (in the order of insertion), one pop.
private func wheelRound() -> (insert: Double, cancel: Double, pop: Double) {
    var random = SystemRandomNumberGenerator()
    let ticks = (0..<timers).map { _ in
        UInt64.random(in: 1...TimerWheel.horizon, using: &random)
    }
    var wheel = TimerWheel(now: 0, capacity: timers)
    var handles: [TimerWheel.Handle] = []
    handles.reserveCapacity(timers)
    let insert = perTimer {
        for (index, tick) in ticks.enumerated() {
            if let handle = try? wheel.insert(tick: tick, payload: Int64(index)) {
                handles.append(handle)
            }
        }
    }
    let cancel = perTimer { for handle in handles { use(wheel.cancel(handle)) } }
    for (index, tick) in ticks.enumerated() {
        use(try? wheel.insert(tick: tick, payload: Int64(index)))
    }
    let pop = perTimer { while let due = wheel.popDue(upTo: TimerWheel.horizon) { use(due) } }
    return (insert, cancel, pop)
}

private func perTimer(_ body: () -> Void) -> Double {
    let time = ContinuousClock().measure(body).components
    return (Double(time.seconds) * 1e9 + Double(time.attoseconds) / 1e9) / Double(timers)
}
