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
}
