import Glibc
import Popups
import RemindAPI
import RemindCore
import Testing

@testable import RemindDaemon

@Suite("The configuration is read again")
struct ReloadTests {
    private func time(_ hour: Int) throws -> CivilTime { try #require(CivilTime(hour: hour)) }

    private func reconfigure(_ world: World, _ change: (inout Settings) -> Void) {
        change(&world.settings)
        let settings = world.settings
        world.isolated { $0.reconfigure(settings) }
    }

    @Test("Another AllDayTime moves the dates that have not rung")
    func moved() throws {
        let world = try World()
        try world.add("Bin", at: "2024-05-03")
        reconfigure(world) { $0.allDayTime = (try? time(7)) ?? .noon }
        let moved = Instant(rfc3339: "2024-05-03T07:00:00+02:00")
        #expect(try world.reminder(1).alarm.nextRing == moved)
        try world.advance(to: "2024-05-03T07:00:00+02:00")
        #expect(world.shown == ["Bin"])
    }

    @Test("What would have rung by the new time rings now")
    func overtaken() throws {
        let world = try World(now: "2024-05-01T08:00:00+02:00")
        world.settings.allDayTime = try time(18)
        try world.restart()
        try world.add("Bin", at: "2024-05-01")
        try world.advance(to: "2024-05-01T12:00:00+02:00")
        reconfigure(world) { $0.allDayTime = (try? time(9)) ?? .noon }
        #expect(world.shown == ["Bin"])
    }

    @Test("What has rung stays rung, whichever way the time moves", arguments: [7, 11, 18])
    func rung(hour: Int) throws {
        let world = try World(now: "2024-05-01T08:00:00+02:00")
        let bin = try world.add("Bin", at: "2024-05-01") { $0.before = ["1d"] }
        try world.advance(to: "2024-05-01T09:00:00+02:00")
        _ = try world.isolated { try $0.dismiss($0.find("\(bin.number)"), origin: .command) }
        reconfigure(world) { $0.allDayTime = (try? time(hour)) ?? .noon }
        try world.advance(to: "2024-05-02T12:00:00+02:00")
        #expect(world.shown == ["Bin"])
        #expect(try world.reminder(1).alarm.state == .none)
    }

    @Test("Of a series of dates, what has rung stays rung and the next one moves")
    func series() throws {
        let world = try World(now: "2024-05-01T08:00:00+02:00")
        try world.add("Bin", at: "2024-05-01") { $0.every = "day" }
        try world.advance(to: "2024-05-01T09:00:00+02:00")
        _ = try world.isolated { try $0.dismiss($0.find("1"), origin: .command) }
        reconfigure(world) { $0.allDayTime = (try? time(11)) ?? .noon }
        let next = Instant(rfc3339: "2024-05-02T11:00:00+02:00")
        #expect(try world.reminder(1).alarm.nextRing == next)
    }

    @Test("A change of AllDayTime while no daemon ran is followed too")
    func whileOff() throws {
        let world = try World()
        try world.add("Bin", at: "2024-05-03")
        world.settings.allDayTime = try time(7)
        try world.restart()
        let moved = Instant(rfc3339: "2024-05-03T07:00:00+02:00")
        #expect(try world.reminder(1).alarm.nextRing == moved)
    }

    @Test("Quiet hours that are taken out release what they held")
    func quiet() throws {
        let world = try World(now: "2024-05-01T22:30:00+02:00")
        world.settings.quiet = .init(from: try time(22), until: try time(7))
        try world.restart()
        try world.add("Tea", at: "23:00")
        try world.advance(to: "2024-05-01T23:00:00+02:00")
        #expect(world.shown == [])
        reconfigure(world) { $0.quiet = nil }
        #expect(world.shown == ["Tea"])
    }

    @Test("Quiet hours that end at another time are waited for")
    func quietEnd() throws {
        let world = try World(now: "2024-05-01T22:30:00+02:00")
        world.settings.quiet = .init(from: try time(22), until: try time(7))
        try world.restart()
        try world.add("Tea", at: "23:00")
        try world.advance(to: "2024-05-01T23:00:00+02:00")
        reconfigure(world) { $0.quiet?.until = (try? time(6)) ?? .noon }
        try world.advance(to: "2024-05-02T06:00:00+02:00")
        #expect(world.shown == ["Tea"])
    }

    @Test("The next pop-up has the new labels, sound and timeout")
    func popups() throws {
        let world = try World()
        try world.add("Tea", at: "11:00")
        reconfigure(world) {
            $0.snooze = CalendarDuration(seconds: 300)
            ($0.sound, $0.popupTimeout) = (false, 30_000)
        }
        try world.advance(to: "2024-05-01T11:00:00+02:00")
        let popup = try #require(world.popups.first)
        #expect(popup.actions.map(\.label).contains("Snooze 5 min"))
        #expect(popup.soundName == nil)
        #expect(popup.timeout == 30_000)
    }

    @Test("What stands on the screen gets the new labels, in place; other settings leave it alone")
    func relabelled() throws {
        let world = try World()
        try world.add("Tea", at: "11:00")
        try world.advance(to: "2024-05-01T11:00:00+02:00")
        reconfigure(world) { $0.evening = (try? time(20)) ?? .noon }
        #expect(world.popups.count == 1)
        reconfigure(world) { $0.snooze = CalendarDuration(seconds: 300) }
        #expect(world.popups.count == 2)
        #expect(world.popups.last?.actions.map(\.label).contains("Snooze 5 min") == true)
        #expect(world.closed == [])
    }

    @Test("A digest gets them too, and more than a new DigestAbove become one")
    func relabelledDigest() throws {
        let world = try World()
        for title in ["Tea", "Milk"] { try world.add(title, at: "11:00") }
        try world.advance(to: "2024-05-01T11:00:00+02:00")
        reconfigure(world) { $0.digestAbove = 1 }
        #expect(world.presenter.wanted.keys.sorted() == ["digest"])
        reconfigure(world) { $0.snooze = CalendarDuration(seconds: 300) }
        let labels = world.presenter.wanted["digest"]?.actions.map(\.label)
        #expect(labels?.contains("Snooze all 5 min") == true)
    }

    @Test("What is held back is not shown by a reload")
    func relabelledHeld() throws {
        let world = try World()
        try world.add("Tea", at: "11:00")
        try world.isolated { try $0.pause(until: nil) }
        try world.advance(to: "2024-05-01T11:00:00+02:00")
        reconfigure(world) { $0.snooze = CalendarDuration(seconds: 300) }
        #expect(world.shown == [])
    }
}

@Suite("Where the configuration is")
struct ConfigurationSourceTests {
    private func source(_ options: [String], _ environment: [String: String]) throws
        -> ConfigurationSource
    {
        try ConfigurationSource(Options(options)) { environment[$0] }
    }

    @Test(
        "The option, then XDG_CONFIG_HOME, then the home folder",
        arguments: [
            (["--config", "/c"], ["HOME": "/h"], "/c"), (["--config=/c"], [:], "/c"),
            ([], ["XDG_CONFIG_HOME": "/x", "HOME": "/h"], "/x/remindd/remindd.conf"),
            ([], ["XDG_CONFIG_HOME": "x", "HOME": "/h"], "/h/.config/remindd/remindd.conf"),
        ] as [([String], [String: String], String)])
    func paths(options: [String], environment: [String: String], expected: String) throws {
        #expect(try source(options, environment).path == expected)
    }

    @Test("Without a home, one must be given")
    func homeless() {
        #expect(throws: Options.Misuse.self) { try source([], [:]) }
    }

    @Test("No file is as good as an empty one, unless it was asked for")
    func missing() throws {
        let folder = try TemporaryFolder()
        let found = try source([], ["HOME": folder.path]).read()
        #expect(!found.isThere)
        #expect(found.settings == Settings())
        #expect(throws: ConfigurationSource.Failure.self) {
            try source(["--config", folder.path + "/none"], [:]).read()
        }
        #expect(throws: ConfigurationSource.Failure.self) {
            try source(["--config", folder.path], [:]).read()
        }
    }

    @Test("Faults say file and line; a file with some gives no settings")
    func faults() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("remindd.conf", "[Popups]\nSnooze=soon\n")
        let source = try source(["--config", file], [:])
        #expect(try source.read().faults.first?.hasPrefix("\(file):2: Snooze=soon:") == true)
        #expect(throws: ConfigurationSource.Failure.self) { try source.settings() }
    }

    @Test("A hook that cannot be run is told of, and is no reason not to ring")
    func hook() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("remindd.conf", "[Hooks]\n\nOnRing=/nowhere/hook\n")
        let source = try source(["--config", file], [:])
        #expect(try source.read().warnings.first?.hasPrefix("\(file):3: OnRing=/nowhere") == true)
        #expect(try source.settings().onRing == "/nowhere/hook")
    }
}
