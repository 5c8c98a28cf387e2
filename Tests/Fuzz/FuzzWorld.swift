import Calendaring
import Dispatch
import Glibc
import Popups
import RemindAPI
import RemindCore
import Store
import Synchronization

@testable import RemindDaemon

/// A clock that stands where it is put.
private final class SteeredClock: Sendable {
    private let instant = Mutex(FuzzWorld.beginning)

    var now: Instant {
        get { instant.withLock { $0 } }
        set { instant.withLock { $0 = newValue } }
    }
}

/// An engine on a real store, in a folder in memory, with a clock and a screen that are steered.
/// Unchecked: one thread has it.
final class FuzzWorld: @unchecked Sendable {
    private let clock = SteeredClock()
    private(set) var presenter = RecordingPresenter()
    private(set) var engine: Engine
    let folder: String

    static let beginning = Instant(seconds: 1_714_552_200)
    private static let zones = SystemZones(environment: ["TZ": "Europe/Berlin"])

    var database: String { folder + "/reminders.db" }

    var now: Instant {
        get { clock.now }
        set { clock.now = newValue }
    }

    /// - Parameter content: the bytes of the database; an empty one when not given.
    init(content: [UInt8]? = nil) throws {
        let parent = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
        var template = Array("\(parent)/remindd-fuzz-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Finding("no folder: \(errno)") }
        folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        if let content { try Self.write(folder + "/reminders.db", content) }
        engine = Engine(try Self.parts(folder + "/reminders.db", presenter, clock))
        try isolated { try $0.start() }
    }

    private static func parts(
        _ path: String, _ presenter: RecordingPresenter, _ clock: SteeredClock
    ) throws -> Engine.Parts {
        Engine.Parts(
            store: try Store(path: path, busyTimeout: 0), presenter: presenter,
            clock: Clock { clock.now }, zones: zones)
    }

    deinit {
        stop()
        Self.removeTree(folder)
    }

    /// A world with an empty store that need not be made anew.
    static func empty() throws -> FuzzWorld { try FuzzWorld(content: emptyStore.get()) }

    private static let emptyStore = Result {
        let world = try FuzzWorld()
        world.stop()
        return try read(world.database)
    }

    /// The daemon ends and begins again.
    func restart() throws {
        stop()
        presenter = RecordingPresenter()
        engine = Engine(try Self.parts(database, presenter, clock))
        try isolated { try $0.start() }
    }

    func stop() { isolated { $0.stop() } }

    /// Inside the engine, after all that was asked of it before.
    func isolated<Value: Sendable>(
        _ body: @Sendable (isolated Engine) throws -> Value
    ) rethrows -> Value {
        let engine = engine
        return try engine.queue.sync { try engine.assumeIsolated(body) }
    }

    /// All reminders, by their numbers.
    func all() throws -> [Reminder] {
        try isolated { engine in
            try engine.store.list(.init(.all), sort: .created).sorted { $0.number < $1.number }
        }
    }

    /// What of calendars is no task, by its numbers.
    func components() throws -> [CalendarComponentRecord] {
        try isolated { try $0.store.components(after: 0, list: nil, limit: .max) }
    }

    /// Throws a `Finding` when the store is not as it must be.
    func checkIntegrity() throws {
        let faults = try isolated { try $0.store.checkIntegrity() }
        try require(faults.isEmpty, "the store: \(faults)")
    }

    // MARK: Files

    static func write(_ path: String, _ bytes: [UInt8]) throws {
        guard let file = fopen(path, "w") else { throw Finding("\(path): \(errno)") }
        defer { fclose(file) }
        try require(fwrite(bytes, 1, bytes.count, file) == bytes.count, "\(path): \(errno)")
    }

    static func read(_ path: String) throws -> [UInt8] {
        guard let file = fopen(path, "r") else { throw Finding("\(path): \(errno)") }
        defer { fclose(file) }
        var (result, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 1 << 16))
        while case let count = fread(&buffer, 1, buffer.count, file), count > 0 {
            result += buffer[..<count]
        }
        return result
    }

    private static func removeTree(_ path: String) {
        if let folder = opendir(path) {
            defer { closedir(folder) }
            while let entry = readdir(folder) {
                let name = withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                }
                if name != ".", name != ".." { removeTree(path + "/" + name) }
            }
        }
        remove(path)
    }
}
