import CSQLite
import Testing

/// Another program that holds a write lock on the store.
final class DatabaseLock {
    private var handle: OpaquePointer?

    init(_ path: String) throws {
        try #require(sqlite3_open(path, &handle) == SQLITE_OK)
        try #require(sqlite3_exec(handle, "BEGIN IMMEDIATE", nil, nil, nil) == SQLITE_OK)
    }

    func release() {
        sqlite3_close(handle)
        handle = nil
    }

    deinit { release() }
}
