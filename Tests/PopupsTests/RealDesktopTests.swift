import Foundation
import Testing

@testable import Popups

extension OnTheBus {
    @Suite("A real server, and rest", .timeLimit(.minutes(4)))
    struct RealDesktopTests {
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

        /// What the system says of the presenter's threads, each as its lines by name.
        private func threads() throws -> [[String: String]] {
            let folder = "/proc/self/task"
            return try FileManager.default.contentsOfDirectory(atPath: folder).compactMap { task in
                // Other threads of the tests may have ended since the folder was read.
                guard
                    let text = try? String(
                        contentsOfFile: "\(folder)/\(task)/status", encoding: .utf8)
                else { return nil }
                let pairs = text.split(separator: "\n").map { $0.split(separator: ":\t") }
                let lines = Dictionary(
                    pairs.compactMap { $0.count == 2 ? (String($0[0]), String($0[1])) : nil }
                ) { first, _ in first }
                return ["popups", "gdbus", "gmain"].contains(lines["Name"]) ? lines : nil
            }
        }

        /// The system's own count, so that whatever wakes a thread is seen.
        private func contextSwitches() throws -> Int {
            try threads().reduce(0) { $0 + (Int($1["voluntary_ctxt_switches"] ?? "") ?? 0) }
        }

        /// A thread that sleeps has counted that.
        private func waitUntilAsleep() throws {
            while try !threads().allSatisfy({ $0["State"]?.hasPrefix("S") == true }) {}
        }

        @Test("With a pop-up on the screen nothing wakes up")
        func idle() throws {
            try onBus { _, watched in
                let server = try RecordingServer("--inhibited", "off")
                _ = try watched.server()
                watched.presenter.show(tea)
                _ = try watched.shown("tea")
                _ = try server.next("notify")
                // What the server says last is heard last.
                try server.command("inhibit on")
                #expect(try watched.next() == .inhibitionChanged(true))
                try waitUntilAsleep()
                _ = server.heardNothingMore(milliseconds: 100)
                let before = try contextSwitches()
                #expect(server.heardNothingMore(milliseconds: 3000))
                #expect(try contextSwitches() == before)
            }
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
        control.finish()
        return text
    }
}
