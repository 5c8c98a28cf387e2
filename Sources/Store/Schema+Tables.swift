import CSQLite

/// Whether a file has the tables that its version says.
extension Schema {
    /// One line a table or an index that a database of a schema consists of, with the columns.
    private static let parts = """
        SELECT type || ' ‘' || name || '’' || CASE
            WHEN type <> 'table' OR sql LIKE 'CREATE VIRTUAL%' THEN ''
            ELSE ' (' || (SELECT group_concat(name, ', ') FROM pragma_table_info(s.name)) || ')' END
        FROM sqlite_schema AS s WHERE name NOT LIKE 'sqlite_stat%' ORDER BY rowid
        """

    /// - Parameter only: nothing else may be there either.
    /// - Throws: `corrupt`, naming the first table that is missing or not as it should be.
    static func checkTables(
        of connection: Connection, version: Int, only: Bool = false
    ) throws(StoreError) {
        let found = try connection.texts(parts)
        let expected = try expectedParts(version: version)
        if let missing = expected.first(where: { !Set(found).contains($0) }) {
            throw damaged("the \(missing) of schema \(version) is missing", connection)
        }
        let extra = found.first { !Set(expected).contains($0) }
        if let extra, only || version == 0 {
            throw damaged("the \(extra) is not one of schema \(version)", connection)
        }
    }

    /// Made in memory: the steps themselves say what they make.
    private static func expectedParts(version: Int) throws(StoreError) -> [String] {
        guard version > 0 else { return [] }
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY
        let connection = try Connection(path: ":memory:", flags: flags)
        try migrate(connection, through: version)
        let parts = try connection.texts(parts)
        try connection.close()
        return parts
    }

    private static func damaged(_ detail: String, _ connection: Connection) -> StoreError {
        StoreError(.corrupt, path: connection.path, detail: detail)
    }
}

extension Connection {
    /// `PRAGMA user_version`: how many steps of the schema the file has run.
    func schemaVersion() throws(StoreError) -> Int {
        Int(try integer("PRAGMA user_version") ?? 0)
    }
}
