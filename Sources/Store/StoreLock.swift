import Glibc

/// Says that this process is the daemon of a database: a lock on `PATH.lock`, held for life. The
/// kernel lets it go when the process ends, however that comes about.
final class StoreLock {
    static let suffix = ".lock"

    private let descriptor: Int32

    /// `flock(2)`, on a file of its own: SQLite's locks are POSIX ones, which a process loses when it
    /// closes any descriptor of the file. `O_CLOEXEC`, so that no hook keeps the lock alive.
    ///
    /// - Throws: `alreadyInUse`; `readOnly` or `cannotOpen` when the lock file cannot be made.
    init(database path: String) throws(StoreError) {
        descriptor = open(path + Self.suffix, O_RDWR | O_CREAT | O_CLOEXEC, StoreFile.fileMode)
        guard descriptor >= 0 else {
            throw StoreFile.failure(errno, path: path, doing: "the lock file cannot be made")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let code = errno
            close(descriptor)
            guard code == EWOULDBLOCK else {
                throw StoreFile.failure(code, path: path, doing: "the file cannot be locked")
            }
            throw StoreError(
                .alreadyInUse, path: path, code: "EWOULDBLOCK",
                detail: "another process holds the lock ‘\(path).lock’")
        }
        // The umask may have taken more than it should; a lock file that nobody can open stays so.
        fchmod(descriptor, StoreFile.fileMode)
    }

    /// The file stays: taking it away would let two processes lock two files of one name. Unlocked by
    /// name, for a child that has not come to its program yet has the descriptor too.
    deinit {
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
