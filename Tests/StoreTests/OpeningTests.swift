import Glibc
import RemindCore
import Testing

@testable import Store

@Suite("Opening a database")
struct OpeningTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A database with one reminder, closed.
    private func made() throws -> String {
        let store = try Store(path: folder.database)
        try store.insert(sample(), due: nil)
        try store.close()
        return folder.database
    }

    @Test("The file is ours, in WAL mode, and every commit is synced")
    func settings() throws {
        let store = try Store(path: folder.database)
        func value(_ name: String) throws -> String? {
            try store.connection.texts("PRAGMA \(name)").first
        }
        #expect(try value("journal_mode") == "wal")
        #expect(try value("synchronous") == "2")
        #expect(try value("foreign_keys") == "1")
        #expect(try value("busy_timeout") == "5000")
        #expect(try value("application_id") == "\(Schema.applicationID)")
        #expect(try value("user_version") == "\(Schema.version)")
        #expect(
            try store.connection.texts("SELECT name FROM migration ORDER BY number")
                == Schema.migrations.map(\.name))
        store.busyTimeout = 70
        #expect(try value("busy_timeout") == "70")
        try store.close()
        try store.close()
    }

    @Test(
        "Files are 0600 and new folders 0700, whatever the umask", arguments: [0o000, 0o077, 0o277])
    func modes(mask: mode_t) async throws {
        // The umask belongs to the process, so a process of its own.
        await #expect(processExitsWith: .success) { [path = folder.path as String, mask] in
            umask(mask)
            let store = try Store(path: path + "/a/b/r.db")
            try store.insert(sample(), due: nil)
            #expect(mode(of: path + "/a") == 0o700)
            #expect(mode(of: path + "/a/b") == 0o700)
            for suffix in ["", "-wal", "-shm", ".lock"] {
                #expect(mode(of: path + "/a/b/r.db" + suffix) == 0o600, "\(suffix)")
            }
            try store.close()
        }
        #expect(entries(of: folder.path + "/a/b") == ["r.db", "r.db.lock"])
    }

    @Test("A file that others could read is closed to them; a folder that was there is left alone")
    func loosened() throws {
        let path = try made()
        try #require(chmod(path, 0o644) == 0 && chmod(folder.path, 0o755) == 0)
        let store = try Store(path: path)
        #expect(mode(of: path) == 0o600)
        #expect(mode(of: folder.path) == 0o755)
        try store.close()
    }

    @Test("A second one is refused while the first is open, also by another name of the file")
    func secondOpen() throws {
        let path = try made()
        let store = try Store(path: path)
        let link = folder.path + "/link.db"
        try #require(symlink(path, link) == 0)
        for name in [path, folder.path + "/./reminders.db", link] {
            let error = storeError { _ = try Store(path: name) }
            #expect(error?.category == .alreadyInUse)
            #expect(error?.message.contains("‘\(store.path)’ is in use by another remindd") == true)
        }
        #expect(try store.list().count == 1)
        try store.close()
        #expect(refusal(link) == nil)
    }

    @Test("The lock is gone with the process that held it, however that ended")
    func lockAfterKill() async throws {
        let path = try made()
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            let store = try Store(path: path)
            #expect(refusal(path) == .alreadyInUse)
            try store.insert(sample(2), due: nil)
            kill(getpid(), SIGKILL)
        }
        let store = try Store(path: path)
        #expect(try store.list().count == 2)
        try store.close()
    }

    @Test("The lock does not pass to a program that the daemon starts")
    func lockIsNotInherited() throws {
        let store = try Store(path: folder.database)
        // Every descriptor on the folder's files closes on exec; SQLite sees to its own.
        let open = entries(of: "/proc/self/fd").compactMap { Int32($0) }.filter { descriptor in
            var target = [CChar](repeating: 0, count: 4096)
            let link = "/proc/self/fd/\(descriptor)"
            let length = readlink(link, &target, target.count)
            let bytes = target.prefix(max(0, length)).map { UInt8(bitPattern: $0) }
            return String(decoding: bytes, as: UTF8.self).hasPrefix(folder.path + "/")
        }
        #expect(open.count == 4)
        #expect(open.allSatisfy { fcntl($0, F_GETFD) & FD_CLOEXEC != 0 })
        try store.close()
    }

    @Test("A path that is no file, or leads through a file, is refused with the reason")
    func impossiblePaths() throws {
        let path = try made()
        let pipe = folder.path + "/pipe"
        try #require(mkfifo(pipe, 0o600) == 0 && mkdir(folder.path + "/folder", 0o700) == 0)
        #expect(refusal(pipe) == .cannotOpen)
        #expect(refusal(folder.path + "/folder") == .cannotOpen)
        #expect(refusal("/dev/null") == .cannotOpen)
        #expect(!entries(of: folder.path).contains { $0.hasPrefix("folder.") })
        let error = storeError { _ = try Store(path: path + "/x/r.db") }
        #expect(error?.category == .cannotOpen)
        #expect(error?.message.contains("‘\(path)/x/r.db’") == true)
        #expect(refusal("") == .cannotOpen)
        #expect(refusal(folder.path + "/new/") == .cannotOpen)
        #expect(!entries(of: folder.path).contains("new"))
    }

    @Test(
        "What is no file where SQLite keeps a file of its own is named",
        arguments: ["-wal", "-shm", "-journal"], [false, true])
    func companions(_ suffix: String, isThere: Bool) throws {
        let path = isThere ? try made() : folder.path + "/new.db"
        for make in [{ mkdir($0, 0o700) }, { mkfifo($0, 0o600) }, { symlink("nowhere", $0) }]
            as [(String) -> Int32]
        {
            try #require(make(path + suffix) == 0)
            let error = storeError { _ = try Store(path: path) }
            #expect(error?.category == .cannotOpen)
            #expect(error?.message.contains("‘\(path)\(suffix)’") == true)
            try #require(remove(path + suffix) == 0)
        }
        #expect(refusal(path) == nil)
    }

    @Test("A folder or a file that the user cannot write is refused, and left as it is")
    func readOnly() async throws {
        let path = try made()
        let before = bytes(of: path)
        // Root may write anything, so the child is nobody.
        await #expect(processExitsWith: .success) {
            [path = path as String, folder = folder.path as String] in
            try becomeNobody(owning: [folder, path, path + ".lock"])
            chmod(folder, 0o500)
            #expect(refusal(path) == .readOnly, "with a lock file")
            #expect(refusal(folder + "/new.db") == .readOnly, "no file")
            #expect(refusal(folder + "/new/r.db") == .readOnly, "no folder")
            chmod(folder, 0o700)
            unlink(path + ".lock")
            chmod(folder, 0o500)
            #expect(refusal(path) == .readOnly, "without a lock file")
            chmod(folder, 0o700)
            chmod(path, 0o400)
            #expect(refusal(path) == .readOnly, "file")
            chmod(path, 0o600)
            #expect(refusal(path) == nil)
        }
        #expect(bytes(of: path) == before)
    }
}

/// Gives the files to a user who is not root, and becomes him if we are root.
func becomeNobody(owning paths: [String]) throws {
    guard geteuid() == 0 else { return }
    let nobody: uid_t = 65_534
    for path in paths { try #require(chown(path, nobody, nobody) == 0) }
    try #require(setgid(nobody) == 0 && setuid(nobody) == 0)
    try #require(geteuid() != 0)
}
