import CSQLite
import RemindCore

/// One prepared statement. Parameters are bound in their order; a bind that fails is told by the
/// next `step`, so that a whole row reads as one chain.
final class Statement {
    let handle: OpaquePointer
    private unowned let connection: Connection
    private var nextParameter: Int32 = 1
    private var bindFailure: Int32 = SQLITE_OK
    /// Between `Connection.statement` and `reset`: nobody else may take it from the cache.
    var isInUse = false

    /// `sqlite3_prepare_v3` with `SQLITE_PREPARE_PERSISTENT`.
    init(_ sql: String, on connection: Connection) throws(StoreError) {
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v3(
            connection.handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
        guard code == SQLITE_OK, let statement else {
            throw connection.failure(code, sql: sql)
        }
        (handle, self.connection) = (statement, connection)
    }

    deinit { sqlite3_finalize(handle) }

    var sql: String { sqlite3_sql(handle).map { String(cString: $0) } ?? "" }

    /// `sqlite3_step`: true when there is a row.
    func step() throws(StoreError) -> Bool {
        guard bindFailure == SQLITE_OK else { throw connection.failure(bindFailure, sql: sql) }
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw connection.failure(code, sql: sql)
        }
    }

    /// Runs it to its end, for statements that give no rows.
    func run() throws(StoreError) {
        while try step() {}
    }

    /// Ends the run, frees the read snapshot and forgets the parameters. The error that
    /// `sqlite3_reset` repeats was already told by `step`.
    func reset() {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
        (nextParameter, bindFailure, isInUse) = (1, SQLITE_OK, false)
    }
}

extension Statement {
    /// Ends the run as `reset` does, for another run with other parameters by the same user.
    func rewind() {
        reset()
        isInUse = true
    }

    @discardableResult func bind(_ value: Int64?) -> Statement {
        guard let value else { return note { sqlite3_bind_null(handle, $0) } }
        return note { sqlite3_bind_int64(handle, $0, value) }
    }

    @discardableResult func bind(_ value: Instant?) -> Statement { bind(value?.milliseconds) }

    @discardableResult func bind(_ value: Int) -> Statement { bind(Int64(value)) }

    @discardableResult func bind(_ value: Bool) -> Statement { bind(value ? 1 as Int64 : 0) }

    @discardableResult func bind(_ value: String?) -> Statement {
        guard var value else { return note { sqlite3_bind_null(handle, $0) } }
        return value.withUTF8 { text in
            note { remindd_bind_text(handle, $0, text.baseAddress, UInt64(text.count)) }
        }
    }

    /// 16 bytes, the most significant first, so that SQLite sorts identifiers by time.
    @discardableResult func bind(_ value: UUIDv7) -> Statement {
        withUnsafeBytes(of: (value.high.bigEndian, value.low.bigEndian)) { bytes in
            note { remindd_bind_blob(handle, $0, bytes.baseAddress, UInt64(bytes.count)) }
        }
    }

    /// 2 bytes, the most significant first.
    @discardableResult func bind(_ value: UInt16) -> Statement {
        withUnsafeBytes(of: value.bigEndian) { bytes in
            note { remindd_bind_blob(handle, $0, bytes.baseAddress, UInt64(bytes.count)) }
        }
    }

    func note(_ bind: (Int32) -> Int32) -> Statement {
        let code = bind(nextParameter)
        if code != SQLITE_OK, bindFailure == SQLITE_OK { bindFailure = code }
        nextParameter += 1
        return self
    }
}

/// The columns of the row that `step` has given; counted from 0.
extension Statement {
    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    func optionalInteger(_ column: Int32) -> Int64? { isNull(column) ? nil : integer(column) }

    /// What nobody but another program can have written, beyond all time, is brought back to its end:
    /// arithmetic on it must not overflow.
    func instant(_ column: Int32) -> Instant {
        Instant(milliseconds: integer(column).clamped(to: StoreAudit.years))
    }

    func optionalInstant(_ column: Int32) -> Instant? { isNull(column) ? nil : instant(column) }

    func text(_ column: Int32) -> String { optionalText(column) ?? "" }

    /// `sqlite3_column_text` before `sqlite3_column_bytes`, as its page asks for.
    func optionalText(_ column: Int32) -> String? {
        guard let start = sqlite3_column_text(handle, column) else { return nil }
        let count = Int(sqlite3_column_bytes(handle, column))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// `nil` when the column does not hold 16 bytes.
    func id(_ column: Int32) -> UUIDv7? {
        guard let start = sqlite3_column_blob(handle, column),
            sqlite3_column_bytes(handle, column) == 16
        else { return nil }
        return UUIDv7(
            high: UInt64(bigEndian: start.loadUnaligned(as: UInt64.self)),
            low: UInt64(bigEndian: start.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
    }
}
