import Calendaring
import Dispatch
import FaultDisk
import Glibc
import Popups
import RemindAPI
import RemindCore
import Store
import Synchronization
import Testing
import Timing

@testable import RemindDaemon

/// A clock that stands where the test puts it.
final class TestClock: Sendable {
    private let instant: Mutex<Instant>

    init(_ instant: Instant) { self.instant = Mutex(instant) }

    var now: Instant {
        get { instant.withLock { $0 } }
        set { instant.withLock { $0 = newValue } }
    }
}

/// An engine on a real store in a folder of its own, with a clock and a screen that the test holds.
/// Unchecked: a test has its own, or only asks.
final class World: @unchecked Sendable {
    let folder: String
    /// What the folder lies on; `nil`: the machine's own.
    let disk: FaultDisk?
    let clock: TestClock
    private(set) var presenter = RecordingPresenter()
    private(set) var engine: Engine
    private let zone: String
    var settings = Settings()
    /// Of the programs that the engine runs; `nil`: as in ``Engine/Parts``. From the next restart on.
    var environment: [String]?
    var hookBounds = Hooks.Bounds()
    var keepsDailyBackups = false
    var programLog: @Sendable (String) -> Void = { _ in }

    var database: String { folder + "/reminders.db" }

    /// - Parameters:
    ///   - now: RFC 3339.
    ///   - zone: the machine's zone, a name of the system's tzdata.
    ///   - content: the bytes of the database, else there is none.
    ///   - onFaultyDisk: the disk can be made to fail.
    init(
        now: String = "2024-05-01T10:30:00+02:00", zone: String = "Europe/Berlin",
        content: [UInt8]? = nil, onFaultyDisk: Bool = false
    ) throws {
        var template = Array("/tmp/remindd-engine-XXXXXX".utf8CString)
        try #require(mkdtemp(&template) != nil)
        folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        disk = onFaultyDisk ? FaultDisk(folder: folder) : nil
        if let content { try writeFile(folder + "/reminders.db", content) }
        clock = TestClock(try #require(Instant(rfc3339: now)))
        self.zone = zone
        engine = Engine(try Self.parts(folder + "/reminders.db", clock, presenter, zone))
        try start()
    }

    /// Whether its clock and its zone are these.
    func stands(at now: String, _ zone: String) -> Bool {
        Instant(rfc3339: now) == clock.now && zone == self.zone
    }

    deinit {
        stop()
        removeTree(folder)
    }

    private static func parts(
        _ database: String, _ clock: TestClock, _ presenter: RecordingPresenter, _ zone: String
    ) throws -> Engine.Parts {
        Engine.Parts(
            store: try Store(path: database, busyTimeout: 200), presenter: presenter,
            clock: Clock { clock.now }, zones: SystemZones(environment: ["TZ": zone]))
    }

    private func start() throws { try isolated { try $0.start() } }

    private func stop() { isolated { $0.stop() } }

    /// The program ends and begins again, with an empty memory and the clock where it is.
    /// - Parameter zone: the machine's zone from then on.
    func restart(zone: String? = nil) throws {
        stop()
        try begin(zone: zone)
    }

    /// The program ends.
    func end() { stop() }

    /// It begins again.
    func begin(zone: String? = nil) throws {
        presenter = RecordingPresenter()
        var parts = try Self.parts(database, clock, presenter, zone ?? self.zone)
        (parts.settings, parts.hookBounds) = (settings, hookBounds)
        parts.programLog = programLog
        parts.keepsDailyBackups = keepsDailyBackups
        if let environment { parts.environment = environment }
        engine = Engine(parts)
        try start()
    }

    /// Inside the engine, after all that was asked of it before.
    func isolated<Value: Sendable>(
        _ body: @Sendable (isolated Engine) throws -> Value
    ) rethrows -> Value {
        let engine = engine
        return try engine.queue.sync { try engine.assumeIsolated(body) }
    }

    /// Moves the clock and lets the timer fire, as the kernel would.
    func advance(to now: String) throws {
        clock.now = try #require(Instant(rfc3339: now))
        isolated { $0.timerFired() }
    }

    /// Time passes: the timer fires when it is armed, and only then.
    func pass(to end: String) throws {
        let end = try #require(Instant(rfc3339: end))
        while let tick = isolated({ $0.timers.nextTick }), tick <= Engine.tick(end) {
            clock.now = max(clock.now, Instant(milliseconds: Int64(tick)))
            isolated { $0.timerFired() }
        }
        clock.now = end
    }

    /// Adds a reminder.
    @discardableResult
    func add(
        _ title: String, at: String? = nil, _ change: (inout Add.Parameters) -> Void = { _ in }
    )
        throws -> Reminder
    {
        var parameters = Add.Parameters(title: title)
        parameters.at = at
        change(&parameters)
        return try isolated { [parameters] in try $0.add(parameters).0 }
    }

    func reminder(_ number: Int64) throws -> Reminder {
        let found = try isolated { try $0.find("\(number)") }
        return try #require(found.first)
    }

    /// The summaries of the pop-ups that were asked for, in their order.
    var shown: [String] { popups.map(\.summary) }

    var popups: [Popup] {
        presenter.calls.compactMap { if case .show(let popup) = $0 { popup } else { nil } }
    }

    /// The keys of the pop-ups that were taken away.
    var closed: [String] {
        presenter.calls.compactMap { if case .close(let key, _) = $0 { key } else { nil } }
    }

    /// The user or the server does something to a pop-up.
    func screen(_ event: PresenterEvent) {
        presenter.send(event)
        isolated { _ in }
    }
}

/// Writes a file, closed before it returns.
func writeFile(_ path: String, _ bytes: [UInt8]) throws {
    let file = try #require(fopen(path, "w"))
    try #require(fwrite(bytes, 1, bytes.count, file) == bytes.count)
    try #require(fclose(file) == 0)
}

/// The bytes of a file; `nil` when there is none.
func readFile(_ path: String) -> [UInt8]? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var result: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 {
        result += buffer[..<count]
    }
    return result
}

/// The names in a folder, sorted; none for what is not one.
func fileNames(_ path: String) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
            $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
}

private func removeTree(_ path: String) {
    for name in fileNames(path) { removeTree(path + "/" + name) }
    remove(path)
}
