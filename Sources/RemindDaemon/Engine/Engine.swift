import Calendaring
import Dispatch
import Popups
import RemindAPI
import RemindCore
import Store
import Synchronization
import Timing

/// The owner of everything: only the engine changes a reminder. Disk first: it commits, then moves
/// the timers, then the screen, then answers. None of its methods waits between reading and
/// writing, and all run on `queue`.
actor Engine {
    /// What the engine is made of.
    struct Parts {
        var store: Store
        var presenter: any Presenter
        var clock: Clock
        var zones: SystemZones
        var settings: Settings
        /// Of the programs that are run, `NAME=value`.
        var environment = ProgramEnvironment.current
        var hookBounds = Hooks.Bounds()
        /// Makes a copy of the store with the first change of a day.
        var keepsDailyBackups = false
        /// Takes what the programs say.
        var programLog: @Sendable (String) -> Void = Journal.info

        init(
            store: Store, presenter: any Presenter, clock: Clock = .system, zones: SystemZones,
            settings: Settings = Settings()
        ) {
            (self.store, self.presenter, self.clock) = (store, presenter, clock)
            (self.zones, self.settings) = (zones, settings)
        }
    }

    /// How far ahead alarms are kept in the wheel; what is due later stays in the store, and one
    /// entry of the wheel brings it in. In milliseconds.
    static let horizon: Int64 = 7 * 86_400_000

    nonisolated let executor: EngineQueue
    nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    let store: Store
    let presenter: any Presenter
    let clock: Clock
    var settings: Settings
    /// How long a change waits for another program's lock, in milliseconds.
    let busyTimeout: Int32
    var timetable: Timetable
    var timers: KeyedTimers
    /// The end of what the wheel holds.
    var horizonEnd: Instant
    var timer: WallTimer?
    var watchers: [Watcher] = []
    /// Whether what rang before this run, or in the store as it was restored, has been shown.
    var knowsRinging = false
    /// How often another store has taken the place of ours.
    var storeAge = 0
    /// The numbers of the reminders that ring, and those of them that are held back.
    var ringing: Set<Int64> = []
    var held: Set<Int64> = []
    /// The numbers of those that have a pop-up of their own.
    var presented: Set<Int64> = []
    /// Those held back whose hook has not run either, and whether the store may name some.
    var hookless: Set<Int64> = []
    var hooklessIsStored = false
    let hooks: Hooks
    let sound: Sound
    nonisolated let backups: Backups
    let keepsDailyBackups: Bool
    /// The first change from then on has a daily copy made.
    var nextBackup = Instant(milliseconds: .min)
    /// Rings that are on the screen and could not be committed yet, by number.
    var unrecorded: [Int64: Transition] = [:]
    /// Answers to pop-ups whose reminders could not be read: heard when the store lets us.
    var unheard: [(key: String, action: PopupText.Action)] = []
    /// The digest on the screen, `nil` when there is none.
    var digest: Popup?
    /// What the pop-up that was closed last was about.
    var lastDismissed: (key: String, reminders: [UUIDv7])?
    var digestIsExpanded = false
    /// The notification server says that nobody wants to be disturbed. Stays as it was while no
    /// server is there, until the next one has told.
    var isInhibited = false
    /// Keys of pop-ups that the server took away unanswered, and how long they wait to come back.
    var dropped: Set<String> = []
    var dropDelay = Engine.firstDropDelay
    /// Keys of pop-ups that are shown once more for their words alone: no sound for these.
    var silent: Set<String> = []
    /// Pop-ups are paused until then; `latest`: until somebody resumes.
    var pause: Instant?
    /// When that pause was begun, where it is known.
    var pauseBegan: Instant?
    /// Whether reminders have been brought in line with the clock since it was set last.
    var followsClock = false
    /// The clock once stood as far ahead: what rang up to here is in the log (`followClock`).
    var aheadThrough: Instant?
    /// The first beginning of an end that was counted anew (`MovedEnd`); `nil`: there is none.
    var firstMovedBegan: Instant?
    /// Who waits for the test pop-up, and how far it has come.
    var testers: [@Sendable (isolated Engine, Doctor.Check) -> Void] = []
    var testState = TestState.waiting
    /// Pop-ups on the screen whose records are not in the store yet.
    var shownPopups: [String: PopupRecord] = [:]
    /// Keys of pop-ups that were taken away, whose records are still in the store.
    var closedPopups: Set<String> = []
    /// The changes of one command that came in several calls: its name for them, and the step that
    /// they are.
    var lastGroup: (name: String, step: Int64)?
    /// Changes that wait for the commit that is under way, in the order in which they came.
    nonisolated let waiting = Mutex<[CalledChange]>([])
    /// Pieces of long work that wait for their turn, the one that is done first.
    nonisolated let longWork = Mutex<[@Sendable (isolated Engine) -> Void]>([])
    /// Those that are being made in one transaction, while it is open.
    var together: ChangesTogether?
    /// A step is being taken back, part by part; of which store (`storeAge`).
    var undoUnderWay: Int?
    /// The last page of each export into a folder, by the folder.
    var exportedFiles: [String: [ExportPages.File]] = [:]
    /// The notification server, `nil` when there is none.
    var server: ServerInfo?
    /// There is none, and the presenter has said so; since when.
    var serverIsAbsent = false
    var absentSince = Instant(milliseconds: .min)
    /// What rang meanwhile and nobody has seen, and what was seen late, with the time of that.
    var unseen: Set<Int64> = []
    var seenLate: [Int64: Instant] = [:]

    init(_ parts: sending Parts) {
        executor = EngineQueue(label: "org.remindd.engine")
        (store, presenter, clock) = (parts.store, parts.presenter, parts.clock)
        settings = parts.settings
        hooks = Hooks(
            queue: executor.queue, environment: parts.environment, bounds: parts.hookBounds,
            log: parts.programLog)
        sound = Sound(
            queue: executor.queue, environment: parts.environment, log: parts.programLog)
        backups = Backups(store: parts.store.path)
        keepsDailyBackups = parts.keepsDailyBackups
        busyTimeout = parts.store.busyTimeout
        timetable = Timetable(zones: parts.zones, settings: parts.settings)
        let now = parts.clock.now
        timers = KeyedTimers(now: Self.tick(now))
        horizonEnd = now
    }

    /// The engine's queue, for sources whose handlers belong to the engine.
    nonisolated var queue: DispatchQueue { executor.queue }

    /// Runs `body` inside the engine, after what was asked before. Returns at once.
    nonisolated func run(_ body: @escaping @Sendable (isolated Engine) -> Void) {
        executor.queue.async { self.assumeIsolated(body) }
    }

    /// Begins: everything overdue rings once, what rang unanswered is shown again.
    /// - Throws: `StoreError` when the store cannot be read.
    func start() throws {
        timer = WallTimer(queue: queue) { [weak self] in
            self?.assumeIsolated { $0.timerFired() }
        }
        presenter.start { [weak self] event in
            self?.run { $0.handle(event) }
        }
        takeBackImportOfFormerRun()
        try loadPause()
        try refill()
    }

    /// Ends; the pop-ups stay on the screen, for the next run to take over.
    func stop() {
        timer?.cancel()
        hooks.stop()
        presenter.stop()
        storePopups()
        do {
            try store.close()
        } catch {
            Journal.error("the store did not close cleanly: \(error)")
        }
    }

    /// The wheel's tick of an instant: its milliseconds, 0 before 1970.
    static func tick(_ instant: Instant) -> UInt64 { UInt64(clamping: instant.milliseconds) }
}
