import Glibc
import RemindCore
import Testing
import Varlink

@testable import RemindAPI

@Suite("The interface's text and its Swift types agree")
struct AgreementTests {
    private let text: InterfaceText

    init() throws { text = try InterfaceText(RemindersInterface.description) }

    private func fields(of method: String) -> [String] {
        guard case .structure(let fields) = text.methods[method] else { return [] }
        return fields.keys.sorted()
    }

    private func expect<Keys: CodingKey & CaseIterable>(_ method: String, has keys: Keys.Type) {
        #expect(fields(of: method) == Keys.allCases.map(\.stringValue).sorted(), "\(method)")
    }

    @Test("Every method has its parameters in the text")
    func parameters() {
        expect(Add.name, has: Add.Parameters.CodingKeys.self)
        expect(List.name, has: List.Parameters.CodingKeys.self)
        expect(Edit.name, has: Edit.Parameters.CodingKeys.self)
        expect(When.name, has: When.Parameters.CodingKeys.self)
        expect(Doctor.name, has: Doctor.Parameters.CodingKeys.self)
        expect(Pause.name, has: Pause.Parameters.CodingKeys.self)
        expect(Log.name, has: Log.Parameters.CodingKeys.self)
        expect(Done.name, has: Done.Parameters.CodingKeys.self)
        expect(Snooze.name, has: Snooze.Parameters.CodingKeys.self)
        expect(Next.name, has: Next.Parameters.CodingKeys.self)
        expect(Import.name, has: Import.Parameters.CodingKeys.self)
        expect(Export.name, has: Export.Parameters.CodingKeys.self)
        expect(Search.name, has: Search.Parameters.CodingKeys.self)
        expect(Changes.name, has: Changes.Parameters.CodingKeys.self)
        for name in [Reopen.name, Remove.name, Dismiss.name] {
            expect(name, has: ChangeParameters.CodingKeys.self)
        }
        for name in [Show.name, Explain.name] {
            expect(name, has: ReferenceParameters.CodingKeys.self)
        }
        #expect(fields(of: Watch.name).isEmpty)
        #expect(fields(of: Status.name).isEmpty)
    }

    @Test("Every error is in the text")
    func errors() {
        for kind in APIError.Kind.allCases { #expect(text.errors.contains(kind.rawValue)) }
    }
}

@Suite("JSON is written")
struct JSONWriterTests {
    private func written(_ body: (inout JSONWriter) -> Void) -> String {
        var json = JSONWriter()
        body(&json)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    @Test(
        "A string is escaped",
        arguments: [
            ("a\"b\\c", #""a\"b\\c""#), ("\n\t\u{0}\u{1F}", #""\n\t\u0000\u001f""#),
            ("é日本\u{1F600}", "\"é日本\u{1F600}\""),
            // Programs that read line by line would end the line there.
            ("a\u{2028}b\u{2029}\u{2027}\u{202A}", "\"a\\u2028b\\u2029\u{2027}\u{202A}\""),
        ])
    func strings(text: String, expected: String) {
        #expect(written { $0.string(text) } == expected)
    }

    @Test("Objects and arrays have their commas where they belong")
    func structure() {
        let text = written { json in
            json.object { json in
                json.field("a", Int64(1))
                json.field("b", [])
                json.field("c", ["x", "y"])
                json.key("d")
                json.array { json in for _ in 0..<2 { json.object { $0.field("e", String?.none) } }
                }
                json.field("f", true)
            }
        }
        #expect(text == #"{"a":1,"b":[],"c":["x","y"],"d":[{"e":null},{"e":null}],"f":true}"#)
    }

    @Test("A reminder is written with every field, in its order, and reads back")
    func reminder() throws {
        let zones = FixedZones(local: FixedZone(identifier: "Test/Zone", seconds: 7200))
        var reminder = Reminder(
            id: UUIDv7(high: 0x0190_f0c2_0000_7000, low: 0x8000_0000_0000_0001),
            title: "Pay \"rent\"",
            created: Instant(seconds: 1_714_552_200))
        (reminder.number, reminder.tags) = (7, ["home"])
        reminder.deadline = CivilDateTime(iso8601: "2030-05-01T09:00:00").map(Deadline.floating)
        reminder.before = [CalendarDuration(seconds: 900)]
        var json = JSONWriter()
        ReminderWriter(zones: zones).write(reminder, to: &json)
        let expected = """
            {"number":7,"id":"0190f0c2-0000-7000-8000-000000000001","title":"Pay \\"rent\\"",\
            "note":null,"list":"inbox","tags":["home"],"priority":"normal","state":"open",\
            "due":"2030-05-01T09:00:00+02:00","dateOnly":false,"timeZone":null,"rule":null,\
            "before":["PT15M"],"nag":null,"alarm":"none","nextRing":null,"rings":0,\
            "created":"2024-05-01T10:30:00+02:00","modified":"2024-05-01T10:30:00+02:00",\
            "completed":null}
            """
        #expect(String(decoding: json.bytes, as: UTF8.self) == expected)
        let record = try JSON.decode(ReminderRecord.self, from: json.bytes)
        #expect(record.number == 7)
        #expect(record.before == ["PT15M"])
    }
}

/// A zone database with one zone.
struct FixedZones: ZoneDatabase {
    let local: FixedZone

    func zone(named name: String) throws(UnknownZone) -> FixedZone {
        throw UnknownZone(name: name, suggestions: [])
    }
}

@Suite("Base64")
struct Base64Tests {
    @Test(
        "RFC 4648 section 10",
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
        ])
    func vectors(text: String, encoded: String) {
        #expect(Base64.encoded(Array(text.utf8)) == encoded)
        #expect(Base64.decoded(encoded) == Array(text.utf8))
    }

    @Test("Every byte comes back")
    func bytes() {
        let bytes = Array(UInt8.min...UInt8.max)
        #expect(Base64.decoded(Base64.encoded(bytes)) == bytes)
    }

    @Test("What is not Base64 is refused", arguments: ["a", "Zg=!", "Zm9v\n", "====", "Z=g="])
    func refused(text: String) {
        #expect(Base64.decoded(text) == nil)
    }
}

@Suite("The socket's place")
struct SocketLocationTests {
    private static func folder(mode: mode_t) -> String {
        var template = Array("/tmp/remindd-test-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { return "" }
        let path = String(
            decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        chmod(path, mode)
        return path
    }

    @Test("The option wins over the variables, and REMINDD_SOCKET over the runtime directory")
    func order() throws {
        let folder = Self.folder(mode: 0o700)
        defer { rmdir(folder) }
        let variables = ["REMINDD_SOCKET": "/b", "XDG_RUNTIME_DIR": folder]
        #expect(try SocketLocation(option: "/a") { variables[$0] }.path == "/a")
        #expect(try SocketLocation(option: nil) { variables[$0] }.path == "/b")
        let runtime = try SocketLocation(option: nil) { $0 == "XDG_RUNTIME_DIR" ? folder : nil }
        #expect(runtime.path == folder + "/remindd.sock")
    }

    @Test(
        "A runtime directory that others can enter is refused",
        arguments: [0o711, 0o755, 0o777] as [mode_t])
    func open(mode: mode_t) {
        let folder = Self.folder(mode: mode)
        defer { rmdir(folder) }
        let error = #expect(throws: SocketLocation.Failure.self) {
            try SocketLocation(option: nil) { $0 == "XDG_RUNTIME_DIR" ? folder : nil }
        }
        #expect(error?.message.contains(folder) == true)
    }

    @Test(
        "Without a runtime directory there is no place",
        arguments: [nil, "", "relative", "/nonexistent"])
    func missing(value: String?) {
        #expect(throws: SocketLocation.Failure.self) {
            try SocketLocation(option: nil) { $0 == "XDG_RUNTIME_DIR" ? value : nil }
        }
    }
}
