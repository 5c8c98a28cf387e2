import CSQLite
import RemindAPI
import RemindCore
import Synchronization
import Testing

@testable import RemindDaemon
@testable import Store

/// How many statements changes run: what each costs depends on the machine, their number does not.
@Suite("Statements of a change")
struct StatementTests {
    /// What SQLite has been asked to run.
    private final class Trace: Sendable {
        private let statements = Mutex<[String]>([])

        /// The first words of each, without what the index of the search asks for itself.
        var all: [String] { statements.withLock { $0 } }

        func add(_ sql: String) {
            guard !sql.hasPrefix("--"), !sql.contains("'search_"), !sql.contains("'main'.") else {
                return
            }
            let words = sql.split { $0 == " " || $0 == "\n" }.prefix(3).joined(separator: " ")
            statements.withLock { $0.append(words) }
        }

        /// `sqlite3_trace_v2`
        func watch(_ store: Store) {
            sqlite3_trace_v2(
                store.connection.handle, UInt32(SQLITE_TRACE_STMT),
                { _, context, _, text in
                    guard let context, let text else { return 0 }
                    let sql = String(cString: text.assumingMemoryBound(to: CChar.self))
                    Unmanaged<Trace>.fromOpaque(context).takeUnretainedValue().add(sql)
                    return 0
                }, Unmanaged.passUnretained(self).toOpaque())
        }

        func end(_ store: Store) { sqlite3_trace_v2(store.connection.handle, 0, nil, nil) }
    }

    private let world: World
    private let replies = Replies()

    init() throws { world = try World() }

    private func statements(of changes: [CalledChange]) -> [String] {
        let trace = Trace()
        world.isolated { trace.watch($0.store) }
        world.makeTogether(changes)
        world.isolated { trace.end($0.store) }
        return trace.all
    }

    private static let add = [
        "INSERT INTO task", "INSERT INTO search_text", "INSERT INTO alarm", "INSERT INTO undo",
    ]

    @Test("Adds that share a commit run four each, and three together")
    func adds() {
        // The first one also asks what the tables are called.
        _ = statements(of: [replies.add("First")])
        let ten = statements(of: (1...10).map { replies.add("Task \($0)") })
        let each = Array(repeatElement(Self.add, count: 10).joined())
        #expect(ten == ["BEGIN IMMEDIATE"] + each + ["INSERT INTO search", "COMMIT"])
    }

    @Test("An add alone runs nothing else")
    func alone() {
        _ = statements(of: [replies.add("First")])
        let one = statements(of: [replies.add("Second")])
        let expected = Set(Self.add + ["BEGIN IMMEDIATE", "INSERT INTO search", "COMMIT"])
        #expect(Set(one) == expected && one.count == expected.count, "\(one)")
    }
}
