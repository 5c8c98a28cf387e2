package import RemindCore

/// The log of rings and answers.
extension Store {
    package func append(_ entry: LogEntry) throws(StoreError) {
        let statement = try connection.statement(.insertLog)
        defer { statement.reset() }
        try statement.bind(entry.number).bind(entry.reminder).bind(entry.title)
            .bind(entry.kind.rawValue).bind(entry.at).bind(entry.due).bind(entry.late)
            .bind(entry.missed).bind(entry.origin.rawValue).bind(entry.until).run()
        rememberLog(entry.number)
    }

    /// The newest entries first, of one reminder (deleted ones too) or of all; `limit` at most.
    package func log(of number: Int64? = nil, limit: Int) throws(StoreError) -> [LogEntry] {
        let statement = try connection.statement(number == nil ? .log : .logOfNumber)
        defer { statement.reset() }
        if let number { statement.bind(number) }
        statement.bind(limit)
        var entries: [LogEntry] = []
        while try statement.step() { entries.append(try entry(statement)) }
        return entries
    }

    private func entry(_ row: Statement) throws(StoreError) -> LogEntry {
        guard let id = row.id(1), let kind = LogEntry.Kind(rawValue: row.text(3)),
            let origin = LogEntry.Origin(rawValue: row.text(8))
        else {
            throw StoreError(
                .corrupt, path: path,
                detail: "the log of reminder \(row.integer(0)) has an entry that is not valid")
        }
        var reminder = Reminder(id: id, title: row.text(2), created: row.instant(4))
        reminder.number = row.integer(0)
        return LogEntry(
            reminder: reminder, kind: kind, at: row.instant(4), due: row.optionalInstant(5),
            late: row.optionalInteger(6), missed: Int(row.integer(7)), origin: origin,
            until: row.optionalInstant(9))
    }
}
