import Dispatch
import Glibc
import Timing

private let timers = 1_000_000

/// A million timers spread over the wheel's horizon.
func wheelMeasurements() -> [Measurement] {
    let rounds = (0..<5).map { _ in wheelRound() }
    let times = [
        ("insert, into memory that is new", \WheelRound.insert),
        ("insert, into memory that was used before", \WheelRound.insertAgain),
        ("cancel, in the order of insertion", \WheelRound.cancel),
        ("cancel, in any order", \WheelRound.cancelShuffled),
        ("pop in order", \WheelRound.pop),
    ].map { name, path in
        Measurement("our wheel, 1,000,000 timers: \(name)", rounds.map { $0[keyPath: path] })
    }
    let memory = Measurement(
        "our wheel, 1,000,000 timers: memory", rounds.map(\.memory), .bytes)
    return times + [memory] + sourceMeasurements()
}

/// The same with a source of Dispatch for each timer: a tenth of the timers.
private func sourceMeasurements() -> [Measurement] {
    let count = timers / 10
    let queue = DispatchQueue(label: "benchmark")
    let rounds = (0..<5).map { _ in
        var sources: [any DispatchSourceTimer] = []
        sources.reserveCapacity(count)
        let insert = perTimer(count) {
            for index in 0..<count {
                let source = DispatchSource.makeTimerSource(queue: queue)
                source.schedule(wallDeadline: .now() + Double(1 + index * 601 % 67_600_000))
                source.setEventHandler {}
                source.activate()
                sources.append(source)
            }
            queue.sync {}
        }
        let cancel = perTimer(count) {
            for source in sources { source.cancel() }
            queue.sync {}
        }
        return (insert, cancel)
    }
    return [
        Measurement("a source of Dispatch each, 100,000 timers: insert", rounds.map(\.0)),
        Measurement("a source of Dispatch each, 100,000 timers: cancel", rounds.map(\.1)),
    ]
}

/// Nanoseconds of one operation on a timer.
private struct WheelRound {
    var insert = 0.0
    var insertAgain = 0.0
    var cancel = 0.0
    var cancelShuffled = 0.0
    var pop = 0.0
    /// Bytes.
    var memory = 0.0
}

private func wheelRound() -> WheelRound {
    var random = SystemRandomNumberGenerator()
    let ticks = (0..<timers).map { _ in
        UInt64.random(in: 1...TimerWheel.horizon, using: &random)
    }
    var round = WheelRound()
    var handles: [TimerWheel.Handle] = []
    handles.reserveCapacity(timers)
    let before = taken()
    var wheel = TimerWheel(now: 0, capacity: timers)
    round.insert = perTimer { fill(&wheel, ticks, &handles) }
    round.memory = (taken() - before) / Double(timers)
    round.cancel = perTimer { for handle in handles { use(wheel.cancel(handle)) } }
    handles.removeAll(keepingCapacity: true)
    wheel.removeAll(now: 0)
    round.insertAgain = perTimer { fill(&wheel, ticks, &handles) }
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

private func perTimer(_ count: Int = timers, _ body: () -> Void) -> Double {
    let time = ContinuousClock().measure(body).components
    return (Double(time.seconds) * 1e9 + Double(time.attoseconds) / 1e9) / Double(count)
}

/// Bytes of memory that this program takes.
private func taken() -> Double { Double(Counters(of: getpid()).memory) * 1024 }
