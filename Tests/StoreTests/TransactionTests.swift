import RemindCore
import Testing

@testable import Store

@Suite("Changes, whole or not at all")
struct TransactionTests {
    private struct Refused: Error {}

    private let folder: TemporaryFolder
    private let store: Store

    init() throws {
        folder = try TemporaryFolder()
        store = try Store(path: folder.database, busyTimeout: 30)
    }

    private func count() throws -> Int { try store.list(ListFilter(.all)).count }

    @Test("A transaction that throws leaves nothing, and the next one works")
    func throwing() throws {
        #expect(throws: Refused.self) {
            try store.transaction {
                try store.insert(sample(1), due: nil)
                try store.setMeta("a", "b")
                throw Refused()
            }
        }
        #expect(try count() == 0)
        #expect(try store.meta("a") == nil)
        let number = try store.transaction { try store.insert(sample(1), due: nil) }
        #expect(number == 1)
        try store.close()
    }

    @Test("An inner change that fails is undone alone; the outer one is kept")
    func inner() throws {
        var refused = false
        try store.transaction {
            try store.insert(sample(1), due: nil)
            do {
                try insertAndThrow(sample(2))
            } catch is Refused {
                refused = true
            }
            // Another with this identifier is there already.
            _ = try? store.insert(sample(1), due: nil)
            try insertInside(sample(3))
        }
        #expect(refused)
        #expect(try store.list(ListFilter(.all)).map(\.id) == [identifier(1), identifier(3)])
        try store.close()
    }

    private func insertAndThrow(_ reminder: Reminder) throws {
        try store.transaction {
            try store.insert(reminder, due: nil)
            throw Refused()
        }
    }

    private func insertInside(_ reminder: Reminder) throws {
        try store.transaction { _ = try store.insert(reminder, due: nil) }
    }

    @Test("Nobody else sees a change before its transaction has ended")
    func isolation() throws {
        let other = try stranger(folder.database)
        let tasks = "SELECT count(*) FROM task"
        try store.transaction {
            try store.insert(sample(1), due: nil)
            #expect(try other.integer(tasks) == 0)
        }
        #expect(try other.integer(tasks) == 1)
        try other.close()
        try store.close()
    }

    @Test("A lock that another program holds for too long is ‘busy’, and nothing is stored")
    func busy() throws {
        let other = try stranger(folder.database)
        try other.execute("BEGIN EXCLUSIVE")
        let error = storeError { try store.insert(sample(1), due: nil) }
        #expect(error?.category == .busy)
        #expect(error?.code == "SQLITE_BUSY")
        #expect(error?.path == store.path)
        #expect(error?.message.contains("locked by another program") == true)
        var called = false
        #expect(storeError { try store.transaction { called = true } }?.category == .busy)
        #expect(!called)
        try other.execute("COMMIT")
        #expect(try count() == 0)
        #expect(try store.insert(sample(1), due: nil) == 1)
        try other.close()
        try store.close()
    }

    @Test("A full disk is ‘full’: the change is undone, what was there stays, and it works again")
    func full() throws {
        try store.insert(sample(1), due: nil)
        let pages = try #require(try store.connection.integer("PRAGMA page_count"))
        try store.connection.execute("PRAGMA max_page_count = \(pages + 2)")
        var large = sample(2)
        large.note = String(repeating: "x", count: 100_000)
        let single = storeError { try store.insert(large, due: nil) }
        #expect(single?.category == .full)
        #expect(single?.code == "SQLITE_FULL")
        let several = storeError {
            try store.transaction {
                try store.insert(sample(3), due: nil)
                try store.insert(large, due: nil)
            }
        }
        #expect(several?.category == .full)
        #expect(try store.list(ListFilter(.all)).map(\.id) == [identifier(1)])
        #expect(try store.checkIntegrity().isEmpty)
        try store.connection.execute("PRAGMA max_page_count = 1000000")
        try store.insert(large, due: nil)
        #expect(try count() == 2)
        try store.close()
    }

    @Test("After SQLite itself has ended a transaction, nothing of the rest is stored")
    func lostTransaction() throws {
        let error = storeError {
            try store.transaction {
                try store.insert(sample(1), due: nil)
                // What SQLite does by itself after an I/O error.
                try store.connection.execute("ROLLBACK")
                _ = try? store.insert(sample(2), due: nil)
                try? store.setMeta("a", "b")
            }
        }
        #expect(error?.code == "SQLITE_ABORT")
        #expect(try count() == 0)
        #expect(try store.meta("a") == nil)
        #expect(try store.insert(sample(3), due: nil) == 1)
        try store.close()
    }

    @Test("A statement that was left open is told at the close, which can be done again")
    func leftOpen() throws {
        try store.insert(sample(1), due: nil)
        var statement: Statement? = try store.connection.statement(.popups)
        #expect(storeError { try store.close() }?.code == "SQLITE_BUSY")
        #expect(statement?.sql == Query.popups.sql)
        statement = nil
        try store.close()
        #expect(refusal(folder.database) == nil)
    }

    @Test("A checkpoint empties the WAL, and closing takes it away")
    func checkpoint() throws {
        try store.insert(sample(1), due: nil)
        #expect(bytes(of: store.path + "-wal")?.isEmpty == false)
        try store.checkpoint()
        #expect(bytes(of: store.path + "-wal")?.isEmpty == true)
        try store.close()
        #expect(entries(of: folder.path) == ["reminders.db", "reminders.db.lock"])
    }

    @Test("Damage inside the file is found by the check")
    func integrity() throws {
        #expect(try store.checkIntegrity().isEmpty)
        let other = try stranger(folder.database)
        try other.execute("PRAGMA foreign_keys = OFF; INSERT INTO tag VALUES (77, 'lost')")
        try other.close()
        #expect(try store.checkIntegrity() == ["a row of ‘tag’ belongs to no reminder"])
        try store.close()
    }
}
