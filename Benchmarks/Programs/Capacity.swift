import Glibc

/// What the daemon takes, and how it grows with the store.
struct Capacity {
    let size: Int
    /// In KiB.
    let memory: Int
    let startAfterStop: [Double]
    let startAfterKill: [Double]
    let idleSeconds: UInt32
    let idleSwitches: Int
    let idleTicks: Int

    /// - Parameter world: with a daemon that runs on a store of `size` tasks.
    init(_ world: World, size: Int, rounds: Int, idleSeconds: UInt32) throws {
        (self.size, self.idleSeconds) = (size, idleSeconds)
        var times: [Int32: [Double]] = [:]
        for _ in 0..<rounds {
            for signal in [SIGKILL, SIGTERM] {
                world.stop(signal)
                times[signal, default: []].append(try world.start())
            }
        }
        (startAfterStop, startAfterKill) = (times[SIGTERM] ?? [], times[SIGKILL] ?? [])
        _ = try world.remindctl("status").run()
        let before = Self.settled(world.daemon)
        sleep(idleSeconds)  // allowed: that nothing happens takes its time
        let after = Counters(of: world.daemon)
        memory = after.memory
        (idleSwitches, idleTicks) = (after.switches - before.switches, after.ticks - before.ticks)
    }

    /// The threads that served the calls end up to 16 seconds later (those of GLib's pools); then it
    /// must be still.
    private static func settled(_ daemon: pid_t) -> Counters {
        var counters = Counters(of: daemon)
        for _ in 0..<4 {
            sleep(18)  // allowed: that nothing happens takes its time
            let now = Counters(of: daemon)
            if now.switches == counters.switches { break }
            counters = now
        }
        return counters
    }

    static let header = """
        | tasks | memory (PSS) | start after a stop | after kill -9 | idle: context switches | CPU |
        |---|---|---|---|---|---|

        """

    var row: String {
        let starts = [startAfterStop, startAfterKill]
            .map { Contest.milliseconds(Contest.median($0)) + " ms" }
        return "| \(size) | \(Contest.ratio(Double(memory) / 1024)) MiB | "
            + starts.joined(separator: " | ")
            + " | \(idleSwitches) in \(idleSeconds) s | \(idleTicks * 10) ms |\n"
    }
}
