import CSQLite
import FaultDisk
import Glibc
import RemindAPI
import RemindCore
import Store
import Testing

@testable import RemindDaemon

/// Something that the engine does, on a world in which #1 rings, #2 is pending, #3 is done and #4
/// recurs.
struct Operation: Sendable, CustomTestStringConvertible {
    let name: String
    let run: @Sendable (isolated Engine) throws -> Void

    var testDescription: String { name }
    /// A file of the user's is read, too.
    var readsFile: Bool { name == "restore" }

    init(_ name: String, _ run: @escaping @Sendable (isolated Engine) throws -> Void) {
        (self.name, self.run) = (name, run)
    }

    static let changes: [Operation] =
        [
            Operation("add") { engine in
                var parameters = Add.Parameters(title: "Tea")
                (parameters.in, parameters.tags, parameters.note) = (
                    "20m", ["hot", "green"], "two cups"
                )
                _ = try engine.add(parameters)
            },
            Operation("edit") { engine in
                var parameters = Edit.Parameters(reference: "2")
                (parameters.title, parameters.at) = ("Rent", "2024-06-01 10:00")
                parameters.tags = ["money"]
                _ = try engine.edit(parameters)
            },
            Operation("done") { engine in
                _ = try engine.complete(engine.find("1"), series: false, origin: .command)
            },
            Operation("done of a series") { engine in
                _ = try engine.complete(engine.find("4"), series: false, origin: .command)
            },
            Operation("reopen") { engine in _ = try engine.reopen(engine.find("3")) },
            Operation("rm") { engine in _ = try engine.remove(engine.find("1")) },
            Operation("snooze") { engine in
                _ = try engine.snooze(Snooze.Parameters(reference: "1", until: "20m"))
            },
            Operation("dismiss") { engine in
                _ = try engine.dismiss(engine.find("1"), origin: .command)
            },
            Operation("three in one commit") { engine in
                let replies = Replies()
                engine.makeTogether([
                    replies.add("Tea"), replies.complete("1"), replies.remove("2"),
                ])
                guard let error = replies.errors.compactMap(\.self).first else { return }
                #expect(replies.refused.count == 3)
                throw error
            },
            Operation("undo") { engine in _ = try engine.undo() },
            Operation("pause") { engine in try engine.pause(until: .latest) },
            Operation("resume") { engine in try engine.resume() },
        ] + files

    static let questions: [Operation] = [
        Operation("list") { engine in
            var list = try engine.list(List.Parameters(), .whole)
            _ = try engine.turn(&list) { _, _ in }
        },
        Operation("search") { engine in
            var found = try engine.search(Search.Parameters(text: "e"), .whole)
            _ = try engine.turn(&found) { _, _ in }
        },
        Operation("changes") { engine in
            var json = JSONWriter()
            try engine.changes(Changes.Parameters(), to: &json)
        },
        Operation("show") { engine in
            var json = JSONWriter()
            try engine.show("4", to: &json)
        },
        Operation("next") { engine in
            var json = JSONWriter()
            try engine.next(limit: 5, to: &json)
        },
        Operation("log") { engine in
            var json = JSONWriter()
            try engine.log(Log.Parameters(), to: &json)
        },
        Operation("explain") { engine in
            var json = JSONWriter()
            try engine.explain("1", to: &json)
        },
        Operation("status") { engine in
            var json = JSONWriter()
            try engine.status(ProgramFacts(processID: 1, database: ""), to: &json)
        },
        exporting,
    ]
}

/// Every way in which a test's disk fails.
struct Trouble: Sendable, CustomTestStringConvertible {
    let fault: FaultDisk.Fault
    let lasting: Bool

    /// A lock that lasts has tests of its own: SQLite waits for it ten seconds each time.
    static let all =
        FaultDisk.Fault.allCases.map { Trouble(fault: $0, lasting: false) }
        + [Trouble(fault: .inputOutput, lasting: true), Trouble(fault: .full, lasting: true)]

    var testDescription: String { "\(fault)\(lasting ? ", lasting" : "")" }
}

/// A world on a disk of its own.
struct FaultyWorld {
    let disk: FaultDisk
    let world: World

    private static let now = "2024-05-01T10:41:00+02:00"

    /// What every one of them begins with.
    private static let template: [UInt8]? = {
        guard let world = try? World(now: now) else { return nil }
        do {
            try fill(world)
            world.end()
            return readFile(world.database)
        } catch {
            return nil
        }
    }()

    private static func fill(_ world: World) throws {
        try world.add("Rings", at: "2024-05-01 10:40") { $0.past = true }
        try world.add("Pending", at: "2024-05-20 09:00")
        let done = try world.add("Done", at: "2024-05-21 09:00")
        _ = try world.isolated {
            try $0.complete($0.find("\(done.number)"), series: false, origin: .command)
        }
        try world.add("Recurs", at: "2024-05-02 08:00") { $0.every = "day" }
    }

    init() throws {
        let content = try #require(Self.template)
        world = try World(now: Self.now, content: content, onFaultyDisk: true)
        disk = try #require(world.disk)
        world.isolated { $0.store.busyTimeout = 0 }
    }

    /// All that the store holds, but for identifiers, which are random.
    func content() throws -> [String] {
        var handle: OpaquePointer?
        try #require(
            sqlite3_open_v2(world.database, &handle, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK)
        defer { sqlite3_close(handle) }
        return try Self.queries.flatMap { try Self.rows($0, handle) }
    }

    /// `PRAGMA integrity_check` by another connection.
    func faults() throws -> [String] {
        var handle: OpaquePointer?
        try #require(
            sqlite3_open_v2(world.database, &handle, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK)
        defer { sqlite3_close(handle) }
        return try Self.rows("PRAGMA integrity_check", handle).filter { $0 != "ok" }
            + Self.rows("PRAGMA foreign_key_check", handle)
    }

    private static let queries = [
        """
        SELECT number || '|' || done || '|' || due || '|' || title || '|' || ifnull(note, '')
            || '|' || ifnull(deadline, '') || '|' || ifnull(rule, '') || '|' || ifnull(completed, '')
            FROM task ORDER BY number
        """,
        """
        SELECT task || '|' || state || '|' || ifnull(next_ring, '') || '|' || rings || '|'
            || ifnull(ring_due, '') || '|' || ifnull(snoozed_until, '') FROM alarm ORDER BY task
        """,
        "SELECT task || '|' || tag FROM tag ORDER BY task, tag",
        "SELECT number || '|' || kind || '|' || at || '|' || ifnull(late, '') FROM log ORDER BY entry",
        "SELECT key || '|' || value FROM meta ORDER BY key",
    ]

    private static func rows(_ sql: String, _ handle: OpaquePointer?) throws -> [String] {
        var statement: OpaquePointer?
        try #require(sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK, "\(sql)")
        defer { sqlite3_finalize(statement) }
        var rows: [String] = []
        while sqlite3_step(statement) == SQLITE_ROW {
            rows.append(sqlite3_column_text(statement, 0).map { String(cString: $0) } ?? "")
        }
        return rows
    }
}

extension FaultyWorld {
    /// Another program writes.
    func touch() throws {
        var handle: OpaquePointer?
        try #require(
            sqlite3_open_v2(world.database, &handle, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK)
        defer { sqlite3_close(handle) }
        let sql = "INSERT INTO meta VALUES ('touch', 1); DELETE FROM meta WHERE key = 'touch'"
        try #require(sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK)
    }
}
