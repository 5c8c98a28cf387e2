import Glibc
import RemindCore
import Testing

@testable import Store

/// Backups whose pages are whole, and whose values nobody wrote.
@Suite("Backups that SQLite finds whole")
struct AuditTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var backup: String { folder.path + "/backup.db" }

    /// A store with three reminders and its backup, changed by `sql`.
    private func store(changing sql: String) throws -> Store {
        let store = try Store(path: folder.database)
        for index in 1...3 {
            var reminder = sample(index, "Buy milk \(index)")
            reminder.deadline = .absolute(epoch)
            reminder.alarm = Alarm(state: .pending, nextRing: epoch)
            reminder.number = try store.insert(reminder, due: epoch)
            try store.append(LogEntry(reminder: reminder, kind: .rang, at: epoch, origin: .daemon))
        }
        try store.transaction(UserChange(.edit, at: epoch)) {
            var bread = try #require(try store.reminder(number: 1))
            bread.title = "Buy bread"
            try store.update(bread, due: nil)
        }
        try StoreCopy.make(of: store.path, at: backup)
        let other = try stranger(backup)
        try other.execute(sql)
        try other.close()
        return store
    }

    private static let unreadable = [
        "UPDATE task SET deadline = 'garbage'": "reminder 1 has no valid value in ‘deadline’",
        "UPDATE task SET rule = 'FREQ=DAILY', rule_start = '2099-99-99'": "‘rule_start’",
        "UPDATE task SET lead_times = 'soon'": "‘lead_times’",
        "UPDATE task SET created = 9223372036854775807": "‘created’ of ‘task’",
        "UPDATE task SET completed = -9223372036854775807": "‘completed’ of ‘task’",
        "UPDATE task SET nag = 0": "‘nag’ of ‘task’",
        "UPDATE alarm SET rings = 9223372036854775807": "‘rings’ of ‘alarm’",
        "UPDATE alarm SET ring_scheduled = 9e18": "‘ring_scheduled’ of ‘alarm’",
        "UPDATE alarm SET rung_through = -9223372036854775807": "‘rung_through’ of ‘alarm’",
        "UPDATE log SET kind = 'sang'": "entry 1 of the log",
        "UPDATE log SET late = 9223372036854775807": "‘late’ of ‘log’",
        "UPDATE undo SET images = x'00ff'": "of undo cannot be read",
        "UPDATE undo SET what = 'dance'": "of undo is of no kind known",
        "UPDATE sqlite_sequence SET seq = 9223372036854775807": "counter of numbers is at its end",
        "PRAGMA foreign_keys = ON; INSERT INTO task SELECT 9223372036854775807, x'00112233445566778899"
            + "aabbccddeeff', done, due, follows_zone, priority, list, title, created, modified, "
            + "completed, scheduled, deadline, rule, rule_start, rule_additions, rule_exceptions, "
            + "lead_times, nag, note, plan, tags FROM task LIMIT 1": "counter of numbers",
        "PRAGMA foreign_keys = OFF; UPDATE task SET number = -1 WHERE number = 3; "
            + "UPDATE alarm SET task = -1 WHERE task = 3": "the number -1",
        "INSERT INTO calendar_component VALUES (1, 'u', 'VJOURNAL', '', 'inbox', 0, "
            + "9223372036854775807, 0, 'x')": "‘version’ of ‘calendar_component’",
        "INSERT INTO calendar_component VALUES (-1, 'u', 'VJOURNAL', '', 'inbox', 0, 0, 0, 'x')":
            "‘number’ of ‘calendar_component’",
        "INSERT INTO calendar_component_file VALUES ('/f', 'n', 9, 0, 0)":
            "calendar_component_file",
        "DROP TABLE calendar_component_file": "‘calendar_component_file’",
        "DROP TABLE popup": "‘popup’",
        "ALTER TABLE log DROP COLUMN until": "‘log’",
        "CREATE TRIGGER t AFTER INSERT ON task BEGIN DELETE FROM task; END": "trigger ‘t’",
    ]

    @Test(
        "restore accepted a backup with values that no list could read: it is refused, naming them",
        arguments: unreadable.keys.sorted())
    func refused(change: String) throws {
        let store = try store(changing: change)
        let known = try store.list(ListFilter(.all))
        let error = storeError { _ = try StagedCopy(of: backup, beside: store.path) }
        #expect(error?.category == .corrupt)
        #expect(error?.path == backup)
        let detail = error?.detail ?? ""
        #expect(detail.contains(try #require(Self.unreadable[change])), "\(detail)")
        #expect(try store.list(ListFilter(.all)) == known)
        try store.close()
    }

    @Test(
        "restore accepted a broken index of the search: it is made anew from the tasks",
        arguments: [
            "DELETE FROM search_data", "DELETE FROM search_idx", "DELETE FROM search_text",
            "UPDATE search_text SET title = 'other'", "DELETE FROM search_text WHERE task = 2",
            "INSERT INTO search_text VALUES (99, 'x', 'y')", "DELETE FROM search_config",
        ])
    func index(change: String) throws {
        let store = try store(changing: change)
        try store.replaceAll(
            with: StagedCopy(of: backup, beside: store.path), keepingMetas: [])
        #expect(try store.checkIntegrity().isEmpty)
        #expect(try store.list(ListFilter(.all, search: "milk")).map(\.number) == [2, 3])
        #expect(try store.list(ListFilter(.all, search: "bread")).map(\.number) == [1])
        try store.insert(sample(4, "Buy milk 4"), due: nil)
        try store.delete(number: 2)
        #expect(try store.list(ListFilter(.all, search: "milk")).map(\.number) == [3, 4])
        #expect(try store.checkIntegrity().isEmpty)
        try store.close()
    }

    @Test("A backup that nobody changed passes")
    func untouched() throws {
        let store = try store(changing: "SELECT 1")
        let copy = try StagedCopy(of: backup, beside: store.path)
        #expect(copy.facts.tasks == 3)
        try store.close()
    }

    @Test("restore on a full disk said that the backup cannot be read: it names the store's disk")
    func fullDisk() async throws {
        let store = try store(changing: "SELECT 1")
        try store.close()
        await #expect(processExitsWith: .success) {
            [store = folder.database as String, backup = backup as String] in
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit(rlim_cur: 8192, rlim_max: 8192)
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            let error = storeError { _ = try StagedCopy(of: backup, beside: store) }
            #expect(error?.path == store)
            #expect(error?.message.contains(backup) == false)
        }
    }
}

/// A store that was emptied, or that lacks tables.
@Suite("A store that is not whole")
struct IncompleteStoreTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func made() throws {
        let store = try Store(path: folder.database)
        try store.insert(sample(), due: nil)
        try store.close()
    }

    @Test("A store of no bytes began anew though there were backups: it is refused, and named")
    func emptied() throws {
        try made()
        let backups = try BackupFolder(beside: folder.database)
        try StoreCopy.make(of: folder.database, at: backups.path("before-restore-2030-01-01"))
        try write([], to: folder.database)
        let error = storeError { _ = try Store(path: folder.database) }
        #expect(error?.category == .corrupt)
        #expect(error?.message.contains("remindd --restore FILE") == true)
        let newest = BackupFolder.newest(beside: folder.database, today: .first)
        #expect(newest?.hasSuffix("-2030-01-01.db") == true)
        #expect(bytes(of: folder.database)?.isEmpty == true)
        // Without backups it is a first start; so is a store that was moved away.
        unlink(folder.database)
        #expect(refusal(folder.database) == nil)
        try write([], to: folder.database)
        unlink(backups.path("before-restore-2030-01-01"))
        #expect(refusal(folder.database) == nil)
    }

    @Test("A link to a store that is not there was replaced by an empty store: it is refused")
    func danglingLink() throws {
        let far = folder.path + "/disk/reminders.db"
        try #require(symlink(far, folder.database) == 0)
        let error = storeError { _ = try Store(path: folder.database) }
        #expect(error?.category == .cannotOpen)
        #expect(error?.message.contains("‘\(far)’, which is not there") == true)
        #expect(StoreLeftovers.target(of: folder.database) == far)
    }

    @Test(
        "A store that lacks tables failed with SQLITE_ERROR: it is refused as damaged",
        arguments: [
            "PRAGMA user_version = 0", "PRAGMA user_version = 2", "DROP TABLE popup",
            "DROP INDEX log_by_number", "ALTER TABLE task RENAME COLUMN nag TO nags",
            "DROP TABLE meta; PRAGMA user_version = 1",
        ])
    func tables(change: String) throws {
        try made()
        let other = try stranger(folder.database)
        try other.execute(change)
        try other.close()
        let before = bytes(of: folder.database)
        let error = storeError { _ = try Store(path: folder.database) }
        #expect(error?.category == .corrupt)
        #expect(error?.detail.contains("schema") == true)
        #expect(bytes(of: folder.database) == before)
    }
}

@Suite("What killed copies leave")
struct LeftoverTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("Copies that kill -9 broke off stayed for ever: the next start removes them")
    func removed() async throws {
        let store = try Store(path: folder.database)
        try store.transaction {
            for index in 1...2000 { try store.insert(sample(index), due: nil) }
        }
        try store.close()
        try #require(mkdir(folder.path + "/far", 0o700) == 0)
        var left = 0
        // On a busy machine one may not have begun by then: at least one is broken off.
        let delays = Array(stride(from: 4000, through: 40_000, by: 4000))
        for (round, delay) in Array(repeating: delays, count: 5).joined().enumerated()
        where round < delays.count || left == 0 {
            await #expect(processExitsWith: .signal(SIGALRM)) {
                [
                    path = folder.database as String, far = folder.path + "/far" as String,
                    delay = delay as Int
                ] in
                armAlarm(microseconds: delay)
                while true {
                    try StoreCopy.make(of: path, at: far + "/copy.db")
                    _ = try StagedCopy(of: far + "/copy.db", beside: path)
                }
            }
            left += leftovers().count
            try Store(path: folder.database).close()
            #expect(leftovers().isEmpty, "\(leftovers())")
        }
        #expect(left > 0)
    }

    private func leftovers() -> [String] {
        (entries(of: folder.path) + entries(of: folder.path + "/far")).filter {
            $0.contains(StoreLeftovers.mark)
        }
    }

    @Test("Only our own leftovers go: no name that somebody else gave, and no copy under way")
    func others() throws {
        try Store(path: folder.database).close()
        let kept = [
            "reminders.db.backup", "reminders.db.remindd-part-1", "other.db.remindd-part-Ab12Cd",
            "reminders.db.remindd-part-Ab12Cd.txt", ".remindd-import-Ab12C", "notes.txt",
        ]
        for name in kept { try write([1], to: folder.path + "/" + name) }
        let gone = [
            "reminders.db.remindd-part-Ab12Cd", "reminders.db.remindd-part-Ab12Cd-journal",
            "reminders.db.remindd-part-Zz9900-wal", ".remindd-import-Ab12Cd",
        ]
        for name in gone { try write([1], to: folder.path + "/" + name) }
        let underWay = try PartialFile(beside: folder.database)
        // A note that leads to a file of another name.
        try #require(
            symlink(folder.path + "/notes.txt", folder.database + ".remindd-part-000000") == 0)
        try Store(path: folder.database).close()
        let left = Set(entries(of: folder.path))
        #expect(left.isSuperset(of: kept))
        #expect(left.isDisjoint(with: gone))
        #expect(access(underWay.path, F_OK) == 0)
    }
}
