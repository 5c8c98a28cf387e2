import RemindCore

/// The SQL of a list: made of fixed parts, with every value bound.
struct ListQuery {
    private enum Value {
        case integer(Int64)
        case text(String)
    }

    private var conditions: [String] = []
    private var values: [Value] = []
    private let order: String
    private let limit: Int?

    /// “+” where the numbers of the reminders come from another table: it keeps SQLite from walking
    /// an index of all reminders instead.
    private let unindexed: String

    init(_ filter: ListFilter, sort: ListSort, reverse: Bool, limit: Int?) {
        unindexed = filter.tag != nil || filter.scope == .ringing ? "+" : ""
        order = Self.order(sort, reverse: reverse)
        self.limit = limit
        addScope(filter.scope)
        if let list = filter.list { add("\(unindexed)task.list = ?", .text(list)) }
        if let tag = filter.tag {
            add("task.number IN (SELECT task FROM tag WHERE tag = ?)", .text(tag))
        }
        if let priority = filter.priority {
            // The first term is the index's own; SQLite does not see that it follows.
            let other = priority == .normal ? "" : "\(unindexed)task.priority <> 1 AND "
            add(
                "\(other)\(unindexed)task.priority = ?", .integer(Codec.number(priority)))
        }
        if let search = filter.search { addSearch(search) }
    }

    var sql: String {
        var parts = [Query.select]
        if !conditions.isEmpty { parts.append("WHERE " + conditions.joined(separator: " AND ")) }
        parts.append("ORDER BY " + order)
        if limit != nil { parts.append("LIMIT ?") }
        return parts.joined(separator: " ")
    }

    func bind(to statement: Statement) {
        for value in values {
            switch value {
            case .integer(let integer): statement.bind(integer)
            case .text(let text): statement.bind(text)
            }
        }
        if let limit { statement.bind(limit) }
    }

    private mutating func add(_ condition: String, _ values: Value...) {
        conditions.append(condition)
        self.values += values
    }

    private mutating func addScope(_ scope: ListFilter.Scope) {
        switch scope {
        case .open: add("\(unindexed)task.done = 0")
        case .done: add("\(unindexed)task.done = 1")
        case .all: break
        case .ringing:
            add("task.number IN (SELECT task FROM alarm WHERE state = 'ringing')")
        case .overdue(let now):
            add(
                "\(unindexed)task.done = 0 AND \(unindexed)task.due < ?",
                .integer(now.milliseconds))
        case .upcoming(let now):
            // Undated ones have the greatest integer.
            add(
                "\(unindexed)task.done = 0 AND \(unindexed)task.due >= ? AND "
                    + "\(unindexed)task.due < ?",
                .integer(now.milliseconds), .integer(Codec.due(nil)))
        }
    }

    /// Reads every reminder that the other conditions leave.
    private mutating func addSearch(_ text: String) {
        let escaped = text.map { "%_\\".contains($0) ? "\\\($0)" : String($0) }.joined()
        let pattern = Value.text("%" + escaped + "%")
        add(
            "(task.title LIKE ? ESCAPE '\\' OR task.note LIKE ? ESCAPE '\\')", pattern, pattern)
    }

    /// `due` in both directions is the order of an index, and nothing is sorted.
    private static func order(_ sort: ListSort, reverse: Bool) -> String {
        let (up, down) = reverse ? ("DESC", "ASC") : ("ASC", "DESC")
        let key =
            switch sort {
            case .due: "task.due \(up)"
            case .created: "task.created \(up)"
            case .priority: "task.priority \(down), task.due \(up)"
            case .title: "task.title COLLATE NOCASE \(up)"
            }
        return "task.done \(up), \(key), task.number \(up)"
    }
}
