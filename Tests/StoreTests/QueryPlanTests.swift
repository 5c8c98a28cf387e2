import RemindCore
import Testing

@testable import Store

@Suite("What statements read")
struct QueryPlanTests {
    private static let lists: [(String, ListQuery)] = [
        ("open", query(ListFilter())), ("open, reversed", query(ListFilter(), reverse: true)),
        ("open, the first ten", query(ListFilter(), limit: 10)),
        ("all", query(ListFilter(.all))), ("done", query(ListFilter(.done))),
        ("ringing", query(ListFilter(.ringing))),
        ("overdue", query(ListFilter(.overdue(now: epoch)))),
        ("upcoming", query(ListFilter(.upcoming(now: epoch)), limit: 10)),
        ("of a list", query(ListFilter(list: "inbox"), limit: 10)),
        ("overdue of a list", query(ListFilter(.overdue(now: epoch), list: "inbox"))),
        ("all of a list", query(ListFilter(.all, list: "inbox"))),
        ("with a tag", query(ListFilter(tag: "t"), limit: 10)),
        ("overdue with a tag", query(ListFilter(.overdue(now: epoch), list: "inbox", tag: "t"))),
        ("all with a priority", query(ListFilter(.all, priority: .high))),
        ("normal", query(ListFilter(priority: .normal))),
        ("with a priority", query(ListFilter(priority: .high), limit: 10)),
        ("with a text", query(ListFilter(search: "text"), limit: 10)),
        ("with a short text", query(ListFilter(search: "x"), rare: ["x"])),
        ("with a short text that is in many", query(ListFilter(search: "x"), limit: 10)),
        ("best match first", query(ListFilter(.all, search: "text"), .match)),
        ("by creation", query(ListFilter(), .created)),
        ("by priority", query(ListFilter(), .priority)), ("by title", query(ListFilter(), .title)),
    ]

    private static func query(
        _ filter: ListFilter, rare: [String] = [], _ sort: ListSort = .due, reverse: Bool = false,
        limit: Int? = nil
    ) -> ListQuery {
        ListQuery(
            filter, words: filter.search.map(SearchWords.init), rare: rare, sort: sort,
            reverse: reverse, limit: limit)
    }

    /// `EXPLAIN QUERY PLAN`, one indented line a step.
    private func plan(_ sql: String, _ store: Store) throws -> [String] {
        let statement = try Statement("EXPLAIN QUERY PLAN " + sql, on: store.connection)
        var lines: [String] = []
        while try statement.step() { lines.append("    " + statement.text(3)) }
        return lines
    }

    @Test("Every statement reads what the golden file says")
    func golden() throws {
        let folder = try TemporaryFolder()
        let store = try Store(path: folder.database)
        var lines: [String] = []
        for query in Query.allCases { lines += ["\(query)"] + (try plan(query.sql, store)) }
        for (name, query) in Self.lists {
            lines += ["list: " + name] + (try plan(query.sql, store))
        }
        try store.close()
        let golden = String(decoding: PackageResources.query_plans_txt, as: UTF8.self)
        let expected = golden.split(separator: "\n").map { String($0) }
        #expect(lines == expected, "\(lines.joined(separator: "\n"))")
    }

    @Test("No statement that stays prepared reads a whole table that grows with the reminders")
    func noScans() throws {
        let folder = try TemporaryFolder()
        let store = try Store(path: folder.database)
        for query in Query.allCases {
            let scans = try plan(query.sql, store).filter {
                $0.contains("SCAN task") || $0.contains("USE TEMP B-TREE")
            }
            #expect(scans == [], "\(query)")
        }
        try store.close()
    }
}
