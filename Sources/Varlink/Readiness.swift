import CLinux
import Dispatch
import Glibc
import Synchronization

/// Tells when descriptors can be read, or written: a thread of its own that waits in epoll(7).
///
/// libdispatch's own sources must not watch what can hang up. When the other side hangs up, its
/// thread for events (`_dispatch_event_merge_hangup` in event_epoll.c) hands the source on to its
/// queue and then goes on to use the record of the descriptor, which that queue may have freed by
/// then: the process crashes, or another descriptor is not watched any more. Nor is one of its
/// sources put before the epoll: it would wake two threads for what one of ours does alone.
final class Readiness: Sendable {
    /// Whoever waits for a descriptor.
    struct Watch: Sendable {
        let queue: DispatchQueue
        /// Called on `queue`, once for `add` and for each `arm`.
        let ready: @Sendable () -> Void
        /// On this thread, which waits for the queue meanwhile: only for a queue that does nothing
        /// that lasts.
        let isInPlace: Bool
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
    private let state = Mutex(State())

    private init(events: Int32) {
        self.events = events
        epoll = clinux_epoll()
        precondition(epoll >= 0, "epoll_create1 failed: \(errno)")
        startThread()
    }

    /// A thread that takes no signals, as those of libdispatch do not, and never ends.
    private func startThread() {
        var (all, before, thread) = (sigset_t(), sigset_t(), pthread_t())
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &before)
        let code = pthread_create(
            &thread, nil,
            { this in
                guard let this else { return nil }
                let readiness = Unmanaged<Readiness>.fromOpaque(this).takeUnretainedValue()
                while true { readiness.tellNext() }
            }, Unmanaged.passRetained(self).toOpaque())
        pthread_sigmask(SIG_SETMASK, &before, nil)
        precondition(code == 0, "pthread_create failed: \(code)")
        pthread_detach(thread)
    }

    /// Has `ready` called once, as soon as a descriptor is so, which can be watched once only.
    /// - Parameter hangUp: only when the other side has closed both directions.
    /// - Returns: what `arm` and `remove` take.
    func add(_ fd: Int32, _ watch: Watch, hangUp: Bool) -> UInt64 {
        let token = state.withLock { state in
            state.lastToken += 1
            state.watches[state.lastToken] = watch
            return state.lastToken
        }
        _ = clinux_watch(epoll, fd, awaited(hangUp), token)
        return token
    }

    /// Has `ready` called once, as soon as it is so; again only after the next call of this.
    func arm(_ fd: Int32, _ token: UInt64, hangUp: Bool) {
        _ = clinux_rearm(epoll, fd, awaited(hangUp), token)
    }

    /// A hang-up is told whatever is waited for (epoll_ctl(2)).
    private func awaited(_ hangUp: Bool) -> Int32 { hangUp ? Int32(clinux_no_event) : events }

    /// Lets go of a descriptor; it may be closed then. `ready` may be under way.
    func remove(_ fd: Int32, _ token: UInt64) {
        state.withLock { state in _ = state.watches.removeValue(forKey: token) }
        _ = clinux_unwatch(epoll, fd)
    }

    /// A function of its own, not inlined: what a loop without end holds, the compiler need not
    /// release, and one closure would be left behind with each connection.
    @inline(never)
    private func tellNext() {
        var tokens = [UInt64](repeating: 0, count: 64)
        let count = clinux_wait_until_ready(epoll, &tokens)
        guard count > 0 else { return }  // EINTR
        let ready = state.withLock { state in
            tokens[..<Int(count)].compactMap { state.watches[$0] }
        }
        for watch in ready {
            if watch.isInPlace {
                watch.queue.sync(execute: watch.ready)
            } else {
                watch.queue.async(execute: watch.ready)
            }
        }
    }
}
