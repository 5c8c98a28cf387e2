import FaultDisk
import RemindAPI
import RemindCore
import Store
import Synchronization
import Testing

@testable import RemindDaemon

/// What became of changes, in the order in which it was told.
final class Replies: Sendable {
    private let told = Mutex<[(name: String, error: APIError?)]>([])

    var names: [String] { told.withLock { $0.map(\.name) } }
    var errors: [APIError?] { told.withLock { $0.map(\.error) } }
    var refused: [String] { told.withLock { $0.filter { $0.error != nil }.map(\.name) } }

    func change(
        _ name: String,
        _ make: @escaping @Sendable (isolated Engine) throws(APIError) -> Void
    ) -> CalledChange {
        CalledChange { engine throws(APIError) in
            try make(engine)
            return []
        } reply: { [self] result in
            let error: APIError? = if case .failure(let error) = result { error } else { nil }
            told.withLock { $0.append((name, error)) }
        }
    }

    func add(_ title: String, at: String = "2024-06-01 09:00", past: Bool = false) -> CalledChange {
        change(title) { engine throws(APIError) in
            var parameters = Add.Parameters(title: title)
            (parameters.at, parameters.past) = (at, past)
            _ = try engine.add(parameters)
        }
    }

    func complete(_ reference: String) -> CalledChange {
        change("done \(reference)") { engine throws(APIError) in
            _ = try engine.complete(engine.find(reference), series: false, origin: .command)
        }
    }

    func remove(_ reference: String) -> CalledChange {
        change("rm \(reference)") { engine throws(APIError) in
            _ = try engine.remove(engine.find(reference))
        }
    }
}

extension World {
    /// Asks for them while the engine is busy, so that all of them wait, and waits for them.
    func makeTogether(_ changes: [CalledChange]) {
        isolated { engine in for change in changes { engine.make(change) } }
        isolated { _ in }
    }

    /// The numbers of the log's commits (<https://www.sqlite.org/fileformat2.html>, section 4.1):
    /// frames that say how large the database is afterwards.
    var commits: Int {
        guard let log = readFile(database + "-wal"), log.count > 32 else { return 0 }
        let frame = 24 + 4096
        return stride(from: 32, through: log.count - frame, by: frame)
            .count { log[$0 + 4..<$0 + 8].contains { $0 != 0 } }
    }
}

@Suite("Changes that share a commit")
struct GroupingTests {
    private let world: World
    private let replies = Replies()

    init() throws { world = try World() }

    @Test("Those that wait are committed at once, answered in their order, and a step of undo each")
    func together() throws {
        let before = world.commits
        world.makeTogether(["Tea", "Bread", "Rent"].map { replies.add($0) })
        #expect(world.commits == before + 1)
        #expect(replies.names == ["Tea", "Bread", "Rent"])
        #expect(replies.refused.isEmpty)
        let undone = try world.isolated { try $0.undo().removed.map(\.title) }
        #expect(undone == ["Rent"])
    }

    @Test("One that is refused takes nothing of the others with it")
    func refused() throws {
        try world.add("Done already", at: "2024-06-01 09:00")
        _ = try world.isolated { try $0.complete($0.find("1"), series: false, origin: .command) }
        world.makeTogether([replies.add("Tea"), replies.complete("1"), replies.add("Bread")])
        #expect(replies.names == ["Tea", "done 1", "Bread"])
        #expect(replies.refused == ["done 1"])
        #expect(try world.reminder(2).title == "Tea")
        #expect(try world.reminder(3).title == "Bread")
    }

    @Test("One that is refused after it has written something leaves nothing, and the others stay")
    func refusedHalfway() throws {
        let half = replies.change("half") { engine throws(APIError) in
            let now = engine.clock.now
            var reminder = Reminder(id: UUIDv7(high: 1, low: 2), title: "Half", created: now)
            reminder.number = 99
            try engine.storing { [reminder] in
                try engine.commit(UserChange(.add, at: now)) {
                    try engine.store.insert(reminder, due: nil)
                    throw APIError.wrongState("99", "It is halfway.", hint: "")
                }
            }
        }
        world.makeTogether([replies.add("Tea"), half, replies.add("Bread")])
        #expect(replies.names == ["Tea", "half", "Bread"])
        #expect(replies.refused == ["half"])
        #expect(try world.reminder(2).title == "Bread")
        let found = world.isolated { engine in (try? engine.find("99"))?.isEmpty ?? true }
        #expect(found)
        #expect(try world.isolated { try $0.store.checkIntegrity() } == [])
        let undone = try world.isolated { try $0.undo().removed.map(\.title) }
        #expect(undone == ["Bread"])
    }

    @Test("One sees what those before it have changed")
    func inOrder() throws {
        world.makeTogether([
            replies.add("Tea"), replies.complete("1"), replies.complete("1"), replies.remove("1"),
            replies.remove("1"),
        ])
        #expect(replies.errors.map { $0?.kind } == [nil, nil, .wrongState, nil, .noSuchReminder])
    }

    @Test("What is due already rings after the commit, and what was silenced does not")
    func ringing() throws {
        try world.add("Standing", at: "2024-05-01 10:29") { $0.past = true }
        world.makeTogether([
            replies.add("Late", at: "2024-05-01 09:00", past: true), replies.complete("1"),
            replies.add("Gone", at: "2024-05-01 09:00", past: true), replies.remove("3"),
        ])
        #expect(replies.refused.isEmpty)
        #expect(try world.reminder(2).alarm.state == .ringing)
        #expect(world.isolated { $0.ringing } == [2])
        #expect(world.shown == ["Standing", "Late"])
    }

    @Test("More than a group holds are all made, in their order")
    func many() throws {
        let titles = (1...300).map { "Task \($0)" }
        world.makeTogether(titles.map { replies.add($0) })
        // The rest is asked for again behind what waits meanwhile.
        for _ in 0..<3 { world.isolated { _ in } }
        #expect(replies.names == titles)
        #expect(replies.refused.isEmpty)
        #expect(try world.reminder(300).title == "Task 300")
    }

    @Test("Changes of one command stay one step of undo, in a group too")
    func oneStep() throws {
        for title in ["Tea", "Bread"] { try world.add(title, at: "2024-06-01 09:00") }
        world.makeTogether(
            ["1", "2"].map { reference in
                replies.change(reference) { engine throws(APIError) in
                    _ = try engine.complete(
                        engine.find(reference), series: false, group: "command", origin: .command)
                }
            })
        let undone = try world.isolated { try $0.undo().reminders.map(\.number) }
        #expect(undone.sorted() == [1, 2])
    }
}

@Suite("Changes that share a commit which fails")
struct FailedGroupTests {
    @Test("All are refused, nothing is there, and all are made when they are asked for again")
    func commitFails() throws {
        for trouble in Trouble.all {
            for position in FaultDisk.positions {
                let faulty = try FaultyWorld()
                let place: Comment = "\(trouble.testDescription), call \(position)"
                let before = try faulty.content()
                let rang = faulty.world.isolated { $0.ringing }
                let replies = Replies()
                let changes = [
                    replies.add("Tea"), replies.complete("1"), replies.complete("3"),
                    replies.remove("2"),
                ]
                faulty.disk.arm(trouble.fault, at: position, lasting: trouble.lasting)
                faulty.world.makeTogether(changes)
                let failed = faulty.disk.disarm()
                let names = ["Tea", "done 1", "done 3", "rm 2"]
                #expect(replies.names == names, place)
                // #3 is done already.
                let made = replies.refused == ["done 3"]
                #expect(made || replies.refused == names, place)
                let content = try faulty.content()
                #expect(made || content == before, place)
                #expect(faulty.world.isolated { $0.ringing } == (made ? [] : rang), place)
                #expect(try faulty.faults().isEmpty, place)
                if !made {
                    let again = Replies()
                    faulty.world.makeTogether([again.add("Tea"), again.complete("1")])
                    #expect(again.refused.isEmpty, place)
                    #expect(faulty.world.isolated { $0.ringing }.isEmpty, place)
                }
                if !failed { break }
                #expect(position < FaultDisk.limit - 7)
            }
        }
    }
}
