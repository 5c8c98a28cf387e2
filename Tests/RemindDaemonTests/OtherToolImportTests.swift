import Foundation
import RemindAPI
import RemindCore
import Testing

@testable import RemindDaemon

/// A program of the system with a folder of its own.
private struct Tool {
    let folder: TemporaryFolder
    let variables: [String: String]

    /// - Returns: what it printed.
    @discardableResult
    func run(_ program: String, _ arguments: String...) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [program] + arguments
        process.environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        return String(decoding: data, as: UTF8.self)
    }
}

@Suite("Files of other tools that come over the socket")
struct OtherToolImportTests {
    private let world: World

    init() throws { world = try World() }

    private func counts(_ reply: Import.Reply?) -> [Int?] {
        [reply?.added, reply?.changed, reply?.unchanged]
    }

    private func take(_ text: String, format: String, list: String? = nil) throws -> Import.Reply? {
        try world.imports(text) { ($0.format, $0.list, $0.details) = (format, list, true) }.last
    }

    @Test("what task export prints comes in, and a second time changes nothing")
    func taskwarrior() throws {
        let folder = try TemporaryFolder()
        let data = folder.path + "/data"
        try folder.write("taskrc", "data.location=\(data)\nconfirmation=off\nhooks=off\n")
        defer { try? FileManager.default.removeItem(atPath: data) }
        try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
        let variables = ["TASKRC": folder.path + "/taskrc", "TZ": "Europe/Berlin"]
        let task = Tool(folder: folder, variables: variables)
        try task.run(
            "task", "add", "due:2030-05-01T09:00", "project:home", "+bills", "priority:H",
            "scheduled:2030-04-30T09:00", "Pay \"rent\" — ä")
        try task.run("task", "1", "annotate", "by bus")
        try task.run("task", "add", "due:2030-05-31", "recur:monthly", "Bins")
        try task.run("task", "add", "gone")
        try task.run("task", "3", "delete")
        try task.run("task", "list")
        let reply = try take(try task.run("task", "export"), format: "taskwarrior")
        #expect(counts(reply) == [2, 0, 0])
        #expect(reply?.problems.map(\.refused) == [false])
        let all = try world.all()
        let rent = try #require(all.first { $0.title == "Pay \"rent\" — ä" })
        #expect(rent.deadline == .absolute(try #require(Instant(rfc3339: "2030-05-01T07:00:00Z"))))
        #expect((rent.list, rent.tags, rent.priority) == ("home", ["bills"], .high))
        #expect(rent.note?.hasSuffix(" by bus") == true)
        #expect(rent.before == [CalendarDuration(seconds: 86_400)])
        let bins = try #require(all.first { $0.title == "Bins" })
        #expect(bins.deadline == .date(try #require(CivilDate(iso8601: "2030-05-31"))))
        #expect(
            bins.recurrence?.rule.rrule.hasPrefix("FREQ=MONTHLY;BYMONTHDAY=28,29,30,31") == true)
        let again = try take(try task.run("task", "export"), format: "taskwarrior")
        #expect(counts(again) == [0, 0, 2])
        try task.run("task", "1", "modify", "Pay less")
        let later = try take(try task.run("task", "export"), format: "taskwarrior")
        #expect(counts(later) == [0, 1, 1])
        #expect(try world.all().contains { $0.title == "Pay less" })
    }

    @Test("what calcurse keeps in its folder comes in with its notes")
    func calcurse() throws {
        let folder = try TemporaryFolder()
        let data = folder.path + "/data"
        defer { try? FileManager.default.removeItem(atPath: data) }
        try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
        try folder.write(
            "in.ics",
            "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:x\nBEGIN:VEVENT\nSUMMARY:Dentist\n"
                + "DTSTART:20300501T090000\nDTEND:20300501T100000\nDESCRIPTION:Bring it\n"
                + "RRULE:FREQ=WEEKLY;COUNT=4\nEND:VEVENT\nBEGIN:VTODO\nSUMMARY:Milk\nPRIORITY:1\n"
                + "END:VTODO\nEND:VCALENDAR\n")
        let calcurse = Tool(folder: folder, variables: ["HOME": folder.path])
        try calcurse.run(
            "calcurse", "-D", data, "-C", data, "-i", folder.path + "/in.ics")
        let notes = try FileManager.default.contentsOfDirectory(atPath: data + "/notes")
        let importer = Importer()
        var session: String?
        var reply: Import.Reply?
        for name in notes.map({ "notes/" + $0 }) + ["apts", "todo"] {
            let text = try String(contentsOfFile: data + "/" + name, encoding: .utf8)
            reply = try world.imports(text, importer) { [session] in
                ($0.format, $0.session) = ("calcurse", session)
                ($0.file, $0.continues) = (name, name != "todo")
            }.last
            session = reply?.session
        }
        #expect(counts(reply) == [2, 0, 0])
        let all = try world.all()
        let dentist = try #require(all.first { $0.title == "Dentist" })
        #expect(dentist.note == "Bring it")
        #expect(dentist.recurrence?.rule.rrule == "FREQ=WEEKLY;UNTIL=20300522T235959")
        #expect(all.first { $0.title == "Milk" }?.priority == .high)
    }

    @Test("with a list, the project is a tag")
    func list() throws {
        let reply = try take(
            "Tea +home @kitchen due:2024-05-02\n", format: "todo.txt", list: "work")
        #expect(counts(reply) == [1, 0, 0])
        let tea = try #require(try world.all().first)
        #expect((tea.list, tea.tags) == ("work", ["home", "kitchen"]))
        #expect(try world.exports().contains("SUMMARY:Tea"))
    }

    @Test("a dry run shows the rings and stores nothing")
    func dryRun() throws {
        let reply = try world.imports("Tea due:2024-05-02T09:00 rec:+1d\n") {
            ($0.format, $0.dryRun, $0.count) = ("todo.txt", true, 2)
        }[0]
        #expect(
            reply.items.first?.rings == ["2024-05-02T09:00:00+02:00", "2024-05-03T09:00:00+02:00"])
        #expect(try world.all().isEmpty)
    }

    @Test(
        "what is no JSON is refused with its line and the rest comes in",
        arguments: [
            #"nonsense"#, #"{"uuid":"x","description":"cut"#, #"{"uuid":7,"description":"x"}"#,
            #"{"uuid":"x","tags":[}"#, #"{"uuid":"x","description":"y"}}"#,
        ])
    func broken(line: String) throws {
        let good = #"{"uuid":"a","description":"Tea","status":"pending"}"#
        let reply = try take("[\n\(line)\n\(good)\n]", format: "taskwarrior")
        #expect(reply?.outcomes?.map(\.line).last == 3)
        #expect(reply?.problems.map(\.refused) == [true])
        #expect(reply?.problems.map(\.line) == [2])
    }

    @Test("JSON that is set out over many lines is read too")
    func pretty() throws {
        let text = "[\n  {\n    \"uuid\": \"a\",\n    \"description\": \"T{e}[a]\\\"\"\n  }\n]\n"
        let reply = try take(text, format: "taskwarrior")
        #expect(counts(reply) == [1, 0, 0])
        #expect(try world.all().map(\.title) == ["T{e}[a]\""])
    }

    @Test("a format that is not read is refused")
    func format() throws {
        #expect(throws: APIError.self) { try take("x", format: "org") }
        #expect(try take("x", format: "ics")?.problems.map(\.refused) == [true])
    }
}
