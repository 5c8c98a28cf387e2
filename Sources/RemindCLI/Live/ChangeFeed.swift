import RemindAPI
import RemindCore
import VarlinkWire

/// The daemon's stream of changes, begun anew when the daemon is restarted.
struct ChangeFeed {
    private let session: Session
    private var client: VarlinkClient?
    private(set) var state = State.beginning
    /// When to try to reach the daemon again; `nil` while it is there.
    private(set) var retryAt: Instant?
    private var pauseMilliseconds = shortestPause

    enum State: Equatable {
        /// Called, and not answered yet.
        case beginning
        case following
        case lost
    }

    /// Between two attempts to reach a daemon that has gone: soon at first, then seldom.
    private static let (shortestPause, longestPause) = (Int64(100), Int64(2000))

    /// - Throws: when there is no daemon to begin with.
    init(_ session: Session) throws(Failure) {
        self.session = session
        client = try session.open(Watch.self)
    }

    /// What to wait for.
    var descriptor: Int32? { client?.descriptor }

    /// Takes what has come.
    /// - Returns: whether anything may have changed.
    /// - Throws: what the daemon refuses; that it has gone is no error.
    mutating func take() throws(Failure) -> Bool {
        guard let client else { return false }
        do {
            let replies = try client.take()
            for reply in replies { _ = try reply.success() }
            if !replies.isEmpty {
                state = .following
                pauseMilliseconds = Self.shortestPause
            }
            if replies.contains(where: { !$0.continues }) { lose() }
            return !replies.isEmpty
        } catch {
            let failure = Session.failure(error)
            guard failure.name == Failure.unreachable else { throw failure }
            lose()
            return true
        }
    }

    private mutating func lose() {
        client = nil
        state = .lost
        retryAt = session.surroundings.now()
    }

    /// Tries again when it is time to.
    mutating func retry() throws(Failure) {
        let now = session.surroundings.now()
        guard let time = retryAt, time <= now else { return }
        do throws(Failure) {
            client = try session.open(Watch.self)
            (state, retryAt) = (.beginning, nil)
        } catch {
            guard error.name == Failure.unreachable else { throw error }
            retryAt = Instant(milliseconds: now.milliseconds + pauseMilliseconds)
            pauseMilliseconds = min(pauseMilliseconds * 2, Self.longestPause)
        }
    }
}
