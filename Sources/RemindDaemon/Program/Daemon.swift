import Calendaring
import Dispatch
import Glibc
import Popups
import RemindAPI
import RemindCore
import Store
import Varlink
import VarlinkWire

/// The program: begins everything in order, runs, and undoes it in reverse.
package enum Daemon {
    /// - Parameters:
    ///   - arguments: the command line with the program's name.
    ///   - commit: for `--version`.
    /// - Returns: the exit status, when it could not begin or had only to print something; else it
    ///   runs until SIGTERM or SIGINT and exits itself.
    package static func run(_ arguments: [String], commit: String) -> Int32 {
        StandardStreams.fill(.silent)
        do {
            let options = try Options(arguments.dropFirst())
            if options.wantsHelp { return printed(Options.help) }
            if options.wantsVersion {
                return printed(Product.line(program: "remindd", commit: commit))
            }
            if options.checksConfiguration { return try checkConfiguration(options) }
            if let file = options.restores {
                return printed(try OfflineRestore.run(file, options))
            }
            let running = try begin(options)
            running.runForever()
        } catch {
            let failure = Failure(error)
            failure.log()
            return failure.status.rawValue
        }
    }

    /// What keeps it from beginning is left for the clients that find nobody.
    private static func begin(_ options: Options) throws -> Running {
        // Before anything is opened: a descriptor of ours would be taken for one that was passed in.
        let passed = ServiceManager.passedSocket()
        let socket = try? SocketLocation(option: options.socket).path
        do {
            let running = try Running(options, passed: passed)
            if let socket { StartFailure.clear(socket: socket) }
            return running
        } catch {
            let failure = Failure(error)
            if failure.concernsClients, let socket {
                StartFailure.leave(failure.message, socket: socket)
            }
            throw error
        }
    }

    /// `--check-config`: one line a fault, on standard error.
    private static func checkConfiguration(_ options: Options) throws -> Int32 {
        let source = try ConfigurationSource(options, SocketLocation.environment)
        let found = try source.read()
        for fault in found.faults + found.warnings { Journal.error(fault) }
        guard found.faults.isEmpty, found.warnings.isEmpty else {
            return ExitStatus.configuration.rawValue
        }
        return printed(
            "\(source.path) is \(found.isThere ? "valid" : "not there: all is default")\n")
    }

    private static func printed(_ text: String) -> Int32 {
        _ = Array(text.utf8).withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
        return ExitStatus.done.rawValue
    }
}

/// The parts of the running program.
private final class Running: @unchecked Sendable {
    private let engine: Engine
    private let server: VarlinkServer
    private let configuration: ConfigurationSource
    /// Opened before the clock and the zone were read.
    private let (clockWatch, zoneWatch) = (SystemWatch.clockWatch(), SystemWatch.zoneWatch())
    /// Touched on the main queue only.
    private var kept: [Any] = []
    private var unregisteredSignals = 0

    init(_ options: Options, passed: Int32?) throws {
        try ProcessLimits.prepare()
        configuration = try ConfigurationSource(options, SocketLocation.environment)
        let settings = try configuration.settings()
        let database = try options.databasePath(SocketLocation.environment)
        let socket = try Self.socket(options, passed)
        let store = try Store(path: database, busyTimeout: Self.busyMilliseconds)
        let zones = SystemZones()
        if let unknown = zones.unknown {
            Journal.error("TZ=‘\(unknown)’ is no time zone: UTC is used")
        }
        var parts = Engine.Parts(
            store: store, presenter: DesktopPresenter(), zones: zones, settings: settings)
        parts.keepsDailyBackups = true
        let engine = Engine(parts)
        let facts = ProgramFacts(
            processID: getpid(), database: database, configuration: configuration)
        let service = RemindersService(engine: engine, facts: facts)
        server = VarlinkServer(
            socket: socket, info: RemindersService.info, interfaces: [try service.interface()],
            limits: Self.limits)
        self.engine = engine
        try engine.queue.sync {
            try engine.assumeIsolated { try $0.start() }
        }
        server.socketChanged = Self.log
        // Some milliseconds for each hundred MiB, on a queue that nothing rings on.
        server.calmed = ProcessMemory.forgetFreed
        server.start()
    }

    /// Without its socket it rings on; only those who ask do not find it.
    private static func log(_ change: VarlinkServer.SocketChange) {
        switch change {
        case .madeAnew(let path):
            Journal.notice("the socket ‘\(path)’ was removed; it was made anew")
        case .lost(let path, let reason):
            Journal.error(
                "the socket ‘\(path)’ was removed or replaced, so that remindctl does not find us; "
                    + "it cannot be made anew: \(reason) Reminders ring on. SIGHUP tries again.")
        case .unwatched(let path, let reason):
            Journal.error("cannot watch the socket ‘\(path)’: \(reason)")
        }
    }

    /// Every connection may stream a list; those who watch have a limit of their own.
    private static var limits: VarlinkWire.Limits {
        var limits = VarlinkWire.Limits()
        limits.streams = limits.connections
        return limits
    }

    /// How long a change waits for another program's lock on the store. The engine stands still
    /// meanwhile, so it is short: a reminder that comes due must be on the screen soon.
    private static let busyMilliseconds: Int32 = 100

    private static func socket(
        _ options: Options, _ passed: Int32?
    ) throws -> ListeningSocket {
        if let passed { return try ListeningSocket(adopting: passed) }
        return try ListeningSocket(path: try SocketLocation(option: options.socket).path)
    }

    func runForever() -> Never {
        let engine = engine
        kept.append(
            SystemWatch(
                clock: clockWatch, zone: zoneWatch, queue: engine.queue,
                clockChanged: { engine.assumeIsolated { $0.clockChanged() } },
                zoneChanged: { engine.assumeIsolated { $0.zoneChanged(SystemZones()) } }))
        if let watchdog = ServiceManager.feedWatchdog(from: engine.queue) { kept.append(watchdog) }
        // It would end us before its source is registered.
        signal(SIGHUP, SIG_IGN)
        unregisteredSignals = 3
        kept += [onSignal(SIGTERM, stop), onSignal(SIGINT, stop), onSignal(SIGHUP, reload)]
        dispatchMain()
    }

    /// Until its source is registered a signal does what it does by default: SIGTERM and SIGINT that
    /// were ignored meanwhile were lost, and the service manager waited until it had to kill.
    private func onSignal(
        _ number: Int32, _ handler: @escaping () -> Void
    ) -> any DispatchSourceSignal {
        let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
        source.setEventHandler(handler: handler)
        source.setRegistrationHandler { self.signalRegistered() }
        source.activate()
        return source
    }

    /// Ready only now, when whoever wants us to stop is heard and all is put away.
    private func signalRegistered() {
        unregisteredSignals -= 1
        guard unregisteredSignals == 0 else { return }
        ServiceManager.ready()
        Journal.info("ready")
        ProcessMemory.forgetCode()
    }

    /// SIGHUP: the configuration is read again. One with faults changes nothing.
    private func reload() {
        server.checkSocketFile()
        do {
            let settings = try configuration.settings()
            engine.run { $0.reconfigure(settings) }
        } catch {
            Failure(error).log()
            Journal.error("the settings stay as they were")
        }
    }

    /// The reverse of the beginning: no further call, then no further ring, then the store.
    private func stop() {
        ServiceManager.stopping()
        let engine = engine
        engine.run { $0.endWatching() }
        server.stop {
            engine.run {
                $0.stop()
                exit(ExitStatus.done.rawValue)
            }
        }
    }
}

/// Why the program could not begin, and with which status it ends.
struct Failure {
    let message: String
    let status: ExitStatus
    /// False when another daemon runs.
    var concernsClients: Bool { status == .configuration || isOfStore }
    private var isOfStore = false

    init(_ error: any Error) {
        switch error {
        case let error as Options.Misuse: (message, status) = (error.message, .usage)
        case let error as SocketLocation.Failure:
            (message, status) = ("\(error.message) \(error.hint)", .configuration)
        case let error as ProcessLimits.TooFewFiles:
            (message, status) = (error.message, .configuration)
        case let error as ConfigurationSource.Failure:
            (message, status) = (error.message, .configuration)
        case let error as StoreError:
            (message, status) = (Self.message(of: error), Self.status(of: error))
            isOfStore = error.category != .alreadyInUse
        default: (message, status) = ("cannot listen: \(error)", .cannotCreate)
        }
    }

    /// One message a line.
    func log() {
        for line in message.split(separator: "\n") { Journal.error(String(line)) }
    }

    /// What can be done about a damaged store, with the newest backup there is.
    private static func message(of error: StoreError) -> String {
        let today = FixedZone.utc.civil(at: Clock.system.now).date
        guard error.category == .corrupt,
            let backup = BackupFolder.newest(beside: error.path, today: today)
        else { return error.message }
        return error.message + " The newest backup: remindd --restore \(backup)"
    }

    private static func status(of error: StoreError) -> ExitStatus {
        switch error.category {
        case .busy, .alreadyInUse: .temporary
        case .newerSchema, .notOurs, .corrupt: .configuration
        case .cannotOpen, .readOnly: .cannotCreate
        default: .inputOutput
        }
    }
}
