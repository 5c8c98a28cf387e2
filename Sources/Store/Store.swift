import CSQLite

/// Keeps reminders on disk, whole or not at all: one SQLite connection (WAL, `synchronous=FULL`).
/// What a call has changed is on the disk when it returns; a call that throws has changed nothing.
///
/// Belongs to one serial queue, the engine's: it is not `Sendable` and takes no lock of its own.
/// Calls outside a `transaction` are transactions by themselves.
package final class Store {
    /// How long a change waits for another program's lock, in milliseconds (`sqlite3_busy_timeout`).
    package static let defaultBusyTimeout: Int32 = 5000

    /// The WAL is copied into the database when it has so many pages (of 4 KiB), and begins anew: two
    /// megabytes are what a store takes beside its file, also on a small disk. With fewer, every
    /// commit of many changes is copied at once, and waits for the disk twice more.
    static let walPages = 512
    /// Pages of the database kept in memory, in KiB: what a change of a store of any size touches.
    /// More of them (SQLite has 2000) makes nothing faster, as the system keeps the file itself.
    static let cacheKiB = 600
    /// The WAL is cut back to this many bytes when it was longer for a while.
    private static let walSizeLimit = 4 << 20

    /// The database file; symbolic links are resolved.
    package let path: String
    let connection: Connection
    private var lock: StoreLock?
    private let identity: StoreFile.Identity?
    /// What the change under way has touched; `nil` while none is recorded.
    var recording: UndoRecording?
    /// The step of the last change that was recorded; `nil` when it changed nothing.
    package internal(set) var lastStep: Int64?
    var taskTables: TaskTables?
    /// Calls within the transaction are not undone one by one (`together`).
    var failsTogether = false
    var backlog = IndexBacklog()

    /// Opens the database at `path`, and makes it, with its folders, when there is none: folder
    /// 0700, file 0600. Older schemas are brought up to date.
    ///
    /// A file that is refused stays as it was, byte for byte.
    ///
    /// - Parameter busyTimeout: milliseconds.
    /// - Throws: `alreadyInUse` while another process (or another `Store`) has it open;
    ///   `newerSchema`, `notOurs`, `corrupt` for a file that is not to be written; `readOnly`,
    ///   `cannotOpen`, `full`, `busy`.
    package init(path: String, busyTimeout: Int32 = Store.defaultBusyTimeout) throws(StoreError) {
        let path = try StoreFile.prepare(path)
        let lock = try StoreLock(database: path)
        StoreLeftovers.remove(of: path)
        try StoreFile.inspect(path, busyTimeout: busyTimeout)
        if StoreFile.isMissing(path) { try Schema.makeDatabase(path) }
        try StoreFile.restrict(path)
        connection = try Connection(path: path, flags: SQLITE_OPEN_READWRITE)
        (self.path, self.lock) = (path, lock)
        identity = StoreFile.identity(path)
        self.busyTimeout = busyTimeout
        try configure()
        try Schema.migrate(connection)
    }

    deinit { try? close() }

    /// How long a change waits for another program's lock, in milliseconds. While it waits, the
    /// queue of the caller stands still.
    package var busyTimeout: Int32 {
        didSet { sqlite3_busy_timeout(connection.handle, busyTimeout) }
    }

    private func configure() throws(StoreError) {
        sqlite3_busy_timeout(connection.handle, busyTimeout)
        try StoreFile.check(connection)
        // A damaged or hostile file must not make SQLite run what is written in it.
        try connection.configure(SQLITE_DBCONFIG_DEFENSIVE, true)
        try connection.configure(SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)
        // We have no triggers: one that somebody put there could undo what is confirmed.
        try connection.configure(SQLITE_DBCONFIG_ENABLE_TRIGGER, false)
        let mode = try connection.texts("PRAGMA journal_mode = WAL").first
        guard mode == "wal" else {
            throw StoreError(
                .cannotOpen, path: path, detail: "it cannot be switched to a write-ahead log")
        }
        try connection.execute(
            """
            PRAGMA synchronous = FULL;
            PRAGMA foreign_keys = ON;
            PRAGMA cell_size_check = ON;
            PRAGMA cache_size = -\(Self.cacheKiB);
            PRAGMA wal_autocheckpoint = \(Self.walPages);
            PRAGMA journal_size_limit = \(Self.walSizeLimit);
            """)
    }

    /// Ends the store: finalises all statements, closes the file (the last one to close it copies
    /// the WAL into it) and lets the lock go. Further calls fail; closing again does nothing.
    ///
    /// - Throws: when a statement is still open, naming it: one that must not be.
    package func close() throws(StoreError) {
        guard lock != nil else { return }
        try connection.close()
        lock = nil
    }

    /// Runs `body` as one change: `BEGIN IMMEDIATE` … `COMMIT`, one write to the disk. Calls within
    /// each other join: the inner one can fail alone (a savepoint), and is on the disk when the
    /// outermost has returned.
    ///
    /// - Throws: what `body` throws, after all that it did was undone; `busy` when another program
    ///   holds the lock, before `body` was called; `full` and others when the commit fails, with
    ///   everything undone.
    ///
    /// A disk that the write-ahead log has filled: the log is copied into the database, which empties
    /// it, and `body` runs once more.
    package func transaction<Result>(_ body: () throws -> Result) throws -> Result {
        try checkThatFileIsThere()
        do {
            return try connection.transaction(body)
        } catch let error as StoreError where error.category == .full && connection.depth == 0 {
            guard (try? checkpoint()) != nil else { throw error }
            return try connection.transaction(body)
        }
    }

    /// Runs `body`, which only reads, on one state of the store: the lock is taken once for all that
    /// it reads (`BEGIN` … `COMMIT`), and within a transaction not at all.
    package func snapshot<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError)
        -> Result
    {
        try connection.snapshot(body)
    }

    /// A file that was removed or replaced under us takes what we write with it when we end: that
    /// must not be called stored. One stat(2).
    func checkThatFileIsThere() throws(StoreError) {
        guard connection.depth == 0, StoreFile.identity(path) != identity else { return }
        throw StoreError(
            .cannotOpen, path: path,
            detail: "the file was removed or replaced while remindd runs; start remindd again")
    }

    /// The same for the store's own steps, whose errors are all its own.
    func atomically(_ body: () throws(StoreError) -> Void) throws(StoreError) {
        if failsTogether { return try body() }
        try connection.begin()
        do throws(StoreError) {
            try body()
        } catch {
            connection.rollBack()
            throw error
        }
        try connection.commit()
    }

    /// Looks at every page and index (`PRAGMA integrity_check`) and at every reference between
    /// tables. Reads the whole file.
    ///
    /// - Returns: what is wrong, one sentence each; empty when all is well.
    package func checkIntegrity() throws(StoreError) -> [String] {
        try connection.integrityFaults() + searchIndexFaults()
    }

    /// Copies the WAL into the database and empties it (`sqlite3_wal_checkpoint_v2`, `TRUNCATE`).
    ///
    /// - Throws: `busy` when another program reads an older state; nothing is lost.
    package func checkpoint() throws(StoreError) {
        let code = sqlite3_wal_checkpoint_v2(
            connection.handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
        guard code == SQLITE_OK else { throw connection.failure(code, sql: nil) }
    }
}
