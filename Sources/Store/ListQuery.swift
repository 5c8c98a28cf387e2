import RemindCore

/// The SQL of a list: made of fixed parts, with every value bound.
struct ListQuery {
    private enum Value {
        case integer(Int64)
        case text(String)
    }

    private var conditions: [String] = []
    private var values: [Value] = []
    private var order = ""
    private let limit: Int?

    /// “+” where the numbers of the reminders come from another table: it keeps SQLite from walking
    /// an index of all reminders instead.
    private let unindexed: String

    /// - Parameters:
    ///   - words: of the filter's search.
    ///   - rare: those of them of one or two characters that are in few texts.
    init(
        _ filter: ListFilter, words: SearchWords?, rare: [String] = [], sort: ListSort,
        reverse: Bool, limit: Int?
    ) {
        let isFound = words?.match != nil || !rare.isEmpty
        unindexed = filter.tag != nil || filter.scope == .ringing || isFound ? "+" : ""
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
        if let words { addSearch(words, rare: rare) }
        // What is in most texts ranks none of them, and the first ones are found at once.
        order = order(sort, isFound ? words : nil, reverse: reverse)
    }

    var sql: String { sql(selecting: Query.select) }

    /// - Parameter columns: `SELECT … FROM task`.
    func sql(selecting columns: String) -> String {
        var parts = [columns]
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

    /// The index gives the candidates; the texts say which of them are right. What the index is not
    /// asked for is looked for in the texts of all that the other conditions leave.
    private mutating func addSearch(_ search: SearchWords, rare: [String]) {
        if let match = search.match {
            add("task.number IN (SELECT rowid FROM search WHERE search MATCH ?)", .text(match))
        }
        for word in rare {
            add(
                "task.number IN (SELECT doc FROM search_group WHERE term >= ? AND term < ?)",
                .text(word), .text(word + SearchIndex.end))
        }
        guard !search.words.isEmpty else { return }
        let each = search.words.map { _ in "(instr(title, ?) > 0 OR instr(rest, ?) > 0)" }
        add(
            "EXISTS (SELECT 1 FROM search_text WHERE search_text.task = task.number AND "
                + each.joined(separator: " AND ") + ")")
        values += search.words.flatMap { [.text($0), .text($0)] }
    }

    /// `due` in both directions is the order of an index, and nothing is sorted.
    private mutating func order(_ sort: ListSort, _ search: SearchWords?, reverse: Bool) -> String {
        let (up, down) = reverse ? ("DESC", "ASC") : ("ASC", "DESC")
        let key =
            switch sort {
            case .due: "task.due \(up)"
            case .created: "task.created \(up)"
            case .priority: "task.priority \(down), task.due \(up)"
            case .title: "task.title COLLATE NOCASE \(up)"
            case .match: (rank(search).map { "\($0) \(up), " } ?? "") + "task.due \(up)"
            }
        return "task.done \(up), \(key), task.number \(up)"
    }

    /// 0: the title is what was searched for; 1: all words begin words of the title; 2: all are in
    /// the title; 3: the others.
    private mutating func rank(_ search: SearchWords?) -> String? {
        guard let search, !search.words.isEmpty else { return nil }
        let each = search.words.map { _ in "instr(title, ?) > 0" }.joined(separator: " AND ")
        let end = String(String.UnicodeScalarView([SearchText.separator, SearchText.separator]))
        values.append(.text(" \(search.whole)\(end)"))
        values += search.words.map { .text(" " + $0) } + search.words.map { .text($0) }
        return "(SELECT CASE WHEN title = ? THEN 0 WHEN \(each) THEN 1 WHEN \(each) THEN 2 ELSE 3 "
            + "END FROM search_text WHERE search_text.task = task.number)"
    }
}
