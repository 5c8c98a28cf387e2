import CLinux
import Dispatch
import Glibc
import Synchronization

/// Tells when descriptors can be read, or written: an epoll(7) of our own, behind one Dispatch source.
///
/// libdispatch's own sources must not watch what can hang up. When the other side hangs up, its
/// thread for events (`_dispatch_event_merge_hangup` in event_epoll.c) hands the source on to its
/// queue and then goes on to use the record of the descriptor, which that queue may have freed by
/// then: the process crashes, or another descriptor is not watched any more. An epoll descriptor
/// never hangs up.
///
/// Unchecked: `source` is set when it is made and kept.
final class Readiness: @unchecked Sendable {
    /// Whoever waits for a descriptor.
    struct Watch: Sendable {
        let queue: DispatchQueue
        /// Called on `queue`, once for each `arm`.
        let ready: @Sendable () -> Void
    }

    /// Descriptors that can be read, or have ended.
    static let reading = Readiness(events: Int32(clinux_input))
    /// Descriptors that take more.
    static let writing = Readiness(events: Int32(clinux_output))

    private struct State {
        var watches: [UInt64: Watch] = [:]
        var lastToken: UInt64 = 0
    }

    private let events: Int32
    private let epoll: Int32
    private let queue = DispatchQueue(label: "varlink.readiness", target: Connection.shared)
    private let state = Mutex(State())
    private var source: (any DispatchSourceRead)?

    private init(events: Int32) {
        self.events = events
        epoll = clinux_epoll()
        precondition(epoll >= 0, "epoll_create1 failed: \(errno)")
        let source = DispatchSource.makeReadSource(fileDescriptor: epoll, queue: queue)
        source.setEventHandler { [unowned self] in tell() }
        source.activate()
        self.source = source
    }

    /// Begins to watch a descriptor, which can be watched once only; `arm` says that it is wanted.
    /// - Returns: what `arm` and `remove` take.
    func add(_ fd: Int32, _ watch: Watch) -> UInt64 {
        let token = state.withLock { state in
            state.lastToken += 1
            state.watches[state.lastToken] = watch
            return state.lastToken
        }
        _ = clinux_watch(epoll, fd, token)
        return token
    }

    /// Has `ready` called once, as soon as it is so; again only after the next call of this.
    func arm(_ fd: Int32, _ token: UInt64) { _ = clinux_rearm(epoll, fd, events, token) }

    /// Lets go of a descriptor; it may be closed then. `ready` may be under way.
    func remove(_ fd: Int32, _ token: UInt64) {
        state.withLock { state in _ = state.watches.removeValue(forKey: token) }
        _ = clinux_unwatch(epoll, fd)
    }

    private func tell() {
        var tokens = [UInt64](repeating: 0, count: 64)
        let count = clinux_ready(epoll, &tokens)
        guard count > 0 else { return }
        let ready = state.withLock { state in
            tokens[..<Int(count)].compactMap { state.watches[$0] }
        }
        for watch in ready { watch.queue.async(execute: watch.ready) }
    }
}
