import Calendaring
import Dispatch
import Glibc
import Popups
import RemindAPI
import RemindCore
import Store
import Testing
import Varlink
import VarlinkWire

@testable import RemindDaemon

/// The real daemon in this process: a real store and a real socket, at a time that stands still.
/// Unchecked: nothing of it changes.
final class RealDaemon: @unchecked Sendable {
    /// Mon 3 March 2031, 10:00 in Berlin.
    static let now = Instant(rfc3339: "2031-03-03T10:00:00+01:00") ?? .earliest

    let folder: String
    private let engine: Engine
    private let server: VarlinkServer

    init() throws {
        var template = Array("/tmp/remindctl-XXXXXX".utf8CString)
        try #require(mkdtemp(&template) != nil)
        folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        let database = folder + "/reminders.db"
        engine = Engine(
            Engine.Parts(
                store: try Store(path: database, busyTimeout: 200),
                presenter: RecordingPresenter(), clock: RemindDaemon.Clock { Self.now },
                zones: SystemZones(environment: ["TZ": "Europe/Berlin"])))
        let service = RemindersService(
            engine: engine, facts: ProgramFacts(processID: 1234, database: "/data/reminders.db"))
        server = VarlinkServer(
            socket: try ListeningSocket(path: folder + "/remindd.sock"),
            info: RemindersService.info, interfaces: [try service.interface()])
        try isolated { try $0.start() }
        server.start()
    }

    deinit {
        server.stop()
        isolated { $0.stop() }
        for name in ["", "-wal", "-shm", ".lock"] { unlink(folder + "/reminders.db" + name) }
        unlink(folder + "/remindd.sock")
        rmdir(folder)
    }

    /// Rings what is due, as the timer would.
    func ring() { isolated { $0.timerFired() } }

    /// Runs `body` while the engine does nothing: what is asked of it waits.
    func withEngineHeld<Value>(_ body: () throws -> Value) rethrows -> Value {
        try engine.queue.sync { try body() }
    }

    private func isolated<Value: Sendable>(
        _ body: @Sendable (isolated Engine) throws -> Value
    ) rethrows -> Value {
        let engine = engine
        return try engine.queue.sync { try engine.assumeIsolated(body) }
    }
}
