import CLinux
import Glibc
import RemindAPI
import RemindCore

/// Waits for whatever comes first: something to read, a time of the wall clock, a signal. Nothing
/// wakes it up in between.
final class Waiter {
    enum Event: Equatable {
        /// There is something to read, or the other end has gone.
        case readable(Int32)
        case signal(Int32)
    }

    private let timer: Int32
    private let signals: Int32
    private var maskBefore = sigset_t()

    /// - Parameter handled: signals that are told from now on and do nothing else.
    init(signals handled: [Int32]) throws(Failure) {
        var mask = sigset_t()
        sigemptyset(&mask)
        for signal in handled { sigaddset(&mask, signal) }
        pthread_sigmask(SIG_BLOCK, &mask, &maskBefore)
        timer = clinux_realtime_timer()
        signals = clinux_signals(&mask)
        guard timer >= 0, signals >= 0 else { throw Self.failure("cannot wait for anything") }
    }

    deinit {
        close(timer)
        close(signals)
        pthread_sigmask(SIG_SETMASK, &maskBefore, nil)
    }

    /// - Parameters:
    ///   - reader: also returns when nobody reads any more what is written to it.
    ///   - until: returns then at the latest, or when the clock is set; `nil`: no limit.
    func wait(for descriptors: [Int32], reader: Int32? = nil, until: Instant?) throws(Failure)
        -> [Event]
    {
        // 0 would disarm the timer.
        clinux_arm_clock(timer, until.map { max($0.milliseconds, 1) } ?? 0)
        let watched = [timer, signals] + descriptors
        var entries = watched.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        if let reader { entries.append(pollfd(fd: reader, events: 0, revents: 0)) }
        while poll(&entries, nfds_t(entries.count), -1) < 0 {
            guard errno == EINTR else { throw Self.failure("poll failed") }
        }
        if entries[0].revents != 0 {
            // Fails when the clock was set: either way the caller looks at the time again.
            var count: UInt64 = 0
            _ = read(timer, &count, MemoryLayout<UInt64>.size)
        }
        var events: [Event] = []
        while case let signal = clinux_next_signal(signals), signal > 0 {
            events.append(.signal(signal))
        }
        return events
            + entries.dropFirst(2).filter { $0.revents != 0 }.map { .readable($0.fd) }
    }

    /// Lets a signal do what it does by default: the program stops or ends.
    static func letHappen(_ signal: Int32) {
        var mask = sigset_t()
        sigemptyset(&mask)
        sigaddset(&mask, signal)
        Glibc.signal(signal, SIG_DFL)
        raise(signal)
        pthread_sigmask(SIG_UNBLOCK, &mask, nil)
        // Here again after a stop.
        pthread_sigmask(SIG_BLOCK, &mask, nil)
    }

    private static func failure(_ what: String) -> Failure {
        Failure("System", "\(what): \(String(cString: strerror(errno)))", exit: .software)
    }
}
