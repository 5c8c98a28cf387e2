import RemindCore
import Testing

@testable import Store

@Suite("Many changes in one transaction")
struct BatchTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let step = UserChange(.importing, at: epoch)

    private func found(_ word: String, _ store: Store) throws -> [Int64] {
        try store.list(ListFilter(.all, search: word)).map(\.number).sorted()
    }

    @Test(
        "The index agrees with the texts whatever a batch adds, changes and deletes, in any order")
    func index() throws {
        let store = try Store(path: folder.database)
        try store.insert(sample(0, "Before them all"), due: nil)
        try store.transaction(Self.step) {
            try store.together {
                for index in 1...300 { try store.insert(sample(index, "Water \(index)"), due: nil) }
                try store.delete(number: 5)
                try store.insert(sample(400, "Another one"), due: nil)
                var changed = try #require(try store.reminder(number: 7))
                changed.title = "Changed here"
                try store.update(changed, due: nil)
                try store.delete(number: 9)
                try store.delete(number: 302)
            }
        }
        #expect(try store.checkIntegrity() == [])
        #expect(try found("water", store) == (2...301).filter { ![5, 7, 9].contains($0) })
        #expect(try found("changed", store) == [7])
        #expect(try found("another", store) == [])
        let step = try #require(try store.undoSteps(limit: 1).first)
        _ = try store.transaction { try store.undo(step) }
        #expect(try store.checkIntegrity() == [])
        #expect(try found("water", store) == [])
        #expect(try found("before", store) == [1])
        try store.close()
    }

    @Test("A batch that fails leaves nothing, and the index as it was")
    func failure() throws {
        let store = try Store(path: folder.database)
        struct Stop: Error {}
        #expect(throws: Stop.self) {
            try store.transaction {
                try store.together {
                    try store.insert(sample(1, "Water"), due: nil)
                    throw Stop()
                }
            }
        }
        try store.insert(sample(2, "Tea"), due: nil)
        #expect(try store.checkIntegrity() == [])
        #expect(try found("water", store) == [])
        #expect(try found("tea", store).count == 1)
        try store.close()
    }

    @Test("A step of several transactions is taken back in parts, the last one first")
    func parts() throws {
        let store = try Store(path: folder.database)
        for part in 0..<3 {
            let change = UserChange(.importing, at: epoch, step: part == 0 ? nil : store.lastStep)
            try store.transaction(change) {
                try store.insert(sample(2 * part), due: nil)
                try store.insert(sample(2 * part + 1), due: nil)
            }
        }
        for left in [4, 2, 0] {
            let step = try #require(try store.undoSteps(limit: 1).first)
            #expect(step.count == left + 2)
            let outcome = try store.transaction { try store.undo(step, entries: 1) }
            #expect(outcome.numbers.count == 2)
            #expect(outcome.isWhole == (left == 0))
            #expect(try store.list(ListFilter(.all)).count == left)
        }
        #expect(try store.undoSteps(limit: 1).isEmpty)
        #expect(try store.checkIntegrity() == [])
        try store.close()
    }
}
