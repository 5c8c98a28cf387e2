import Dispatch
import Glibc
import Popups
import RemindCore
import Testing

@testable import RemindDaemon

extension Programs {
    @Suite("A sound of our own")
    struct SoundTests {
        private let folder: TemporaryFolder
        private let log = ProgramLog()

        init() throws { folder = try TemporaryFolder() }

        /// A ring is shown on a server with these capabilities.
        private func ring(
            _ players: [String], capabilities: Set<String> = ["body"], sound: Bool = true,
            script: String = "echo \"$0 $*\"; /bin/sleep 0.2", showings: Int = 1
        ) throws -> World {
            for player in players {
                try folder.write(player, "#!/bin/sh\n" + script, mode: 0o755)
            }
            let world = try World()
            world.settings.sound = sound
            (world.programLog, world.environment) = (
                // Players of the machine must not be found.
                { [log] in log.append($0) }, ["PATH=\(folder.path)"]
            )
            try world.restart()
            world.screen(.serverAppeared(ServerInfo(busName: ":1.2", capabilities: capabilities)))
            for id in 1...UInt32(showings) {
                world.screen(.shown(key: "k\(id)", serverBusName: ":1.2", id: id))
            }
            return world
        }

        @Test(
            "The first player that is there plays it",
            arguments: [
                (["paplay", "pw-play", "canberra-gtk-play"], "canberra-gtk-play: ", "--id alarm"),
                (["paplay", "pw-play"], "pw-play: ", "alarm-clock-elapsed.oga"),
                (["paplay"], "paplay: ", "alarm-clock-elapsed.oga"),
            ])
        func players(there: [String], prefix: String, part: String) throws {
            let world = try ring(there)
            let line = try #require(log.wait(for: 1).first)
            #expect(line.hasPrefix(prefix))
            #expect(line.contains(part))
            withExtendedLifetime(world) {}
        }

        @Test("A player that fails is followed by the next one; doctor names the one that plays")
        func nextPlayer() throws {
            let script = #"case "$0" in */pw-play) exit 1;; esac; echo on"#
            let world = try ring(["pw-play", "paplay"], script: script)
            let lines = log.wait(for: 2)
            #expect(lines == ["the player pw-play failed with status 1", "paplay: on"])
            withExtendedLifetime(world) {}
        }

        @Test("Many pop-ups are one sound at a time, and afterwards there is a next one")
        func oneAtATime() throws {
            // It ends when the test opens the gate, with a failure that is logged.
            let gate = try folder.makePipe("gate")
            let world = try ring(
                ["paplay"], script: "echo on; read x < \(gate); exit 5", showings: 3)
            for turn in [2, 4] {
                try open(gate)
                let lines = log.wait(for: turn)
                #expect(
                    lines.suffix(2) == ["paplay: on", "the player paplay failed with status 5"])
                world.screen(.shown(key: "again", serverBusName: ":1.2", id: 9))
            }
            try open(gate)
            #expect(log.wait(for: 6).count == 6)
        }

        /// Waits for the reader, and lets it go on.
        private func open(_ gate: String) throws {
            let pipe = Glibc.open(gate, O_WRONLY | O_CLOEXEC)
            try #require(pipe >= 0)
            close(pipe)
        }

        @Test("A server with sounds, and Sound=off, play none of ours")
        func none() throws {
            let capable = try ring(["paplay"], capabilities: ["body", "sound"])
            #expect(!capable.isolated { $0.sound.isPlaying })
            let off = try ring(["paplay"], sound: false)
            #expect(!off.isolated { $0.sound.isPlaying })
        }

        @Test("Without a player nothing happens")
        func noPlayer() throws {
            let world = try ring([])
            #expect(!world.isolated { $0.sound.isPlaying })
        }
    }
}
