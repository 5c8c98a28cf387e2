import Dispatch
import Glibc
import RemindAPI
import RemindCore
import Testing

@testable import RemindDaemon

extension Programs {
    @Suite("The hook of a ring")
    struct HookTests {
        private let folder: TemporaryFolder
        private let log = ProgramLog()

        init() throws { folder = try TemporaryFolder() }

        private func world(
            _ script: String, now: String = "2024-05-01T10:30:00+02:00",
            bounds: Hooks.Bounds = Hooks.Bounds(), _ change: (inout Settings) -> Void = { _ in }
        ) throws -> World {
            let world = try World(now: now)
            let path = try folder.write("hook", "#!/bin/sh\n" + script, mode: 0o755)
            world.settings.onRing = path
            change(&world.settings)
            (world.programLog, world.hookBounds) = ({ [log] in log.append($0) }, bounds)
            try world.restart()
            return world
        }

        @Test("It gets the reminder as JSON and in variables")
        func given() throws {
            let world = try world(
                "cat; echo \"$REMIND_NUMBER|$REMIND_TITLE|$REMIND_NOTE|$REMIND_DUE|$REMIND_PRIORITY\""
            )
            let tea = try world.add("Tea; rm \"$HOME\"", at: "11:00") {
                ($0.note, $0.priority) = ("hot\nstrong", .high)
            }
            try world.advance(to: "2024-05-01T11:00:00+02:00")
            let lines = log.wait(for: 3)
            #expect(
                lines.first?.hasPrefix("hook of #1: {\"number\":1,\"id\":\"\(tea.id.text)\"")
                    == true)
            #expect(lines.first?.contains("\"alarm\":\"ringing\"") == true)
            #expect(lines.dropFirst().first == "hook of #1: 1|Tea; rm \"$HOME\"|hot")
            #expect(lines.last == "hook of #1: strong|2024-05-01T11:00:00+02:00|high")
            #expect(world.shown == ["Tea; rm \"$HOME\""])
        }

        @Test("An undo during a pause: the hook of what had rung in it never ran")
        func undoInPause() throws {
            let world = try world("echo $REMIND_TITLE")
            try world.add("Tea", at: "11:00")
            try world.isolated { try $0.pause(until: nil) }
            try world.pass(to: "2024-05-01T11:00:00+02:00")
            var change = Edit.Parameters(reference: "1")
            change.note = "hot"
            try world.isolated { [change] in _ = try $0.edit(change) }
            try world.isolated { _ = try $0.undo() }
            try world.isolated { try $0.resume() }
            #expect(world.shown == ["Tea"])
            #expect(log.wait(for: 1) == ["hook of #1: Tea"])
        }

        @Test("High priority given in quiet hours: the pop-up came, its hook never ran")
        func highInQuietHours() throws {
            let world = try world("echo $REMIND_TITLE") {
                $0.quiet = .init(
                    from: CivilTime(hour: 10) ?? .midnight, until: CivilTime(hour: 12) ?? .midnight)
            }
            try world.add("Tea", at: "11:00")
            try world.pass(to: "2024-05-01T11:00:00+02:00")
            #expect(world.shown == [])
            var change = Edit.Parameters(reference: "1")
            change.priority = .high
            try world.isolated { [change] in _ = try $0.edit(change) }
            #expect(world.shown == ["Tea"])
            #expect(log.wait(for: 1) == ["hook of #1: Tea"])
        }

        @Test("A note of any length comes through")
        func longNote() throws {
            let world = try world("wc -c; echo ${#REMIND_NOTE}")
            try world.add("Tea", at: "11:00") { $0.note = String(repeating: "n", count: 100_000) }
            try world.advance(to: "2024-05-01T11:00:00+02:00")
            let lines = log.wait(for: 2)
            #expect(lines.last == "hook of #1: \(Hooks.variableLimit)")
            let bytes = lines.first?.split(separator: " ").last.flatMap { Int($0) }
            #expect((bytes ?? 0) > 100_000)
        }

        @Test("One that fails, and one that is not there, say so; the pop-up is there all the same")
        func failing() throws {
            let world = try world("exit 3")
            try world.add("Tea", at: "11:00")
            try world.advance(to: "2024-05-01T11:00:00+02:00")
            #expect(log.wait(for: 1) == ["the hook of #1 failed with status 3"])
            world.settings.onRing = "/nowhere/hook"
            world.isolated { [settings = world.settings] in $0.reconfigure(settings) }
            try world.add("Milk", at: "11:05")
            try world.advance(to: "2024-05-01T11:05:00+02:00")
            #expect(log.wait(for: 2).last?.contains("‘/nowhere/hook’ cannot be run") == true)
            #expect(world.shown == ["Tea", "Milk"])
        }

        @Test("One that hangs is killed, and the next one runs")
        func hanging() throws {
            let bounds = Hooks.Bounds(timeLimit: .seconds(2), atOnce: 1)
            let world = try world(
                "[ $REMIND_NUMBER = 2 ] && echo second || sleep 1000", bounds: bounds)
            for title in ["Tea", "Milk"] { try world.add(title, at: "11:00") }
            try world.advance(to: "2024-05-01T11:00:00+02:00")
            #expect(
                log.wait(for: 2) == [
                    "the hook of #1 took too long and was killed", "hook of #2: second",
                ])
        }

        @Test("Many run a few at once, and all of them run")
        func many() throws {
            let counter = try TemporaryFolder().path
            defer { rmdir(counter) }
            let world = try world(
                """
                mkdir -p \(counter); : > \(counter)/$$; ls \(counter) | wc -l; rm \(counter)/$$
                """)
            for index in 1...20 { try world.add("Item \(index)", at: "11:00") }
            try world.advance(to: "2024-05-01T11:00:00+02:00")
            let counts = log.wait(for: 20).compactMap {
                $0.split(separator: " ").last.flatMap { Int($0) }
            }
            #expect(counts.count == 20)
            #expect(counts.allSatisfy { (1...4).contains($0) })
        }

        @Test("More than may wait are left out, and said to be")
        func tooMany() throws {
            let world = try world("echo ran", bounds: Hooks.Bounds(atOnce: 1, waiting: 2))
            for index in 1...4 { try world.add("Item \(index)", at: "11:00") }
            try world.advance(to: "2024-05-01T11:00:00+02:00")
            let lines = log.wait(for: 4)
            #expect(lines.filter { $0.hasSuffix("ran") }.count == 3)
            #expect(lines.filter { $0.contains("is left out") }.count == 1)
        }

        @Test("A pause holds it back too, once; a pop-up that is shown again runs none")
        func pause() throws {
            let world = try world("echo ran")
            try world.add("Tea", at: "11:00")
            try world.advance(to: "2024-05-01T11:00:00+02:00")
            #expect(log.wait(for: 1).count == 1)
            try world.isolated { try $0.pause(until: nil) }
            try world.add("Milk", at: "11:05")
            try world.advance(to: "2024-05-01T11:05:00+02:00")
            try world.isolated { try $0.resume() }
            #expect(log.wait(for: 2) == ["hook of #1: ran", "hook of #2: ran"])
            try world.add("Last", at: "11:10")
            try world.advance(to: "2024-05-01T11:10:00+02:00")
            #expect(log.wait(for: 3).last == "hook of #3: ran")
        }

        @Test("One that was held back when the daemon ended runs after the pause, once")
        func pauseAcrossRestart() throws {
            let world = try world("echo ran")
            for title in ["Tea", "Milk", "Done meanwhile"] { try world.add(title, at: "11:00") }
            try world.isolated { try $0.pause(until: nil) }
            try world.advance(to: "2024-05-01T11:00:00+02:00")
            _ = try world.isolated { try $0.dismiss($0.find("3"), origin: .command) }
            try world.restart()
            try world.add("Later", at: "11:05")
            try world.advance(to: "2024-05-01T11:05:00+02:00")
            try world.restart()
            try world.isolated { try $0.resume() }
            #expect(
                log.wait(for: 3).sorted() == [
                    "hook of #1: ran", "hook of #2: ran", "hook of #4: ran",
                ])
            try world.restart()
            try world.add("Last", at: "11:10")
            try world.advance(to: "2024-05-01T11:10:00+02:00")
            #expect(log.wait(for: 4).last == "hook of #5: ran")
        }

        @Test("One that was held back runs when the daemon begins after the end of the hold")
        func quietAcrossRestart() throws {
            let world = try world("echo ran", now: "2024-05-01T22:30:00+02:00") {
                $0.quiet = .init(
                    from: CivilTime(hour: 22) ?? .noon, until: CivilTime(hour: 7) ?? .noon)
            }
            try world.add("Tea", at: "23:00")
            try world.advance(to: "2024-05-01T23:00:00+02:00")
            world.clock.now = try #require(Instant(rfc3339: "2024-05-02T08:00:00+02:00"))
            try world.restart()
            #expect(log.wait(for: 1) == ["hook of #1: ran"])
        }
    }

}
