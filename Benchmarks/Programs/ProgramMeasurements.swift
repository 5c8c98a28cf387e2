import Glibc

/// The two programs, their floor and their peers.
struct ProgramMeasurements {
    /// The folders of our programs and of the C programs.
    let programs: String
    let floor: String
    let sizes: [Int]
    private var goals = Goals()
    private var charted: [Contest] = []
    private static let rounds = 25
    /// What is drawn of what a person does.
    private static let charted = ["add,", "done,", "next 20,", "list all"]

    init(programs: String, floor: String, sizes: [Int]) {
        (self.programs, self.floor, self.sizes) = (programs, floor, sizes)
    }

    /// Measures for half an hour; then writes the tables and their picture.
    mutating func write(to report: Report) throws {
        let text = try run()
        print(text)
        try report.replace(section: "programs", by: text)
        try report.write(Chart(charted).svg, beside: "benchmarks.svg")
    }

    private mutating func run() throws -> String {
        var report = ""
        var capacities: [Capacity] = []
        for size in sizes {
            let world = try World(programs: programs)
            defer { world.remove() }
            try world.fill(size)
            let contests = try contests(world, size: size)
            contests.forEach { judge($0) }
            charted += contests.filter { contest in
                Self.charted.contains { contest.title.hasPrefix($0) }
            }
            let tables = contests.map(\.table).joined(separator: "\n") + "\n"
            report += tables
            capacities.append(try Capacity(world, size: size, rounds: 7, idleSeconds: 60))
            // For who waits; and what was measured is not lost when something later fails.
            print(tables, capacities.last?.row ?? "")
            fflush(nil)
        }
        for kind in ["add", "done", "rm", "snooze", "show", "next 20"] {
            goals.addFlatness(of: kind, within: kind == "add" ? 1.1 : 1.15)
        }
        report += "### What it takes\n\n" + Capacity.header
        report += capacities.map(\.row).joined() + "\n"
        judge(capacities)
        report += try load() + rings() + "\n"
        return goals.table + "\n" + report
    }

    private mutating func judge(_ contest: Contest) {
        let kind = contest.title.split(separator: ",").first.map(String.init) ?? ""
        if kind.hasPrefix("list") {
            goals.addAheadOfPeers(contest)
        } else {
            goals.add(contest, kind: kind, atMost: ["start": 1.5, "add": 1.6][kind] ?? 2)
        }
    }

    private mutating func judge(_ capacities: [Capacity]) {
        let first = capacities.first?.memory ?? 0
        for capacity in capacities {
            let memory = Double(capacity.memory) / 1024
            let more = Double(capacity.memory - first) / 1024
            let isFirst = capacity.memory == first
            goals.add(
                "memory (PSS), \(capacity.size) tasks", isFirst ? "≤ 15 MiB" : "+ 1 MiB",
                "\(Contest.ratio(memory)) MiB (+ \(Contest.ratio(max(more, 0))))",
                isFirst ? memory <= 15 : more <= 1)
            for (how, times) in [
                ("a clean stop", capacity.startAfterStop), ("kill -9", capacity.startAfterKill),
            ] {
                let median = Contest.median(times)
                goals.add(
                    "start to ready after \(how), \(capacity.size) tasks", "≤ 50 ms",
                    "\(Contest.milliseconds(median)) ms", median <= 50e6)
            }
            goals.add(
                "idle, \(capacity.size) tasks", "0 context switches, 0 CPU",
                "\(capacity.idleSwitches), \(capacity.idleTicks * 10) ms",
                capacity.idleSwitches == 0 && capacity.idleTicks == 0)
        }
    }

    private func contests(_ world: World, size: Int) throws -> [Contest] {
        let floor = try Floor(folder: floor, world: world)
        defer { floor.stop() }
        let peers = try Peer.all.filter { $0.isInstalled && size > 0 && size <= $0.most }.map {
            let folder = world.folder + "/" + $0.program
            mkdir(folder, 0o700)
            try $0.prepare(folder, size)
            return (peer: $0, folder: folder)
        }
        defer { for peer in peers { peer.peer.cleanUp() } }
        return try Operations(
            world: world, floor: floor, peers: peers, size: size, rounds: Self.rounds
        ).contests()
    }

    /// `Benchmarks load DIST`: the durable adds alone.
    mutating func runLoad() throws -> String { try load() + goals.table }

    private mutating func load() throws -> String {
        let world = try World(programs: programs)
        defer { world.remove() }
        try world.start()
        let (rounds, calls) = (5, 20_000)
        var rows = ""
        for (name, clients, ahead, wanted) in [
            ("64 clients at once", 64, 1, 8000.0), ("one client that sends ahead", 1, 256, 15_000),
        ] {
            let before = Counters(of: world.daemon).ticks
            let rates = try (0..<rounds).map { _ in
                try Load(
                    socket: world.socket, clients: clients, ahead: ahead, calls: calls
                ).run()
            }
            // A tick is 10 ms (sysconf(3), _SC_CLK_TCK).
            let cost = (Counters(of: world.daemon).ticks - before) * 10_000 / (rounds * calls)
            let rate = Contest.median(rates)
            rows += "| \(name) | \(Int(rate)) | \(Int(rates.max() ?? 0)) | \(cost) µs |\n"
            goals.add(
                "durable adds a second, \(name)", "≥ \(Int(wanted))", "\(Int(rate))",
                rate >= wanted)
        }
        return "### Durable adds a second\n\n"
            + "| | median of \(rounds) | best | CPU of the daemon for each |\n|---|---|---|---|\n"
            + rows + "\n"
    }

    private mutating func rings() throws -> String {
        let world = try World(programs: programs)
        defer { world.remove() }
        let rings = try Rings(world: world, floor: floor)
        defer { rings.stop() }
        try world.start()
        let single = try rings.oneAtATime(40)
        judge(rings: single)
        var many = ""
        for count in [1_000, 10_000] {
            let time = try rings.allAtOnce(count)
            _ = try world.remindctl("done", "all", "--yes").run()
            let what = "\(count) due in the same second, digest with the server"
            many += "| \(what) | \(Int(time)) ms |\n"
            goals.add(what, "≤ 1000 ms", "\(Int(time)) ms", time <= 1000)
        }
        return single.table + "\n| | after that second |\n|---|---|\n" + many
    }

    private mutating func judge(rings contest: Contest) {
        guard let floor = contest.rows.first, let ours = contest.rows.last else { return }
        let ratio = Contest.median(ours.times) / Contest.median(floor.times)
        let late = ours.times.sorted()
        let worst = late[late.count * 99 / 100]
        goals.add(
            "due until the notification server is called, median", "≤ 2 × timerfd to Notify in C",
            "\(Contest.ratio(ratio)) ×", ratio <= 2)
        goals.add(
            "due until the notification server is called, p99", "≤ 5 ms",
            "\(Contest.milliseconds(worst)) ms", worst <= 5e6)
    }
}
