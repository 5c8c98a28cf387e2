import Popups
import RemindAPI
import RemindCore
import Store
import Synchronization
import Testing

@testable import RemindDaemon

@Suite("Undo in the engine")
struct UndoTests {
    private let world: World

    init() throws { world = try World() }

    @discardableResult
    private func undo() throws -> Undone { try world.isolated { try $0.undo() } }

    private func all() throws -> [Reminder] {
        try world.isolated { try $0.store.list(ListFilter(.all)) }
    }

    private func log() throws -> [LogEntry] {
        try world.isolated { try $0.store.log(limit: 1000) }
    }

    private func outcome() throws -> String {
        try world.isolated { engine in
            var text = ""
            try engine.undo(batch: 10) { bytes, _ in text += String(decoding: bytes, as: UTF8.self)
            }
            return text
        }
    }

    @Test("A completed ring rings again, is shown again under its key, and says since when")
    func done() throws {
        let task = try world.add("Pay rent", at: "11:00")
        try world.advance(to: "2024-05-01T11:00:00+02:00")
        let ringing = try world.reminder(task.number)
        let before = try log()
        world.clock.now = try #require(Instant(rfc3339: "2024-05-01T11:05:00+02:00"))
        world.screen(.answered(key: task.id.text, action: "done"))
        #expect(try world.reminder(task.number).state == .done)
        #expect(world.closed == [task.id.text])
        let text = try outcome()
        #expect(text.contains(#""what":"done""#))
        #expect(text.contains(#""outcome":"ringing since 11:00""#))
        #expect(try world.reminder(task.number) == ringing)
        #expect(try log() == before)
        #expect(world.popups.last?.key == task.id.text)
        #expect(world.shown == ["Pay rent", "Pay rent"])
        // It can be answered again.
        world.screen(.answered(key: task.id.text, action: "done"))
        #expect(try world.reminder(task.number).state == .done)
    }

    @Test("Each change is taken back to the row before it, also after restarts")
    func eachChange() throws {
        var states: [([Reminder], [LogEntry])] = [([], [])]
        func note() throws { states.append((try all(), try log())) }
        let task = try world.add("Pay rent", at: "11:00") {
            $0.every = "day"
            $0.before = ["10m"]
            $0.nag = "5m"
            $0.tags = ["home", "money"]
            $0.note = "IBAN"
        }
        try note()
        var edit = Edit.Parameters(reference: "\(task.number)")
        (edit.title, edit.tags, edit.at) = ("Pay the rent", ["x"], "12:00")
        _ = try world.isolated { [edit] in try $0.edit(edit) }
        try note()
        let reference = Snooze.Parameters(reference: "\(task.number)", until: "3h")
        _ = try world.isolated { try $0.snooze(reference) }
        try note()
        _ = try world.isolated { try $0.complete($0.find("1"), series: false, origin: .command) }
        try note()
        _ = try world.isolated { try $0.complete($0.find("1"), series: true, origin: .command) }
        try note()
        _ = try world.isolated { try $0.reopen($0.find("1")) }
        try note()
        _ = try world.isolated { try $0.remove($0.find("1")) }
        try world.restart()
        while let (reminders, log) = states.popLast() {
            try undo()
            #expect(try all() == reminders, "\(states.count)")
            #expect(try self.log() == log, "\(states.count)")
            if states.count % 3 == 0 { try world.restart() }
        }
        let error = #expect(throws: APIError.self) { try undo() }
        #expect(error?.kind == .nothingToUndo)
    }

    @Test("The number of an addition that was taken back is not given again")
    func number() throws {
        let first = try world.add("Tea", at: "11:00")
        #expect(try undo().removed.map(\.number) == [first.number])
        #expect(try world.add("Tea").number == first.number + 1)
        try world.advance(to: "2024-05-01T11:00:00+02:00")
        #expect(world.shown.isEmpty)
    }

    @Test("A ringing reminder whose addition is taken back leaves the screen")
    func ringingAddition() throws {
        let task = try world.add("Tea", at: "11:00")
        try world.advance(to: "2024-05-01T11:00:00+02:00")
        #expect(world.shown == ["Tea"])
        try undo()
        #expect(world.closed == [task.id.text])
    }

    @Test("An edit of a text before the ring is taken back without silencing the ring")
    func textBeforeRing() throws {
        let task = try world.add("Tea", at: "11:00")
        var edit = Edit.Parameters(reference: "\(task.number)")
        edit.title = "Coffee"
        _ = try world.isolated { [edit] in try $0.edit(edit) }
        try world.advance(to: "2024-05-01T11:00:00+02:00")
        #expect(world.shown == ["Coffee"])
        try undo()
        #expect(world.shown == ["Coffee", "Tea"])
        #expect(try world.reminder(task.number).alarm.state == .ringing)
        #expect(try log().map(\.kind) == [.rang])
    }

    @Test("A deadline that comes back and has gone by meanwhile rings at once")
    func missedDeadline() throws {
        let task = try world.add("Tea", at: "11:00")
        var edit = Edit.Parameters(reference: "\(task.number)")
        edit.at = "18:00"
        _ = try world.isolated { [edit] in try $0.edit(edit) }
        try world.advance(to: "2024-05-01T12:00:00+02:00")
        #expect(world.shown.isEmpty)
        try undo()
        #expect(world.shown == ["Tea"])
    }

    @Test("What one command did to several in several calls is one step")
    func groups() throws {
        for title in ["a", "b", "c"] { try world.add(title) }
        try world.isolated { engine in
            for reference in ["1", "2"] {
                _ = try engine.complete(
                    engine.find(reference), series: false, group: "x", origin: .command)
            }
            _ = try engine.complete(
                engine.find("3"), series: false, group: "y", origin: .command)
        }
        #expect(try undo().reminders.map(\.number) == [3])
        #expect(try undo().reminders.map(\.number) == [2, 1])
        #expect(try all().allSatisfy { $0.state == .open })
    }

    @Test("All that rings, done at once, is one step and comes back as one digest")
    func digest() throws {
        for title in ["a", "b", "c", "d", "e"] { try world.add(title, at: "11:00") }
        try world.advance(to: "2024-05-01T11:00:00+02:00")
        world.screen(.answered(key: Engine.digestKey, action: "done"))
        #expect(try all().allSatisfy { $0.state == .done })
        #expect(try undo().reminders.count == 5)
        #expect(try all().allSatisfy { $0.alarm.state == .ringing })
        #expect(world.popups.last?.key == Engine.digestKey)
    }

    @Test("Those who watch are told what became of the tasks")
    func watchers() throws {
        let events = Events()
        try world.add("Tea", at: "11:00")
        _ = try world.isolated { try $0.remove($0.find("1")) }
        world.isolated { engine in
            engine.watch(Watcher(send: { events.add($0) }, end: {}))
        }
        try undo()
        try undo()
        #expect(events.names == ["added", "removed"])
    }

    @Test("A deadline that follows the wall is computed anew when the zone has changed since")
    func zone() throws {
        let task = try world.add("Tea", at: "18:00")
        _ = try world.isolated { try $0.remove($0.find("\(task.number)")) }
        try world.restart(zone: "America/New_York")
        let after = try #require(try undo().reminders.first)
        #expect(after.alarm.nextRing == Instant(rfc3339: "2024-05-01T18:00:00-04:00"))
        #expect(try world.reminder(task.number) == after)
    }
}

/// Names of events that a watcher was told.
private final class Events: Sendable {
    private let texts = Mutex<[String]>([])

    func add(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        texts.withLock { $0.append(text) }
    }

    var names: [String] {
        texts.withLock { texts in
            texts.compactMap { text in
                ["added", "removed", "changed", "ringing"].first { text.contains("\"\($0)\"") }
            }
        }
    }
}

@Suite("Search in the engine")
struct SearchTests {
    private let world: World

    init() throws { world = try World() }

    private func find(_ text: String, limit: Int? = nil) throws -> [String] {
        try world.isolated { engine in
            var found: [String] = []
            let page = ListPages.Size(reminders: 1, bytes: .max, turnBytes: .max)
            var list = try engine.search(Search.Parameters(text: text, limit: limit), page)
            _ = try engine.turn(&list) { bytes, _ in
                let text = String(decoding: bytes, as: UTF8.self)
                guard let title = text.split(separator: "\"title\":\"").dropFirst().first else {
                    return
                }
                found.append(String(title.prefix { $0 != "\"" }))
            }
            return found
        }
    }

    @Test("What is added, edited and taken back is found as it now is")
    func follows() throws {
        try world.add("Café créme") { $0.tags = ["Städte"] }
        #expect(try find("cafe stadte") == ["Café créme"])
        var edit = Edit.Parameters(reference: "1")
        edit.title = "Tee"
        _ = try world.isolated { [edit] in try $0.edit(edit) }
        #expect(try find("cafe").isEmpty)
        _ = try world.isolated { try $0.undo() }
        #expect(try find("cafe") == ["Café créme"])
        try world.restart()
        #expect(try find("CRÉME") == ["Café créme"])
    }

    @Test("Open ones come before done ones, and a limit holds")
    func order() throws {
        try world.add("rent")
        try world.add("Pay rent")
        _ = try world.isolated { try $0.complete($0.find("1"), series: false, origin: .command) }
        #expect(try find("rent") == ["Pay rent", "rent"])
        #expect(try find("rent", limit: 1) == ["Pay rent"])
    }

    @Test("A text that is empty or longer than the limit is refused")
    func limits() throws {
        let longest = String(repeating: "a", count: Limits.search)
        #expect(try find(longest).isEmpty)
        for text in ["", "  ", longest + "a"] {
            let error = #expect(throws: APIError.self) { _ = try find(text) }
            #expect(error?.kind == .invalidArgument)
        }
    }

    @Test("Texts are stored in NFC, and filters ask in NFC")
    func canonical() throws {
        let task = try world.add("Cafe\u{301}") {
            $0.note = "e\u{301}"
            $0.tags = ["e\u{301}", "\u{E9}"]
            $0.list = "o\u{308}"
        }
        #expect(Array(task.title.unicodeScalars) == Array("Caf\u{E9}".unicodeScalars))
        #expect(task.note.map { Array($0.unicodeScalars) } == ["\u{E9}"])
        #expect(task.tags.map { Array($0.unicodeScalars) } == [["\u{E9}"]])
        let found = try world.isolated { engine in
            var parameters = List.Parameters()
            (parameters.list, parameters.tag) = ("o\u{308}", "e\u{301}")
            let filter = try ListFilter(
                parameters, now: engine.clock.now, tomorrow: engine.tomorrow)
            return try engine.store.list(filter).count
        }
        #expect(found == 1)
        let control = #expect(throws: APIError.self) { _ = try world.add("é\u{0}x") }
        #expect(control?.message.contains("U+0000 (NUL)") == true)
    }
}
