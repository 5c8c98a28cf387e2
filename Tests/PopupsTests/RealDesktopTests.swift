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

        /// The system's own count, so that whatever wakes a thread is seen.
        private func contextSwitches() throws -> Int {
            let folder = "/proc/self/task"
            return try FileManager.default.contentsOfDirectory(atPath: folder).reduce(0) {
                sum, task in
                // Other threads of the tests may have ended since the folder was read.
                guard
                    let name = try? String(
                        contentsOfFile: "\(folder)/\(task)/comm", encoding: .utf8),
                    ["popups", "gdbus", "gmain"].contains(name.trimmingCharacters(in: .newlines))
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
                _ = try server.next("close")
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
