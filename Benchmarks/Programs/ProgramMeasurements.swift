import Glibc

/// `Benchmarks programs DIST FLOOR REPORT [SIZE…]`: the two programs, their floor and their peers.
struct ProgramMeasurements {
    /// The folders of our programs and of the C programs.
    let programs: String
    let floor: String
    let sizes: [Int]
    private static let rounds = 25

    func run() throws -> String {
        var report = "## `make bench`: the programs\n\n"
        var capacities = Capacity.header
        for size in sizes {
            let world = try World(programs: programs)
            defer { world.remove() }
            try world.fill(size)
            report += try contests(world, size: size).map(\.table).joined(separator: "\n") + "\n"
            capacities += try Capacity(world, size: size, rounds: 7, idleSeconds: 60).row
        }
        report += "### What it takes\n\n" + capacities + "\n"
        return try report + load() + rings()
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

    private func load() throws -> String {
        let world = try World(programs: programs)
        defer { world.remove() }
        try world.start()
        let kinds = [("64 clients at once", 64, 1), ("one client that sends ahead", 1, 256)]
        let rows = try kinds.map { name, clients, ahead in
            let rates = try (0..<5).map { _ in
                try Load(socket: world.socket, clients: clients, ahead: ahead, calls: 20_000).run()
            }
            return "| \(name) | \(Int(Contest.median(rates))) |\n"
        }
        return "### Durable adds a second\n\n| | median of 5 |\n|---|---|\n" + rows.joined() + "\n"
    }

    private func rings() throws -> String {
        let world = try World(programs: programs)
        defer { world.remove() }
        let rings = try Rings(world: world, floor: floor)
        defer { rings.stop() }
        try world.start()
        let single = try rings.oneAtATime(40)
        let many = try [1_000, 10_000].map { count in
            let time = try rings.allAtOnce(count)
            _ = try world.remindctl("done", "all", "--yes").run()
            return "| \(count) due in the same second, digest with the server | \(Int(time)) ms |\n"
        }
        return single.table + "\n| | after that second |\n|---|---|\n" + many.joined()
    }
}
