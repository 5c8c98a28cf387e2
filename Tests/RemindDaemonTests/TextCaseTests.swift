import Calendaring
import Foundation
import RemindAPI
import RemindCore
import Testing

@testable import Popups
@testable import RemindDaemon

/// From a calendar file to what the notification server gets.
@Suite("Texts of calendar files in pop-ups")
struct TextCaseTests {
    private let markup: Set<String> = ["body", "body-markup", "actions"]

    /// The items' titles and notes in a calendar file.
    private func texts(_ bytes: Data) -> [(title: String, note: String?)] {
        var reader = ICalendarReader(zones: SystemZones(environment: ["TZ": "UTC"]))
        var found: [(String, String?)] = []
        let take = { (output: ICalendarReader<SystemZones>.Output) in
            if case .item(let item) = output { found.append((item.summary, item.description)) }
        }
        reader.feed(Array(bytes)[...], take)
        reader.finish(take)
        return found
    }

    private func file(_ id: String) throws -> Data {
        let folder = URL(fileURLWithPath: #filePath).appendingPathComponent(
            "../../Cases/ics/handout")
        return try Data(contentsOf: folder.standardized.appendingPathComponent(id + ".ics"))
    }

    private func calendar(_ lines: String...) -> Data {
        let all =
            ["BEGIN:VCALENDAR", "VERSION:2.0", "BEGIN:VTODO", "UID:one"] + lines
            + ["END:VTODO", "END:VCALENDAR", ""]
        return Data(all.joined(separator: "\r\n").utf8)
    }

    /// What the server gets for the reminder that such an item becomes.
    private func fitted(_ text: (title: String, note: String?)) throws -> FittedPopup {
        let world = try World()
        try world.add("Stand-in", at: "11:00")
        try world.advance(to: "2024-05-01T11:00:00+02:00")
        var reminder = try world.reminder(1)
        (reminder.title, reminder.note) = (text.title, text.note)
        let popup = try world.isolated { [reminder] engine in
            RemindDaemon.PopupText(
                reminder: reminder, ring: try #require(reminder.alarm.ring),
                timetable: engine.timetable, settings: engine.settings
            ).popup
        }
        return Popups.PopupText.fit(popup, to: markup)
    }

    @Test(
        "A long note hid when it was due",
        arguments: ["Tea", String(repeating: "long ", count: 70)])
    func longNote(_ title: String) throws {
        let popup = try fitted((title, String(repeating: "<&", count: 5000)))
        #expect(popup.body.hasSuffix(";…\nDue 11:00"))
    }

    @Test("A time that its day does not have was told as no clock shows it")
    func springGap() throws {
        let world = try World(now: "2025-03-29T12:00:00+01:00")
        try world.add("Backup", at: "2025-03-30 02:30") { $0.every = "day" }
        try world.advance(to: "2025-03-30T03:30:00+02:00")
        #expect(world.popups.map(\.body) == ["Due 03:30"])
        try world.advance(to: "2025-03-31T02:30:00+02:00")
        #expect(world.popups.last?.body == "Due 02:30")
    }

    @Test("A-text-02: the summary is one line, and nothing of the title is lost")
    func text02() throws {
        let popup = try fitted(try #require(texts(try file("A-text-02")).first))
        #expect(popup.summary == "Call plumber ask about boiler")
    }

    @Test("A-text-03: the summary is valid UTF-8")
    func text03() throws {
        let popup = try fitted(try #require(texts(try file("A-text-03")).first))
        #expect(popup.summary == "Caf\u{FFFD} bill")
    }

    @Test("Line ends, commas and backslashes that the file escapes come out as they were meant")
    func escapes() throws {
        let data = calendar(
            "SUMMARY:Milk\\, eggs\\; and C:\\\\new\\Nthings",
            "DESCRIPTION:<b>one</b>\\ntwo \\& three")
        let popup = try fitted(try #require(texts(data).first))
        #expect(popup.summary == "Milk, eggs; and C:\\new things")
        #expect(popup.body.hasPrefix("&lt;b&gt;one&lt;/b&gt;\ntwo "))
    }

    @Test("A title with line ends is one line of a digest")
    func digest() throws {
        let world = try World()
        for index in 1...5 { try world.add("Item \(index)", at: "11:00") }
        try world.advance(to: "2024-05-01T11:00:00+02:00")
        var reminder = try world.reminder(1)
        reminder.title = "Call plumber\r\nask about\u{2028}boiler"
        let text = world.isolated { [reminder] engine in
            DigestText(
                reminders: [reminder], expanded: false, timetable: engine.timetable,
                settings: engine.settings
            ).popup.body
        }
        #expect(text.hasPrefix("• Call plumber ask about boiler — "))
        #expect(!text.contains { $0.isNewline })
    }
}
