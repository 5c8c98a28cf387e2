import CSQLite
import Glibc

/// One SQLite connection with its prepared statements. Used on one serial queue.
final class Connection {
    /// For every failure: the file it is about.
    let path: String
    let handle: OpaquePointer
    /// By the raw values of `Query`.
    private var cache = [Statement?](repeating: nil, count: Query.allCases.count)
    private var listCache: [String: Statement] = [:]
    /// Open transaction and savepoints within it.
    private(set) var depth = 0
    /// What the index of the search is told with the commit, in this order; and how much of it there
    /// was when each open transaction and savepoint began. At every savepoint FTS5 would write what
    /// it has gathered, which costs three times as much as the gathering.
    private var indexChanges: [SearchIndex.Change] = []
    private var indexMarks: [Int] = []
    private var isClosed = false

    /// Listings differ in their SQL by filter and order: so many of them stay prepared.
    private static let cachedListings = 16

    /// Set once, before the first connection is made.
    private static let memoryIsNotCounted = remindd_stop_counting_memory() == SQLITE_OK

    /// `sqlite3_open_v2`. `SQLITE_OPEN_NOMUTEX`: the one queue is the mutex.
    init(path: String, flags: Int32) throws(StoreError) {
        _ = Self.memoryIsNotCounted
        var handle: OpaquePointer?
        let code = sqlite3_open_v2(path, &handle, flags | SQLITE_OPEN_NOMUTEX, nil)
        guard code == SQLITE_OK, let handle else {
            let error = Self.failure(code, on: handle, path: path, sql: nil)
            sqlite3_close(handle)
            throw error
        }
        (self.path, self.handle) = (path, handle)
        sqlite3_extended_result_codes(handle, 1)
    }

    /// `SQLITE_DBCONFIG_…`
    func configure(_ option: Int32, _ value: Bool) throws(StoreError) {
        let code = remindd_db_config(handle, option, value ? 1 : 0)
        guard code == SQLITE_OK else { throw failure(code, sql: nil) }
    }

    /// Finalises every statement and closes (`sqlite3_close`, which refuses while one is open).
    /// The last connection copies the WAL into the database.
    func close() throws(StoreError) {
        forgetStatements()
        let code = sqlite3_close(handle)
        guard code == SQLITE_OK else {
            // Asked for afterwards: until then FTS5 has statements of its own.
            let open = sqlite3_next_stmt(handle, nil)
            throw failure(code, sql: open.flatMap { sqlite3_sql($0) }.map { String(cString: $0) })
        }
        isClosed = true
    }

    /// For one that was given up on the way: `sqlite3_close_v2` waits for what still holds it.
    deinit {
        forgetStatements()
        if !isClosed { sqlite3_close_v2(handle) }
    }

    /// The prepared statement of `query`, ready to be bound; give it back with `reset`.
    func statement(_ query: Query) throws(StoreError) -> Statement {
        try checkTransaction()
        if let cached = cache[query.rawValue], !cached.isInUse { return taken(cached) }
        let statement = try Statement(query.sql, on: self)
        if cache[query.rawValue] == nil { cache[query.rawValue] = statement }
        return taken(statement)
    }

    /// The same for a statement that is put together at run time.
    func statement(listing sql: String) throws(StoreError) -> Statement {
        try checkTransaction()
        if let cached = listCache[sql], !cached.isInUse { return taken(cached) }
        let statement = try Statement(sql, on: self)
        if listCache.count >= Self.cachedListings { listCache.removeAll() }
        if listCache[sql] == nil { listCache[sql] = statement }
        return taken(statement)
    }

    private func forgetStatements() {
        for place in cache.indices { cache[place] = nil }
        listCache.removeAll()
    }

    private func taken(_ statement: Statement) -> Statement {
        statement.isInUse = true
        return statement
    }

    /// Runs SQL once, without keeping it: settings and the schema.
    func execute(_ sql: String) throws(StoreError) {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw failure(code, sql: sql) }
    }

    /// The first column of the first row, for settings and counts.
    func integer(_ sql: String) throws(StoreError) -> Int64? {
        let statement = try Statement(sql, on: self)
        return try statement.step() ? statement.integer(0) : nil
    }

    /// The first column of every row.
    func texts(_ sql: String) throws(StoreError) -> [String] {
        let statement = try Statement(sql, on: self)
        var result: [String] = []
        while try statement.step() { result.append(statement.text(0)) }
        return result
    }

    /// Gives back the pages that are kept in memory (`sqlite3_db_release_memory`).
    func releaseMemory() { sqlite3_db_release_memory(handle) }

    var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(handle) }

    /// Rows that the last statement changed, those of cascades not counted.
    var changedRows: Int { Int(sqlite3_changes(handle)) }

    /// Rows that all statements have changed since the connection was made.
    var allChangedRows: Int64 { sqlite3_total_changes64(handle) }

    /// SQLite's error for `code` on this connection, with its message.
    func failure(_ code: Int32, sql: String?) -> StoreError {
        Self.failure(code, on: handle, path: path, sql: sql)
    }

    private static func failure(
        _ code: Int32, on handle: OpaquePointer?, path: String, sql: String?
    )
        -> StoreError
    {
        // The message of the connection belongs to its last call, which may not be this one.
        let same = handle.map { sqlite3_errcode($0) & 0xFF == code & 0xFF } ?? false
        let text = (same ? sqlite3_errmsg(handle) : sqlite3_errstr(code)).map {
            String(cString: $0)
        }
        let system = same ? handle.map { sqlite3_system_errno($0) } ?? 0 : 0
        let extended = same ? handle.map { sqlite3_extended_errcode($0) } ?? code : code
        return StoreError(
            category(extended, system: system), path: path, code: ResultCode.name(extended),
            detail: text ?? "unknown error", sql: sql)
    }

    private static func category(_ code: Int32, system: Int32) -> StoreError.Category {
        switch code & 0xFF {
        // SQLITE_PROTOCOL: the locks of the WAL were held too long.
        case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL: .busy
        case SQLITE_FULL: .full
        case SQLITE_IOERR where system == ENOSPC || system == EDQUOT: .full
        case SQLITE_READONLY, SQLITE_PERM: .readOnly
        case SQLITE_CANTOPEN where system == EACCES || system == EPERM || system == EROFS: .readOnly
        // What is no database from the start is refused before SQLite sees it.
        case SQLITE_CORRUPT, SQLITE_NOTADB: .corrupt
        case SQLITE_CANTOPEN: .cannotOpen
        default: .other
        }
    }
}

/// Transactions.
extension Connection {
    /// Runs `body` in one transaction (`BEGIN IMMEDIATE` … `COMMIT`), or within the transaction that
    /// is open as one savepoint of it. What `body` throws undoes all that it did.
    func transaction<Result>(_ body: () throws -> Result) throws -> Result {
        try begin()
        let result: Result
        do {
            result = try body()
        } catch {
            rollBack()
            throw error
        }
        try commit()
        return result
    }

    /// Runs `body`, which only reads, in one transaction.
    func snapshot<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
        guard depth == 0 else { return try body() }
        let statement = try statement(.beginReading)
        defer { statement.reset() }
        try statement.run()
        enter()
        // Nothing was written that could be lost.
        defer { rollBack() }
        return try body()
    }

    func begin() throws(StoreError) {
        let statement = try statement(depth == 0 ? .begin : .savepoint)
        defer { statement.reset() }
        try statement.run()
        enter()
    }

    private func enter() {
        depth += 1
        indexMarks.append(indexChanges.count)
    }

    private func leave() {
        depth -= 1
        indexMarks.removeLast()
    }

    /// When it throws, everything since `begin` is undone.
    func commit() throws(StoreError) {
        do throws(StoreError) {
            if depth == 1 { try writeIndexChanges() }
            let statement = try statement(depth == 1 ? .commit : .release)
            defer { statement.reset() }
            try statement.run()
            leave()
        } catch {
            rollBack()
            throw error
        }
    }

    /// Ends the innermost transaction or savepoint without its changes. Cannot fail: either SQLite
    /// has rolled back by itself after the error, or there is nothing that could not be undone.
    func rollBack() {
        let outermost = depth == 1
        indexChanges.removeLast(max(0, indexChanges.count - (indexMarks.last ?? 0)))
        leave()
        guard sqlite3_get_autocommit(handle) == 0 else { return }
        let sql = outermost ? "ROLLBACK" : "ROLLBACK TO change; RELEASE change"
        sqlite3_exec(handle, sql, nil, nil, nil)
    }

    /// So many wait for the commit at most, where nothing of them can be undone apart.
    private static let indexChangesLimit = 1000

    /// Tells the index of the search, with the commit.
    func tellIndex(_ change: SearchIndex.Change) throws(StoreError) {
        guard depth > 0 else { return try SearchIndex.write(change, to: self) }
        if depth == 1, indexChanges.count >= Self.indexChangesLimit { try writeIndexChanges() }
        indexChanges.append(change)
    }

    /// Tells the index now what waits for the commit.
    func writeIndexChanges() throws(StoreError) {
        for change in indexChanges { try SearchIndex.write(change, to: self) }
        indexChanges.removeAll()
    }

    /// After some errors (disk full, I/O) SQLite ends the transaction itself. What follows in the
    /// same body must not be committed piecemeal.
    private func checkTransaction() throws(StoreError) {
        guard depth > 0, sqlite3_get_autocommit(handle) != 0 else { return }
        throw StoreError(
            .other, path: path, code: ResultCode.name(SQLITE_ABORT),
            detail: "the transaction was rolled back after an earlier error")
    }
}
