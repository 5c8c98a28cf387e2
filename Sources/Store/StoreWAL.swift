import Glibc

/// Whether the write-ahead log beside a database is its own. SQLite applies what it finds there to
/// whatever file has the name (<https://www.sqlite.org/howtocorrupt.html>, section 1.4): a copy that
/// was put in the place of the file would be mixed with what was there before.
enum StoreWAL {
    /// A log of so many bytes holds nothing (<https://www.sqlite.org/fileformat.html>, section 4.1).
    private static let headerSize: off_t = 32

    /// Those that the user cannot write, such as root's: SQLite would only say that it cannot open
    /// the database.
    static func checkCompanions(of path: String) throws(StoreError) {
        for suffix in StoreFile.suffixes.dropFirst() {
            let name = path + suffix
            guard access(name, R_OK | W_OK) != 0, errno != ENOENT else { continue }
            let code = errno
            // SQLite gives them the mode of the file, also that of one which could not be written then.
            if chmod(name, StoreFile.fileMode) == 0, access(name, R_OK | W_OK) == 0 { continue }
            throw StoreFile.failure(
                code, path: path, doing: "‘\(name)’, which belongs to it, cannot be written")
        }
    }

    /// Where there is no database: a new one would take in what belongs to the one that was there.
    static func checkThatNoneIsLeft(of path: String) throws(StoreError) {
        var log = stat()
        guard stat(path + "-wal", &log) == 0, log.st_size > 0 else { return }
        throw StoreError(
            .corrupt, path: path,
            detail: "it is missing, but its write-ahead log ‘\(path)-wal’ is there; put the file "
                + "back, or move that away as well")
    }

    /// A file that was changed after its log was: by a copy of the log into it, as SQLite does now
    /// and then, or by somebody. Then every page and index is looked at, with the log applied.
    static func check(_ connection: Connection) throws(StoreError) {
        guard isOlder(than: connection.path) else { return }
        let fault: String?
        do throws(StoreError) {
            fault = try connection.integrityFaults().first
        } catch  where error.category == .corrupt {
            fault = error.detail
        }
        guard let fault else { return }
        let log = connection.path + "-wal"
        throw StoreError(
            .corrupt, path: connection.path, code: "SQLITE_CORRUPT",
            detail:
                "\(fault); it was changed after its write-ahead log ‘\(log)’ was: if a copy was "
                + "put in its place, move that log away")
    }

    private static func isOlder(than path: String) -> Bool {
        var (file, log) = (stat(), stat())
        guard stat(path, &file) == 0, stat(path + "-wal", &log) == 0, log.st_size > headerSize
        else { return false }
        // Its own last change is not looked at: for root SQLite sets the owner at each opening.
        return (log.st_mtim.tv_sec, log.st_mtim.tv_nsec)
            < (file.st_ctim.tv_sec, file.st_ctim.tv_nsec)
    }
}
