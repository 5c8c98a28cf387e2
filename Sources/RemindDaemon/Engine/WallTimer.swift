import Dispatch
import Glibc
import RemindCore

/// The one timer of the program, armed to the wheel's next deadline in wall time.
///
/// `DispatchWallTime` is an absolute `CLOCK_REALTIME` timerfd on Linux: exact, it follows a clock
/// that is set, and it fires right after the machine wakes. Unarmed, it costs nothing.
final class WallTimer {
    private let source: any DispatchSourceTimer
    private var armed: Instant?

    /// - Parameter handler: called on `queue` when the armed instant has come.
    init(queue: DispatchQueue, handler: @escaping @Sendable () -> Void) {
        source = DispatchSource.makeTimerSource(queue: queue)
        source.setEventHandler(handler: handler)
        source.schedule(wallDeadline: .distantFuture)
        source.activate()
    }

    /// Arms the timer to `instant`, or disarms it with `nil`. Arming it to where it stands is free.
    func arm(to instant: Instant?) {
        guard instant != armed else { return }
        armed = instant
        guard let instant else {
            source.schedule(wallDeadline: .distantFuture)
            return
        }
        let time = timespec(
            tv_sec: Int(instant.seconds),
            tv_nsec: Int(instant.milliseconds.floorModulo(1000)) * 1_000_000)
        source.schedule(wallDeadline: DispatchWallTime(timespec: time), leeway: .nanoseconds(0))
    }

    /// To be called when the timer has fired: it is not armed any more.
    func fired() { armed = nil }

    func cancel() { source.cancel() }
}
