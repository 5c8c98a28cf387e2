import RemindCore
import Testing

@testable import Store

/// Components of calendars that are no tasks.
@Suite("Kept components")
struct ComponentTests {
    private let folder: TemporaryFolder
    private let store: Store

    init() throws {
        folder = try TemporaryFolder()
        store = try Store(path: folder.database)
    }

    private func component(
        _ uid: String, _ text: String = "one", recurrence: String = "", list: String = "inbox"
    ) -> CalendarComponentRecord {
        CalendarComponentRecord(
            uid: uid, name: "VJOURNAL", recurrence: recurrence, list: list, sequence: 1,
            version: epoch, content: Int64(text.hashValue), text: text)
    }

    private func all(list: String? = nil, first: Bool = false) throws -> [String] {
        try store.components(after: 0, list: list, first: first, limit: 100).map(\.text)
    }

    @Test("one is found by its identity, replaced by its number, and listed")
    func stored() throws {
        var one = component("a")
        one.number = try store.setComponent(one)
        #expect(try store.component(uid: "a", name: "VJOURNAL", recurrence: "") == one)
        #expect(try store.component(uid: "a", name: "VPOLL", recurrence: "") == nil)
        one.text = "two"
        #expect(try store.setComponent(one) == one.number)
        try store.setComponent(component("a", "three", recurrence: "RECURRENCE-ID:1", list: "w"))
        #expect(try all() == ["two", "three"])
        #expect(try all(list: "w") == ["three"])
        #expect(try all(first: true) == ["two"])
        #expect(try all(list: "inbox", first: true) == ["two"])
        // The first with its UID is on another list.
        #expect(try all(list: "w", first: true) == [])
        #expect(
            try store.components(after: one.number, list: nil, limit: 1).map(\.text) == ["three"])
        #expect(try store.componentSize(uid: "a") == (2, 8))
        #expect(try store.checkIntegrity().isEmpty)
        try store.close()
    }

    @Test("undo takes back what came in and what replaced it, with the tasks of the same step")
    func undone() throws {
        try store.transaction(UserChange(.importing, at: epoch)) {
            try store.setComponent(component("a"))
        }
        var step = try #require(store.lastStep)
        #expect(try store.undoSteps(limit: 1).map(\.count) == [0])
        try store.transaction(UserChange(.importing, at: epoch, step: step)) {
            try store.insert(sample(1, "Tea"), due: nil)
        }
        #expect(try store.undoSteps(limit: 1).map(\.title) == ["Tea"])
        #expect(try store.undoSteps(limit: 1).map(\.count) == [1])
        var one = try #require(try store.component(uid: "a", name: "VJOURNAL", recurrence: ""))
        try store.setComponentFile(
            ComponentFileRecord(name: "a.ics", content: 1, agreed: 2), of: one.number, folder: "/f")
        one.text = "two"
        try store.transaction(UserChange(.importing, at: epoch)) { try store.setComponent(one) }
        step = try #require(store.lastStep)
        _ = try store.transaction { try store.undo(store.undoSteps(limit: 1)[0]) }
        #expect(try all() == ["one"])
        // Its file stays its file.
        #expect(try store.componentFile(of: one.number, folder: "/f")?.name == "a.ics")
        let last = try store.undoSteps(limit: 1)[0]
        let part = try store.transaction { try store.undo(last, entries: 1) }
        #expect(part.numbers.count == 1 && !part.isWhole)
        #expect(try all() == ["one"])
        #expect(try store.transaction { try store.undo(last, entries: 1) }.isWhole)
        #expect(try all().isEmpty)
        #expect(try store.undoSteps(limit: 1).isEmpty)
        #expect(try store.checkIntegrity().isEmpty)
        try store.close()
    }

    @Test("one stands in one file of a folder")
    func files() throws {
        let number = try store.setComponent(component("a"))
        for name in ["a.ics", "b.ics"] {
            try store.setComponentFile(
                ComponentFileRecord(name: name, content: 1, agreed: 2), of: number, folder: "/f")
        }
        #expect(try store.components(inFile: "a.ics", folder: "/f").isEmpty)
        #expect(try store.components(inFile: "b.ics", folder: "/f").map(\.number) == [number])
        #expect(try !store.isFileOfTask("b.ics", folder: "/f"))
        try store.close()
    }

    @Test("a backup holds them")
    func backup() throws {
        try store.setComponent(component("a"))
        let backup = folder.path + "/backup.db"
        try StoreCopy.make(of: store.path, at: backup)
        try store.transaction(UserChange(.importing, at: epoch)) {
            try store.setComponent(component("b"))
        }
        try store.replaceAll(
            with: StagedCopy(of: backup, beside: store.path), keepingMetas: [])
        #expect(try all() == ["one"])
        try store.close()
    }

    @Test("a store of the fifth schema gets the tables when it is opened, and keeps what it has")
    func migration() throws {
        try store.close()
        let other = try TemporaryFolder()
        let old = try stranger(other.database)
        try Schema.migrate(old, through: 5)
        try old.execute(
            """
            INSERT INTO task (number, id, done, due, follows_zone, priority, list, title, created,
                modified) VALUES (7, x'0190f0c2000070008000000000000001', 0, 9223372036854775807,
                0, 1, 'inbox', 'Tea', 5, 5);
            INSERT INTO calendar_item VALUES (7, 'u', 0, 0, 0, 0, 'BEGIN:VTODO');
            INSERT INTO calendar_file VALUES ('/f', 'u.ics', 7, 1, 5);
            INSERT INTO search_text VALUES (7, 'tea', 'inbox');
            """)
        try old.close()
        let opened = try Store(path: other.database)
        #expect(try opened.connection.schemaVersion() == Schema.version)
        #expect(try opened.calendarItem(uid: "u")?.number == 7)
        #expect(try opened.isFileOfTask("u.ics", folder: "/f"))
        try opened.setComponent(component("a"))
        #expect(try opened.components(after: 0, list: nil, limit: 2).map(\.uid) == ["a"])
        try opened.close()
    }

    @Test("a store from before the index by list gets it, and keeps its components")
    func migrationOfComponents() throws {
        try store.close()
        let other = try TemporaryFolder()
        let old = try stranger(other.database)
        try Schema.migrate(old, through: 7)
        for list in ["inbox", "w"] {
            try old.execute(
                """
                INSERT INTO calendar_component (uid, name, recurrence, list, sequence, version,
                    content, text) VALUES ('\(list)', 'VJOURNAL', '', '\(list)', 0, 0, 0, 'x')
                """)
        }
        try old.close()
        let opened = try Store(path: other.database)
        #expect(try opened.connection.schemaVersion() == Schema.version)
        #expect(try opened.components(after: 0, list: "w", limit: 2).map(\.uid) == ["w"])
        #expect(try opened.checkIntegrity().isEmpty)
        try opened.close()
    }
}
