import RemindAPI
import Synchronization
import Testing

@testable import RemindDaemon

/// A list on its way to a client that takes its time.
@Suite struct ListPagesTests {
    private let world: World

    init() throws {
        world = try World()
        for number in 1...5 { try world.add("Task \(number)") }
    }

    /// The titles of each reply, turn after turn; `between` runs after each turn.
    private func pages(
        _ size: ListPages.Size, between: @Sendable (isolated Engine) throws -> Void = { _ in }
    ) throws -> [[[String]]] {
        try world.isolated { engine in
            var list = try engine.list(List.Parameters(), size)
            var turns: [[[String]]] = []
            var isOver = false
            while !isOver {
                var pages: [[String]] = []
                var lasts: [Bool] = []
                isOver = try engine.turn(&list) { bytes, isLast in
                    pages.append(Self.titles(bytes))
                    lasts.append(isLast)
                }
                #expect(lasts.dropLast().allSatisfy { !$0 })
                #expect(lasts.last == isOver || size.isWhole && lasts.isEmpty && !isOver)
                turns.append(pages)
                try between(engine)
            }
            return turns
        }
    }

    private static func titles(_ reply: [UInt8]) -> [String] {
        var titles: [String] = []
        var json = JSONReader(reply)
        // A reply that cannot be read has no titles, which the tests see.
        try? json.object { _, json throws(JSONReader.Fault) in
            try json.array { json throws(JSONReader.Fault) in
                titles.append(try ReminderRecord(reading: &json).title)
            }
        }
        return titles
    }

    @Test func listIsCutIntoPagesAndTurns() throws {
        let whole = [["Task 1", "Task 2", "Task 3", "Task 4", "Task 5"]]
        #expect(try pages(.whole) == [whole])
        #expect(try pages(.streamed) == [whole])
        let byCount = ListPages.Size(reminders: 2, bytes: .max, turnBytes: .max)
        #expect(
            try pages(byCount) == [[["Task 1", "Task 2"], ["Task 3", "Task 4"], ["Task 5"]]])
        let byBytes = ListPages.Size(reminders: 3, bytes: 1, turnBytes: 1)
        #expect(try pages(byBytes) == (1...5).map { [["Task \($0)"]] })
    }

    @Test func wholeListIsMadeInTurnsAndSentAtOnce() throws {
        let size = ListPages.Size(reminders: 2, bytes: .max, turnBytes: 1, isWhole: true)
        #expect(
            try pages(size) == [[], [], [["Task 1", "Task 2", "Task 3", "Task 4", "Task 5"]]])
        let turns = try pages(size) { engine in
            for number in 1...4 {
                // Gone already after the first turn.
                if let found = try? engine.find("\(number)") { _ = try engine.remove(found) }
            }
        }
        #expect(turns == [[], [["Task 1", "Task 2", "Task 5"]]])
    }

    @Test func shortWorkStandsBehindOnePieceOfLongWork() throws {
        let order = Mutex<[String]>([])
        world.isolated { engine in
            for piece in ["first", "second", "third"] {
                engine.runLong { _ in order.withLock { $0.append(piece) } }
            }
            engine.run { _ in order.withLock { $0.append("short") } }
        }
        // Each is a hop on the engine's queue.
        for _ in 0..<4 { world.isolated { _ in } }
        #expect(order.withLock { $0 } == ["first", "short", "second", "third"])
    }

    /// A hundred clients that ask for the whole list must not have a hundred of them half made.
    @Test func workThatGoesOnEndsBeforeOtherWorkBegins() {
        let order = Mutex<[String]>([])
        world.isolated { engine in
            engine.runLong { engine in
                order.withLock { $0.append("first") }
                engine.runLong(goesOn: true) { _ in order.withLock { $0.append("first goes on") } }
            }
            engine.runLong { _ in order.withLock { $0.append("second") } }
            engine.run { _ in order.withLock { $0.append("short") } }
        }
        for _ in 0..<4 { world.isolated { _ in } }
        #expect(order.withLock { $0 } == ["first", "short", "first goes on", "second"])
    }

    @Test func emptyListIsOneEmptyPage() throws {
        try world.isolated { engine in
            for number in 1...5 { _ = try engine.remove(engine.find("\(number)")) }
        }
        #expect(try pages(.streamed) == [[[]]])
    }

    @Test func whatIsRemovedBetweenTurnsIsLeftOut() throws {
        let size = ListPages.Size(reminders: 2, bytes: .max, turnBytes: 1)
        let turns = try pages(size) { engine in
            for number in 2...4 {
                // Gone already after the first turn.
                if let found = try? engine.find("\(number)") { _ = try engine.remove(found) }
            }
        }
        #expect(turns.flatMap { $0 } == [["Task 1", "Task 2"], ["Task 5"]])
    }
}
