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

    @Test(
        "It is the same in any order, with blanks, and with fields of a later version",
        arguments: forms)
    func anyForm(_ form: String) throws {
        var json = JSONReader(Array(form.utf8))
        let row = try ListedReminder(reading: &json)
        #expect(row.number == 7)
        #expect(row.title == #"Pay "it""#)
        #expect(row.notePreview == "One…")
        #expect(try row.tags() == ["a", "b"])
        #expect(row.priority == .high)
        #expect(row.state == .done)
        #expect(row.alarm == .snoozed)
        #expect(row.due == "2030-05-01T09:00:00+02:00")
        #expect(row.timeZone == "Europe/Berlin")
        #expect(row.rule == "FREQ=DAILY")
        #expect(row.offset == 7200)
        #expect(json.place == form.utf8.count)
    }

    @Test("A plain one has none of these")
    func plain() throws {
        let form = #"""
            {"number":1,"id":"x","title":"Tea","note":null,"list":"inbox","tags":[],"priority":"normal",\#
            "state":"open","due":"2030-05-01","dateOnly":true,"timeZone":null,"rule":null,"before":[],\#
            "nag":null,"alarm":"none","nextRing":null,"rings":0,"created":"c","modified":"m",\#
            "completed":null}
            """#
        var json = JSONReader(Array(form.utf8))
        let row = try ListedReminder(reading: &json)
        #expect(row.number == 1)
        #expect(row.due == "2030-05-01")
        #expect((row.timeZone, row.rule) == (nil, nil))
        #expect(try row.tags() == [])
        #expect(row.notePreview == "")
    }

    @Test("The beginning of a note is read, as much as is shown")
    func preview() throws {
        let notes = [
            (String(repeating: "n", count: 300), String(repeating: "n", count: 64)),
            (String(repeating: "n", count: 64), String(repeating: "n", count: 64)),
            (String(repeating: "n", count: 63) + #"\nm"#, String(repeating: "n", count: 63) + "…"),
            (String(repeating: "é", count: 300), String(repeating: "é", count: 100)),
        ]
        for (note, preview) in notes {
            var json = JSONReader(Array(#"{"number":7,"note":"\#(note)"}"#.utf8))
            #expect(try ListedReminder(reading: &json).notePreview == preview)
        }
    }

    @Test(
        "A field of another type is refused",
        arguments: [
            #"{"number":"7"}"#, #"{"number":7,"id":"x","title":null}"#, #"{"id":"x"}"#,
            #"{"number":7,"id":"x","title":"t","note":null,"list":"l","tags":[],"priority":"huge"}"#,
        ])
    func wrong(_ form: String) {
        #expect(throws: JSONReader.Fault.self) {
            var json = JSONReader(Array(form.utf8))
            _ = try ListedReminder(reading: &json)
        }
    }
}
