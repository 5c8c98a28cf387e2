import RemindCore

/// Reads all that a copy holds as the daemon will read it: pages that are whole can still hold
/// values that nobody wrote, and one of them would make every list fail.
enum StoreAudit {
    /// No number of a task is above: JSON readers keep integers up to here (RFC 8259, section 6), and
    /// counting on from here does not end in a store's life.
    static let lastNumber: Int64 = 1 << 53

    /// Checks the tables, the counter and every row; an index of the search that does not agree with
    /// the texts is made anew, and so are the tags of the rows.
    ///
    /// - Throws: `corrupt`, naming the first value that cannot be used.
    static func run(_ connection: Connection) throws(StoreError) {
        try Schema.checkTables(of: connection, version: Schema.version, only: true)
        try checkNumbers(connection)
        try checkRanges(connection)
        let textsAgree = try readTasks(connection)
        try readLog(connection)
        try readUndo(connection)
        let isDamaged = try SearchIndex.isDamaged(in: connection)
        if isDamaged || !textsAgree { try SearchIndex.rebuild(in: connection) }
        try connection.execute(Schema.gatherTags)
    }

    private static func checkNumbers(_ connection: Connection) throws(StoreError) {
        let counter = try connection.integer(
            "SELECT max(seq) FROM sqlite_sequence WHERE name = 'task'")
        if let counter, counter > lastNumber {
            throw damaged("its counter of numbers is at its end, \(counter)", connection)
        }
        let odd = "SELECT number FROM task WHERE number NOT BETWEEN 1 AND \(lastNumber) LIMIT 1"
        if let number = try connection.integer(odd) {
            throw damaged("a reminder has the number \(number)", connection)
        }
    }

    /// The columns that hold an instant, and others that arithmetic is done with.
    private static let instants: KeyValuePairs = [
        "task": ["created", "modified", "completed", "scheduled"],
        "alarm": ["next_ring", "ring_scheduled", "ring_due", "ring_rang_at", "snoozed_until"],
        "log": ["at", "due", "until"], "undo": ["at"], "calendar_item": ["version", "stored"],
        "calendar_component": ["version"],
    ]

    /// What is stored stays within the years 0001 to 9999, so that arithmetic on it cannot
    /// overflow; a year more on both sides, for zones. In milliseconds.
    static let years = {
        let year: Int64 = 366 * 86_400_000
        return Instant.earliest.milliseconds - year...Instant.latest.milliseconds + year
    }()

    private static func checkRanges(_ connection: Connection) throws(StoreError) {
        for (table, columns) in instants {
            for column in columns { try check(table, column, years, connection) }
        }
        try check("alarm", "rung_through", years, connection)
        try check("alarm", "rings", 0...lastNumber, connection)
        try check("alarm", "ring_missed", 0...lastNumber, connection)
        try check("task", "nag", 1...years.upperBound, connection)
        try check("log", "late", years, connection)
        try check("log", "missed", 0...lastNumber, connection)
        try check("calendar_item", "sequence", -lastNumber...lastNumber, connection)
        try check("calendar_component", "sequence", -lastNumber...lastNumber, connection)
        try check("calendar_component", "number", 1...lastNumber, connection)
    }

    private static func check(
        _ table: String, _ column: String, _ range: ClosedRange<Int64>, _ connection: Connection
    ) throws(StoreError) {
        let odd = try connection.integer(
            "SELECT \(column) FROM \(table) WHERE \(column) NOT BETWEEN \(range.lowerBound) "
                + "AND \(range.upperBound) LIMIT 1")
        guard let odd else { return }
        throw damaged("the column ‘\(column)’ of ‘\(table)’ holds \(odd)", connection)
    }

    /// - Returns: whether the texts that a search reads are those of the tasks.
    private static func readTasks(_ connection: Connection) throws(StoreError) -> Bool {
        let rows = try Statement(Query.select + "ORDER BY task.number", on: connection)
        var (count, agree): (Int64, Bool) = (0, true)
        while try rows.step() {
            let reminder = try ReminderRow.read(rows, path: connection.path)
            count += 1
            let text = try SearchIndex.text(of: reminder.number, in: connection)
            if text != SearchText(reminder) { agree = false }
        }
        let texts = try connection.integer("SELECT count(*) FROM search_text")
        return agree && texts == count
    }

    private static func readLog(_ connection: Connection) throws(StoreError) {
        let rows = try Statement("SELECT entry, kind, origin FROM log", on: connection)
        while try rows.step() {
            guard LogEntry.Kind(rawValue: rows.text(1)) != nil,
                LogEntry.Origin(rawValue: rows.text(2)) != nil
            else { throw damaged("entry \(rows.integer(0)) of the log cannot be read", connection) }
        }
    }

    private static func readUndo(_ connection: Connection) throws(StoreError) {
        let rows = try Statement("SELECT entry, what, images FROM undo", on: connection)
        while try rows.step() {
            var reader = ImageReader(rows.bytes(2))
            let isKnown = UserChange.What(rawValue: rows.text(1)) != nil
            do {
                while try reader.image() != nil {}
            } catch {
                throw damaged("step \(rows.integer(0)) of undo cannot be read", connection)
            }
            if !isKnown {
                throw damaged("step \(rows.integer(0)) of undo is of no kind known", connection)
            }
        }
    }

    private static func damaged(_ detail: String, _ connection: Connection) -> StoreError {
        StoreError(.corrupt, path: connection.path, detail: detail)
    }
}
