import RemindAPI
import RemindCore
import Testing

@testable import RemindDaemon

@Suite("Changes of single occurrences, whatever they change")
struct OverrideTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let series: [String]
        let change: [String]
        var testDescription: String { "\(series) \(change)" }
    }

    private static let masters: [[String]] = [
        ["DTSTART:20240601T090000"], ["DTSTART:20240601T090000Z"],
        ["DTSTART;TZID=Europe/Paris:20240601T090000"], ["DTSTART;VALUE=DATE:20240601"],
        ["DUE:20240601T090000", "SEQUENCE:3", "LAST-MODIFIED:20240301T000000Z"], [],
        ["DTSTART;TZID=Mars:20240601T090000"],
        ["DTSTART:20240601T090000", "RRULE:FREQ=DAILY;COUNT=5"],
        ["DTSTART;TZID=Europe/Paris:20240601T090000", "RRULE:FREQ=DAILY"],
        ["DTSTART;VALUE=DATE:20240601", "RDATE;VALUE=DATE:20240603"],
    ]

    private static let changes: [[String]] = [
        ["RECURRENCE-ID:20240601T090000", "DTSTART:20240601T180000"],
        ["RECURRENCE-ID:20240601T090000Z", "DTSTART:20240601T180000Z", "SEQUENCE:4"],
        ["RECURRENCE-ID;TZID=Europe/Paris:20240601T090000"],
        ["RECURRENCE-ID;TZID=Mars:20240601T090000", "LAST-MODIFIED:20240401T000000Z"],
        ["RECURRENCE-ID;VALUE=DATE:20240601", "STATUS:COMPLETED"],
    ]

    private static let cases = masters.flatMap { series in
        changes.map { Case(series: series, change: $0) }
    }

    private static func file(_ components: [String]) -> String {
        "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Test//EN\r\n" + components.joined()
            + "END:VCALENDAR\r\n"
    }

    private static func todo(_ uid: String, _ lines: [String]) -> String {
        (["BEGIN:VTODO", "UID:" + uid] + lines + ["END:VTODO"]).map { $0 + "\r\n" }.joined()
    }

    private static func read(
        _ text: String, _ world: World, file: String? = nil
    ) throws -> Import.Reply {
        let replies = try world.imports(text) {
            $0.details = true
            if file != nil { ($0.folder, $0.file) = ("/home/me/tasks", file) }
        }
        return try #require(replies.last)
    }

    /// The series, another task and the change of an occurrence, in this order or in the other.
    private static func text(_ one: Case, changeFirst: Bool) -> String {
        let parts = [
            todo("a", ["SUMMARY:Tea"] + one.series), todo("b", ["SUMMARY:Other"]),
            todo("a", ["SUMMARY:Tea, late"] + one.change),
        ]
        return file(changeFirst ? parts.reversed() : parts)
    }

    @Test(
        "a change of a task that does not repeat is joined to it, and a second import changes nothing",
        arguments: cases)
    func twice(_ one: Case) throws {
        let world = try World()
        let text = Self.text(one, changeFirst: one.change.count == 2)
        let first = try Self.read(text, world)
        #expect(first.added == 2 && !first.problems.contains { $0.refused })
        let before = try world.all()
        for _ in 1...2 {
            let again = try Self.read(text, world)
            #expect(again.added == 0 && again.changed == 0)
            #expect(again.unchanged == first.outcomes?.count)
            #expect(!again.problems.contains { $0.refused })
        }
        #expect(try world.all() == before)
        let export = try world.exports { $0.all = true }
        #expect(export.contains("\r\nSUMMARY:Tea\r\n"))
        #expect(export.contains("\r\nSUMMARY:Tea\\, late\r\n"))
        try Self.compare(world, export)
    }

    /// An export has the same in it, wherever it is read.
    private static func compare(_ world: World, _ export: String) throws {
        let same = try read(export, world)
        #expect(same.added == 0 && same.changed == 0)
        let other = try World()
        let there = try read(export, other)
        #expect(there.added == 2 && !there.problems.contains { $0.refused })
        let essence = { (reminder: Reminder) in
            "\(reminder.title) \(reminder.state) \(String(describing: reminder.deadline)) "
                + "\(String(describing: reminder.alarm.nextRing))"
        }
        #expect(try other.all().map(essence).sorted() == world.all().map(essence).sorted())
        #expect(try read(export, other).changed == 0)
        #expect(try read(export, other).added == 0)
    }

    @Test(
        "in the file of a folder the change is joined to the task at once",
        arguments: stride(from: 0, to: cases.count, by: 4).map { cases[$0] })
    func folder(_ one: Case) throws {
        let world = try World()
        let text = Self.file([
            Self.todo("a", ["SUMMARY:Tea"] + one.series),
            Self.todo("a", ["SUMMARY:Tea, late"] + one.change),
        ])
        #expect(try Self.read(text, world, file: "a.ics").added == 1)
        let again = try Self.read(text, world, file: "a.ics")
        #expect(again.added == 0 && again.changed == 0 && again.unchanged == 1)
        #expect(try world.exports { $0.all = true }.contains("Tea\\, late"))
        let less = Self.file([Self.todo("a", ["SUMMARY:Tea"] + one.series)])
        #expect(try Self.read(less, world, file: "a.ics").changed ?? 0 <= 1)
        #expect(try !world.exports { $0.all = true }.contains("Tea\\, late"))
    }

    @Test("a change without its task comes in once", arguments: changes)
    func alone(_ change: [String]) throws {
        let world = try World()
        let text = Self.file([Self.todo("a", ["SUMMARY:Tea, late"] + change)])
        #expect(try Self.read(text, world).added == 1)
        let again = try Self.read(text, world)
        #expect(again.added == 0 && again.changed == 0 && again.unchanged == 1)
    }

    @Test("a change of a task that was made here is joined to it", arguments: changes)
    func own(_ change: [String]) throws {
        let world = try World()
        try world.add("Tea", at: "2024-06-01 09:00")
        let export = try world.exports()
        let uid = try #require(export.split(separator: "UID:").dropFirst().first?.prefix(36))
        let end = "END:VCALENDAR\r\n"
        let todo = Self.todo(String(uid), ["SUMMARY:Tea, late"] + change)
        let text = String(export.dropLast(end.count)) + todo + end
        let first = try Self.read(text, world)
        #expect(first.added == 0 && first.changed == 1)
        let again = try Self.read(text, world)
        #expect(again.added == 0 && again.changed == 0 && again.unchanged == 2)
        #expect(try world.all().count == 1)
        let after = try world.exports { $0.all = true }
        #expect(after.contains("SUMMARY:Tea\r\n") && after.contains("SUMMARY:Tea\\, late\r\n"))
    }
}
