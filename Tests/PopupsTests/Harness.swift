import Dispatch
import Foundation
import Synchronization
import Testing

@testable import Popups

/// A program that is spoken to in lines, and ended when it is let go.
final class LineProcess {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var pending: [UInt8] = []

    init(_ program: String, _ arguments: [String], environment: [String: String] = [:]) throws {
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = input
        process.standardOutput = output
        try Self.unblockingSignals { try process.run() }
    }

    /// Dispatch blocks signals on its threads, and what is started there inherits that: it could not
    /// be ended by SIGTERM.
    private static func unblockingSignals(_ body: () throws -> Void) rethrows {
        var none = sigset_t()
        var before = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        try body()
    }

    deinit { end() }

    var pid: Int32 { process.processIdentifier }

    /// Ends the program and what it has started, and waits until it has ended. It gets no chance to
    /// say farewell.
    func end() {
        if process.isRunning {
            let leadsGroup = getpgid(pid) == pid
            kill(leadsGroup ? -pid : pid, SIGKILL)
        }
        // Of one that has ended by itself, too: it holds itself until then.
        process.waitUntilExit()
    }

    /// Closes its input, upon which it ends in its own way.
    func finish() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    func write(_ line: String) throws {
        try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
    }

    /// The next line of its output; waits for it.
    func readLine(seconds: Int32 = 30) throws -> String {
        while true {
            if let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
                defer { pending.removeSubrange(...end) }
                return String(decoding: pending[..<end], as: UTF8.self)
            }
            var poller = pollfd(
                fd: output.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&poller, 1, seconds * 1000) > 0 else { throw Silence() }
            let data = output.fileHandleForReading.availableData
            if data.isEmpty { throw Silence() }
            pending += data
        }
    }

    /// Whether it has said nothing that was not read.
    func isSilent(milliseconds: Int32) -> Bool {
        var poller = pollfd(
            fd: output.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
        return pending.isEmpty && poll(&poller, 1, milliseconds) == 0
    }
}

/// Nothing came within the time in which it should have.
struct Silence: Error {}

/// Where the tests' helpers lie.
let support = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Support").path

/// A session bus for one test. It becomes the process's session bus.
final class PrivateBus {
    private let daemon: LineProcess
    /// Where it listens.
    let address: String

    /// - Parameter address: where to listen; an address of its own unless given.
    init(address: String? = nil) throws {
        var arguments = ["--config-file=\(support)/bus.conf", "--nofork", "--print-address"]
        if let address { arguments.append("--address=\(address)") }
        daemon = try LineProcess("/usr/bin/dbus-daemon", arguments)
        self.address = try daemon.readLine()
        setenv("DBUS_SESSION_BUS_ADDRESS", self.address, 1)
    }

    func end() { daemon.end() }
}

/// The recording server of `Tests/Support/notification_server.py`.
final class RecordingServer {
    private let process: LineProcess
    private(set) var busName = ""
    private var unread: [[String: Any]] = []

    init(_ arguments: String...) throws {
        process = try LineProcess(
            "/usr/bin/python3", [support + "/notification_server.py"] + arguments)
        busName = try next("ready")["name"] as? String ?? ""
    }

    /// The next event of this kind; other events are kept.
    func next(_ kind: String) throws -> [String: Any] {
        if let index = unread.firstIndex(where: { $0["event"] as? String == kind }) {
            return unread.remove(at: index)
        }
        while true {
            let line = Data(try process.readLine().utf8)
            let event = try JSONSerialization.jsonObject(with: line) as? [String: Any] ?? [:]
            if event["event"] as? String == kind { return event }
            unread.append(event)
        }
    }

    func command(_ line: String) throws {
        try process.write(line)
        _ = try next("ok")
    }

    func end() { process.end() }

    /// Neither reads nor answers until `wake`.
    func freeze() { kill(process.pid, SIGSTOP) }
    func wake() { kill(process.pid, SIGCONT) }

    /// Whether nothing more was said to it. Asked after an event that would have come later.
    func heardNothingMore(milliseconds: Int32 = 50) -> Bool {
        unread.isEmpty && process.isSilent(milliseconds: milliseconds)
    }
}

/// A presenter under test, and what it tells.
final class Watched: Sendable {
    let presenter = DesktopPresenter()
    private let events = Mutex<[PresenterEvent]>([])
    private let arrived = DispatchSemaphore(value: 0)

    init() {
        presenter.start { [self] event in
            if case .serverAppeared(let info) = event { presenter.welcome(info.busName) }
            events.withLock { $0.append(event) }
            arrived.signal()
        }
    }

    func end() {
        presenter.stop()
        presenter.join()
    }

    /// The next event; waits for it.
    func next(seconds: Double = 30) throws -> PresenterEvent {
        guard arrived.wait(timeout: .now() + seconds) == .success else { throw Silence() }
        return events.withLock { $0.removeFirst() }
    }

    /// The next event that is not about the server's coming and going.
    func nextOfPopup() throws -> PresenterEvent {
        while true {
            switch try next() {
            case .serverAppeared, .serverVanished: continue
            case let event: return event
            }
        }
    }

    /// The key of the next event, which is to be a showing.
    func nextKey() throws -> String? {
        if case .shown(let key, _, _) = try next() { key } else { nil }
    }

    /// Waits for a server and returns what it told about itself.
    func server() throws -> ServerInfo {
        while true {
            if case .serverAppeared(let info) = try next() { return info }
        }
    }

    /// Waits for the pop-up to be shown and returns its id.
    func shown(_ key: String) throws -> UInt32 {
        while true {
            if case .shown(key, _, let id) = try next() { return id }
        }
    }
}

let tea = Popup(
    key: "tea", summary: "Tea & <cake>", body: "due 4:00 & late", urgency: .critical,
    actions: [
        PopupAction(key: "done", label: "Done"), PopupAction(key: "snooze", label: "Snooze 10m"),
    ], fallbackHint: "remindctl done 7", soundName: "alarm-clock-elapsed",
    category: "x-reminder.due", desktopEntry: "remindd")
