import Timing

private let timers = 1_000_000

/// A million timers spread over the wheel's horizon.
func wheelMeasurements() -> [Measurement] {
    let rounds = (0..<5).map { _ in wheelRound() }
    return [
        ("insert", \WheelRound.insert),
        ("cancel, in the order of insertion", \WheelRound.cancel),
        ("cancel, in any order", \WheelRound.cancelShuffled),
        ("pop in order", \WheelRound.pop),
    ].map { name, path in
        Measurement("wheel of 1,000,000: \(name)", nanoseconds: rounds.map { $0[keyPath: path] })
    }
}

/// Nanoseconds of one operation on a timer.
private struct WheelRound {
    var insert = 0.0
    var cancel = 0.0
    var cancelShuffled = 0.0
    var pop = 0.0
}

private func wheelRound() -> WheelRound {
    var random = SystemRandomNumberGenerator()
    let ticks = (0..<timers).map { _ in
        UInt64.random(in: 1...TimerWheel.horizon, using: &random)
    }
    var round = WheelRound()
    var wheel = TimerWheel(now: 0, capacity: timers)
    var handles: [TimerWheel.Handle] = []
    handles.reserveCapacity(timers)
    round.insert = perTimer { fill(&wheel, ticks, &handles) }
    round.cancel = perTimer { for handle in handles { use(wheel.cancel(handle)) } }
    handles.removeAll(keepingCapacity: true)
    fill(&wheel, ticks, &handles)
    handles.shuffle(using: &random)
    round.cancelShuffled = perTimer { for handle in handles { use(wheel.cancel(handle)) } }
    handles.removeAll(keepingCapacity: true)
    fill(&wheel, ticks, &handles)
    round.pop = perTimer { while let due = wheel.popDue(upTo: TimerWheel.horizon) { use(due) } }
    return round
}

private func fill(
    _ wheel: inout TimerWheel, _ ticks: [UInt64], _ handles: inout [TimerWheel.Handle]
) {
    for (index, tick) in ticks.enumerated() {
        if let handle = try? wheel.insert(tick: tick, payload: Int64(index)) {
            handles.append(handle)
        }
    }
}

private func perTimer(_ body: () -> Void) -> Double {
    let time = ContinuousClock().measure(body).components
    return (Double(time.seconds) * 1e9 + Double(time.attoseconds) / 1e9) / Double(timers)
}
