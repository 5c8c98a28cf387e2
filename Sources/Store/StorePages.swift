package import RemindCore

/// A list in pieces, for a reader that takes its time: the numbers first, eight bytes a reminder,
/// then the reminders a page at a time. Between two pages no read snapshot is held, so that the
/// write-ahead log does not grow with a slow reader.
extension Store {
    /// The numbers of the reminders of a list, in its order.
    /// - Throws: errors of the store.
    package func numbers(
        _ filter: ListFilter = ListFilter(), sort: ListSort = .due, reverse: Bool = false,
        limit: Int? = nil
    ) throws(StoreError) -> [Int64] {
        let query = try query(filter, sort: sort, reverse: reverse, limit: limit)
        let sql = query.sql(selecting: "SELECT task.number FROM task")
        let statement = try connection.statement(listing: sql)
        defer { statement.reset() }
        query.bind(to: statement)
        var numbers: [Int64] = []
        while try statement.step() { numbers.append(statement.integer(0)) }
        return numbers
    }

    /// Gives the reminders of these numbers to `each`, as they now are and in this order, until it
    /// returns false; those that are gone are passed over.
    /// - Returns: how many numbers were used up.
    /// - Throws: errors of the store.
    package func reminders(
        _ numbers: ArraySlice<Int64>, each: (Reminder) -> Bool
    ) throws(StoreError) -> Int {
        let statement = try connection.statement(.byNumber)
        defer { statement.reset() }
        for (count, number) in numbers.enumerated() {
            statement.bind(number)
            if try statement.step(), !each(try ReminderRow.read(statement, path: path)) {
                return count + 1
            }
            statement.rewind()
        }
        return numbers.count
    }
}
