import Dispatch
import Glibc
import RemindAPI
import RemindCore
import Testing
import Varlink

@testable import RemindDaemon

@Suite("Calendar files that come over the socket")
struct ImportTests {
    private let world: World
    private let importer = Importer()

    init() throws { world = try World() }

    /// The replies to one piece of a dry run.
    private func take(
        _ text: String, streams: Bool = false,
        _ change: (inout Import.Parameters) -> Void = { _ in }
    ) throws -> [Import.Reply] {
        try world.imports(text, importer, streams: streams) {
            $0.dryRun = true
            change(&$0)
        }
    }

    private static func todo(_ index: Int) -> String {
        "BEGIN:VTODO\nUID:\(index)\nSUMMARY:Tea \(index)\nDUE;TZID=Europe/Paris:20240501T090000\n"
            + "BEGIN:VALARM\nTRIGGER:-PT15M\nACTION:AUDIO\nEND:VALARM\nEND:VTODO\n"
    }

    @Test("an item is shown as it would be stored, with its rings after now")
    func item() throws {
        let reply = try take("BEGIN:VCALENDAR\n" + Self.todo(1)) {
            ($0.now, $0.timeZone) = ("2024-05-01T00:00:00Z", "Asia/Tokyo")
        }[0]
        let item = try #require(reply.items.first)
        #expect(item.title == "Tea 1")
        #expect(item.due == "2024-05-01T09:00:00+02:00")
        #expect(item.timeZone == "Europe/Paris")
        #expect(item.rings == ["2024-05-01T08:45:00+02:00"])
        #expect(throws: APIError.self) { try world.reminder(1) }
    }

    @Test("a file in pieces, cut anywhere, is one file")
    func pieces() throws {
        let first = try take("BEGIN:VCALENDAR\n" + Self.todo(1) + "BEGIN:VTO") {
            $0.continues = true
        }[0]
        #expect(first.items.map(\.uid) == ["1"])
        let id = try #require(first.session)
        let last = try take("DO\nUID:2\nDUE:20240601T090000\nEND:VTODO\n") { $0.session = id }[0]
        #expect(last.items.map(\.uid) == ["2"])
        #expect(last.session == nil)
        #expect(throws: APIError.self) { try take("more") { $0.session = id } }
    }

    @Test("files under way are limited, and the one that has waited longest ends")
    func sessions() throws {
        let ids = try (0...Importer.sessionLimit).map { _ in
            try #require(try take("BEGIN:VCALENDAR\n") { $0.continues = true }[0].session)
        }
        #expect(throws: APIError.self) { try take("") { $0.session = ids[0] } }
        #expect(try take("") { $0.session = ids[1] }.count == 1)
    }

    @Test("a caller that takes several replies gets many items in several")
    func streams() throws {
        let count = Importer.batch * 2 + 1
        let text = "BEGIN:VCALENDAR\n" + (1...count).map(Self.todo).joined()
        #expect(try take(text).map(\.items.count) == [count])
        #expect(
            try take(text, streams: true).map(\.items.count) == [Importer.batch, Importer.batch, 1])
    }

    @Test("what is left out of an item is said with it, what is refused apart")
    func problems() throws {
        let text =
            "BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:a\nRRULE:FREQ=DAILY\nEND:VTODO\nBEGIN:VTODO\nUID:b\n"
            + "DUE:never\nEND:VTODO\n"
        let reply = try take(text)[0]
        #expect(reply.items.map(\.uid) == ["a"])
        #expect(reply.items[0].notes.count == 1)
        #expect(reply.problems.map(\.uid) == ["b"])
        #expect(reply.problems.map(\.refused) == [true])
    }

    @Test("wrong calls are refused")
    func wrong() throws {
        let changes: [(inout Import.Parameters) -> Void] = [
            { $0.base64 = "!" }, { $0.base64 = nil }, { $0.data = "x" },
            { ($0.dryRun, $0.now) = (false, "2024-05-01T00:00:00Z") },
            { $0.count = 0 }, { $0.count = Engine.importedRingsLimit + 1 }, { $0.now = "today" },
            { $0.timeZone = "Europe/Berln" }, { $0.session = "nothing" },
        ]
        for change in changes {
            #expect(throws: APIError.self) { try take("x", change) }
        }
    }

    @Test(
        "a file that the disk cannot give back is taken back whole, and the next one comes in",
        arguments: ["read slower than stored", "stored slower than read"])
    func fileThatCannotBeReadWhileItIsStored(kind: String) throws {
        let text =
            kind == "stored slower than read"
            ? (1...9000).map(Self.todo).joined()
            : Self.todo(0) + String(repeating: "X-NOTHING:nothing at all\n", count: 50_000)
        try #require(text.utf8.count > 6 * ImportJob.chunk)
        let id = try #require(
            try world.imports("BEGIN:VCALENDAR\n" + text, importer) { $0.continues = true }[0]
                .session)
        try cutSpool(to: 5 * ImportJob.chunk)
        #expect(throws: APIError.self) { try world.imports("", importer) { $0.session = id } }
        _ = try world.imports("BEGIN:VCALENDAR\n" + Self.todo(-1), importer)
        #expect(try world.all().map(\.title) == ["Tea -1"])
    }

    /// The file without a name in which what has come waits.
    private func cutSpool(to bytes: Int) throws {
        let spools = (0..<1024).map { "/proc/self/fd/\($0)" }.filter { path in
            var name = [CChar](repeating: 0, count: Int(PATH_MAX))
            let count = readlink(path, &name, name.count)
            let bytes = name.prefix(max(count, 0)).map(UInt8.init(bitPattern:))
            let target = String(decoding: bytes, as: UTF8.self)
            return target.hasPrefix(world.folder) && target.contains(".remindd-import-")
        }
        try #require(spools.count == 1)
        try #require(truncate(spools[0], off_t(bytes)) == 0)
    }
}
