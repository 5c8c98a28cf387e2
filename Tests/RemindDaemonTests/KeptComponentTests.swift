import RemindAPI
import RemindCore
import Store
import Testing
import Varlink

@testable import RemindDaemon

@Suite("What of calendars is no task is kept")
struct KeptComponentTests {
    private let world: World
    private static let folder = "/home/me/notes"

    init() throws { world = try World() }

    private static func file(_ components: String...) -> String {
        "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Test//EN\r\n" + components.joined()
            + "END:VCALENDAR\r\n"
    }

    private static func component(_ name: String, _ lines: String...) -> String {
        (["BEGIN:\(name)"] + lines + ["END:\(name)"]).map { $0 + "\r\n" }.joined()
    }

    private static let journal = component(
        "VJOURNAL", "UID:j", "DTSTAMP:20240401T000000Z", #"SUMMARY:Odd\z; text"#, "X-A:1")
    private static let anything = component(
        "X-ANYTHING", "X-B:2", "BEGIN:X-PART", "X-C:3", "END:X-PART")
    private static let todo = component("VTODO", "UID:t", "SUMMARY:Tea")

    private func imports(
        _ text: String, _ change: (inout Import.Parameters) -> Void = { _ in }
    ) throws -> Import.Reply {
        try #require(
            try world.imports(text) {
                $0.details = true
                change(&$0)
            }.last)
    }

    private func said(_ reply: Import.Reply) -> [String] {
        (reply.kept ?? []).map {
            "\($0.component) \($0.added) \($0.changed) \($0.unchanged)"
        }
    }

    @Test("a journal was dropped without a word: it is told, kept and written as it came")
    func kept() throws {
        let text = Self.file(Self.journal, Self.todo, Self.anything)
        let reply = try imports(text)
        #expect(reply.added == 1)
        #expect(said(reply) == ["VJOURNAL 1 0 0", "X-ANYTHING 1 0 0"])
        let told = (reply.components ?? []).map {
            "\($0.component) \($0.line) \($0.change ?? .changed)"
        }
        #expect(told == ["VJOURNAL 4 added", "X-ANYTHING 14 added"])
        #expect(reply.problems.isEmpty)
        let export = try world.exports()
        #expect(export.contains(Self.journal) && export.contains(Self.anything))
        #expect(export.hasSuffix("END:X-ANYTHING\r\nEND:VCALENDAR\r\n"))
        // Again, and by way of an export: nothing changes.
        for text in [text, export] {
            let again = try imports(text)
            #expect([again.added, again.changed, again.unchanged] == [0, 0, 1])
            #expect(said(again) == ["VJOURNAL 0 0 1", "X-ANYTHING 0 0 1"])
        }
        #expect(try world.exports() == export)
        let other = try World()
        _ = try other.imports(export)
        #expect(try other.exports() == export)
    }

    @Test("a newer version replaces it, an older one does not")
    func versions() throws {
        func journal(_ sequence: Int, _ text: String) -> String {
            Self.component("VJOURNAL", "UID:j", "SEQUENCE:\(sequence)", "SUMMARY:\(text)")
        }
        _ = try imports(Self.file(journal(1, "one")))
        #expect(said(try imports(Self.file(journal(2, "two")))) == ["VJOURNAL 0 1 0"])
        #expect(said(try imports(Self.file(journal(1, "three")))) == ["VJOURNAL 0 0 1"])
        let export = try world.exports()
        #expect(export.contains(journal(2, "two")))
        #expect(!export.contains("three") && !export.contains("one"))
    }

    @Test("the later of two of one version in a file took the first one's place without a word")
    func doubles() throws {
        let other = Self.journal.replacing("Odd", with: "Even")
        let text = Self.file(Self.journal, Self.journal, other)
        let reply = try imports(text)
        #expect(said(reply) == ["VJOURNAL 1 0 1"])
        let told = "It is not newer than the VJOURNAL with the same UID before it."
        #expect(reply.problems.map(\.message) == [told])
        #expect(reply.problems.map(\.refused) == [true])
        #expect(said(try imports(text)) == ["VJOURNAL 0 0 2"])
    }

    @Test("each changed occurrence is kept beside its series")
    func occurrences() throws {
        let change = Self.component(
            "VJOURNAL", "UID:j", "RECURRENCE-ID;TZID=Europe/Paris:20240402T090000", "SUMMARY:two")
        let reply = try imports(Self.file(change, Self.journal))
        #expect(said(reply) == ["VJOURNAL 2 0 0"])
        let export = try world.exports()
        #expect(export.contains(change) && export.contains(Self.journal))
        #expect(export.contains("BEGIN:VTIMEZONE\r\nTZID:Europe/Paris\r\n"))
    }

    @Test("so many with one UID are kept, and no more")
    func limit() throws {
        let parts = (1...1001).map {
            Self.component("VJOURNAL", "UID:j", "RECURRENCE-ID:20240401T00\(1000 + $0)Z")
        }
        let reply = try imports(Self.file(parts.joined()))
        #expect(said(reply) == ["VJOURNAL 1000 0 0"])
        #expect(reply.problems.map(\.refused) == [true])
        #expect(reply.problems.first?.message.contains("1000 components with this UID") == true)
    }

    @Test("it belongs to a list, in an export too")
    func lists() throws {
        _ = try imports(Self.file(Self.journal)) { $0.list = "diary" }
        _ = try imports(Self.file(Self.anything))
        let export = try world.exports { $0.list = "diary" }
        #expect(export.contains("X-A:1\r\nX-REMINDD:list=diary\r\nEND:VJOURNAL\r\n"))
        #expect(!export.contains("X-ANYTHING"))
        #expect(export.contains("X-WR-CALNAME:diary\r\n"))
        let other = try World()
        _ = try other.imports(try world.exports())
        #expect(try other.exports { $0.list = "diary" } == export)
        #expect(throws: APIError.self) { try world.exports { $0.list = "nothing" } }
    }

    @Test("what is said of the calendar as a whole does not go out: METHOD would answer somebody")
    func calendarProperties() throws {
        let head = "METHOD:REQUEST\r\nX-WR-CALNAME:Holidays\r\nX-WR-TIMEZONE:Asia/Tokyo\r\n"
        let reply = try imports(Self.file(head, Self.journal, Self.todo))
        #expect(reply.problems.isEmpty && reply.added == 1)
        let export = try world.exports()
        for name in ["METHOD", "X-WR-"] { #expect(!export.contains(name)) }
    }

    @Test("undo takes it back with the tasks of the import, and brings back what it replaced")
    func undone() throws {
        _ = try imports(Self.file(Self.journal))
        let before = try world.exports()
        let newer = Self.journal.replacing("Odd", with: "Even")
        _ = try imports(Self.file(newer, Self.todo, Self.anything))
        #expect(try world.exports().contains("Even"))
        let undone = try world.isolated { try $0.undo().step.count }
        #expect(undone == 1)
        #expect(try world.exports() == before)
        _ = try world.isolated { try $0.undo().step.count }
        #expect(try world.exports().contains("VJOURNAL") == false)
    }

    @Test("a dry run tells what would be kept, and keeps nothing")
    func dryRun() throws {
        let broken = Self.component("VJOURNAL", "UID:j", "no property")
        let reply = try imports(Self.file(broken, Self.todo)) {
            ($0.details, $0.dryRun) = (nil, true)
        }
        #expect(reply.items.count == 1)
        let told = try #require(reply.components?.first)
        #expect(told.component == "VJOURNAL" && told.change == nil)
        #expect(told.notes?.first?.contains("‘no property’") == true)
        #expect(try !world.exports().contains("VJOURNAL"))
    }

    @Test("many pages of them come out one after the other, each once")
    func pages() throws {
        let many = (1...1300).map { Self.component("VJOURNAL", "UID:j\($0)", "X-N:\($0)") }
        _ = try imports(Self.file(many.joined(), Self.todo))
        let export = try world.exports()
        for journal in many { #expect(export.contains(journal)) }
        #expect(export.split(separator: "BEGIN:VJOURNAL").count == 1301)
        let files = try exported()
        #expect(files.count == 1301)
        #expect(Set(files.map(\.file)).count == 1301)
    }

    // MARK: vdir folders

    private func page(_ after: Int64?, _ kept: [Int64]) throws -> Export.Reply {
        var parameters = Export.Parameters()
        (parameters.folder, parameters.after, parameters.kept) = (Self.folder, after, kept)
        let bytes = try world.isolated { [parameters] in
            var json = JSONWriter()
            try $0.export(parameters, to: &json)
            return json.bytes
        }
        return try JSON.decode(Export.Reply.self, from: bytes)
    }

    /// Writes all files but those of `left`.
    private func exported(leaving left: Set<String> = []) throws -> [Export.Item] {
        var (files, after, kept) = ([Export.Item](), Int64?.none, [Int64]())
        repeat {
            let reply = try page(after, kept)
            files += reply.items
            kept = reply.items.filter { left.contains($0.file) }.map(\.number)
            after = reply.after
        } while after != nil
        return files
    }

    private func read(_ name: String, _ text: String) throws {
        _ = try imports(text) { ($0.folder, $0.file) = (Self.folder, name) }
    }

    @Test("a file of a folder with nothing but a journal stays as it is")
    func journalFile() throws {
        try read("odd name.ics", Self.file(Self.journal))
        let file = try #require(try exported(leaving: ["odd name.ics"]).first)
        #expect(file.file == "odd name.ics" && file.settled == true)
        #expect(file.text.contains(Self.journal))
        // A newer version from elsewhere is written into it.
        _ = try imports(Self.file(Self.journal.replacing("X-A:1", with: "X-A:2")))
        let newer = try #require(try exported().first)
        #expect(newer.known == file.known && newer.settled == nil)
        #expect(newer.text.contains("X-A:2"))
        let last = try #require(try exported().first)
        #expect(last.settled == true && last.known != newer.known)
    }

    @Test("a journal beside a task in one file stays there")
    func sharedFile() throws {
        try read("both.ics", Self.file(Self.todo, Self.journal))
        let files = try exported()
        #expect(files.map(\.file) == ["both.ics"])
        #expect(files[0].text.contains(Self.journal) && files[0].text.contains("SUMMARY:Tea"))
        #expect(try exported().map(\.text) == files.map(\.text))
    }

    @Test("in another folder each has a file of its own, its changed occurrences with it")
    func otherFolder() throws {
        let change = Self.component("VJOURNAL", "UID:j", "RECURRENCE-ID:20240402T090000Z")
        let poll = Self.component("VPOLL", "UID:t", "X-D:4")
        _ = try imports(Self.file(Self.journal, change, Self.todo, poll))
        let files = try exported()
        #expect(files.map(\.file) == ["t.ics", "j.ics", "VPOLL-t.ics"])
        #expect(files[1].text.contains(Self.journal) && files[1].text.contains(change))
        // What was written is known.
        #expect(try exported().map(\.known).contains(nil) == false)
    }

    @Test("so many stay in one file of a folder, and what is more gets files of its own")
    func crowded() throws {
        let many = (1...66).map { Self.component("VJOURNAL", "UID:j\($0)", "X-N:\($0)") }
        try read("many.ics", Self.file(many.joined()))
        let files = try exported()
        #expect(files.map(\.file) == ["many.ics", "j65.ics", "j66.ics"])
        #expect(files.map { $0.text.split(separator: "BEGIN:VJOURNAL").count - 1 } == [64, 1, 1])
    }

    @Test("a page of what stands in the files of tasks is not the end")
    func passedOver() throws {
        for index in 1...600 {
            let todo = Self.component("VTODO", "UID:t\(index)", "SUMMARY:Tea")
            let journal = Self.component("VJOURNAL", "UID:j\(index)")
            try read("\(index).ics", Self.file(todo, journal))
        }
        _ = try imports(Self.file(Self.journal))
        let files = try exported()
        #expect(files.count == 601 && files.last?.file == "j.ics")
    }

    @Test("large ones come out a few at a time")
    func largePages() throws {
        let long = String(repeating: "x", count: 600_000)
        let many = (1...4).map { Self.component("VJOURNAL", "UID:j\($0)", "X-N:\(long)\($0)") }
        _ = try imports(Self.file(many.joined()))
        var sizes: [Int] = []
        var after: Int64? = -1
        while let from = after {
            let bytes = try world.isolated {
                var (parameters, json) = (Export.Parameters(), JSONWriter())
                parameters.after = from
                try $0.export(parameters, to: &json)
                return json.bytes
            }
            let reply = try JSON.decode(Export.Reply.self, from: bytes)
            sizes.append(reply.components ?? -1)
            after = reply.after
        }
        #expect(sizes == [2, 2, 0])
        let other = try World()
        _ = try other.imports(try world.exports())
        #expect(try other.exports() == world.exports())
    }

    @Test("two journals in one file of a folder stay together")
    func together() throws {
        let other = Self.component("VJOURNAL", "UID:k", "X-E:5")
        try read("two.ics", Self.file(Self.journal, other))
        let files = try exported()
        #expect(files.map(\.file) == ["two.ics"])
        #expect(files[0].text.contains(Self.journal) && files[0].text.contains(other))
    }
}
