import RemindCore
import Testing

@testable import Store

/// `task.tags`, which lists read, against the table `tag`.
@Suite("The tags in a task's row")
struct TagsInRowTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func listed(_ store: Store, _ number: Int64 = 1) throws -> [String] {
        var tags: [String] = []
        _ = try store.rows([number]) { (row) throws(StoreError) in
            tags = row.withText(.tags) { bytes in
                Codec.tags(bytes.map { String(decoding: $0, as: UTF8.self) })
            }
            return true
        }
        return tags
    }

    /// A store with a task whose tags were `a`, `b` until an edit made them `c`.
    private func edited() throws -> Store {
        let store = try Store(path: folder.database)
        var reminder = sample()
        reminder.tags = ["a", "b"]
        reminder.number = try store.insert(reminder, due: nil)
        reminder.tags = ["c"]
        try store.transaction(UserChange(.edit, at: epoch)) {
            try store.update(reminder, due: nil)
        }
        return store
    }

    @Test("They follow every change")
    func changes() throws {
        let store = try edited()
        #expect(try listed(store) == ["c"])
        let step = try #require(try store.undoSteps(limit: 1).first)
        _ = try store.transaction { try store.undo(step) }
        #expect(try listed(store) == ["a", "b"])
        var reminder = try #require(try store.reminder(number: 1))
        reminder.tags = []
        try store.update(reminder, due: nil)
        #expect(try listed(store) == [])
        try store.close()
    }

    @Test("A file from before has them after it was opened")
    func migration() throws {
        try edited().close()
        let old = try stranger(folder.database)
        try old.execute(
            """
            ALTER TABLE task DROP COLUMN tags;
            DROP TABLE calendar_component_file;
            DROP TABLE calendar_component;
            DELETE FROM migration WHERE number > 5;
            PRAGMA user_version = 5;
            """)
        try old.close()
        let store = try Store(path: folder.database)
        #expect(try listed(store) == ["c"])
        try store.close()
    }

    @Test("A step of undo from before puts them back too")
    func earlierImage() throws {
        let store = try edited()
        try forgetTagsInImage(store)
        let step = try #require(try store.undoSteps(limit: 1).first)
        _ = try store.transaction { try store.undo(step) }
        #expect(try store.reminder(number: 1)?.tags == ["a", "b"])
        #expect(try listed(store) == ["a", "b"])
        try store.close()
    }

    /// Makes the image of the edit what it was when a row had no tags.
    private func forgetTagsInImage(_ store: Store) throws {
        let place = try #require(try store.tables().columns.firstIndex(of: "tags"))
        let statement = try Statement("SELECT images FROM undo", on: store.connection)
        #expect(try statement.step())
        var reader = ImageReader(statement.bytes(0))
        statement.reset()
        var image = try #require(try reader.image()?.task)
        guard case .part(var columns, let children) = image.content else {
            Issue.record("the image is of a part of the task")
            return
        }
        #expect(columns.removeValue(forKey: place) != nil)
        image.content = .part(columns: columns, children: children)
        var writer = ImageWriter()
        writer.write(.task(image))
        let change = try Statement("UPDATE undo SET images = ?", on: store.connection)
        try change.bind(blob: writer.bytes).run()
    }

    @Test("A backup whose rows say other tags than the table is restored with those of the table")
    func backup() throws {
        let store = try edited()
        let path = folder.path + "/backup.db"
        try StoreCopy.make(of: store.path, at: path)
        let other = try stranger(path)
        try other.execute("UPDATE task SET tags = 'wrong'")
        try other.close()
        let copy = try StagedCopy(of: path, beside: store.path)
        try store.replaceAll(with: copy, keepingMetas: [])
        #expect(try listed(store) == ["c"])
        try store.close()
    }
}
