import CSQLite

extension Store {
    /// Looks at every page, row and index of the database at `path`, and at every reference between
    /// tables, on a connection of its own that only reads: on any queue, beside the store that is
    /// open. Reads the whole file: about a second for 100,000 reminders (73 MB).
    ///
    /// - Returns: what is wrong, one sentence each; empty when all is well.
    package static func faults(path: String) throws(StoreError) -> [String] {
        let connection = try Connection(path: path, flags: SQLITE_OPEN_READONLY)
        sqlite3_busy_timeout(connection.handle, defaultBusyTimeout)
        // What is in the WAL stays there: the writer copies it.
        try connection.configure(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)
        try StoreFile.check(connection)
        let found = try connection.integrityFaults()
        try connection.close()
        return found
    }
}
