import Glibc
import RemindCore
import Testing

@testable import Store

/// Files that must not be written: each is refused, and every byte of it stays.
@Suite("Files that are refused")
struct DamageTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A database of many pages.
    private func made() throws -> [UInt8] {
        let store = try Store(path: folder.database)
        try store.transaction {
            for index in 1...300 { try store.insert(sample(index), due: nil) }
        }
        try store.close()
        return try #require(bytes(of: folder.database))
    }

    private func expectRefused(
        _ content: [UInt8], _ category: StoreError.Category,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        try write(content, to: folder.database)
        let error = storeError { _ = try Store(path: folder.database) }
        #expect(error?.category == category, sourceLocation: sourceLocation)
        #expect(
            error?.message.contains("‘\(folder.database)’") == true,
            sourceLocation: sourceLocation)
        #expect(bytes(of: folder.database) == content, sourceLocation: sourceLocation)
        #expect(
            entries(of: folder.path).allSatisfy { !$0.hasSuffix("-journal") },
            sourceLocation: sourceLocation)
    }

    @Test("A file of a newer schema is refused, naming both versions (A-sql-02)")
    func newerSchema() throws {
        _ = try made()
        let other = try stranger(folder.database)
        try other.execute("PRAGMA user_version = 9999")
        try other.close()
        let before = try #require(bytes(of: folder.database))
        try expectRefused(before, .newerSchema(found: 9999, known: Schema.version))
        let error = storeError { _ = try Store(path: folder.database) }
        #expect(error?.message.contains("schema 9999") == true)
        #expect(error?.message.contains("up to \(Schema.version)") == true)
    }

    @Test("A schema below zero was called 4294967295")
    func negativeSchema() throws {
        _ = try made()
        let other = try stranger(folder.database)
        try other.execute("PRAGMA user_version = -1")
        try other.close()
        let before = try #require(bytes(of: folder.database))
        try expectRefused(before, .newerSchema(found: -1, known: Schema.version))
    }

    @Test("A newer schema that is still in the WAL is refused, and the WAL stays")
    func newerSchemaInWAL() async throws {
        _ = try made()
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = folder.database as String] in
            let other = try stranger(path)
            try other.execute("PRAGMA user_version = 9999")
            kill(getpid(), SIGKILL)
        }
        let wal = try #require(bytes(of: folder.database + "-wal"))
        try #require(!wal.isEmpty)
        let before = try #require(bytes(of: folder.database))
        try expectRefused(before, .newerSchema(found: 9999, known: Schema.version))
        #expect(bytes(of: folder.database + "-wal") == wal)
    }

    @Test("Another program's database is refused, with or without a mark of its own")
    func foreign() throws {
        for mark in ["PRAGMA application_id = 77", "PRAGMA user_version = 1", "SELECT 1"] {
            let other = try stranger(folder.database)
            try other.execute("CREATE TABLE mine (x); INSERT INTO mine VALUES (1); \(mark)")
            try other.close()
            try expectRefused(try #require(bytes(of: folder.database)), .notOurs)
            unlink(folder.database)
        }
    }

    @Test("A file that is no database is refused", arguments: [1, 15, 16, 99, 100, 5000])
    func garbage(size: Int) throws {
        let text = Array("# Shopping list\n- 2 apples, 1 kg flour\n".utf8)
        try expectRefused((0..<size).map { text[$0 % text.count] }, .notOurs)
    }

    @Test("A head of zeros is damage, and no empty database", arguments: [16, 100, 4096])
    func zeroedHead(length: Int) throws {
        var content = try made()
        content.replaceSubrange(0..<length, with: repeatElement(0, count: length))
        try expectRefused(content, length < 100 ? .notOurs : .corrupt)
        try expectRefused([UInt8](repeating: 0, count: length), .corrupt)
    }

    @Test(
        "A file that was cut off is damage", arguments: [1, 15, 50, 99, 100, 512, 4096, 9000, -1])
    func truncated(length: Int) throws {
        let content = try made()
        try expectRefused(Array(content.prefix((length + content.count) % content.count)), .corrupt)
    }

    @Test("An empty file beside a WAL is damage, and the WAL stays")
    func emptyBesideWAL() throws {
        let wal: [UInt8] = [1, 2, 3]
        try write(wal, to: folder.database + "-wal")
        try expectRefused([], .corrupt)
        #expect(bytes(of: folder.database + "-wal") == wal)
    }

    @Test("An empty file is a new database")
    func empty() throws {
        try write([], to: folder.database)
        #expect(refusal(folder.database) == nil)
    }

    @Test("A database without its -shm file is opened with all that is in the WAL")
    func withoutSharedMemory() async throws {
        _ = try made()
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = folder.database as String] in
            let store = try Store(path: path)
            try store.insert(sample(1000), due: nil)
            kill(getpid(), SIGKILL)
        }
        try #require(unlink(folder.database + "-shm") == 0)
        let store = try Store(path: folder.database)
        #expect(try store.reminder(id: identifier(1000)) != nil)
        #expect(try store.checkIntegrity().isEmpty)
        try store.close()
    }

    @Test("Another program's lock at the opening is ‘busy’, and the file is no worse for it")
    func lockedAtOpening() throws {
        // A journal in the folder of a rollback database locks out readers too.
        let content = try made()
        let other = try stranger(folder.database)
        try other.execute("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE")
        #expect(refusal(folder.database) == .busy)
        try other.execute("COMMIT")
        try other.close()
        #expect(bytes(of: folder.database) == content)
        #expect(refusal(folder.database) == nil)
    }
}

@Suite("A store whose file goes away")
struct MissingFileTests {
    @Test("Removed or replaced while it is open: a change is refused, not lost")
    func removed() throws {
        let folder = try TemporaryFolder()
        let store = try Store(path: folder.path + "/reminders.db")
        unlink(folder.path + "/reminders.db")
        #expect(throws: StoreError.self) { try store.transaction {} }
        close(open(folder.path + "/reminders.db", O_CREAT | O_WRONLY, 0o600))
        let error = #expect(throws: StoreError.self) { try store.transaction {} }
        #expect(error?.message.contains("removed or replaced") == true)
    }

    @Test("A folder that can never be made is refused")
    func impossibleFolder() {
        let error = #expect(throws: StoreError.self) { try Store(path: "/proc/nowhere/x.db") }
        #expect(error?.category == .cannotOpen)
    }
}
