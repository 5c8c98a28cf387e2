import FaultDisk
import Glibc
import RemindCore
import Testing

@testable import Store

@Suite("Copies of a store")
struct CopyTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var backup: String { folder.path + "/backup.db" }

    private func filled(_ count: Int = 50) throws -> Store {
        let store = try Store(path: folder.database)
        try store.transaction {
            for index in 1...count {
                var reminder = sample(index)
                reminder.tags = ["a", "b"]
                try store.insert(reminder, due: epoch)
            }
        }
        return store
    }

    private func all(_ store: Store) throws -> [Reminder] {
        try store.list(ListFilter(.all), sort: .created)
    }

    private func isWhole(_ path: String) -> Bool {
        storeError { _ = try StagedCopy(of: path, beside: folder.database) } == nil
    }

    private func nothingElse() -> Bool {
        entries(of: folder.path).allSatisfy {
            $0.hasPrefix("reminders.db") && !$0.hasPrefix("reminders.db.") || $0 == "backup.db"
                || $0 == "reminders.db.lock"
        }
    }

    @Test(
        "A copy of a store in use is one whole file, for its user alone, with all that is in the WAL"
    )
    func copied() throws {
        let store = try filled()
        let facts = try StoreCopy.make(of: store.path, at: backup)
        #expect(facts.tasks == 50)
        #expect(facts.open == 50)
        #expect(facts.bytes == Int64(bytes(of: backup)?.count ?? 0))
        #expect(mode(of: backup) == 0o600)
        #expect(nothingElse())
        let copy = try Store(path: backup)
        #expect(try all(copy) == all(store))
        try copy.close()
        try store.close()
    }

    @Test("A copy is of one moment, while another program writes")
    func whileWriting() throws {
        let store = try filled(1)
        for index in 1...20 {
            try store.transaction {
                for part in 1...50 { try store.insert(sample(index * 1000 + part), due: nil) }
            }
            #expect(try StoreCopy.make(of: store.path, at: backup).tasks == 1 + index * 50)
        }
        // What has begun and is not committed is not in it.
        try store.transaction {
            try store.insert(sample(900_000), due: nil)
            #expect(try StoreCopy.make(of: store.path, at: backup).tasks == 1001)
        }
        try store.close()
    }

    @Test("Only a backup is replaced: never another file, a folder or the store itself")
    func destinations() throws {
        let store = try filled()
        try StoreCopy.make(of: store.path, at: backup)
        try StoreCopy.make(of: store.path, at: backup)
        try write("precious".utf8, to: folder.path + "/other")
        try #require(symlink(store.path, folder.path + "/link") == 0)
        for path in [folder.path + "/other", folder.path, store.path, folder.path + "/link"] {
            let error = storeError { try StoreCopy.make(of: store.path, at: path) }
            #expect(error?.category == .exists)
            #expect(error?.message.contains("‘\(path)’ is there already") == true)
        }
        #expect(bytes(of: folder.path + "/other") == Array("precious".utf8))
        let error = storeError { try StoreCopy.make(of: store.path, at: "/nowhere/backup.db") }
        #expect(error?.category == .cannotOpen)
        #expect(try all(store).count == 50)
        try store.close()
    }

    @Test("What a copy replaces: everything but pop-ups, the numbers given and what is to stay")
    func replaced() throws {
        let store = try filled(3)
        try store.setMeta("stays", "old")
        try StoreCopy.make(of: store.path, at: backup)
        let before = try all(store)
        try store.delete(number: 2)
        try store.insert(sample(7), due: nil)
        try store.setMeta("stays", "new")
        try store.setMeta("goes", "1")
        try store.setPopup(PopupRecord(key: "k", server: ":1.1", id: 7))
        let copy = try StagedCopy(of: backup, beside: store.path)
        try store.replaceAll(with: copy, keepingMetas: ["stays"])
        #expect(try all(store) == before)
        #expect(try store.meta("stays") == "new")
        #expect(try store.meta("goes") == nil)
        #expect(try store.popups().map(\.key) == ["k"])
        #expect(try store.insert(sample(8), due: nil) == 5)
        #expect(try store.checkIntegrity().isEmpty)
        try store.close()
        let again = try Store(path: folder.database)
        #expect(try all(again).count == 4)
        try again.close()
    }

    @Test("What is no backup is refused, and the store stays as it is")
    func refused() throws {
        let store = try filled()
        try StoreCopy.make(of: store.path, at: backup)
        let good = try #require(bytes(of: backup))
        let known = try all(store)
        var holes = good
        holes.replaceSubrange(8192..<12_288, with: repeatElement(0x5A, count: 4096))
        let bad: [([UInt8], StoreError.Category)] = [
            ([], .notOurs), (Array("text".utf8), .notOurs), (Array(good.prefix(5000)), .corrupt),
            ([UInt8](repeating: 0, count: 4096) + good.dropFirst(4096), .corrupt),
            (holes, .corrupt),
        ]
        for (content, category) in bad {
            try write(content, to: backup)
            let error = storeError { _ = try StagedCopy(of: backup, beside: store.path) }
            #expect(error?.category == category, "\(content.count) bytes")
            #expect(error?.path == backup)
            #expect(bytes(of: backup) == content)
        }
        for path in [store.path, folder.path, "/dev/null", "/nowhere/x"] {
            #expect(storeError { _ = try StagedCopy(of: path, beside: store.path) } != nil)
        }
        #expect(try all(store) == known)
        #expect(nothingElse())
        try store.close()
    }

    @Test("A newer schema and other tables than ours are refused")
    func foreign() throws {
        let store = try filled()
        for change in ["PRAGMA user_version = 9999", "CREATE TABLE mine (x)"] {
            unlink(backup)
            try StoreCopy.make(of: store.path, at: backup)
            let other = try stranger(backup)
            try other.execute(change)
            try other.close()
            let error = storeError {
                let copy = try StagedCopy(of: backup, beside: store.path)
                try store.replaceAll(with: copy, keepingMetas: [])
            }
            #expect(
                [.newerSchema(found: 9999, known: Schema.version), .corrupt].contains(
                    error?.category)
            )
        }
        #expect(try all(store).count == 50)
        #expect(nothingElse())
        try store.close()
    }

    @Test("A copy that cannot be written to, in a folder that cannot, is put back all the same")
    func readOnly() async throws {
        let store = try filled(4)
        try #require(mkdir(folder.path + "/cd", 0o700) == 0)
        let path = folder.path + "/cd/backup.db"
        try StoreCopy.make(of: store.path, at: path)
        try store.close()
        await #expect(processExitsWith: .success) {
            [folder = folder.path as String, path = path as String] in
            let store = folder + "/reminders.db"
            try becomeNobody(owning: [folder, folder + "/cd", path, store, store + ".lock"])
            chmod(path, 0o400)
            chmod(folder + "/cd", 0o500)
            let opened = try Store(path: store)
            try opened.replaceAll(with: StagedCopy(of: path, beside: store), keepingMetas: [])
            #expect(try opened.list(ListFilter(.all)).count == 4)
            try opened.close()
        }
    }

    @Test("On a disk that fails at any call nothing is lost: the store or the copy is whole")
    func faults() throws {
        let disk = try #require(FaultDisk(folder: folder.path))
        let store = try filled(5)
        let known = try all(store)
        try StoreCopy.make(of: store.path, at: backup)
        let changed = try #require(try store.reminder(number: 1))
        for trouble in Trouble.all {
            for position in FaultDisk.positions {
                try store.delete(number: 1)
                disk.arm(trouble.fault, at: position, lasting: trouble.lasting)
                store.busyTimeout = 0
                let error = storeError {
                    let copy = try StagedCopy(of: backup, beside: store.path)
                    try store.replaceAll(with: copy, keepingMetas: [])
                }
                let copying = storeError {
                    try StoreCopy.make(
                        of: store.path, at: folder.path + "/second.db", busyTimeout: 0)
                }
                let failed = disk.disarm()
                #expect(try all(store) == (error == nil ? known : Array(known.dropFirst())))
                #expect(try store.checkIntegrity().isEmpty)
                #expect(copying != nil || isWhole(folder.path + "/second.db"))
                unlink(folder.path + "/second.db")
                #expect(nothingElse(), "\(trouble) \(position) \(entries(of: folder.path))")
                if try store.reminder(number: 1) == nil {
                    try store.insert(changed, due: epoch)
                }
                if !failed {
                    #expect(error == nil && copying == nil)
                    break
                }
            }
        }
        try store.close()
    }
}

@Suite("The folder of backups")
struct BackupFolderTests {
    @Test("The newest are kept, each kind for itself, and broken-off copies go")
    func rotation() throws {
        let folder = try TemporaryFolder()
        let backups = try BackupFolder(beside: folder.database)
        #expect(mode(of: folder.path + "/backups") == 0o700)
        for day in 1...9 {
            try write([1], to: backups.path(BackupFolder.daily + "2030-05-0\(day)"))
            try write([1], to: backups.path(BackupFolder.beforeRestore + "2030-05-0\(day)"))
        }
        try write([1], to: folder.path + "/backups/reminders-2030-05-01.db.remindd-part-Ab12Cd")
        try write([1], to: folder.path + "/backups/notes.txt")
        #expect(backups.contains(BackupFolder.daily + "2030-05-01"))
        backups.keepNewest(7, of: BackupFolder.daily, latest: "reminders-2030-05-09")
        let left = entries(of: folder.path + "/backups")
        #expect(
            left.filter { $0.hasPrefix("reminders-") }
                == (3...9).map { "reminders-2030-05-0\($0).db" })
        #expect(left.count == 7 + 9 + 1)
        #expect(
            BackupFolder.newest(beside: folder.database, today: may9th)
                == folder.path + "/backups/reminders-2030-05-09.db")
    }

    @Test("Copies of a clock that stood ahead do not take the places of others, nor seem newer")
    func clockAhead() throws {
        let folder = try TemporaryFolder()
        let backups = try BackupFolder(beside: folder.database)
        for name in (1...8).map({ "reminders-2030-05-0\($0)" }) + ["reminders-2099-01-01"] {
            try write([1], to: backups.path(name))
        }
        backups.keepNewest(7, of: BackupFolder.daily, latest: "reminders-2030-05-08")
        #expect(!backups.contains("reminders-2030-05-01"))
        #expect(entries(of: folder.path + "/backups").count == 8)
        #expect(
            BackupFolder.newest(beside: folder.database, today: may9th)
                == backups.path("reminders-2030-05-08"))
        for day in 2...8 { unlink(backups.path("reminders-2030-05-0\(day)")) }
        #expect(
            BackupFolder.newest(beside: folder.database, today: may9th)
                == backups.path("reminders-2099-01-01"))
    }

    @Test("A clock that begins at 1970 takes no copy of the right time away")
    func clockBehind() throws {
        let folder = try TemporaryFolder()
        let backups = try BackupFolder(beside: folder.database)
        for name in (1...8).map({ "reminders-2030-05-0\($0)" }) + ["reminders-1970-01-01"] {
            try write([1], to: backups.path(name))
        }
        backups.keepNewest(7, of: BackupFolder.daily, latest: "reminders-1970-01-01")
        #expect(entries(of: folder.path + "/backups").count == 9)
        backups.keepNewest(7, of: BackupFolder.daily, latest: "reminders-2030-05-08")
        #expect(entries(of: folder.path + "/backups").first == "reminders-2030-05-02.db")
    }

    /// 2030-05-09.
    private var may9th: CivilDate { CivilDate(daysSinceEpoch: 22_043) }
}
