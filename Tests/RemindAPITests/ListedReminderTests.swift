import RemindCore
import Testing

@testable import RemindAPI

@Suite("A row of a list, read")
struct ListedReminderTests {
    /// As the daemon writes it.
    private static let fields = [
        #""number":7"#, #""id":"0190f0c2-0000-7000-8000-000000000000""#, #""title":"Pay \"it\"""#,
        #""note":"One\nTwo""#, #""list":"inbox""#, #""tags":["a","b"]"#, #""priority":"high""#,
        #""state":"done""#, #""due":"2030-05-01T09:00:00+02:00""#, #""dateOnly":false"#,
        #""timeZone":"Europe/Berlin""#, #""rule":"FREQ=DAILY""#, #""before":["PT15M"]"#,
        #""nag":"PT5M""#, #""alarm":"snoozed""#, #""nextRing":"2030-05-01T08:45:00+02:00""#,
        #""rings":2"#, #""created":"2024-05-01T09:00:00+02:00""#,
        #""modified":"2024-05-01T09:00:00+02:00""#, #""completed":null"#,
    ]

    static let forms: [String] = [
        "{" + fields.joined(separator: ",") + "}",
        "{ " + fields.joined(separator: " ,\n ") + " }",
        "{" + fields.reversed().joined(separator: ",") + "}",
        "{" + (fields + [#""later":{"a":[1]}"#]).joined(separator: ",") + "}",
        "{" + ([#""later":1"#] + fields).joined(separator: ",") + "}",
    ]

    /// Reads the one of a reply.
    static func read(
        _ form: String, as field: String = "reminders", _ body: (ListedReminder) -> Void
    ) throws(JSONReader.Fault) {
        var count = 0
        let isWhole = try ListedReminder.each(in: Array("{\"\(field)\":[\(form)]}".utf8)) { row in
            count += 1
            body(row)
        }
        #expect(isWhole)
        #expect(count == 1)
    }

    @Test(
        "It is the same in any order, with blanks, and with fields of a later version",
        arguments: forms)
    func anyForm(_ form: String) throws {
        try Self.read(form) { row in
            #expect(row.number == 7)
            #expect(row.title.string == #"Pay "it""#)
            #expect(row.notePreview == "One…")
            #expect(row.tags.strings == ["a", "b"])
            #expect(row.priority == .high)
            #expect(row.state == .done)
            #expect(row.alarm == .snoozed)
            #expect(row.due.string == "2030-05-01T09:00:00+02:00")
            #expect(row.timeZone.string == "Europe/Berlin")
            #expect(row.rule.string == "FREQ=DAILY")
            #expect(row.offset == 7200)
        }
    }

    @Test("A plain one has none of these")
    func plain() throws {
        let form = #"""
            {"number":1,"id":"x","title":"Tea","note":null,"list":"inbox","tags":[],"priority":"normal",\#
            "state":"open","due":"2030-05-01","dateOnly":true,"timeZone":null,"rule":null,"before":[],\#
            "nag":null,"alarm":"none","nextRing":null,"rings":0,"created":"c","modified":"m",\#
            "completed":null}
            """#
        try Self.read(form) { row in
            #expect(row.number == 1)
            #expect(row.due.string == "2030-05-01")
            #expect(row.timeZone.isEmpty && row.rule.isEmpty && row.tags.strings.isEmpty)
            #expect(row.notePreview == "")
        }
    }

    @Test("The beginning of a note is read, as much as is shown")
    func preview() throws {
        let notes = [
            (String(repeating: "n", count: 300), String(repeating: "n", count: 64)),
            (String(repeating: "n", count: 64), String(repeating: "n", count: 64)),
            (String(repeating: "n", count: 63) + #"\nm"#, String(repeating: "n", count: 63) + "…"),
            (#"n\n"#, "n"), (#"\r\n"#, "…"), ("", ""),
            (String(repeating: "é", count: 300), String(repeating: "é", count: 100)),
        ]
        for (note, preview) in notes {
            try Self.read(#"{"number":7,"note":"\#(note)"}"#) { #expect($0.notePreview == preview) }
        }
    }

    @Test(
        "A field of another type is refused",
        arguments: [
            #"{"number":"7"}"#, #"{"number":7,"id":"x","title":null}"#, #"{"id":"x"}"#,
            #"{"number":7,"id":"x","title":"t","note":null,"list":"l","tags":[],"priority":"huge"}"#,
            #"{"number":7,"title":"\q"}"#, #"{"number":7,"title":"t","tags":["a",1]}"#,
        ])
    func wrong(_ form: String) {
        #expect(throws: JSONReader.Fault.self) { try Self.read(form) { _ in } }
        #expect(throws: JSONReader.Fault.self) { try Self.read(form, as: "lines") { _ in } }
    }
}

@Suite("A line of a list")
struct ListLineTests {
    private static func reminder(_ change: (inout Reminder) -> Void) -> Reminder {
        var reminder = Reminder(
            id: UUIDv7(high: 0x0190_f0c2_0000_7000, low: 0x8000_0000_0000_0001), title: "Tea",
            created: Instant(seconds: 1_714_552_200))
        reminder.number = 7
        change(&reminder)
        return reminder
    }

    private static func line(_ reminder: Reminder) -> String {
        var json = JSONWriter()
        let zone = FixedZone(identifier: "Test/Zone", seconds: -9_015)
        ReminderWriter(zones: FixedZones(local: zone)).writeLine(of: reminder, to: &json)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    @Test("It has what a list shows, and nothing that has no value")
    func written() {
        let full = Self.reminder { reminder in
            (reminder.tags, reminder.priority, reminder.state) = (["a", "b"], .low, .done)
            reminder.deadline = CivilDate(iso8601: "2030-05-01").map(Deadline.date)
            reminder.note = "One\nTwo"
        }
        #expect(
            Self.line(full) == #"""
                {"number":7,"title":"Tea","note":"One…","tags":["a","b"],"priority":"low",\#
                "state":"done","due":"2030-05-01","alarm":"none","offset":-9000}
                """#)
        #expect(
            Self.line(Self.reminder { _ in }) == #"""
                {"number":7,"title":"Tea","tags":[],"priority":"normal","state":"open",\#
                "alarm":"none"}
                """#)
    }

    @Test("It is read as any JSON is")
    func readBack() throws {
        let form = #"""
            {"number":7,"title":"Tea","note":"One…","tags":["a","b"],"priority":"high",\#
            "state":"done","due":"2030-05-01","timeZone":"Europe/Berlin","rule":"FREQ=DAILY",\#
            "alarm":"ringing","offset":-9000}
            """#
        var plain = PlainLine(UnsafeBufferPointer(start: nil, count: 0), at: 0)
        #expect(plain.read() == nil)
        let bytes = Array(form.utf8)
        let end = bytes.withUnsafeBufferPointer { bytes in
            plain = PlainLine(bytes, at: 0)
            return plain.read() == nil ? nil : plain.place
        }
        #expect(end == bytes.count)
        for form in [
            form, form.replacing("{", with: "{ "), form.replacing("Tea", with: #"\u0054ea"#),
        ] {
            try ListedReminderTests.read(form, as: "lines") { row in
                #expect(row.number == 7)
                #expect(row.title.string == "Tea")
                #expect(row.notePreview == "One…")
                #expect(row.tags.strings == ["a", "b"])
                #expect((row.priority, row.state, row.alarm) == (.high, .done, .ringing))
                #expect(row.due.string == "2030-05-01")
                #expect(row.timeZone.string == "Europe/Berlin")
                #expect(row.rule.string == "FREQ=DAILY")
                #expect(row.offset == -9000)
            }
        }
    }

    @Test("A cut one is not read as a line, wherever it is cut")
    func cut() {
        let form = #"""
            {"number":7,"title":"Tea","note":"One","tags":["a"],"priority":"normal","state":"open",\#
            "due":"2030-05-01","alarm":"none","offset":3600}
            """#
        let bytes = Array(form.utf8)
        for count in 0..<bytes.count {
            let isRead = Array(bytes[..<count]).withUnsafeBufferPointer { bytes in
                var line = PlainLine(bytes, at: 0)
                return line.read() != nil
            }
            #expect(!isRead, "\(count)")
        }
    }
}

@Suite("The objects of a reply")
struct ReminderObjectsTests {
    private static func objects(_ reply: String) -> [String]? {
        var objects: [String] = []
        let isSo = ReminderObjects.each(in: Array(reply.utf8)) { bytes in
            objects.append(String(decoding: bytes, as: UTF8.self))
        }
        return isSo ? objects : nil
    }

    @Test("Each is given as it came, whatever its texts hold")
    func each() {
        let objects = [
            #"{"number":1,"title":"},{\"number\":2}","tags":[]}"#, #"{"number":2,"note":"x},{"}"#,
            #"{"number":3,"note":"]}","list":"{"}"#,
            #"{"number":4,"title":"\\","list":"{number:"}"#,
            #"{"number":5,"title":"\"},{"}"#,
        ]
        for count in 1...objects.count {
            let some = Array(objects.prefix(count))
            #expect(Self.objects(#"{"reminders":[\#(some.joined(separator: ","))]}"#) == some)
        }
    }

    @Test(
        "What our daemon does not write is left to others",
        arguments: [
            #"{"reminders":[]}"#, #"{"reminders": [{"number":1}]}"#, #"{"reminders":[{"id":1}]}"#,
            #"{"reminders":[{"number":1}],"removed":[{"number":2}]}"#,
            #"{"reminders":[{"number":1}],"removed":[]}"#, #"{"reminders":[{"number":1}] }"#,
            #"{"reminders":[{"number":1,"of":[{"number":2},{"number":3}]}]}"#, "{}", "",
            #"{"reminders":[{"number":1"#, #"{"reminders":[{"number":"#,
        ])
    func others(_ reply: String) {
        #expect(Self.objects(reply) == nil)
    }
}
