import CSQLite
package import RemindCore

/// A row of a list as it stands in the file: a writer copies its texts from there, and no value is
/// made of them. Valid until the next row.
package struct ListRow {
    /// What `Query.listRows` selects.
    static let columns = """
        task.id, task.title, task.note, task.list, task.priority, task.done, task.deadline, \
        task.rule IS NULL AND task.lead_times IS NULL AND task.nag IS NULL, \
        task.created, task.modified, task.completed, alarm.state, alarm.next_ring, alarm.rings, \
        task.tags, task.due, \
        task.number
        """

    package enum Text: Int32 {
        case title = 1, note, list
        case deadline = 6
        case alarm = 11
        case tags = 14
    }

    /// Stands between two tags.
    package static let tagSeparator: UInt8 = 0x1F

    fileprivate let row: Statement

    package var number: Int64 { row.integer(16) }

    /// Whether it has neither a rule nor lead times nor a nag, which are stored in other forms than
    /// those that they are shown in.
    package var isPlain: Bool { row.integer(7) != 0 }

    /// `nil` when what is stored is none.
    package var id: UUIDv7? { row.id(0) }
    package var priority: Reminder.Priority? { Codec.priority(row.integer(4)) }
    package var state: Reminder.State { row.integer(5) == 0 ? .open : .done }
    package var created: Instant { row.instant(8) }
    package var modified: Instant { row.instant(9) }
    package var completed: Instant? { row.optionalInstant(10) }
    package var nextRing: Instant? { row.optionalInstant(12) }
    package var rings: Int64 { row.integer(13) }
    /// The deadline as an instant in the machine's present zone; of one without a deadline, nothing.
    package var due: Instant { row.instant(15) }

    /// `nil` when what is stored is none.
    package var alarm: Alarm.State? {
        row.isNull(11) ? Alarm.State.none : Alarm.State(rawValue: row.text(11))
    }

    /// `.some(nil)`: it has none; `nil`: what is stored is none.
    package var deadline: Deadline?? {
        guard let text = row.optionalText(6) else { return .some(nil) }
        return Codec.deadline(text).map { .some($0) }
    }

    /// Gives the UTF-8 of a text; `nil`: there is none.
    package func withText<Result>(
        _ text: Text, _ body: (UnsafeBufferPointer<UInt8>?) -> Result
    ) -> Result {
        guard let start = sqlite3_column_text(row.handle, text.rawValue) else { return body(nil) }
        let count = Int(sqlite3_column_bytes(row.handle, text.rawValue))
        return body(UnsafeBufferPointer(start: start, count: count))
    }
}

extension Store {
    /// So many rows are asked for at a time: asking costs more than a row.
    private static let rowsAtOnce = 200

    /// Gives the rows of these numbers to `each`, as they now are and in this order, until it returns
    /// false; those that are gone are passed over.
    /// - Returns: how many numbers were used up.
    /// - Throws: errors of the store, and what `each` throws.
    package func rows(
        _ numbers: ArraySlice<Int64>, each: (ListRow) throws(StoreError) -> Bool
    ) throws(StoreError) -> Int {
        try snapshot { () throws(StoreError) in
            let statement = try connection.statement(.listRows)
            defer { statement.reset() }
            var rest = numbers
            while !rest.isEmpty {
                let some = rest.prefix(Self.rowsAtOnce)
                statement.bind("[\(some.map(String.init).joined(separator: ","))]")
                while try statement.step() {
                    let row = ListRow(row: statement)
                    let isEnough = try !each(row)
                    guard isEnough, let place = some.firstIndex(of: row.number) else { continue }
                    return place + 1 - numbers.startIndex
                }
                statement.rewind()
                rest = rest.dropFirst(some.count)
            }
            return numbers.count
        }
    }
}
