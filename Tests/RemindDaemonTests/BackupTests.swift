import Dispatch
import Glibc
import Popups
import RemindAPI
import RemindCore
import Store
import Synchronization
import Testing

@testable import RemindDaemon

@Suite("Backups of the engine")
struct BackupTests {
    private let world: World

    init() throws { world = try World() }

    private var backup: String { world.folder + "/backup.db" }

    private func makeBackup() throws {
        let engine = world.engine
        try engine.backups.executor.queue.sync {
            try engine.backups.assumeIsolated { _ = try $0.make(at: backup) }
        }
    }

    private func restore(_ path: String) throws -> String {
        let engine = world.engine
        let copy = try engine.backups.executor.queue.sync {
            try engine.backups.assumeIsolated { try $0.stage(path) }
        }
        return try world.isolated { try $0.restore(copy) }
    }

    /// Waits for what was asked of the backups.
    private func settle() {
        world.engine.backups.executor.queue.sync {}
        world.isolated { _ in }
    }

    private func dailies() -> [String] { fileNames(world.folder + "/backups") }

    @Test("With the first change of a day a copy is made; seven are kept; nothing wakes up for it")
    func daily() throws {
        world.keepsDailyBackups = true
        try world.restart()
        settle()
        #expect(dailies().isEmpty)
        try world.add("Tea")
        settle()
        #expect(dailies() == ["reminders-2024-05-01.db"])
        for day in 2...9 {
            try world.advance(to: "2024-05-0\(day)T00:00:00+02:00")
            settle()
            #expect(!dailies().contains("reminders-2024-05-0\(day).db"))
            try world.add("Tea")
            try world.add("Coffee")
            settle()
            #expect(dailies().last == "reminders-2024-05-0\(day).db")
        }
        #expect(dailies().first == "reminders-2024-05-03.db")
        #expect(dailies().count == 7)
        // The copy of a day is made once, also by the next run.
        let made = readFile(world.folder + "/backups/reminders-2024-05-09.db")
        try world.restart()
        try world.add("Cocoa")
        settle()
        #expect(readFile(world.folder + "/backups/reminders-2024-05-09.db") == made)
    }

    @Test("A daily copy that fails is tried again with a change an hour later")
    func failing() throws {
        try writeFile(world.folder + "/backups", [1])
        world.keepsDailyBackups = true
        try world.restart()
        try world.add("Tea")
        settle()
        unlink(world.folder + "/backups")
        try world.add("Tea")
        settle()
        #expect(dailies().isEmpty)
        try world.advance(to: "2024-05-01T11:31:00+02:00")
        try world.add("Tea")
        settle()
        #expect(dailies() == ["reminders-2024-05-01.db"])
    }

    @Test("Restored: the list, the alarms and the screen are those of the copy, and it is told")
    func restored() throws {
        try world.add("Kept", at: "10:40")
        try world.add("Changed", at: "11:00")
        try makeBackup()
        try world.add("New", at: "10:45")
        _ = try world.isolated { try $0.remove($0.find("1")) }
        try world.advance(to: "2024-05-01T10:50:00+02:00")
        #expect(world.shown == ["New"])
        let told = Mutex<[String]>([])
        world.isolated { engine in
            engine.watch(
                Watcher(
                    send: { bytes in
                        told.withLock { $0.append(String(decoding: bytes, as: UTF8.self)) }
                    },
                    end: {}))
        }
        let key = try world.reminder(3).id.text
        let kept = try restore(backup)
        // It was due while it was away.
        #expect(world.shown == ["New", "Kept"])
        #expect(world.closed.contains(key))
        #expect(throws: APIError.self) { try world.reminder(3) }
        try world.advance(to: "2024-05-01T11:00:00+02:00")
        #expect(world.shown == ["New", "Kept", "Changed"])
        #expect(try world.add("Next").number == 4)
        let events = told.withLock { $0 }
        #expect(events.contains { $0.contains(#""removed""#) && $0.contains("New") })
        #expect(events.contains { $0.contains(#""added""#) && $0.contains("Kept") })
        // And back again.
        #expect(kept == world.folder + "/backups/before-restore-2024-05-01-105000.db")
        _ = try restore(kept)
        #expect(try world.reminder(3).title == "New")
        #expect(throws: APIError.self) { try world.reminder(1) }
        #expect(try world.add("After").number == 5)
        try world.restart()
        #expect(try world.reminder(3).alarm.state == .ringing)
    }

    @Test("What two restores of one second replaced is kept twice, the first as it was")
    func restoredTwice() throws {
        try makeBackup()
        try world.add("Precious one")
        let first = try restore(backup)
        try world.add("Precious two")
        let second = try restore(backup)
        #expect(first != second)
        _ = try restore(first)
        #expect(try world.all().map(\.title).contains("Precious one"))
    }

    @Test("A restore during an undo in parts: the rest of the undo took back a step of the backup")
    func restoredDuringUndo() throws {
        let text = { (prefix: String) in
            "BEGIN:VCALENDAR\n"
                + (1...(Engine.importSlice + 10)).map {
                    "BEGIN:VTODO\nUID:\(prefix)\($0)\nSUMMARY:Tea\nEND:VTODO\n"
                }.joined()
        }
        _ = try world.imports(text("a"))
        try makeBackup()
        let engine = world.engine
        let copy = try engine.backups.executor.queue.sync {
            try engine.backups.assumeIsolated { try $0.stage(backup) }
        }
        let isDone = DispatchSemaphore(value: 0)
        let failure = Mutex<APIError?>(nil)
        try world.isolated { engine in
            // Its first part is taken back now, the next one waits behind the restore.
            engine.undo(
                Engine.UndoAnswer(
                    batch: 200, reply: { _, isLast in if isLast { isDone.signal() } },
                    fail: { error in
                        failure.withLock { $0 = error }
                        isDone.signal()
                    }))
            _ = try engine.restore(copy)
        }
        try #require(isDone.wait(timeout: .now() + 60) == .success)
        #expect(failure.withLock { $0?.message.contains("during the undo") } == true)
        #expect(try world.all().count == Engine.importSlice + 10)
        // Another one goes.
        try world.isolated { _ = try $0.undo() }
        #expect(try world.all().isEmpty)
    }

    @Test("A restore during an import: the rest of the file went into the backup")
    func restoredDuringImport() throws {
        try world.add("Mine")
        try makeBackup()
        let engine = world.engine
        let copy = try engine.backups.executor.queue.sync {
            try engine.backups.assumeIsolated { try $0.stage(backup) }
        }
        let run = ImportRun(list: nil, tellsAll: false)
        try world.isolated { engine in
            _ = engine.storing(in: run) { _ in try engine.store.setMeta("test", "1") }
            #expect(run.failure == nil)
            _ = try engine.restore(copy)
            #expect(engine.storing(in: run) { _ in } == nil)
            let failure = try #require(run.failure)
            #expect(engine.takeBack(run, failure).message.contains("during the import"))
            engine.endBulk(run)
        }
        #expect(try world.all().map(\.title) == ["Mine"])
        #expect(try world.isolated { try $0.store.undoSteps(limit: 5).count } == 1)
    }

    @Test("A restore in quiet hours: what they hold back stayed on the screen, beside the digest")
    func restoredInQuietHours() throws {
        try world.add("Tea", at: "10:40")
        try world.advance(to: "2024-05-01T10:40:00+02:00")
        try makeBackup()
        world.settings.quiet = .init(
            from: try #require(CivilTime(hour: 8)), until: try #require(CivilTime(hour: 12)))
        world.isolated { [settings = world.settings] in $0.reconfigure(settings) }
        _ = try restore(backup)
        #expect(world.presenter.wanted.isEmpty)
        try world.pass(to: "2024-05-01T12:00:00+02:00")
        #expect(world.presenter.wanted.values.map(\.summary) == ["Tea"])
    }

    @Test("A pause goes on after a restore")
    func paused() throws {
        try makeBackup()
        try world.isolated { try $0.pause(until: nil) }
        _ = try restore(backup)
        try world.restart()
        try world.add("Held", at: "10:40")
        try world.advance(to: "2024-05-01T10:40:00+02:00")
        #expect(world.shown.isEmpty)
    }

    @Test(
        "What is no backup is refused with the file's name, and nothing changes",
        arguments: ["", "# Shopping list", "SQLite format 3\0"])
    func refused(content: String) throws {
        try world.add("Tea", at: "11:00")
        try writeFile(backup, Array(content.utf8))
        let error = #expect(throws: APIError.self) { try restore(backup) }
        #expect(error?.kind == .invalidArgument)
        #expect(error?.message.contains("‘\(backup)’") == true)
        #expect(error?.message.contains("Nothing was changed.") == true)
        let missing = #expect(throws: APIError.self) { try restore("/nowhere/x.db") }
        #expect(missing?.kind == .storeFailed)
        #expect(try world.reminder(1).title == "Tea")
        #expect(
            fileNames(world.folder).filter { $0.hasPrefix("reminders.db.") } == [
                "reminders.db.lock"
            ])
    }
}
