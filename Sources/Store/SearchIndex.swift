import RemindCore

/// The index that a search reads, kept in step by the same transaction as every change of a text.
enum SearchIndex {
    /// The texts, in the columns that every schema has.
    private static let texts = """
        SELECT number, title, list, note,
            (SELECT group_concat(tag, char(31)) FROM tag WHERE task = number)
        FROM task
        """

    /// Indexes what a file of an older schema has: about 20 µs a reminder, once.
    static func fill(_ connection: Connection) throws(StoreError) {
        let rows = try Statement(texts, on: connection)
        while try rows.step() {
            let text = SearchText(
                title: rows.text(1), list: rows.text(2), tags: Codec.tags(rows.optionalText(4)),
                note: rows.optionalText(3))
            try add(text, of: rows.integer(0), to: connection)
        }
    }

    /// A change that the index is told with the commit.
    struct Change {
        let query: Query
        let number: Int64
        let text: SearchText
    }

    static func add(_ text: SearchText, of number: Int64, to connection: Connection)
        throws(StoreError)
    {
        try addText(text, of: number, to: connection)
        try connection.tellIndex(Change(query: .insertSearch, number: number, text: text))
    }

    /// The text alone, which the index is told of later.
    static func addText(_ text: SearchText, of number: Int64, to connection: Connection)
        throws(StoreError)
    {
        try write(Change(query: .insertSearchText, number: number, text: text), to: connection)
    }

    /// The index must be told what it was given: FTS5 keeps no copy of it.
    static func remove(_ number: Int64, from connection: Connection) throws(StoreError) {
        guard let text = try text(of: number, in: connection) else { return }
        try connection.tellIndex(Change(query: .deleteSearch, number: number, text: text))
        let row = try connection.statement(.deleteSearchText)
        defer { row.reset() }
        try row.bind(number).run()
    }

    static func write(_ change: Change, to connection: Connection) throws(StoreError) {
        let statement = try connection.statement(change.query)
        defer { statement.reset() }
        try statement.bind(change.number).bind(change.text.title).bind(change.text.rest).run()
    }

    /// After a change of the text.
    static func replace(_ text: SearchText, of number: Int64, in connection: Connection)
        throws(StoreError)
    {
        guard try self.text(of: number, in: connection) != text else { return }
        try remove(number, from: connection)
        try add(text, of: number, to: connection)
    }

    static func text(of number: Int64, in connection: Connection) throws(StoreError)
        -> SearchText?
    {
        let statement = try connection.statement(.searchText)
        defer { statement.reset() }
        guard try statement.bind(number).step() else { return nil }
        return SearchText(title: statement.text(0), rest: statement.text(1))
    }
}

extension Store {
    /// How many entries of the index a word of one or two characters may have for the index to be
    /// asked. More of them are quicker found by looking at the texts, where they turn up at once.
    static let rareEntries = 5000

    /// Whether a word of one or two characters is in few texts.
    func isRare(_ word: String) throws(StoreError) -> Bool {
        let statement = try connection.statement(.countSearchGroups)
        defer { statement.reset() }
        statement.bind(word).bind(word + SearchIndex.end).bind(Self.rareEntries + 1)
        return try statement.step() && statement.integer(0) <= Self.rareEntries
    }

    /// Whether the index agrees with the texts.
    func searchIndexFaults() throws(StoreError) -> [String] {
        try SearchIndex.isDamaged(in: connection)
            ? ["the index of the search does not agree with the texts"] : []
    }
}

extension SearchIndex {
    /// Whether the index disagrees with `search_text` (FTS5's `integrity-check`, section 6.4).
    static func isDamaged(in connection: Connection) throws(StoreError) -> Bool {
        do throws(StoreError) {
            try connection.execute(
                "INSERT INTO search (search, rank) VALUES ('integrity-check', 1)")
            return false
        } catch  where error.category == .corrupt || error.code == "SQLITE_ERROR" {
            return true
        }
    }

    /// Makes the index and what it reads anew from the tasks, on a connection that nobody else uses.
    /// - Throws: `corrupt` when it cannot even be taken away.
    static func rebuild(in connection: Connection) throws(StoreError) {
        let tables = try connection.texts(
            "SELECT sql FROM sqlite_schema WHERE name IN ('search', 'search_group') ORDER BY rowid")
        do throws(StoreError) {
            try connection.begin()
            // DROP TABLE would ask the broken index itself: its tables are taken away by hand.
            try connection.execute(
                """
                PRAGMA writable_schema = ON;
                DELETE FROM sqlite_schema WHERE name IN ('search', 'search_group');
                PRAGMA writable_schema = RESET;
                DROP TABLE IF EXISTS search_data;
                DROP TABLE IF EXISTS search_idx;
                DROP TABLE IF EXISTS search_config;
                DELETE FROM search_text;
                """)
            for sql in tables { try connection.execute(sql) }
            try fill(connection)
            try connection.commit()
        } catch {
            connection.rollBack()
            guard error.category == .other else { throw error }
            throw StoreError(
                .corrupt, path: connection.path, code: error.code,
                detail: "the index of the search cannot be made anew: \(error.detail)")
        }
    }

    /// After everything that begins with the same characters.
    static let end = "\u{10FFFF}"
}
