import Glibc

/// Puts a backup in the place of a database that is not open, whatever its state.
package struct StoreReplacement {
    package let facts: CopyFacts
    /// Where the file is that was there before; `nil`: there was none.
    package let keptAs: String?

    /// Checks `file`, keeps the file at `path` under a name with `stamp`, and renames the copy into
    /// its place. At no moment is there no database: a daemon that began would make an empty one.
    ///
    /// - Throws: `alreadyInUse` while a daemon has the store; about `file` as `StagedCopy`; nothing
    ///   was changed then.
    package static func run(at path: String, with file: String, stamp: String) throws(StoreError)
        -> StoreReplacement
    {
        let path = try StoreFile.prepare(path)
        let lock = try StoreLock(database: path)
        defer { withExtendedLifetime(lock) {} }
        let copy = try StagedCopy(of: file, beside: path)
        let aside = path + ".replaced-" + stamp
        let kept = try keepAside(path, as: aside)
        // What is in the WAL belongs to the old file: applied to another it would damage it.
        rename(path + "-wal", aside + "-wal")
        unlink(path + "-shm")
        unlink(path + "-journal")
        try StoreFile.sync(copy.path, for: path)
        guard rename(copy.path, path) == 0 else {
            throw StoreFile.failure(errno, path: path, doing: "the backup cannot be renamed")
        }
        try StoreFile.sync(StoreFile.folder(of: path), for: path)
        return StoreReplacement(facts: copy.facts, keptAs: kept)
    }

    /// A second name for the file (link(2)), so that the first one always leads to one.
    private static func keepAside(_ path: String, as name: String) throws(StoreError) -> String? {
        guard link(path, name) != 0 else { return name }
        let code = errno
        guard code != ENOENT else { return nil }
        throw StoreFile.failure(code, path: path, doing: "the file cannot be kept as ‘\(name)’")
    }
}
