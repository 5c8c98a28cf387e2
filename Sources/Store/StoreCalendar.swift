package import RemindCore

/// A calendar item as it came in, for the export and for later versions of it.
package struct CalendarItemRecord: Hashable, Sendable {
    package var uid: String
    /// SEQUENCE.
    package var sequence: Int
    /// LAST-MODIFIED, else DTSTAMP.
    package var version: Instant
    /// A hash of the text as it came in; two that are equal say that nothing has changed.
    package var content: Int64
    /// The reminder's `modified` when `text` last said the same as the reminder.
    package var stored: Instant
    /// The components as content lines, without folds, one a line.
    package var text: String

    package init(
        uid: String, sequence: Int, version: Instant, content: Int64, stored: Instant, text: String
    ) {
        (self.uid, self.sequence, self.version) = (uid, sequence, version)
        (self.content, self.stored, self.text) = (content, stored, text)
    }
}

/// A reminder with the calendar item it came from, if it did.
package struct ExportedReminder: Sendable {
    package let reminder: Reminder
    package let item: CalendarItemRecord?

    package init(reminder: Reminder, item: CalendarItemRecord?) {
        (self.reminder, self.item) = (reminder, item)
    }
}

/// Calendar items. What belongs to a reminder goes with it when it is deleted.
extension Store {
    package func calendarItem(of number: Int64) throws(StoreError) -> CalendarItemRecord? {
        let statement = try connection.statement(.calendarItem)
        defer { statement.reset() }
        return try statement.bind(number).step() ? Self.item(statement, from: 1) : nil
    }

    /// By the identity that it has in calendars.
    package func calendarItem(
        uid: String
    ) throws(StoreError) -> (number: Int64, item: CalendarItemRecord)? {
        let statement = try connection.statement(.calendarItemByUID)
        defer { statement.reset() }
        guard try statement.bind(uid).step() else { return nil }
        return (statement.integer(0), Self.item(statement, from: 1))
    }

    /// The same, but for all that is in it: which reminder it is, and the hash of its text.
    package func calendarContent(
        uid: String
    ) throws(StoreError) -> (number: Int64, content: Int64)? {
        let statement = try connection.statement(.calendarContent)
        defer { statement.reset() }
        guard try statement.bind(uid).step() else { return nil }
        return (statement.integer(0), statement.integer(1))
    }

    package func setCalendarItem(
        _ item: CalendarItemRecord, of number: Int64
    ) throws(StoreError) {
        try remember(number)
        let statement = try connection.statement(.upsertCalendarItem)
        defer { statement.reset() }
        try statement.bind(number).bind(item.uid).bind(item.sequence).bind(item.version)
            .bind(item.content).bind(item.stored).bind(item.text).run()
    }

    /// Reminders in the order of their numbers, with their calendar items: the next ones after
    /// `number`, `limit` at most.
    ///
    /// - Parameters:
    ///   - list: those of one list; `nil`: of all.
    ///   - done: done ones too.
    package func exported(
        after number: Int64, list: String?, done: Bool, limit: Int
    ) throws(StoreError) -> [ExportedReminder] {
        let statement = try connection.statement(.calendarPage)
        defer { statement.reset() }
        statement.bind(number).bind(list).bind(done).bind(limit)
        var found: [ExportedReminder] = []
        while try statement.step() {
            let hasItem = !statement.isNull(ReminderRow.count)
            found.append(
                ExportedReminder(
                    reminder: try ReminderRow.read(statement, path: path),
                    item: hasItem ? Self.item(statement, from: ReminderRow.count) : nil))
        }
        return found
    }

    private static func item(_ row: Statement, from first: Int32) -> CalendarItemRecord {
        CalendarItemRecord(
            uid: row.text(first), sequence: Int(row.integer(first + 1)),
            version: row.instant(first + 2), content: row.integer(first + 3),
            stored: row.instant(first + 4), text: row.text(first + 5))
    }
}

/// The file of a vdir folder that holds a reminder.
package struct CalendarFileRecord: Hashable, Sendable {
    /// Its name, without the folder.
    package var name: String
    /// A hash of its bytes when it was last read or written.
    package var content: Int64
    /// The reminder's `modified` at that time; `nil` when an older version of ours has written this.
    package var agreed: Instant?

    package init(name: String, content: Int64, agreed: Instant?) {
        (self.name, self.content, self.agreed) = (name, content, agreed)
    }
}

/// The files of vdir folders.
extension Store {
    /// The file that holds a reminder in a folder.
    package func calendarFile(
        of number: Int64, folder: String
    ) throws(StoreError) -> CalendarFileRecord? {
        let statement = try connection.statement(.calendarFile)
        defer { statement.reset() }
        guard try statement.bind(number).bind(folder).step() else { return nil }
        return CalendarFileRecord(
            name: statement.text(0), content: statement.integer(1),
            agreed: statement.optionalInstant(2))
    }

    package func setCalendarFile(
        _ file: CalendarFileRecord, of number: Int64, folder: String
    ) throws(StoreError) {
        try remember(number)
        let statement = try connection.statement(.upsertCalendarFile)
        defer { statement.reset() }
        try statement.bind(folder).bind(file.name).bind(number).bind(file.content)
            .bind(file.agreed).run()
    }
}

extension Query {
    private static let itemColumns = """
        calendar_item.uid, calendar_item.sequence, calendar_item.version, calendar_item.content, \
        calendar_item.stored, calendar_item.text
        """

    var calendarSQL: String {
        switch self {
        case .calendarItem: "SELECT task, \(Self.itemColumns) FROM calendar_item WHERE task = ?"
        case .calendarItemByUID:
            "SELECT task, \(Self.itemColumns) FROM calendar_item WHERE uid = ?"
        case .calendarContent: "SELECT task, content FROM calendar_item WHERE uid = ?"
        case .upsertCalendarItem:
            """
            INSERT INTO calendar_item (task, uid, sequence, version, content, stored, text)
            VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (task) DO UPDATE SET
                (uid, sequence, version, content, stored, text) = (excluded.uid,
                excluded.sequence, excluded.version, excluded.content, excluded.stored,
                excluded.text)
            """
        case .calendarPage:
            """
            SELECT \(ReminderRow.columns), \(Self.itemColumns) FROM task
            LEFT JOIN alarm ON alarm.task = task.number
            LEFT JOIN calendar_item ON calendar_item.task = task.number
            WHERE task.number > ?1 AND (?2 IS NULL OR +task.list = ?2) AND (+task.done = 0 OR ?3)
            ORDER BY task.number LIMIT ?4
            """
        case .calendarFile:
            "SELECT name, content, agreed FROM calendar_file WHERE task = ? AND +folder = ?"
        default:
            """
            INSERT OR REPLACE INTO calendar_file (folder, name, task, content, agreed)
            VALUES (?, ?, ?, ?, ?)
            """
        }
    }
}
