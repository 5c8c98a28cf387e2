import RemindAPI
import RemindCore
import Testing

@testable import RemindCLI

/// A table is the same of lines, which the daemon sends for it, and of whole reminders.
@Suite struct ListLinesTests {
    private static let dues: [String?] = [
        nil, "2026-03-02T09:00:00+01:00", "2026-03-02T09:00:01+01:00", "2026-03-02T10:00:00+01:00",
        "2026-03-02T23:59:59+01:00", "2026-03-02T23:59:59+00:00", "2026-03-03T00:00:00+01:00",
        "2026-03-03T00:00:00Z", "2026-03-03T00:00:00.5+01:00", "2026-03-07T12:00:00+01:00",
        "2026-03-09T12:00:00+01:00", "2026-03-09T13:30:00+01:00", "2026-03-01T00:00:00-11:00",
        "2024-02-29T08:00:00+01:00", "2026-03-02", "2026-03-03", "2030-05-01", "soon",
        "2026-03-02T24:00:00+01:00", "2026-03-02T09:60:00+01:00", "9999-12-31T23:59:59+01:00",
    ]
    private static let titles = [
        "Tea", "買い物リスト", "cafe\u{301} 👩‍👩‍👧", "שלום", "a\"b\\c", "\u{1B}[2J", "é", "",
        String(repeating: "A long title. ", count: 12), "tab\tand\u{7F}",
    ]
    private static let notes: [String?] = [
        nil, "Short", "One\nTwo", String(repeating: "n", count: 40),
        String(repeating: "n", count: 41), String(repeating: "n", count: 39) + "é",
        String(repeating: "n", count: 40) + "\nm", String(repeating: "買", count: 60), "\"q\"",
        String(repeating: "n", count: 300),
    ]

    private struct Task {
        let number: Int64
        let title: String
        let due: String?
        let note: String?
        var zone: String? { number % 5 == 0 ? "Europe/Paris" : nil }
        var rule: String? { number % 7 == 0 ? "FREQ=WEEKLY;BYDAY=MO" : nil }
        var tags: [String] { number % 3 == 0 ? ["home", "ä"] : number % 4 == 0 ? ["one"] : [] }
        var priority: Priority { [.normal, .high, .low][Int(number % 3)] }
        var state: Reminder.State { number % 11 == 0 ? .done : .open }
        var alarm: Alarm.State { [.pending, .none, .ringing, .snoozed][Int(number % 4)] }
        var isDate: Bool { due?.utf8.count == 10 }

        var whole: [UInt8] {
            reminderJSON(
                number, title, due: due, dateOnly: isDate, timeZone: zone, rule: rule, tags: tags,
                priority: priority, state: state, alarm: alarm, note: note)
        }

        var line: [UInt8] {
            var json = JSONWriter()
            json.object { json in
                json.field("number", number)
                json.field("title", title)
                if var note { json.field("note", note.withUTF8 { NotePreview($0).text }) }
                json.field("tags", tags)
                json.field("priority", priority.rawValue)
                json.field("state", state.rawValue)
                if let due { json.field("due", due) }
                if let zone { json.field("timeZone", zone) }
                if let rule { json.field("rule", rule) }
                json.field("alarm", alarm.rawValue)
                if isDate { json.field("offset", Int64(3600)) }
            }
            return json.bytes
        }
    }

    private static let tasks: [Task] = (0..<420).map { place in
        Task(
            number: Int64(place * place + 1), title: titles[place % titles.count],
            due: dues[(place / 3) % dues.count], note: notes[(place / 2) % notes.count])
    }

    private static func rows(_ reply: [UInt8], locale: String?) throws -> ListRows {
        let surroundings = Surroundings(
            environment: { $0 == "LC_ALL" ? locale : nil }, terminal: nil, inputDescriptor: -1,
            now: { testNow })
        var rows = ListRows(now: testNow, style: Style(option: nil, in: surroundings))
        #expect(try rows.read(reply))
        return rows
    }

    @Test(arguments: [nil, 40, 80, 200], [nil, "C"])
    func tablesOfLinesAreThoseOfReminders(_ columns: Int?, _ locale: String?) throws {
        let whole = try Self.rows(
            reply("reminders", Self.tasks.map(\.whole)), locale: locale)
        let lines = try Self.rows(
            Array(#"{"reminders":[],"#.utf8) + reply("lines", Self.tasks.map(\.line)).dropFirst(),
            locale: locale)
        #expect(lines.count == Self.tasks.count)
        #expect(lines.nextChange == whole.nextChange)
        for color in ["never", "always"] {
            let text = try ListTableTests.text(lines, columns: columns, color: color)
            #expect(try text == ListTableTests.text(whole, columns: columns, color: color))
            if locale != nil { #expect(text.utf8.allSatisfy { $0 < 0x80 } || columns != nil) }
        }
    }

    /// Neighbours of the same day share its words.
    @Test func everyRowSaysWhenItIsDueAsItsOwnMomentDoes() throws {
        let rows = try Self.rows(reply("lines", Self.tasks.map(\.line)), locale: nil)
        for (task, row) in zip(Self.tasks, rows) {
            let moment = task.due.flatMap { Moment($0, dateOffset: 3600) }
            let words = moment.map { $0.words(now: testNow) + (task.zone.map { " \($0)" } ?? "") }
            #expect(rows.texts.text(row.when) == words ?? task.due ?? "")
            #expect(row.group == ListGroup(task.state, moment, now: testNow))
            #expect(row.isToday == (moment?.days(from: testNow) == 0))
            #expect(rows.texts.text(row.title) == task.title.singleLine)
            #expect(row.title.cells == task.title.singleLine.cells)
            #expect(row.title.isPlain == task.title.singleLine.isPlain)
        }
    }
}
