import Dispatch
import Glibc
import Popups
import RemindAPI
import RemindCore
import Store
import Synchronization
import Testing

@testable import RemindDaemon

@Suite("doctor")
struct DoctorTests {
    /// The machine's clock, so that the store is as old as it seems.
    private func world() throws -> World {
        let world = try World()
        world.clock.now = Clock.system.now
        // Silent: players of the machine must not be found.
        world.environment = ["PATH=/nowhere"]
        try world.restart()
        return world
    }

    private let dunst = PresenterEvent.serverAppeared(
        ServerInfo(
            busName: ":1.7@bus", name: "dunst", version: "1.9", capabilities: ["actions", "body"]))

    /// Asks, does `meanwhile` and gives the checks by name.
    private func checks(
        _ world: World, test: Bool = false, facts: ProgramFacts? = nil,
        meanwhile: () throws -> Void = {}
    ) throws -> [String: Doctor.Check] {
        let found = Mutex<[Doctor.Check]>([])
        let done = DispatchSemaphore(value: 0)
        let facts = facts ?? ProgramFacts(processID: 1, database: world.database)
        world.isolated { engine in
            engine.examine(facts, test: test) { _, checks in
                found.withLock { $0 = checks }
                done.signal()
            }
        }
        // What reads files has come back to the engine.
        DoctorChecks.queue.sync {}
        world.isolated { _ in }
        try meanwhile()
        try #require(done.wait(timeout: .now() + 20) == .success)
        let all = found.withLock { $0 }
        for check in all where check.result != .good {
            #expect(check.hint?.isEmpty == false, "\(check.name) does not say what to do")
        }
        return Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
    }

    @Test("All is well, and every link is named")
    func well() throws {
        let world = try world()
        world.screen(dunst)
        let found = try checks(world)
        #expect(
            Set(found.keys) == [
                "store", "disk", "bus", "server", "clock", "zone", "holding", "hook", "sound",
            ])
        for name in ["store", "disk", "bus", "server", "clock", "zone", "holding", "hook"] {
            #expect(found[name]?.result == .good, "\(found[name]?.text ?? name)")
        }
        #expect(found["store"]?.text.hasPrefix(world.database) == true)
        #expect(found["zone"]?.text == "Europe/Berlin")
    }

    @Test("No bus, no server, and a server that is silent are failures")
    func noServer() throws {
        let world = try world()
        world.presenter.setReport(PresenterReport(isConnected: false))
        #expect(try checks(world)["bus"]?.result == .failed)
        world.presenter.setReport(PresenterReport(isConnected: true))
        #expect(try checks(world)["server"]?.text.contains("no notification server") == true)
        world.presenter.setReport(PresenterReport(isConnected: true, serverBusName: ":1.5"))
        let silent = try checks(world)["server"]
        #expect(silent?.result == .failed)
        #expect(silent?.text.contains(":1.5") == true)
    }

    @Test("A server without buttons or text is told of, one that refuses pop-ups is a failure")
    func poorServer() throws {
        let world = try world()
        world.screen(.serverAppeared(ServerInfo(busName: ":1.7", name: "poor")))
        let poor = try checks(world)["server"]
        #expect(poor?.result == .notice)
        #expect(poor?.text.contains("no buttons and no text") == true)
        world.screen(dunst)
        world.presenter.setReport(
            PresenterReport(isConnected: true, serverBusName: ":1.7", refused: 2))
        #expect(try checks(world)["server"]?.result == .failed)
    }

    @Test("A damaged store is a failure")
    func damaged() throws {
        let world = try world()
        for index in 1...200 {
            try world.add("Item \(index) " + String(repeating: "x", count: 200))
        }
        try world.isolated { try $0.store.checkpoint() }
        let file = open(world.database, O_RDWR)
        try #require(file >= 0)
        // Over the whole of a page in the middle.
        let noise = [UInt8](repeating: 0xA5, count: 4096)
        #expect(pwrite(file, noise, noise.count, 4096 * 5) == noise.count)
        close(file)
        let store = try checks(world)["store"]
        #expect(store?.result == .failed)
        #expect(store?.hint?.contains(world.database) == true)
    }

    @Test("A store that is not there any more is a failure")
    func gone() throws {
        let world = try world()
        let facts = ProgramFacts(processID: 1, database: "/nowhere/reminders.db")
        let found = try checks(world, facts: facts)
        #expect(found["store"]?.result == .failed)
        #expect(found["disk"]?.result == .failed)
    }

    @Test("A store with a second name, a hard link, is told, and how to find that name")
    func hardLink() throws {
        let world = try world()
        #expect(try checks(world)["store"]?.result == .good)
        let other = world.database + ".copy"
        try #require(link(world.database, other) == 0)
        let store = try checks(world)["store"]
        #expect(store?.result == .notice)
        #expect(store?.text.contains("hard links") == true)
        #expect(store?.hint == "Find them: find / -xdev -samefile '\(world.database)'")
        try #require(unlink(other) == 0)
        #expect(try checks(world)["store"]?.result == .good)
    }

    @Test("A clock before the last change of the store is a failure")
    func clockGoneBack() throws {
        let world = try World()
        #expect(try checks(world)["clock"]?.result == .failed)
    }

    @Test("What holds pop-ups back is told, with what waits")
    func holding() throws {
        let world = try world()
        try world.isolated { try $0.pause(until: nil) }
        let paused = try checks(world)["holding"]
        #expect(paused?.result == .notice)
        #expect(paused?.hint == "remindctl resume")
        try world.isolated { try $0.resume() }
        world.screen(.serverAppeared(ServerInfo(busName: ":1.7", isInhibited: true)))
        #expect(try checks(world)["holding"]?.text.contains("do not disturb") == true)
    }

    @Test("A hook that cannot be run, and a faulty configuration, are failures")
    func hookAndConfiguration() throws {
        let folder = try TemporaryFolder()
        let world = try world()
        world.settings.onRing = "/nowhere/hook"
        try world.restart()
        let file = try folder.write("remindd.conf", "[Popups]\nSnooze=soon\n")
        let source = try ConfigurationSource(Options(["--config", file])) { _ in nil }
        let facts = ProgramFacts(
            processID: 1, database: world.database, configuration: source)
        let found = try checks(world, facts: facts)
        #expect(found["hook"]?.result == .failed)
        #expect(found["configuration"]?.text.contains(":2: Snooze=soon") == true)
    }

    @Test("The sound: played by the server, by a player, by nobody, or off")
    func sound() throws {
        let folder = try TemporaryFolder()
        let world = try world()
        world.environment = ["PATH=" + folder.path]
        try world.restart()
        #expect(try checks(world)["sound"]?.result == .notice)
        _ = try folder.write("pw-play", "#!/bin/sh\n", mode: 0o755)
        #expect(try checks(world)["sound"]?.text.contains("pw-play") == true)
        world.screen(.serverAppeared(ServerInfo(busName: ":1.7", capabilities: ["sound"])))
        #expect(try checks(world)["sound"]?.text.contains("server") == true)
        world.settings.sound = false
        try world.restart()
        #expect(try checks(world)["sound"]?.text.hasPrefix("off") == true)
    }

    // MARK: The test pop-up

    private let shown = PresenterEvent.shown(key: "doctor", serverBusName: ":1.7@bus", id: 3)

    @Test("The test pop-up is shown, and its answer reported; then it goes")
    func answered() throws {
        let world = try world()
        world.screen(dunst)
        let found = try checks(world, test: true) {
            world.screen(shown)
            world.screen(.answered(key: "doctor", action: "done"))
        }
        #expect(world.shown == ["Test of remindd"])
        #expect(found["pop-up"]?.result == .good)
        #expect(found["pop-up"]?.text.contains("came back") == true)
        #expect(world.closed == ["doctor"])
    }

    @Test("It is shown in a pause too, and high above “do not disturb”")
    func passes() throws {
        let world = try world()
        world.screen(dunst)
        try world.isolated { try $0.pause(until: nil) }
        _ = try checks(world, test: true) { world.screen(.dismissed(key: "doctor")) }
        #expect(world.popups.map(\.passesInhibition) == [true])
    }

    @Test("Nobody answers: it is good that it was shown, and a failure when it was not")
    func unanswered() throws {
        let world = try world()
        world.screen(dunst)
        let timeIsOver = {
            world.clock.now = world.clock.now.advanced(byMilliseconds: Engine.testLimit)
            world.isolated { $0.timerFired() }
        }
        let found = try checks(world, test: true) {
            world.screen(shown)
            timeIsOver()
        }
        #expect(found["pop-up"]?.result == .good)
        #expect(try checks(world, test: true, meanwhile: timeIsOver)["pop-up"]?.result == .failed)
        #expect(world.closed == ["doctor", "doctor"])
    }

    @Test("A server that refuses it, takes it away or is not there is told of")
    func refused() throws {
        let world = try world()
        #expect(try checks(world, test: true)["pop-up"]?.result == .failed)
        world.screen(dunst)
        let failed = try checks(world, test: true) {
            world.screen(.failed(key: "doctor", message: "no room"))
        }
        #expect(failed["pop-up"]?.text.contains("no room") == true)
        let dropped = try checks(world, test: true) {
            world.screen(shown)
            world.screen(.closedUnanswered(key: "doctor", reason: 1))
        }
        #expect(dropped["pop-up"]?.result == .notice)
    }

    @Test("Reminders ring while the store is read through")
    func engineGoesOn() throws {
        let world = try world()
        let entered = DispatchSemaphore(value: 0)
        let leave = DispatchSemaphore(value: 0)
        DoctorChecks.queue.async {
            entered.signal()
            leave.wait()
        }
        entered.wait()
        let facts = ProgramFacts(processID: 1, database: world.database)
        let answered = Mutex(false)
        world.isolated { engine in
            engine.examine(facts, test: false) { _, _ in answered.withLock { $0 = true } }
        }
        try world.add("Tea") { $0.in = "10m" }
        world.clock.now = world.clock.now.advanced(bySeconds: 600)
        world.isolated { $0.timerFired() }
        #expect(world.shown == ["Tea"])
        #expect(!answered.withLock { $0 })
        leave.signal()
        DoctorChecks.queue.sync {}
        world.isolated { _ in }
        #expect(answered.withLock { $0 })
    }
}
