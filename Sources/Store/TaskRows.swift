/// All rows that belong to one task, as they stand in the file: what undo compares and puts back.
/// The tables are asked for their columns and references, so that a table or a column that a later
/// step of the schema adds is taken along without a word here.
struct TaskRows: Hashable {
    /// Of the table `task`.
    var columns: [Cell]
    /// The rows of each table of `TaskTables.children`, in its order.
    var children: [[[Cell]]]
}

/// The tables that hold what belongs to a task.
struct TaskTables {
    struct Child {
        let name: String
        let columns: [String]
        let select: String
        let delete: String
    }

    let columns: [String]
    let children: [Child]
    let select: String
    /// Where the alarm and what it hangs on stand: a ring changes them, and a change of one of them
    /// is taken back with all of them.
    let schedule: Set<Int>
    let alarm: Int?

    private static let scheduleColumns: Set<String> = [
        "done", "due", "follows_zone", "completed", "scheduled", "deadline", "rule", "rule_start",
        "rule_additions", "rule_exceptions", "lead_times", "nag", "plan",
    ]

    init(_ connection: Connection) throws(StoreError) {
        columns = try Self.columns(of: "task", connection)
        select = "SELECT \(Self.list(columns)) FROM task WHERE number = ?"
        schedule = Set(
            columns.indices.filter { [columns] in
                Self.scheduleColumns.contains(columns[$0])
            })
        var found: [Child] = []
        let names = try connection.texts(
            """
            SELECT DISTINCT t.name FROM sqlite_schema AS t, pragma_foreign_key_list(t.name) AS f
            WHERE t.type = 'table' AND f."table" = 'task' AND f."from" = 'task' ORDER BY t.name
            """)
        for name in names {
            let columns = try Self.columns(of: name, connection)
            found.append(
                Child(
                    name: name, columns: columns,
                    select: "SELECT \(Self.list(columns)) FROM \"\(name)\" WHERE task = ?",
                    delete: "DELETE FROM \"\(name)\" WHERE task = ?"))
        }
        children = found
        alarm = found.firstIndex { $0.name == "alarm" }
    }

    /// In the order in which they were made; later ones come at the end.
    private static func columns(of table: String, _ connection: Connection) throws(StoreError)
        -> [String]
    {
        try connection.texts("SELECT name FROM pragma_table_info('\(table)') ORDER BY cid")
    }

    static func list(_ columns: some Sequence<String>) -> String {
        columns.map { "\"\($0)\"" }.joined(separator: ", ")
    }

    /// `nil` when there is no such task.
    func rows(of number: Int64, in connection: Connection) throws(StoreError) -> TaskRows? {
        guard let row = try Self.rows(select, number, connection).first else { return nil }
        var rows = TaskRows(columns: row, children: [])
        for child in children {
            rows.children.append(try Self.rows(child.select, number, connection))
        }
        return rows
    }

    private static func rows(_ sql: String, _ number: Int64, _ connection: Connection)
        throws(StoreError) -> [[Cell]]
    {
        let statement = try connection.statement(listing: sql)
        defer { statement.reset() }
        statement.bind(number)
        var rows: [[Cell]] = []
        while try statement.step() { rows.append(statement.cells) }
        return rows
    }
}
