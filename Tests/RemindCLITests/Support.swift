import Glibc
import RemindAPI
import RemindCore
import Testing
import Varlink

@testable import RemindCLI

/// Mon 2 March 2026, 10:00 in Berlin.
let testNow = Instant(rfc3339: "2026-03-02T10:00:00+01:00") ?? .earliest

/// A reminder's object as the daemon writes it.
func reminderJSON(
    _ number: Int64, _ title: String, due: String? = nil, dateOnly: Bool = false,
    timeZone: String? = nil, rule: String? = nil, tags: [String] = [],
    priority: Priority = .normal, state: Reminder.State = .open, alarm: Alarm.State = .pending,
    note: String? = nil, nextRing: String? = nil
) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
        json.field("number", number)
        json.field("id", "0190f0c2-0000-7000-8000-00000000000\(number % 10)")
        json.field("title", title)
        json.field("note", note)
        json.field("list", "inbox")
        json.field("tags", tags)
        json.field("priority", priority.rawValue)
        json.field("state", state.rawValue)
        json.field("due", due)
        json.field("dateOnly", dateOnly)
        json.field("timeZone", timeZone)
        json.field("rule", rule)
        json.field("before", [String]())
        json.field("nag", String?.none)
        json.field("alarm", alarm.rawValue)
        json.field("nextRing", nextRing)
        json.field("rings", Int64(0))
        json.field("created", "2026-03-01T09:00:00+01:00")
        json.field("modified", "2026-03-01T09:00:00+01:00")
        json.field("completed", state == .done ? "2026-03-01T12:00:00+01:00" : nil)
    }
    return json.bytes
}

func record(_ json: [UInt8]) throws -> ReminderRecord {
    var reader = JSONReader(json)
    return try ReminderRecord(reading: &reader)
}

/// A reply with one array of objects.
func reply(_ field: String, _ objects: [[UInt8]], more: String = "") -> [UInt8] {
    Array("{\"\(field)\":[".utf8) + objects.joined(separator: ",".utf8) + Array("]\(more)}".utf8)
}

/// What a run of the program left behind.
struct Run {
    var exit: RemindAPI.ExitStatus
    var out: String
    var err: String
}

/// Runs the program in this process with files for its streams.
func remindctl(
    _ words: [[UInt8]], variables: [String: String] = [:], terminal: Terminal? = nil,
    input: String = "", canAsk: Bool = false, now: Instant = testNow
) throws -> Run {
    let (output, errors, stdin) = (try TestFile(), try TestFile(), try TestFile(input))
    var surroundings = Surroundings(
        environment: { variables[$0] }, terminal: terminal,
        inputDescriptor: stdin.fd, canAsk: canAsk, now: { now })
    (surroundings.restartAttempts, surroundings.busyAttempts) = (0, 0)
    surroundings.systemctl = { _ in variables["SYSTEMCTL"] ?? "enabled" }
    let exit = Program.run(
        words, in: surroundings, output: Output(fd: output.fd), errors: Output(fd: errors.fd))
    return Run(exit: exit, out: output.text, err: errors.text)
}

func remindctl(
    _ words: [String], variables: [String: String] = [:], terminal: Terminal? = nil,
    input: String = "", canAsk: Bool = false, now: Instant = testNow
) throws -> Run {
    try remindctl(
        words.map { Array($0.utf8) }, variables: variables, terminal: terminal, input: input,
        canAsk: canAsk, now: now)
}

/// A file without a name that a program can write to or read from.
final class TestFile {
    let fd: Int32

    init(_ text: String = "") throws {
        var template = Array("/tmp/remindctl-XXXXXX".utf8CString)
        fd = mkstemp(&template)
        try #require(fd >= 0)
        unlink(template)
        if !text.isEmpty {
            #expect(write(fd, Array(text.utf8), text.utf8.count) == text.utf8.count)
            lseek(fd, 0, SEEK_SET)
        }
    }

    deinit { close(fd) }

    var text: String {
        lseek(fd, 0, SEEK_SET)
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4096)
        while case let count = read(fd, &piece, piece.count), count > 0 { bytes += piece[..<count] }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// A folder of mode 0700 that goes away with the value.
final class TestFolder: Sendable {
    let path: String

    init() throws {
        var template = Array("/tmp/remindctl-XXXXXX".utf8CString)
        try #require(mkdtemp(&template) != nil)
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        unlink(path + "/remindd.sock")
        rmdir(path)
    }
}

/// Words as a shell takes a line apart: blanks, and double quotes that keep them.
func shellWords(_ line: String) -> [String] {
    var (words, word, quoted) = ([String](), "", false)
    for character in line {
        if character == "\"" {
            quoted.toggle()
        } else if character == " ", !quoted {
            words.append(word)
            word = ""
        } else {
            word.append(character)
        }
    }
    return words + [word]
}
