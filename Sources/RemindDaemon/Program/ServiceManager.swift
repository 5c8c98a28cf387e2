import CSystemd
import Dispatch
import Glibc

/// What the service manager is told and asked (libsystemd). Without one, nothing happens.
enum ServiceManager {
    /// The store is loaded and the socket answers (`sd_notify`).
    static func ready() { _ = sd_notify(0, "READY=1") }

    static func stopping() { _ = sd_notify(0, "STOPPING=1") }

    /// The listening socket that was passed in, if any (`sd_listen_fds`); its variables are taken
    /// out of the environment, so that no child believes it was meant.
    static func passedSocket() -> Int32? {
        let count = sd_listen_fds(1)
        if count < 0 {
            let cause = String(cString: strerror(-count))
            Journal.error("the socket that was passed in cannot be used (\(cause)); one is made")
        }
        return count > 0 ? SD_LISTEN_FDS_START : nil
    }

    /// Feeds the watchdog from `queue`, so that it starves when the queue hangs
    /// (`sd_watchdog_enabled`). Nothing wakes up when there is none.
    /// - Returns: the timer, to be kept.
    static func feedWatchdog(from queue: DispatchQueue) -> (any DispatchSourceTimer)? {
        var microseconds: UInt64 = 0
        guard sd_watchdog_enabled(0, &microseconds) > 0 else { return nil }
        // Half the time, as sd_watchdog_enabled(3) advises; any wake-up near it will do.
        let interval = Int(clamping: microseconds / 2000)
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.setEventHandler { _ = sd_notify(0, "WATCHDOG=1") }
        timer.schedule(
            deadline: .now() + .milliseconds(interval), repeating: .milliseconds(interval),
            leeway: .milliseconds(interval / 2))
        timer.activate()
        return timer
    }
}
