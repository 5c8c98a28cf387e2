import Popups
import RemindAPI
import RemindCore
import Testing

@testable import RemindDaemon

@Suite("explain")
struct ExplanationTests {
    /// The lines for the only reminder; a server is there unless said otherwise.
    private func lines(_ world: World, server: Bool = true) throws -> [String] {
        if server { world.screen(.serverAppeared(ServerInfo(busName: ":1.2"))) }
        let bytes = try world.isolated { engine in
            var json = JSONWriter()
            try engine.explain("1", to: &json)
            return json.bytes
        }
        var lines: [String] = []
        var json = JSONReader(bytes)
        try json.object { name, json throws(JSONReader.Fault) in
            if name == "lines" { lines = try json.strings() }
        }
        return lines
    }

    private func dismiss(_ world: World) throws {
        _ = try world.isolated { try $0.dismiss($0.find("1"), origin: .command) }
    }

    @Test("A pending one: when, and that it is the deadline")
    func pending() throws {
        let world = try World()
        try world.add("Tea", at: "11:00")
        #expect(
            try lines(world) == [
                "It will ring Wed 1 May 2024, 11:00 CEST (in 30 minutes): the deadline is "
                    + "Wed 1 May 2024, 11:00.",
                "The deadline is a wall time: it follows the machine's zone, now Europe/Berlin.",
            ])
    }

    @Test("A lead time is named, and what comes after it")
    func leadTime() throws {
        let world = try World()
        try world.add("Tea", at: "11:00") { $0.before = ["15m"] }
        let lines = try lines(world)
        #expect(lines[0].contains("10:45 CEST (in 15 minutes), 15 min before the deadline"))
        #expect(lines.contains("After that: Wed 1 May 2024, 11:00 CEST."))
    }

    @Test("A date: at AllDayTime; a rule: its next ones; a zone of its own")
    func kinds() throws {
        let date = try World()
        try date.add("Bin", at: "2024-05-03") { $0.every = "day" }
        let text = try lines(date).joined(separator: "\n")
        #expect(text.contains("days ring at 09:00 (AllDayTime)"))
        #expect(text.contains("It repeats: every day."))
        #expect(text.contains("After that: Sat 4 May 2024, 09:00 CEST; Sun 5 May"))
        let zoned = try World()
        try zoned.add("Call", at: "2024-05-03 09:00") { $0.timeZone = "America/New_York" }
        #expect(try lines(zoned)[0].contains("Fri 3 May 2024, 09:00 EDT"))
        #expect(try lines(zoned).contains("The deadline is a wall time in America/New_York."))
    }

    @Test(
        "Clock changes are told of",
        arguments: [
            ("2025-03-30 02:30", "does not exist that day", "03:30 CEST"),
            ("2024-10-27 02:30", "comes twice that day", "02:30 CEST"),
        ])
    func clockChange(at: String, sentence: String, time: String) throws {
        let world = try World()
        try world.add("Tea", at: at)
        let line = try #require(try lines(world).first { $0.contains(sentence) })
        #expect(line.contains(time))
    }

    @Test("A ringing one: since when, how late, and what happens unanswered")
    func ringing() throws {
        let world = try World()
        try world.add("Tea", at: "11:00") { $0.nag = "5m" }
        try world.advance(to: "2024-05-01T11:02:00+02:00")
        let lines = try lines(world)
        #expect(
            lines.prefix(2) == [
                "It rings since Wed 1 May 2024, 11:02 CEST, 2 min late; nobody has answered.",
                "Unanswered, it rings again Wed 1 May 2024, 11:07 CEST (in 5 minutes) "
                    + "(nag: every 5 min until it is answered).",
            ])
        #expect(lines.last == "It rang Wed 1 May 2024, 11:02 CEST, 2 min late.")
    }

    @Test("A snoozed one: until when, and who did it")
    func snoozed() throws {
        let world = try World()
        let tea = try world.add("Tea", at: "11:00")
        try world.advance(to: "2024-05-01T11:00:00+02:00")
        world.screen(.answered(key: tea.id.text, action: "snooze"))
        let lines = try lines(world)
        #expect(
            lines[0] == "It is snoozed: it rings again Wed 1 May 2024, 11:10 CEST (in 10 minutes).")
        let snooze =
            "It was snoozed Wed 1 May 2024, 11:00 CEST until Wed 1 May 2024, 11:10 CEST by its pop-up."
        #expect(lines.contains(snooze))
    }

    @Test("Why it does not ring: no deadline, dismissed, done, past when it was set")
    func silent() throws {
        let undated = try World()
        try undated.add("Tea")
        #expect(try lines(undated) == ["It has no deadline, so it never rings."])
        let world = try World()
        try world.add("Tea", at: "11:00")
        try world.advance(to: "2024-05-01T11:00:00+02:00")
        try dismiss(world)
        #expect(try lines(world)[0].hasPrefix("It has rung and was dismissed"))
        _ = try world.isolated { try $0.complete($0.find("1"), series: false, origin: .command) }
        #expect(
            try lines(world) == [
                "It is done since Wed 1 May 2024, 11:00 CEST, so it does not ring any more.",
                "It was done Wed 1 May 2024, 11:00 CEST by a command.",
                "It was dismissed Wed 1 May 2024, 11:00 CEST by a command.",
                "It rang Wed 1 May 2024, 11:00 CEST.",
            ])
    }

    @Test("What holds its pop-up back: a pause, quiet hours, no server")
    func held() throws {
        let world = try World()
        world.settings.quiet = .init(
            from: try #require(CivilTime(hour: 22)), until: try #require(CivilTime(hour: 7)))
        try world.restart()
        try world.add("Tea", at: "23:00")
        let quiet = "Quiet hours hold its pop-up back until Thu 2 May 2024, 07:00 CEST."
        #expect(try lines(world).contains(quiet))
        try world.isolated { try $0.pause(until: nil) }
        #expect(try lines(world).contains("A pause holds its pop-up back until somebody resumes."))
        world.screen(.serverVanished)
        #expect(try lines(world, server: false).last?.hasPrefix("No notification server") == true)
    }

    @Test("Occurrences that went unanswered are told of")
    func superseded() throws {
        let world = try World()
        try world.add("Bin", at: "11:00") { $0.every = "day" }
        try world.advance(to: "2024-05-01T11:00:00+02:00")
        try world.advance(to: "2024-05-02T11:00:00+02:00")
        let lines = try lines(world)
        #expect(lines.contains { $0.contains("took the place of an unanswered ring") })
    }
}
