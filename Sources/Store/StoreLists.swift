package import RemindCore

/// Which reminders a list shows. All conditions hold together.
package struct ListFilter: Hashable, Sendable {
    package enum Scope: Hashable, Sendable {
        case open, done, all, ringing
        /// Open, with a deadline before `now`.
        case overdue(now: Instant)
        /// Open, with a deadline at `now` or later.
        case upcoming(now: Instant)
    }

    package var scope: Scope
    package var list: String?
    package var tag: String?
    package var priority: Reminder.Priority?
    /// Words that are all in the title, the list, the tags or the note, in any order, as parts of
    /// words too; without case and accents (`TextForm.folded`). Without any word, nothing is asked.
    package var search: String?

    package init(
        _ scope: Scope = .open, list: String? = nil, tag: String? = nil,
        priority: Reminder.Priority? = nil, search: String? = nil
    ) {
        (self.scope, self.list, self.tag) = (scope, list, tag)
        (self.priority, self.search) = (priority, search)
    }
}

/// The order of a list. In all of them done reminders come after open ones, and equal ones in the
/// order of their numbers.
package enum ListSort: String, CaseIterable, Sendable {
    /// By deadline: what is overdue comes first, what has none last.
    case due
    /// The oldest first.
    case created
    /// The highest first, then by deadline.
    case priority
    /// By the alphabet; upper and lower case are the same for ASCII letters.
    case title
    /// What a search meant most probably first: the title itself, words of the title, parts of
    /// them, then the list, the tags and the note; by deadline where nothing is searched.
    case match
}

extension Store {
    /// Gives the reminders of a list one at a time to `each`, which may call the store; the memory
    /// taken does not grow with the list. What `each` changes may show in later rows or not.
    ///
    /// - Parameter reverse: the whole order turned round.
    /// - Parameter limit: how many at most.
    /// - Throws: what `each` throws, which ends the list; errors of the store.
    package func list(
        _ filter: ListFilter = ListFilter(), sort: ListSort = .due, reverse: Bool = false,
        limit: Int? = nil, each: (Reminder) throws -> Void
    ) throws {
        let query = try query(filter, sort: sort, reverse: reverse, limit: limit)
        let statement = try connection.statement(listing: query.sql)
        defer { statement.reset() }
        query.bind(to: statement)
        while try statement.step() { try each(ReminderRow.read(statement, path: path)) }
    }

    func query(
        _ filter: ListFilter, sort: ListSort, reverse: Bool, limit: Int?
    ) throws(StoreError) -> ListQuery {
        let search = filter.search.map(SearchWords.init)
        var rare: [String] = []
        for word in search?.short ?? [] where try isRare(word) { rare.append(word) }
        return ListQuery(
            filter, words: search, rare: rare, sort: sort, reverse: reverse, limit: limit)
    }

    /// The same as an array, for lists that are known to be short.
    package func list(
        _ filter: ListFilter = ListFilter(), sort: ListSort = .due, reverse: Bool = false,
        limit: Int? = nil
    ) throws -> [Reminder] {
        var result: [Reminder] = []
        try list(filter, sort: sort, reverse: reverse, limit: limit) { result.append($0) }
        return result
    }
}
