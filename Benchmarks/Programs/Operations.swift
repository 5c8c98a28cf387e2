import Glibc

/// What a person does from a shell, against the floor of the machine and against other programs.
struct Operations {
    let world: World
    let floor: Floor
    let peers: [(peer: Peer, folder: String)]
    let size: Int
    let rounds: Int

    private typealias Contender = (name: String, command: (Int) throws -> Command)

    func contests() throws -> [Contest] {
        var contests = size == 0 ? [try start()] : []
        contests.append(try add())
        if size > 0 { contests += try answers() + listings() }
        return contests
    }

    private var floorRow: Contender {
        ("C client and server, one insert", { [floor] _ in floor.insert() })
    }

    private func ours(_ name: String, _ command: @escaping (Int) throws -> Command) -> Contender {
        ("remindctl \(name)", command)
    }

    private func theirs(_ command: (Peer) -> ((String, Int) -> Command)?) -> [Contender] {
        peers.compactMap { peer, folder in
            command(peer).map { command in (peer.name, { command(folder, $0) }) }
        }
    }

    /// What remindctl is linked as, with nothing in it.
    private func start() throws -> Contest {
        try Contest(
            "start", rounds: rounds * 4,
            [
                ("an empty static Swift program", { [floor] _ in floor.empty() }),
                ours("--version") { _ in world.remindctl("--version") },
            ])
    }

    private func add() throws -> Contest {
        try Contest(
            "add, \(size) tasks", rounds: rounds,
            [
                floorRow,
                ours("add") { _ in world.remindctl("add", "--at", "2040-05-01 09:00", "Pay rent") },
            ] + theirs(\.add))
    }

    /// Each round takes a task of its own.
    private func answers() throws -> [Contest] {
        let step = max(1, size / (5 * (rounds + 1)))
        let number = { (lane: Int, round: Int) in 1 + (lane * (rounds + 1) + round) * step }
        return try [
            Contest(
                "done, \(size) tasks", rounds: rounds,
                [floorRow, ours("done") { world.remindctl("done", "\(number(0, $0))") }]
                    + theirs { peer in
                        peer.complete.map { complete in { complete($0, number(0, $1)) } }
                    }),
            Contest(
                "rm, \(size) tasks", rounds: rounds,
                [floorRow, ours("rm") { world.remindctl("rm", "\(number(1, $0))") }]),
            Contest(
                "snooze, \(size) tasks", rounds: rounds,
                [floorRow, ours("snooze") { world.remindctl("snooze", "\(number(2, $0))", "1h") }]),
            Contest(
                "show, \(size) tasks", rounds: rounds,
                [floorRow, ours("show") { world.remindctl("show", "\(number(3, $0))") }]),
        ]
    }

    private func listings() throws -> [Contest] {
        var contests = [
            try Contest(
                "next 20, \(size) tasks", rounds: rounds,
                [floorRow, ours("next 20") { _ in world.remindctl("next", "20") }]
                    + theirs { peer in peer.next.map { next in { folder, _ in next(folder) } } })
        ]
        guard size <= 100_000 else { return contests }
        contests.append(
            try Contest(
                "list all to a pipe, \(size) tasks", rounds: min(rounds, 5),
                [
                    ours("list") { _ in world.remindctl("list", "--all") },
                    ours("list --json") { _ in world.remindctl("--json", "list", "--all") },
                ] + theirs { peer in peer.list.map { list in { folder, _ in list(folder) } } }))
        return contests
    }
}

/// The programs in C that do the least: `Benchmarks/Floor`.
final class Floor {
    private let folder: String
    private let world: World
    private var server: (pid: pid_t, output: Int32)

    /// - Parameter folder: where they are built.
    init(folder: String, world: World) throws {
        (self.folder, self.world) = (folder, world)
        let socket = world.folder + "/floor.sock"
        server = try Command(
            [folder + "/insert-server", socket, world.folder + "/floor.db"], environment: []
        ).spawn()
        while access(socket, F_OK) != 0 { usleep(1000) }  // allowed: a C program tells nobody
    }

    func insert() -> Command {
        Command([folder + "/insert-client", world.folder + "/floor.sock", "Pay rent"])
    }

    func empty() -> Command { Command([folder + "/empty"]) }

    func stop() {
        kill(server.pid, SIGTERM)
        var status: Int32 = 0
        waitpid(server.pid, &status, 0)
        close(server.output)
    }
}
