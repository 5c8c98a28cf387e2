import Glibc
import RemindCore
import Testing

@testable import Store

/// What people and other programs do to the files of a store.
@Suite("Files that other hands have changed")
struct OtherHandsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var path: String { folder.database }

    /// Closed, with reminders of that many.
    private func filled(_ numbers: ClosedRange<Int> = 1...20) throws {
        let store = try Store(path: path)
        try store.transaction {
            for number in numbers {
                var reminder = sample(number)
                reminder.note = String(repeating: "n", count: 1500)
                try store.insert(reminder, due: nil)
            }
        }
        try store.close()
    }

    /// A daemon adds those and is killed: they are in the WAL alone.
    private func addAndDie(_ numbers: ClosedRange<Int>) async throws {
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [
                path = path as String, first = numbers.lowerBound as Int,
                count = numbers.count as Int
            ] in
            let store = try Store(path: path)
            for number in first..<first + count {
                var reminder = sample(number)
                reminder.note = String(repeating: "n", count: 1500)
                try store.insert(reminder, due: nil)
            }
            kill(getpid(), SIGKILL)
        }
        try #require(bytes(of: path + "-wal")?.isEmpty == false)
    }

    private func execute(_ sql: String) throws {
        let other = try stranger(path)
        try other.execute(sql)
        try other.close()
    }

    @Test("A file that was taken away from beside its WAL was begun anew, and took in the WAL")
    func missingBesideWAL() async throws {
        try filled()
        try await addAndDie(21...30)
        try #require(rename(path, folder.path + "/away.db") == 0)
        let wal = bytes(of: path + "-wal")
        let error = storeError { _ = try Store(path: path) }
        #expect(error?.category == .corrupt)
        #expect(error?.message.contains("‘\(path)-wal’") == true)
        #expect(bytes(of: path) == nil && bytes(of: path + "-wal") == wal)
        // Put back, all is there.
        try #require(rename(folder.path + "/away.db", path) == 0)
        let store = try Store(path: path)
        #expect(try store.list().count == 30)
        try store.close()
    }

    @Test("remindd --restore put a backup beside the WAL of a file that was gone")
    func restoredBesideWAL() async throws {
        try filled()
        let backup = folder.path + "/backup.db"
        try StoreCopy.make(of: path, at: backup)
        try await addAndDie(21...200)
        try #require(unlink(path) == 0)
        let done = try StoreReplacement.run(at: path, with: backup, stamp: "now")
        #expect(done.keptAs == nil && done.facts.tasks == 20)
        #expect(entries(of: folder.path).contains("reminders.db.replaced-now-wal"))
        let store = try Store(path: path)
        #expect(try store.list().count == 20)
        #expect(try store.checkIntegrity().isEmpty)
        try store.close()
    }

    @Test("An old copy that was put in the place of the file was mixed with the WAL beside it")
    func copyBesideWAL() async throws {
        try filled()
        let old = try #require(bytes(of: path))
        try filled(21...400)
        try await addAndDie(401...420)
        try write(old, to: path)
        let wal = bytes(of: path + "-wal")
        let error = storeError { _ = try Store(path: path) }
        #expect(error?.category == .corrupt)
        #expect(error?.message.contains("‘\(path)-wal’ was: if a copy") == true)
        #expect(bytes(of: path) == old && bytes(of: path + "-wal") == wal)
        for suffix in ["-wal", "-shm"] { unlink(path + suffix) }
        let store = try Store(path: path)
        #expect(try store.list().count == 20)
        try store.close()
    }

    @Test("A file that its own WAL was copied into is opened, though it is the newer one")
    func afterCheckpoint() async throws {
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            let store = try Store(path: path)
            for number in 1...50 { try store.insert(sample(number), due: nil) }
            // As SQLite does when the WAL has become long.
            try store.connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
            kill(getpid(), SIGKILL)
        }
        try #require(chmod(path, 0o644) == 0)
        let store = try Store(path: path)
        #expect(try store.list().count == 50)
        try store.close()
    }

    @Test(
        "A trigger in the file is not run: it took back what was confirmed",
        arguments: [
            "AFTER INSERT ON task BEGIN DELETE FROM task; END",
            "BEFORE INSERT ON task BEGIN SELECT raise(IGNORE); END",
            "BEFORE INSERT ON alarm BEGIN SELECT raise(ABORT, 'no'); END",
        ])
    func trigger(_ text: String) throws {
        try filled()
        try execute("CREATE TRIGGER mine \(text)")
        let store = try Store(path: path)
        try store.insert(sample(21), due: nil)
        #expect(try store.list().count == 21)
        try store.close()
    }

    @Test("A file with the mark of an older schema and the tables of this one is damage")
    func olderMark() throws {
        try filled()
        let version = Schema.version
        for mark in 1..<version {
            try execute("PRAGMA user_version = \(mark)")
            let before = bytes(of: path)
            #expect(refusal(path) == .corrupt, "\(mark)")
            #expect(bytes(of: path) == before)
        }
        try execute("PRAGMA user_version = \(version)")
        #expect(refusal(path) == nil)
    }

    @Test("A file format of a newer SQLite is refused", arguments: [18, 19, 47])
    func newerFormat(offset: Int) throws {
        try filled()
        var content = try #require(bytes(of: path))
        content[offset] = 9
        try write(content, to: path)
        #expect(refusal(path) == .corrupt)
        #expect(bytes(of: path) == content)
    }

    @Test("A row that an index lacks is found by the check: its reminder would never ring")
    func indexWithoutARow() throws {
        try filled()
        let index = "WHERE name = 'task_by_due'"
        let schema = "PRAGMA writable_schema = ON;"
        let other = try stranger(path)
        let sql = try #require(try other.texts("SELECT sql FROM sqlite_schema \(index)").first)
        let page = try #require(try other.integer("SELECT rootpage FROM sqlite_schema \(index)"))
        try other.close()
        // Unknown to SQLite, the index stays as it is while a row goes.
        try execute("\(schema) DELETE FROM sqlite_schema \(index)")
        try execute("DELETE FROM task WHERE number = 7")
        try execute(
            "\(schema) INSERT INTO sqlite_schema VALUES "
                + "('index', 'task_by_due', 'task', \(page), '\(sql)')")
        #expect(try Store.faults(path: path).contains { $0.contains("task_by_due") })
    }

    @Test(
        "Instants beyond all time, which only another program writes, are brought back to its end")
    func beyondAllTime() throws {
        try filled(1...1)
        for column in ["next_ring", "ring_scheduled", "ring_due", "ring_rang_at", "rung_through"] {
            for value in ["9223372036854775807", "-9223372036854775807 - 1"] {
                try execute(
                    "INSERT OR REPLACE INTO alarm (task, state, rings, ring_scheduled, ring_due, "
                        + "ring_rang_at, ring_missed) VALUES (1, 'ringing', 1, 0, 0, 0, 0); "
                        + "UPDATE alarm SET \(column) = \(value)")
                let store = try Store(path: path)
                let alarm = try store.list()[0].alarm
                let times = [
                    alarm.nextRing, alarm.ring?.scheduled, alarm.ring?.due, alarm.ring?.rangAt,
                ]
                let kept = StoreAudit.years
                #expect(times.allSatisfy { $0.map { kept.contains($0.milliseconds) } ?? true })
                try store.close()
            }
        }
    }

    @Test("A WAL that only root can write is named", arguments: ["-wal", "-shm"])
    func companionOfRoot(suffix: String) async throws {
        try filled()
        try await addAndDie(21...22)
        await #expect(processExitsWith: .success) {
            [path = path as String, folder = folder.path as String, suffix = suffix as String] in
            let files = entries(of: folder).map { folder + "/" + $0 }
            try becomeNobody(owning: [folder] + files.filter { $0 != path + suffix })
            let error = storeError { _ = try Store(path: path) }
            #expect(error?.category == .readOnly)
            #expect(error?.message.contains("‘\(path)\(suffix)’") == true)
        }
    }

    @Test("A folder that is a link to a disk that is not there is named")
    func folderIsNotThere() throws {
        let link = folder.path + "/link"
        try #require(symlink("/nowhere/disk", link) == 0)
        let error = storeError { _ = try Store(path: link + "/reminders.db") }
        #expect(error?.category == .cannotOpen)
        #expect(error?.message.contains("‘/nowhere/disk’, which is not there") == true)
    }

    @Test("A copy takes the place of no file of the store's own, such as its lock")
    func copyOnCompanion() throws {
        let store = try Store(path: path)
        try store.insert(sample(1), due: nil)
        for suffix in ["-wal", "-shm", ".lock"] {
            let error = storeError { try StoreCopy.make(of: path, at: path + suffix) }
            #expect(error?.category == .exists, "\(suffix)")
        }
        #expect(refusal(path) == .alreadyInUse)
        try store.close()
    }

    @Test("A copy of a damaged store says that the store is damaged, and not the copy")
    func copyOfDamage() throws {
        try filled()
        var content = try #require(bytes(of: path))
        content.replaceSubrange(8192..<12_288, with: repeatElement(0x5A, count: 4096))
        try write(content, to: path)
        let error = storeError { try StoreCopy.make(of: path, at: folder.path + "/copy.db") }
        #expect(error?.category == .corrupt && error?.path == path)
        #expect(bytes(of: folder.path + "/copy.db") == nil)
    }

    @Test("A store whose pages another program has made longer or shorter takes a backup back")
    func otherPageSize() throws {
        try filled()
        let backup = folder.path + "/backup.db"
        try StoreCopy.make(of: path, at: backup)
        for size: Int64 in [512, 65_536] {
            try execute("PRAGMA journal_mode = DELETE; PRAGMA page_size = \(size); VACUUM")
            let store = try Store(path: path)
            #expect(try store.connection.integer("PRAGMA page_size") == size)
            try store.delete(number: 1)
            let copy = try StagedCopy(of: backup, beside: path)
            try store.replaceAll(with: copy, keepingMetas: [])
            #expect(try store.list().count == 20)
            #expect(try store.checkIntegrity().isEmpty)
            try store.close()
        }
    }
}
