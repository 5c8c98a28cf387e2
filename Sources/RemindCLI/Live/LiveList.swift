import Glibc
import RemindAPI
import RemindCore
import VarlinkWire

/// `watch` on a terminal: the list, redrawn in place whenever something changes.
struct LiveList {
    private let session: Session
    private let waiter: Waiter
    private let screen: LiveScreen
    private var feed: ChangeFeed
    private var fetch: ListFetch?
    private var rows: ListRows?
    private var top = 0
    private var isStale = true
    private var isDirty = false
    private var wasLost = false
    /// No list is fetched before that: a thousand changes at once are one list.
    private var restUntil = Instant.earliest

    private static let restMilliseconds: Int64 = 100

    /// - Throws: when there is no daemon.
    init(_ session: Session) throws(Failure) {
        self.session = session
        feed = try ChangeFeed(session)
        waiter = try Waiter(
            signals: [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT, SIGWINCH])
        screen = LiveScreen(session)
    }

    mutating func run() throws(Failure) -> ExitStatus {
        defer { screen.leave() }
        while true {
            try feed.retry()
            try fetchIfStale()
            if isDirty { try draw() }
            for event in try waiter.wait(for: descriptors, until: wakeUp) {
                if try handle(event) { return .done }
            }
            if let rows, rows.nextChange <= session.surroundings.now() { isStale = true }
        }
    }

    private var descriptors: [Int32] {
        [feed.descriptor, fetch?.descriptor, screen.keys].compactMap(\.self)
    }

    /// When to look again although nothing has come.
    private var wakeUp: Instant? {
        let wantsList = isStale && fetch == nil && feed.state == .following
        // Without a daemon there is no new list, so the words stay those of the last one.
        let change = isStale ? nil : rows?.nextChange
        return [feed.retryAt, wantsList ? restUntil : nil, change].compactMap(\.self).min()
    }

    private mutating func fetchIfStale() throws(Failure) {
        let now = session.surroundings.now()
        guard isStale, fetch == nil, feed.state == .following, now >= restUntil else { return }
        isStale = false
        do throws(Failure) {
            fetch = try ListFetch(session, now: now)
        } catch {
            // The feed notices too, and tries again.
            guard error.name == Failure.unreachable else { throw error }
            isStale = true
            restUntil = Instant(milliseconds: now.milliseconds + Self.restMilliseconds)
        }
    }

    /// - Returns: true when the user has had enough.
    private mutating func handle(_ event: Waiter.Event) throws(Failure) -> Bool {
        switch event {
        case .signal(let signal): return try handle(signal: signal)
        case .readable(let fd) where fd == screen.keys:
            guard let keys = screen.takeKeys() else { return true }
            return keys.contains { handle($0) }
        case .readable(let fd) where fd == feed.descriptor:
            let before = feed.state
            if try feed.take() { isStale = true }
            if feed.state == .lost { (wasLost, fetch) = (true, nil) }
            isDirty = isDirty || before != feed.state
        case .readable(let fd) where fd == fetch?.descriptor: try takeList()
        case .readable: break
        }
        return false
    }

    private mutating func takeList() throws(Failure) {
        do throws(Failure) {
            guard let list = try fetch?.take() else { return }
            (rows, fetch, isDirty) = (list, nil, true)
        } catch {
            guard error.name == Failure.unreachable else { throw error }
            (fetch, isStale) = (nil, true)
        }
        let now = session.surroundings.now().milliseconds
        restUntil = Instant(milliseconds: now + Self.restMilliseconds)
    }

    private mutating func handle(signal: Int32) throws(Failure) -> Bool {
        switch signal {
        case SIGINT: return true
        case SIGWINCH: isDirty = true
        case SIGTSTP:
            screen.leave()
            Waiter.letHappen(SIGTSTP)
            isDirty = true
        case SIGCONT: isDirty = true
        default:
            screen.leave()
            Waiter.letHappen(signal)
        }
        return false
    }

    private mutating func handle(_ key: LiveScreen.Key) -> Bool {
        isDirty = true
        switch key {
        case .quit: return true
        case .lines(let count): top += count
        case .pages(let count): top += count * max(screen.size.rows - 2, 1)
        case .home: top = 0
        case .end: top = .max / 2
        case .redraw: wasLost = false
        }
        return false
    }

    private mutating func draw() throws(Failure) {
        isDirty = false
        // Nothing is shown before there is a list: until then an error is an ordinary one.
        guard let rows else { return }
        let frame = LiveFrame(
            rows, size: screen.refreshedSize(), isGrouped: ListFetch.isGrouped(session),
            style: session.style)
        top = frame.top(wanted: top)
        try screen.draw(frame, from: top, notice: notice)
        if feed.state == .following, !isStale, fetch == nil { wasLost = false }
    }

    private var notice: String? {
        switch feed.state {
        case .lost: "The daemon has stopped; waiting for it"
        case .beginning where wasLost: "The daemon is starting"
        case .following where wasLost: "The daemon was restarted"
        case .beginning, .following: nil
        }
    }
}

/// A list on its way.
struct ListFetch {
    private let client: VarlinkClient
    private var rows: ListRows

    init(_ session: Session, now: Instant) throws(Failure) {
        client = try session.open(List.self) { json throws(Failure) in
            try session.writeOptions(to: &json)
            json.field("brief", true)
        }
        rows = ListRows(now: now, style: session.style)
    }

    var descriptor: Int32 { client.descriptor }

    /// Takes what has come.
    /// - Returns: the rows when that is all of them.
    mutating func take() throws(Failure) -> ListRows? {
        do {
            for reply in try client.take() {
                guard try rows.read(try reply.success()) else { throw Failure.lacking("reminders") }
                if !reply.continues { return rows }
            }
            return nil
        } catch {
            throw Session.failure(error)
        }
    }

    /// Whether the order is one that the headings follow.
    static func isGrouped(_ session: Session) -> Bool {
        (session.arguments.value("sort") ?? "due") == "due"
    }
}
