import CSQLite
import Glibc

/// The database as a file: its folder, its mode, and whether it is ours, found out before SQLite
/// may change a byte of it.
enum StoreFile {
    static let folderMode: mode_t = 0o700
    static let fileMode: mode_t = 0o600

    /// Makes the missing folders above `path` (0700) and gives the path that symbolic links lead
    /// to, so that a database has one lock by whatever name it is opened.
    static func prepare(_ path: String) throws(StoreError) -> String {
        guard !path.isEmpty, !path.hasSuffix("/") else {
            throw StoreError(.cannotOpen, path: path, detail: "it names no file")
        }
        let folder = self.folder(of: path)
        try makeFolder(folder, for: path)
        if let real = realPath(path) {
            guard isRegular(real) else {
                throw StoreError(.cannotOpen, path: path, detail: "it is not a regular file")
            }
            try checkCompanions(of: real)
            return real
        }
        // A disk that is not mounted, most probably: an empty store must not take the link's place.
        if let target = StoreLeftovers.target(of: path) {
            throw StoreError(
                .cannotOpen, path: path,
                detail: "it is a link to ‘\(target)’, which is not there; mount what holds it, or "
                    + "remove the link to begin anew")
        }
        guard let real = realPath(folder) else {
            let code = errno
            if let target = StoreLeftovers.target(of: folder) {
                throw StoreError(
                    .cannotOpen, path: path,
                    detail: "its folder is a link to ‘\(target)’, which is not there; mount what "
                        + "holds it, or remove the link")
            }
            throw failure(code, path: path, doing: "the folder cannot be read")
        }
        let new = (real == "/" ? "" : real) + "/" + path.split(separator: "/").suffix(1).joined()
        try checkCompanions(of: new)
        return new
    }

    /// Before anything is opened: a pipe would hold the caller up.
    private static func isRegular(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// SQLite would only say that it cannot open the database.
    private static func checkCompanions(of path: String) throws(StoreError) {
        for suffix in suffixes.dropFirst() {
            var status = stat()
            let name = path + suffix
            guard lstat(name, &status) == 0, !isRegular(name) else { continue }
            throw StoreError(
                .cannotOpen, path: path,
                detail: "‘\(name)’, which belongs to it, is not a regular file; move that away")
        }
    }

    /// Whether there is no file, or one with nothing in it.
    static func isMissing(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) != 0 || status.st_size == 0
    }

    /// Takes all rights of others from the file: the notes in it are nobody else's affair. SQLite
    /// gives the `-wal` and `-shm` files the mode of this one.
    static func restrict(_ path: String) throws(StoreError) {
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw failure(errno, path: path, doing: "the file cannot be opened")
        }
        defer { close(descriptor) }
        var status = stat()
        // Where nothing is to be changed, the time of the last change is left as well: `StoreWAL`.
        if fstat(descriptor, &status) == 0, status.st_mode & 0o7777 == fileMode { return }
        guard fchmod(descriptor, fileMode) == 0 else {
            throw failure(errno, path: path, doing: "the file's mode cannot be set")
        }
    }

    /// What tells one file from another: its device and its number there.
    struct Identity: Equatable {
        let device: dev_t
        let number: ino_t
    }

    /// - Returns: `nil` when there is no file of that name.
    static func identity(_ path: String) -> Identity? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return Identity(device: status.st_dev, number: status.st_ino)
    }

    /// Refuses a file that is not ours to write, without changing it or the files beside it.
    ///
    /// - Throws: `notOurs`, `corrupt`, `newerSchema`; `readOnly` or `cannotOpen`.
    static func inspect(_ path: String, busyTimeout: Int32) throws(StoreError) {
        try StoreWAL.checkCompanions(of: path)
        guard let header = try DatabaseHeader(path: path) else {
            return try StoreWAL.checkThatNoneIsLeft(of: path)
        }
        try header.check(path: path)
        if header.isEmpty {
            // Where tasks used to be: beginning anew without a word would look as if all was well.
            guard BackupFolder.isEmpty(beside: path) else {
                throw StoreError(
                    .corrupt, path: path, detail: "it is empty, though there are backups of it")
            }
            return
        }
        // What the last writer left in the WAL counts too, and only SQLite reads that.
        let connection: Connection
        do throws(StoreError) {
            connection = try Connection(path: path, flags: SQLITE_OPEN_READONLY)
            sqlite3_busy_timeout(connection.handle, busyTimeout)
            try connection.configure(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)
            try check(connection)
            try Schema.checkTables(of: connection, version: connection.schemaVersion())
            try StoreWAL.check(connection)
        } catch  where error.code?.hasPrefix("SQLITE_READONLY") == true {
            // An interrupted change of a rollback journal: the writing connection checks again.
            return
        } catch {
            throw error.asDamage
        }
        try connection.close()
    }

    /// The same question to an open connection.
    static func check(_ connection: Connection) throws(StoreError) {
        let application = try connection.integer("PRAGMA application_id") ?? 0
        let version = Int(try connection.integer("PRAGMA user_version") ?? 0)
        try checkMarks(application: application, version: version, path: connection.path)
        guard application != Schema.applicationID else { return }
        let tables = try connection.integer("SELECT count(*) FROM sqlite_schema") ?? 0
        guard tables == 0, version == 0 else { throw foreign(connection.path) }
    }

    /// - Throws: `notOurs` also for a database with nothing in it.
    static func checkOurs(_ connection: Connection) throws(StoreError) {
        try check(connection)
        guard try connection.integer("PRAGMA application_id") == Schema.applicationID else {
            throw StoreError(.notOurs, path: connection.path, detail: "it is empty")
        }
    }

    /// No application's file may still be ours: one that was just made.
    static func checkMarks(application: Int64, version: Int, path: String) throws(StoreError) {
        guard application == Schema.applicationID || application == 0 else { throw foreign(path) }
        guard application == 0 || (0...Schema.version).contains(version) else {
            throw StoreError(
                .newerSchema(found: version, known: Schema.version), path: path,
                detail: "schema \(version) is not one up to \(Schema.version)")
        }
    }

    private static func foreign(_ path: String) -> StoreError {
        StoreError(.notOurs, path: path, detail: "it is another program's database")
    }

    static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private static func makeFolder(_ folder: String, for path: String) throws(StoreError) {
        if mkdir(folder, folderMode) == 0 {
            // Whatever the umask was.
            chmod(folder, folderMode)
            return
        }
        switch errno {
        case EEXIST: return
        case ENOENT where folder != "/" && folder != ".":
            try makeFolder(self.folder(of: folder), for: path)
            // Once more and no oftener: some file systems (/proc) say ENOENT for ever.
            guard mkdir(folder, folderMode) == 0 || errno == EEXIST else {
                throw failure(errno, path: path, doing: "the folder cannot be made")
            }
            chmod(folder, folderMode)
        case let code: throw failure(code, path: path, doing: "the folder cannot be made")
        }
    }

    private static func realPath(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }

    private static let names = [
        EACCES: "EACCES", EPERM: "EPERM", EROFS: "EROFS", ENOSPC: "ENOSPC", EDQUOT: "EDQUOT",
        ENOENT: "ENOENT", ENOTDIR: "ENOTDIR", EISDIR: "EISDIR", ELOOP: "ELOOP", EMFILE: "EMFILE",
        ENAMETOOLONG: "ENAMETOOLONG", EIO: "EIO", ENOLCK: "ENOLCK",
    ]

    /// `errno` as the store's error.
    static func failure(_ code: Int32, path: String, doing: String) -> StoreError {
        let category: StoreError.Category =
            switch code {
            case EACCES, EPERM, EROFS: .readOnly
            case ENOSPC, EDQUOT: .full
            default: .cannotOpen
            }
        let text = strerror(code).map { String(cString: $0) } ?? "error \(code)"
        return StoreError(
            category, path: path, code: names[code] ?? "errno \(code)", detail: "\(doing): \(text)")
    }
}
