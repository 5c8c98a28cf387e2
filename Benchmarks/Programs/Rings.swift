import Glibc

/// From the second that was asked for until the notification server is called.
struct Rings {
    private let world: World
    private let floor: String
    private let sink: (pid: pid_t, lines: Lines)

    /// - Parameter floor: the folder of the C programs.
    init(world: World, floor: String) throws {
        (self.world, self.floor) = (world, floor)
        let server = try Command([floor + "/notify-sink"], environment: world.environment).spawn()
        sink = (server.pid, Lines(server.output))
        guard sink.lines.next() == "ready" else {
            throw BenchmarkFailure(description: "the notification server did not start")
        }
    }

    func stop() { world.end(sink.pid) }

    /// One ring a second, in turn the floor's and the daemon's. Lateness in nanoseconds.
    func oneAtATime(_ count: Int) throws -> Contest {
        let first = time(nil) + 3
        for index in 0..<count {
            let at = first + 2 * index
            _ = try world.remindctl("add", "--at", "@\(at)", "due \(at)").run()
        }
        let floors = (0..<count).map { "\(first + 1 + 2 * $0)" }
        let timer = try Command(
            [floor + "/timer-notify"] + floors, environment: world.environment
        ).spawn()
        var (theirs, ours): ([Double], [Double]) = ([], [])
        while theirs.count + ours.count < 2 * count {
            guard let call = sink.lines.next().flatMap(Self.parse) else {
                throw BenchmarkFailure(description: "the notification server is gone")
            }
            if call.summary.hasPrefix("due ") {
                ours.append(call.at - (Double(call.summary.dropFirst(4)) ?? 0) * 1e9)
                _ = try world.remindctl("dismiss", "last").run()
            } else {
                theirs.append(call.at - (Double(call.summary) ?? 0) * 1e9)
            }
        }
        var status: Int32 = 0
        waitpid(timer.pid, &status, 0)
        close(timer.output)
        return Contest(
            "due until the notification server is called",
            [("timerfd, D-Bus call in C", theirs), ("remindd", ours)])
    }

    /// - Returns: milliseconds from the second at which `count` tasks are due until their digest is
    ///   with the server; all are committed as ringing before it.
    func allAtOnce(_ count: Int) throws -> Double {
        let at = time(nil) + 5 + count / 2000
        let load = Load(socket: world.socket, clients: 16, ahead: 1, calls: count, at: "@\(at)")
        _ = try load.run()
        guard time(nil) < at else {
            throw BenchmarkFailure(description: "the tasks were not added in time")
        }
        guard let call = sink.lines.next().flatMap(Self.parse) else {
            throw BenchmarkFailure(description: "the notification server is gone")
        }
        guard call.summary.contains("\(count)") else {
            throw BenchmarkFailure(description: "a digest of \(count), not ‘\(call.summary)’")
        }
        return (call.at - Double(at) * 1e9) / 1e6
    }

    private static func parse(_ line: String) -> (at: Double, summary: String)? {
        let parts = line.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, let at = Double(parts[0]) else { return nil }
        return (at, String(parts[1]))
    }
}

/// The lines that a program writes.
final class Lines {
    private let file: UnsafeMutablePointer<FILE>?

    init(_ descriptor: Int32) { file = fdopen(descriptor, "r") }

    deinit { if let file { fclose(file) } }

    func next() -> String? {
        var (line, size): (UnsafeMutablePointer<CChar>?, Int) = (nil, 0)
        defer { free(line) }
        guard let file, getline(&line, &size, file) > 0, let line else { return nil }
        return String(String(cString: line).dropLast())
    }
}
