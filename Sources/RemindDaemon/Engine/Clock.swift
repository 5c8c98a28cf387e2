import Glibc
import RemindCore

/// The one place where this program asks what time it is; everything else takes `now`.
struct Clock: Sendable {
    private let read: @Sendable () -> Instant

    /// - Parameter read: what `now` returns.
    init(_ read: @escaping @Sendable () -> Instant) { self.read = read }

    var now: Instant { read() }

    /// The machine's wall clock: `clock_gettime(CLOCK_REALTIME)`, cut to the millisecond.
    static let system = Clock {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Instant(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }
}
