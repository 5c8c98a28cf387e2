import RemindAPI
import RemindCore
import Store
import Testing
import Varlink

@testable import RemindDaemon

@Suite("A vdir folder that other programs write into")
struct FolderTests {
    private let world: World
    private static let folder = "/home/me/tasks"

    init() throws { world = try World() }

    /// The files of a page that a client writes, by name; the next call says that they are written.
    private func page(
        after: Int64? = nil, kept: [Int64] = []
    ) throws -> (files: [Export.Item], after: Int64?) {
        var parameters = Export.Parameters()
        (parameters.folder, parameters.after, parameters.kept) = (Self.folder, after, kept)
        let bytes = try world.isolated { [parameters] in
            var json = JSONWriter()
            try $0.export(parameters, to: &json)
            return json.bytes
        }
        let reply = try JSON.decode(Export.Reply.self, from: bytes)
        return (reply.items, reply.after)
    }

    /// Writes all files.
    private func exported() throws -> [Export.Item] {
        var (files, after) = try page()
        while let last = after {
            let next = try page(after: last)
            (files, after) = (files + next.files, next.after)
        }
        return files
    }

    private func read(_ file: String, _ text: String) throws -> Import.Reply {
        let replies = try world.imports(text) {
            ($0.folder, $0.file, $0.details) = (Self.folder, file, true)
        }
        return try #require(replies.last)
    }

    private func edit(_ change: (inout Edit.Parameters) -> Void) throws {
        var edit = Edit.Parameters(reference: "1")
        change(&edit)
        _ = try world.isolated { [edit] in try $0.edit(edit).0 }
    }

    private static func todo(_ lines: String...) -> String {
        "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Test//EN\r\nBEGIN:VTODO\r\nUID:a\r\n"
            + lines.map { $0 + "\r\n" }.joined() + "END:VTODO\r\nEND:VCALENDAR\r\n"
    }

    /// As todoman answers: with a time of whole seconds, which may be ours.
    private static func answered(_ text: String) -> String {
        text.replacing("STATUS:NEEDS-ACTION", "STATUS:COMPLETED")
            .replacing("PRIORITY:5\r\n", "PRIORITY:5\r\nPERCENT-COMPLETE:100\r\n")
    }

    @Test("an answer that was given in the second of our export is taken in")
    func sameSecond() throws {
        try world.add("Pay rent", at: "2030-05-01 09:00")
        let file = try #require(try exported().first)
        let reply = try read(file.file, Self.answered(file.text))
        #expect(reply.changed == 1 && reply.problems.isEmpty)
        #expect(try world.reminder(1).state == .done)
        // What it says now is known.
        #expect(try read(file.file, Self.answered(file.text)).unchanged == 1)
    }

    @Test("a file that nobody has touched changes nothing, also when the task was changed here")
    func untouched() throws {
        try world.add("Pay rent", at: "2030-05-01 09:00")
        let file = try #require(try exported().first)
        try edit { $0.title = "Pay more" }
        #expect(try read(file.file, file.text).unchanged == 1)
        #expect(try world.reminder(1).title == "Pay more")
    }

    @Test("a task that was changed in both places is the later one, and this is said")
    func both() throws {
        try world.add("Pay rent", at: "2030-05-01 09:00")
        let file = try #require(try exported().first)
        try world.advance(to: "2024-05-01T10:40:00+02:00")
        try edit { $0.title = "Pay more" }
        let reply = try read(file.file, Self.answered(file.text))
        #expect(reply.unchanged == 1)
        #expect(reply.problems.map(\.conflict) == [true])
        #expect(reply.problems[0].message.contains("title and state are now as it was here"))
        #expect(try world.reminder(1).title == "Pay more")
        // It was said, and the next export writes over the file.
        #expect(try read(file.file, Self.answered(file.text)).problems.isEmpty)
        #expect(try exported()[0].known != file.known)
    }

    @Test("of an item that came in, each change that was made in one place alone stays")
    func merged() throws {
        let text = Self.todo(
            "LAST-MODIFIED:20240401T000000Z", "SUMMARY:Tea", "DESCRIPTION:Green",
            "DUE:20300501T090000", "STATUS:NEEDS-ACTION")
        #expect(try read("a.ics", text).added == 1)
        try edit { ($0.title, $0.at) = ("Coffee", "2030-05-02 09:00") }
        // Nothing newer, as by hand.
        let reply = try read("a.ics", text.replacing("Green", "Black"))
        #expect(reply.changed == 1 && reply.problems.isEmpty)
        let task = try world.reminder(1)
        #expect(task.title == "Coffee")
        #expect(task.note == "Black")
        #expect(
            task.deadline == CivilDateTime(iso8601: "2030-05-02T09:00:00").map { .floating($0) })
        let written = try exported()[0].text
        #expect(written.contains("SUMMARY:Coffee\r\n") && written.contains("DESCRIPTION:Black\r\n"))
        #expect(written.contains("DUE:20300502T090000\r\n"))
    }

    @Test("a file that was never written is not taken for one that somebody has changed")
    func unwritten() throws {
        try world.add("Pay rent", at: "2030-05-01 09:00")
        let first = try #require(try exported().first)
        try edit { $0.title = "Pay more" }
        // The client ends before it writes.
        _ = try page()
        #expect(try read(first.file, first.text).unchanged == 1)
        #expect(try world.reminder(1).title == "Pay more")
        // It leaves a file that somebody has changed as it is.
        let again = try page()
        _ = try page(after: again.after, kept: [1])
        #expect(try page().files[0].known == again.files[0].known)
    }

    @Test("a plain file of our version that says something else is taken in")
    func plainSameVersion() throws {
        try world.add("Pay rent", at: "2030-05-01 09:00")
        let text = try world.exports()
        #expect(try world.imports(Self.answered(text)).last?.changed == 1)
        #expect(try world.reminder(1).state == .done)
        // The export from before that is older.
        #expect(try world.imports(text).last?.unchanged == 1)
    }

    @Test("a newer version that takes the place of a change made here says so")
    func overwritten() throws {
        func text(_ modified: String, _ title: String) -> String {
            Self.todo("LAST-MODIFIED:\(modified)", "SUMMARY:\(title)", "DUE:20300501T090000")
        }
        _ = try world.imports(text("20240401T000000Z", "Tea"))
        try edit { $0.title = "Mine" }
        let reply = try #require(try world.imports(text("20240402T000000Z", "Theirs")).last)
        #expect(reply.changed == 1)
        #expect(reply.problems.map(\.conflict) == [true])
        #expect(reply.problems[0].message.contains("its title is now as the file says"))
        #expect(try world.reminder(1).title == "Theirs")
        // A newer one that says something of other fields leaves ours alone.
        try edit { $0.title = "Mine" }
        let more = text("20240403T000000Z", "Theirs").replacing("DUE", "DESCRIPTION:x\r\nDUE")
        #expect(try world.imports(more).last?.problems.isEmpty == true)
        #expect(try world.reminder(1).title == "Mine")
        #expect(try world.reminder(1).note == "x")
    }
}

extension String {
    fileprivate func replacing(_ old: String, _ new: String) -> String {
        guard let range = self.range(of: old) else { return self }
        return String(self[..<range.lowerBound]) + new + String(self[range.upperBound...])
    }

    private func range(of text: String) -> Range<Index>? {
        indices.first { self[$0...].hasPrefix(text) }.map { $0..<index($0, offsetBy: text.count) }
    }
}
