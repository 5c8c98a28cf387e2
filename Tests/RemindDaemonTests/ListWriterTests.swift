import RemindAPI
import RemindCore
import Store
import Testing

@testable import RemindDaemon

@Suite("Rows of a list")
struct ListWriterTests {
    private static let tasks: [@Sendable (inout Add.Parameters) -> Void] = [
        { _ in },
        { ($0.note, $0.tags) = ("He said “9”\n\t\"tea\" \\ é", ["z", "a", "ä", "b-c"]) },
        { ($0.at, $0.list, $0.priority) = ("2024-06-01 09:00", "work", .high) },
        { $0.at = "@1717225200" },
        { $0.at = "2024-10-27" },
        // Twice, and not at all, on the wall of Berlin.
        { $0.at = "2024-10-27 02:30" },
        { $0.at = "2025-03-30 02:30" },
        { ($0.at, $0.timeZone) = ("2024-06-01 09:00", "America/New_York") },
        { ($0.at, $0.every) = ("2024-06-01 09:00", "day") },
        { ($0.at, $0.before, $0.nag) = ("2024-06-01 09:00", ["15m", "1d"], "5m") },
        { ($0.at, $0.tags) = ("1955-05-01 09:00", ["one"]) },
        { ($0.at, $0.priority) = ("2999-12-31 23:59", .low) },
        { $0.note = String(repeating: "A long note. ", count: 20) },
        { $0.note = String(repeating: "é", count: 300) },
    ]

    @Test(
        "They are written as reminders or their lines are everywhere, whatever they hold",
        arguments: [false, true])
    func sameAsReminders(_ isBrief: Bool) throws {
        let world = try World()
        for (index, change) in Self.tasks.enumerated() {
            try world.add("Task \(index)") { parameters in
                parameters.past = true
                change(&parameters)
            }
        }
        let (list, expected) = try world.isolated { engine in
            _ = try engine.complete(engine.find("3"), series: false, origin: .command)
            _ = try engine.snooze(Snooze.Parameters(reference: "11", until: "20m"))
            var parameters = List.Parameters()
            (parameters.show, parameters.brief) = (.all, isBrief)
            var list = try engine.list(parameters, .whole)
            var json = JSONWriter()
            let numbers = try engine.store.numbers(.init(.all))
            let writer = engine.timetable.writer
            json.object { json in
                let reminders = numbers.compactMap { try? engine.store.reminder(number: $0) }
                json.field("reminders", isBrief ? [] : reminders, writer)
                guard isBrief else { return }
                json.key("lines")
                json.array { json in
                    for reminder in reminders { writer.writeLine(of: reminder, to: &json) }
                }
            }
            var bytes: [UInt8] = []
            _ = try engine.turn(&list) { page, _ in bytes += page }
            return (bytes, json.bytes)
        }
        #expect(String(decoding: list, as: UTF8.self) == String(decoding: expected, as: UTF8.self))
        #expect(list.count > 12 * (isBrief ? 80 : 300))
    }
}
