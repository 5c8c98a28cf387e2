import CLinux
import Glibc
import RemindCore

/// The program's one look at the clock; everything else takes `now`.
enum Clock {
    /// clock_gettime(2) of `CLOCK_REALTIME`.
    static func now() -> Instant {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Instant(
            milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }
}
