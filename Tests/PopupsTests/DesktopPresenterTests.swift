import Foundation
import Testing

@testable import Popups

/// One after the other: the session bus is the process's.
@Suite("Pop-ups on a notification server", .serialized, .timeLimit(.minutes(4)))
struct DesktopPresenterTests {
    /// Runs a test with a bus and a presenter of its own.
    private func onBus(_ body: (PrivateBus, Watched) throws -> Void) throws {
        let bus = try PrivateBus()
        let watched = Watched()
        defer {
            watched.end()
            bus.end()
        }
        try body(bus, watched)
    }

    @Test("A pop-up goes out as the specification wants it")
    func arguments() throws {
        try onBus { _, watched in
            let server = try RecordingServer()
            watched.presenter.show(tea)
            let call = try server.next("notify")
            #expect(call["app"] as? String == "Reminders")
            #expect(call["replaces"] as? Int == 0)
            #expect(call["summary"] as? String == "Tea & <cake>")
            #expect(call["body"] as? String == "due 4:00 &amp; late")
            #expect(call["actions"] as? [String] == ["done", "Done", "snooze", "Snooze 10m"])
            #expect(call["timeout"] as? Int == 0)
            let hints = try #require(call["hints"] as? [String: Any])
            #expect(hints["urgency"] as? Int == 2)
            #expect(hints["desktop-entry"] as? String == "remindd")
            #expect(hints["category"] as? String == "x-reminder.due")
            #expect(hints["sound-name"] as? String == "alarm-clock-elapsed")
            #expect(try watched.next() == .serverVanished)
            let info = try watched.server()
            #expect(info.name == "Recorder")
            #expect(info.capabilities == ["body", "body-markup", "actions"])
            #expect(info.busName.hasPrefix(server.busName + "@"))
            let shown = PresenterEvent.shown(key: "tea", serverBusName: info.busName, id: 1)
            #expect(try watched.next() == shown)
        }
    }

    @Test("The same key is replaced in place and closed once")
    func replacing() throws {
        try onBus { _, watched in
            let server = try RecordingServer("--first-id", "41")
            watched.presenter.show(tea)
            #expect(try watched.shown("tea") == 41)
            watched.presenter.show(tea)
            #expect(try watched.shown("tea") == 41)
            watched.presenter.close(key: "tea", earlier: nil)
            _ = try server.next("notify")
            #expect(try server.next("notify")["replaces"] as? Int == 41)
            #expect(try server.next("close")["id"] as? Int == 41)
            #expect(server.heardNothingMore())
        }
    }

    @Test("A button pressed is an answer, once")
    func pressing() throws {
        try onBus { _, watched in
            let server = try RecordingServer()
            watched.presenter.show(tea)
            let id = try watched.shown("tea")
            try server.command("press \(id) unknown")
            try server.command("press \(id + 1) done")
            try server.command("press \(id) snooze")
            try server.command("press \(id) default")
            try server.command("close \(id) 2")
            #expect(try watched.next() == .answered(key: "tea", action: "snooze"))
            watched.presenter.show(tea)
            #expect(try watched.nextOfPopup() == shown(2, server, watched))
        }
    }

    private func shown(_ id: UInt32, _ server: RecordingServer, _ watched: Watched)
        -> PresenterEvent
    {
        .shown(key: "tea", serverBusName: server.busName + "@" + busID(), id: id)
    }

    /// The bus's own id, as any of its clients sees it.
    private func busID() -> String {
        let address = ProcessInfo.processInfo.environment["DBUS_SESSION_BUS_ADDRESS"] ?? ""
        return address.split(separator: "guid=").last.map(String.init) ?? ""
    }

    @Test("Closing is told by its reason, and only the user's is a dismissal")
    func closing() throws {
        try onBus { _, watched in
            let server = try RecordingServer()
            let events: [(Int, PresenterEvent)] = [
                (1, .closedUnanswered(key: "tea", reason: 1)), (2, .dismissed(key: "tea")),
                (4, .closedUnanswered(key: "tea", reason: 4)),
            ]
            for (reason, event) in events {
                watched.presenter.show(tea)
                let id = try watched.shown("tea")
                #expect(try server.next("notify")["replaces"] as? Int == 0)
                try server.command("close \(id) \(reason)")
                #expect(try watched.next() == event)
            }
            #expect(server.heardNothingMore())
        }
    }

    @Test("Nobody but the server can press a button")
    func forging() throws {
        try onBus { _, watched in
            let server = try RecordingServer()
            watched.presenter.show(tea)
            let id = try watched.shown("tea")
            try server.command("forge \(id) done")
            try server.command("press \(id) snooze")
            #expect(try watched.next() == .answered(key: "tea", action: "snooze"))
        }
    }

    @Test("An answer that overtakes the reply is told after the showing")
    func early() throws {
        try onBus { _, watched in
            let server = try RecordingServer()
            try server.command("press-early done")
            watched.presenter.show(tea)
            _ = try watched.shown("tea")
            #expect(try watched.next() == .answered(key: "tea", action: "done"))
        }
    }

    @Test("A new server gets all that is wanted, under no id of the old one")
    func restart() throws {
        try onBus { _, watched in
            let first = try RecordingServer("--first-id", "3")
            var milk = tea
            milk.key = "milk"
            watched.presenter.show(milk)
            #expect(try watched.shown("milk") == 3)
            watched.presenter.show(tea)
            #expect(try watched.shown("tea") == 4)
            watched.presenter.close(key: "milk", earlier: nil)
            _ = try first.next("close")
            first.end()
            #expect(try watched.next() == .serverVanished)
            let second = try RecordingServer("--caps", "body")
            let call = try second.next("notify")
            #expect(call["replaces"] as? Int == 0)
            #expect(call["body"] as? String == "due 4:00 & late\nremindctl done 7")
            #expect((call["actions"] as? [String])?.isEmpty == true)
            #expect(try watched.shown("tea") == 1)
            try second.command("press 4 done")
            try second.command("close 1 2")
            #expect(try watched.next() == .dismissed(key: "tea"))
            #expect(second.heardNothingMore())
        }
    }

    @Test("A server that comes late gets what waits (A-srv-01)")
    func lateServer() throws {
        try onBus { _, watched in
            watched.presenter.show(tea)
            #expect(try watched.next() == .serverVanished)
            let server = try RecordingServer()
            #expect(try watched.shown("tea") == 1)
            _ = try server.next("notify")
            #expect(server.heardNothingMore())
        }
    }

    @Test("A server that hangs holds up nothing, and its replacement gets each once (A-srv-02)")
    func hanging() throws {
        try onBus { _, watched in
            let first = try RecordingServer()
            _ = try watched.server()
            try first.command("hang")
            var milk = tea
            milk.key = "milk"
            watched.presenter.show(tea)
            _ = try first.next("notify")
            watched.presenter.show(milk)
            _ = try first.next("notify")
            watched.presenter.close(key: "milk", earlier: nil)
            try first.command("resume")
            #expect(try watched.shown("tea") == 1)
            #expect(try first.next("close")["id"] as? Int == 2)
            try first.command("hang")
            watched.presenter.show(tea)
            watched.presenter.show(milk)
            _ = try first.next("notify")
            _ = try first.next("notify")
            let second = try RecordingServer()
            let replaces = [try second.next("notify"), try second.next("notify")].map {
                $0["replaces"] as? Int
            }
            #expect(replaces == [0, 0])
            _ = try watched.server()
            #expect(Set([try watched.nextKey(), try watched.nextKey()]) == ["tea", "milk"])
            #expect(second.heardNothingMore())
        }
    }

    @Test("A reply after libnotify's time limit still counts, and nothing stands there twice")
    func lateReply() throws {
        try onBus { _, watched in
            let server = try RecordingServer()
            _ = try watched.server()
            try server.command("hang")
            watched.presenter.show(tea)
            guard case .failed(key: "tea", _) = try watched.next(seconds: 40) else {
                Issue.record("expected a failure")
                return
            }
            try server.command("resume")
            #expect(try watched.shown("tea") == 1)
            watched.presenter.close(key: "tea", earlier: nil)
            #expect(try server.next("close")["id"] as? Int == 1)
            _ = try server.next("notify")
            #expect(server.heardNothingMore())
        }
    }

    @Test("A server that stands still holds nobody up, and gets the close after the pop-up")
    func frozen() throws {
        try onBus { _, watched in
            let server = try RecordingServer()
            _ = try watched.server()
            server.freeze()
            watched.presenter.show(tea)
            watched.presenter.close(key: "tea", earlier: nil)
            server.wake()
            let id = try server.next("notify")["id"] as? Int
            #expect(try server.next("close")["id"] as? Int == id)
        }
    }

    @Test("A server that dies in a call leaves the pop-up for the next")
    func dying() throws {
        try onBus { _, watched in
            let first = try RecordingServer()
            _ = try watched.server()
            try first.command("die")
            watched.presenter.show(tea)
            while try watched.next() != .serverVanished {}
            let second = try RecordingServer()
            #expect(try watched.shown("tea") == 1)
            _ = try second.next("notify")
            #expect(second.heardNothingMore())
        }
    }

    @Test("An identical pop-up refused by the server is tried again after a second")
    func refusing() throws {
        try onBus { _, watched in
            let server = try RecordingServer()
            let name = "org.freedesktop.Notifications.Error.ExcessNotificationGeneration"
            try server.command("fail \(name) 1")
            let clock = ContinuousClock()
            watched.presenter.show(tea)
            #expect(try server.next("notify")["refused"] as? String == name)
            let refused = clock.now
            #expect(try server.next("notify")["refused"] as? String == nil)
            #expect(clock.now - refused >= .milliseconds(950))
            let event = try watched.nextOfPopup()
            #expect(event == .failed(key: "tea", message: "refused on request"))
            #expect(try watched.next() == shown(1, server, watched))
        }
    }

    @Test("A server that refuses all is tried at most once a second, ever more rarely")
    func refusingAll() throws {
        try onBus { _, watched in
            let server = try RecordingServer()
            try server.command("fail org.freedesktop.DBus.Error.Failed")
            for number in 1...5 {
                var popup = tea
                popup.key = "\(number)"
                watched.presenter.show(popup)
            }
            for _ in 1...5 { _ = try server.next("notify") }
            let clock = ContinuousClock()
            var last = clock.now
            for least in [900, 1900] {
                _ = try server.next("notify")
                #expect(clock.now - last >= .milliseconds(least))
                last = clock.now
            }
            try server.command("succeed")
            for _ in 1...5 { #expect(try server.next("notify")["refused"] is NSNull) }
        }
    }

    @Test("A pop-up of an earlier run is replaced, and closed, where it still stands")
    func earlierRun() throws {
        try onBus { _, watched in
            let server = try RecordingServer()
            let name = try watched.server().busName
            var again = tea
            again.earlier = ShownPopup(serverBusName: name, id: 12)
            watched.presenter.show(again)
            #expect(try server.next("notify")["replaces"] as? Int == 12)
            #expect(try watched.shown("tea") == 12)
            watched.presenter.close(key: "x", earlier: ShownPopup(serverBusName: name, id: 13))
            #expect(try server.next("close")["id"] as? Int == 13)
            again.key = "stale"
            again.earlier = ShownPopup(serverBusName: server.busName, id: 14)
            watched.presenter.show(again)
            #expect(try server.next("notify")["replaces"] as? Int == 0)
        }
    }

    @Test("A server that keeps few expires the oldest, which is no answer")
    func keepingFew() throws {
        try onBus { _, watched in
            let server = try RecordingServer()
            try server.command("keep 3")
            for number in 1...4 {
                var popup = tea
                popup.key = "\(number)"
                watched.presenter.show(popup)
                if number < 4 { _ = try watched.shown(popup.key) }
            }
            // The signal may overtake the reply to the fourth.
            let events = [try watched.next(), try watched.next()]
            #expect(events.contains(.closedUnanswered(key: "1", reason: 1)))
            for _ in 1...4 { _ = try server.next("notify") }
            #expect(server.heardNothingMore())
        }
    }

    @Test("A bus that comes late, goes and comes again is followed")
    func noBus() throws {
        let socket = "/tmp/popups-\(getpid()).bus"
        setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=\(socket)", 1)
        let watched = Watched()
        defer { watched.end() }
        watched.presenter.show(tea)
        #expect(try watched.next() == .serverVanished)
        for _ in 1...2 {
            let bus = try PrivateBus(address: "unix:path=\(socket)")
            setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=\(socket)", 1)
            let server = try RecordingServer()
            #expect(try watched.shown("tea") == 1)
            #expect(try server.next("notify")["replaces"] as? Int == 0)
            bus.end()
            #expect(try watched.next() == .serverVanished)
        }
    }

    @Test("On dunst a pop-up is shown, answered, dismissed and closed")
    func dunst() throws {
        let desktop = try RealDesktop()
        let watched = Watched()
        defer {
            watched.end()
            desktop.end()
        }
        #expect(try watched.server().name == "dunst")
        var popup = tea
        popup.actions = [PopupAction(key: "done", label: "Done")]
        watched.presenter.show(popup)
        _ = try watched.shown("tea")
        #expect(try desktop.dunstctl("count", "displayed") == "1")
        _ = try desktop.dunstctl("action")
        #expect(try watched.next() == .answered(key: "tea", action: "done"))
        watched.presenter.show(popup)
        _ = try watched.shown("tea")
        _ = try desktop.dunstctl("close")
        #expect(try watched.next() == .dismissed(key: "tea"))
        watched.presenter.show(popup)
        watched.presenter.show(popup)
        _ = try watched.shown("tea")
        _ = try watched.shown("tea")
        #expect(try desktop.dunstctl("count", "displayed") == "1")
        watched.presenter.close(key: "tea", earlier: nil)
        while try desktop.dunstctl("count", "displayed") != "0" {}
        #expect(try desktop.dunstctl("history").contains("Tea & <cake>"))
    }

    /// The system's own count, so that whatever wakes a thread is seen.
    private func contextSwitches() throws -> Int {
        let folder = "/proc/self/task"
        return try FileManager.default.contentsOfDirectory(atPath: folder).reduce(0) { sum, task in
            let name = try String(contentsOfFile: "\(folder)/\(task)/comm", encoding: .utf8)
            guard ["popups", "gdbus", "gmain"].contains(name.trimmingCharacters(in: .newlines))
            else { return sum }
            let status = try String(contentsOfFile: "\(folder)/\(task)/status", encoding: .utf8)
            let line = status.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt") }
            return sum + (line?.split(separator: "\t").last.flatMap { Int($0) } ?? 0)
        }
    }

    @Test("With a pop-up on the screen nothing wakes up")
    func idle() throws {
        try onBus { _, watched in
            let server = try RecordingServer()
            watched.presenter.show(tea)
            _ = try watched.shown("tea")
            _ = try server.next("notify")
            // Whatever the showing still has to do is done when the next answer has come.
            try server.command("press 1 done")
            _ = try watched.next()
            _ = server.heardNothingMore(milliseconds: 100)
            let before = try contextSwitches()
            #expect(server.heardNothingMore(milliseconds: 3000))
            #expect(try contextSwitches() == before)
        }
    }
}

/// A display and dunst (`Tests/Support/with-desktop`), made the process's session bus.
private final class RealDesktop {
    private let process: LineProcess
    private let environment: [String: String]

    init() throws {
        let script = "echo $DISPLAY; echo $DBUS_SESSION_BUS_ADDRESS; exec cat"
        process = try LineProcess(support + "/with-desktop", ["sh", "-c", script])
        let display = try process.readLine()
        let bus = try process.readLine()
        environment = ["DISPLAY": display, "DBUS_SESSION_BUS_ADDRESS": bus]
        setenv("DBUS_SESSION_BUS_ADDRESS", bus, 1)
    }

    func end() { process.finish() }

    /// What `dunstctl` says, without line breaks.
    func dunstctl(_ arguments: String...) throws -> String {
        let control = try LineProcess("/usr/bin/dunstctl", arguments, environment: environment)
        var text = ""
        while let line = try? control.readLine() { text += line }
        return text
    }
}
