import CSQLite
import Glibc

/// How much a copy holds.
package struct CopyFacts: Hashable, Sendable {
    package let tasks: Int
    /// Tasks that are not done.
    package let open: Int
    package let bytes: Int64
}

/// Copies of a database: made while it is in use, checked, and put in place whole or not at all.
package enum StoreCopy {
    /// Copies the database at `source`, as it is at one moment, by SQLite's backup API and a connection
    /// of its own: others read and write meanwhile. The copy is made beside `destination`, checked
    /// (`PRAGMA integrity_check`), synced and only then renamed; mode 0600. What stood there is
    /// replaced if it is a database of remindd.
    ///
    /// - Parameter busyTimeout: as for a store, in milliseconds.
    /// - Throws: `exists` when something else stands at `destination`; `corrupt` when the copy did not
    ///   pass the check; `full`, `readOnly`, `cannotOpen`, `busy`. Nothing is left behind then.
    @discardableResult
    package static func make(
        of source: String, at destination: String,
        busyTimeout: Int32 = Store.defaultBusyTimeout
    ) throws(StoreError) -> CopyFacts {
        try checkDestination(destination, source: source)
        let part = try PartialFile(beside: destination, notedBeside: source)
        do throws(StoreError) {
            let original = try Connection(path: source, flags: SQLITE_OPEN_READONLY)
            sqlite3_busy_timeout(original.handle, busyTimeout)
            let facts = try fill(part, from: original)
            try original.close()
            try part.moveIntoPlace(destination)
            return facts
        } catch {
            // What is wrong with the content came from the store.
            throw error.naming(error.isOfContent ? source : destination, insteadOf: part.path)
        }
    }

    /// Copies and checks the content of `original`.
    static func fill(_ part: PartialFile, from original: Connection)
        throws(StoreError) -> CopyFacts
    {
        let copy = try Connection(path: part.path, flags: SQLITE_OPEN_READWRITE)
        try copyPages(from: original, to: copy)
        try copy.makeSingleFile()
        try copy.checkWhole()
        let facts = CopyFacts(
            tasks: Int(try copy.integer("SELECT count(*) FROM task") ?? 0),
            open: Int(try copy.integer("SELECT count(*) FROM task WHERE done = 0") ?? 0),
            bytes: (try copy.integer("PRAGMA page_count") ?? 0)
                * (try copy.integer("PRAGMA page_size") ?? 0))
        try copy.close()
        return facts
    }

    /// `sqlite3_backup_step` of all pages at once: one state of `original`, in one transaction of
    /// `copy`.
    static func copyPages(from original: Connection, to copy: Connection) throws(StoreError) {
        guard let backup = sqlite3_backup_init(copy.handle, "main", original.handle, "main") else {
            throw copy.failure(sqlite3_extended_errcode(copy.handle), sql: nil)
        }
        let stepped = sqlite3_backup_step(backup, -1)
        let finished = sqlite3_backup_finish(backup)
        guard stepped == SQLITE_DONE, finished == SQLITE_OK else {
            throw copy.failure(stepped == SQLITE_DONE ? finished : stepped, sql: nil)
        }
    }

    /// Only a database of ours may be replaced, and never the one that is copied.
    private static func checkDestination(_ path: String, source: String) throws(StoreError) {
        guard let there = StoreFile.identity(path) else { return }
        guard there != StoreFile.identity(source) else {
            throw StoreError(.exists, path: path, detail: "it is the store itself")
        }
        // A lock file of another inode would let a second daemon in.
        for suffix in StoreFile.suffixes.dropFirst() + [StoreLock.suffix]
        where there == StoreFile.identity(source + suffix) {
            throw StoreError(.exists, path: path, detail: "it belongs to the store")
        }
        do throws(StoreError) {
            guard let header = try DatabaseHeader(regularFile: path), !header.isEmpty else {
                return
            }
            try header.checkOurs(path: path)
        } catch {
            throw StoreError(.exists, path: path, code: error.code, detail: error.detail)
        }
    }
}

/// A file that is being made beside the one whose place it will take; removed if it never does, and
/// by the next run should this one be killed (`StoreLeftovers`).
final class PartialFile: Sendable {
    let path: String
    /// Holds the lock that says that the file is in use. Closed after SQLite's own descriptors, as
    /// closing it drops the process's POSIX locks; -1: none.
    private let descriptor: Int32
    private let note: String?

    /// A name of its own, mode 0600.
    ///
    /// - Parameter store: beside it a note is made first, where the file is in another folder.
    init(beside target: String, notedBeside store: String? = nil) throws(StoreError) {
        for _ in 0..<100 {
            let path = target + StoreLeftovers.mark + StoreLeftovers.randomName()
            let note = store.flatMap { StoreLeftovers.note(path, beside: $0) }
            let flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC
            let made = open(path, flags, StoreFile.fileMode)
            let code = errno
            if made >= 0 {
                fchmod(made, StoreFile.fileMode)
                flock(made, LOCK_EX | LOCK_NB)
                (self.path, descriptor, self.note) = (path, made, note)
                return
            }
            if let note { unlink(note) }
            guard code == EEXIST else {
                throw StoreFile.failure(code, path: target, doing: "the file cannot be made")
            }
        }
        throw StoreFile.failure(EEXIST, path: target, doing: "the file cannot be made")
    }

    /// A file of that very name, empty, for somebody who alone may use it.
    init(named path: String, for target: String) throws(StoreError) {
        (self.path, descriptor, note) = (path, -1, nil)
        StoreFile.remove(path)
        let flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC
        let made = open(path, flags, StoreFile.fileMode)
        guard made >= 0, fchmod(made, StoreFile.fileMode) == 0 else {
            throw StoreFile.failure(errno, path: target, doing: "the file cannot be made")
        }
        close(made)
    }

    /// Also what SQLite may have left beside a file that was moved.
    deinit {
        StoreFile.remove(path)
        if let note { unlink(note) }
        if descriptor >= 0 { close(descriptor) }
    }

    /// fsync(2), rename(2), fsync(2) of the folder: after a power cut the name leads to the old file
    /// or to the whole new one.
    func moveIntoPlace(_ target: String) throws(StoreError) {
        try StoreFile.sync(path, for: target)
        guard rename(path, target) == 0 else {
            throw StoreFile.failure(errno, path: target, doing: "the file cannot be renamed")
        }
        try StoreFile.sync(StoreFile.folder(of: target), for: target)
    }
}

extension StoreFile {
    /// fsync(2) of a file or a folder.
    static func sync(_ path: String, for target: String) throws(StoreError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw failure(errno, path: target, doing: "the file cannot be opened")
        }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else {
            throw failure(errno, path: target, doing: "the file cannot be synced")
        }
    }

    /// A database and what SQLite puts beside it.
    static func remove(_ path: String) {
        for suffix in suffixes { unlink(path + suffix) }
    }

    static let suffixes = ["", "-journal", "-wal", "-shm"]
}

extension StoreError {
    /// The file that the user named, for one of ours that nobody knows.
    func naming(_ path: String, insteadOf partial: String) -> StoreError {
        guard self.path == partial else { return self }
        var error = self
        error.path = path
        return error
    }
}

extension Connection {
    /// Without a WAL: a copy is one file, and can be read where nothing can be written.
    func makeSingleFile() throws(StoreError) {
        guard try texts("PRAGMA journal_mode = DELETE").first == "delete" else {
            throw StoreError(.cannotOpen, path: path, detail: "its write-ahead log stays")
        }
    }

    /// What is wrong with the pages, the indexes and the references between tables.
    func integrityFaults() throws(StoreError) -> [String] {
        // The first of the faults of pages come as the lines of one text, below a heading.
        let found = try texts("PRAGMA integrity_check").flatMap { $0.split(separator: "\n") }
            .filter { $0 != "ok" && !$0.hasPrefix("***") }.map { String($0) }
        let dangling = try texts("PRAGMA foreign_key_check")
        return found + dangling.map { "a row of ‘\($0)’ belongs to no reminder" }
    }

    /// - Throws: `corrupt` with the first fault.
    func checkWhole() throws(StoreError) {
        guard let fault = try integrityFaults().first else { return }
        throw StoreError(.corrupt, path: path, code: "SQLITE_CORRUPT", detail: fault)
    }
}
