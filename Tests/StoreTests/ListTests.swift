import RemindCore
import Testing

@testable import Store

@Suite("Lists")
struct ListTests {
    private let folder: TemporaryFolder
    private let store: Store
    private let now = epoch.advanced(bySeconds: 100)

    init() throws {
        folder = try TemporaryFolder()
        store = try Store(path: folder.database)
        // number, title, due in seconds, done, priority, list, tags, note, created
        try add("walk", 150, list: "home", tags: ["out"], created: 5)
        try add("Bake", nil, priority: .high, note: "100 % rye", created: 4)
        try add("apple", 50, priority: .low, tags: ["food", "out"], created: 3)
        try add("Done long ago", 10, done: true, created: 2)
        try add("zoo", 100, priority: .high, list: "home", created: 1)
        try add("done_undated", nil, done: true, priority: .high, note: "APPLE pie", created: 0)
    }

    private func add(
        _ title: String, _ due: Int64?, done: Bool = false,
        priority: Reminder.Priority = .normal, list: String = Reminder.defaultList,
        tags: [String] = [], note: String? = nil, created: Int64
    ) throws {
        var reminder = sample(Int(created), title)
        reminder.created = epoch.advanced(bySeconds: created)
        (reminder.state, reminder.priority, reminder.list) = (done ? .done : .open, priority, list)
        (reminder.tags, reminder.note) = (tags, note)
        try store.insert(reminder, due: due.map { epoch.advanced(bySeconds: $0) })
    }

    private func numbers(
        _ filter: ListFilter, _ sort: ListSort = .due, reverse: Bool = false, limit: Int? = nil
    ) throws -> [Int64] {
        try store.list(filter, sort: sort, reverse: reverse, limit: limit).map(\.number)
    }

    @Test(
        "A filter gives what it names: overdue first, undated last, done after open",
        arguments: [
            (ListFilter(), [3, 5, 1, 2]), (ListFilter(.done), [4, 6]),
            (ListFilter(.all), [3, 5, 1, 2, 4, 6]), (ListFilter(.ringing), []),
            (ListFilter(.overdue(now: epoch.advanced(bySeconds: 100))), [3]),
            (ListFilter(.upcoming(now: epoch.advanced(bySeconds: 100))), [5, 1]),
            (ListFilter(list: "home"), [5, 1]), (ListFilter(list: "Home"), []),
            (ListFilter(tag: "out"), [3, 1]), (ListFilter(tag: "ou"), []),
            (ListFilter(priority: .high), [5, 2]), (ListFilter(.all, priority: .low), [3]),
            (ListFilter(.all, search: "APPLE"), [3, 6]), (ListFilter(.all, search: "%"), [2]),
            (ListFilter(.all, search: "_"), [6]), (ListFilter(.all, search: "\\"), []),
            (ListFilter(list: "home", tag: "out", priority: .normal, search: "al"), [1]),
        ] as [(ListFilter, [Int64])])
    func filters(filter: ListFilter, expected: [Int64]) throws {
        #expect(try numbers(filter) == expected)
        #expect(try numbers(filter, reverse: true) == expected.reversed())
        #expect(try numbers(filter, limit: 2) == Array(expected.prefix(2)))
        try store.close()
    }

    @Test(
        "Each order is kept, with done after open",
        arguments: [
            (.due, [3, 5, 1, 2, 4, 6]), (.created, [5, 3, 2, 1, 6, 4]),
            (.priority, [5, 2, 1, 3, 6, 4]), (.title, [3, 2, 1, 5, 4, 6]),
            (.match, [3, 5, 1, 2, 4, 6]),
        ] as [(ListSort, [Int64])])
    func sorts(sort: ListSort, expected: [Int64]) throws {
        #expect(try numbers(ListFilter(.all), sort) == expected)
        #expect(try numbers(ListFilter(.all), sort, reverse: true) == expected.reversed())
        try store.close()
    }

    @Test("A listing ends with the error of the one who reads it, and leaves no statement open")
    func endsEarly() throws {
        struct Enough: Error {}
        var seen = 0
        #expect(throws: Enough.self) {
            try store.list(ListFilter(.all)) { _ in
                seen += 1
                if seen == 2 { throw Enough() }
            }
        }
        #expect(seen == 2)
        try store.close()
    }

    @Test("Whoever reads a listing may read, list and change the store at every row")
    func nested() throws {
        var seen: [Int64] = []
        try store.list(ListFilter(.all)) { reminder in
            seen.append(reminder.number)
            #expect(try store.reminder(number: reminder.number) == reminder)
            #expect(try numbers(ListFilter(.all)).count == 6)
            try store.update(Alarm(state: .none, rings: 1), of: reminder.number)
        }
        #expect(seen == [3, 5, 1, 2, 4, 6])
        #expect(try store.list(ListFilter(.all)).allSatisfy { $0.alarm.rings == 1 })
        try store.close()
    }

    @Test("Ten thousand come in order, one at a time")
    func tenThousand() throws {
        let count = 10_000
        try store.transaction {
            for index in 0..<count {
                var reminder = sample(1000 + index)
                reminder.list = "big"
                // A stride without a common divisor gives every place once.
                let due = Int64(index * 7919 % count)
                try store.insert(reminder, due: epoch.advanced(bySeconds: due))
            }
        }
        var next = 0
        try store.list(ListFilter(list: "big")) { reminder in
            guard Int(reminder.number - 7) * 7919 % count == next else { return }
            next += 1
        }
        #expect(next == count)
        try store.close()
    }
}
