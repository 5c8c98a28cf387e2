import CLinux
import Glibc
import RemindAPI
import RemindCore

/// The links of the chain that are the system's: what starts the daemon, and its clock.
enum SystemChecks {
    /// Whether the daemon is started at login, as systemd's user manager tells.
    static func login(_ surroundings: Surroundings) -> Doctor.Check {
        let states = ["remindd.service", "remindd.socket"].map {
            surroundings.systemctl(["--user", "is-enabled", $0]) ?? ""
        }
        if let enabled = states.first, enabled.hasPrefix("enabled") {
            return Doctor.Check("login", .good, "remindd.service is started at login")
        }
        let enable = "systemctl --user enable --now remindd.socket remindd.service"
        if states.contains(where: { $0.hasPrefix("enabled") }) {
            return Doctor.Check(
                "login", .failed,
                "only remindd.socket is enabled: nothing rings until remindctl is called",
                hint: enable)
        }
        guard states.contains("") else {
            return Doctor.Check(
                "login", .failed, "remindd.service is \(states[0]): it is not started at login",
                hint: enable)
        }
        return Doctor.Check(
            "login", .notice, "systemd's user manager does not tell whether remindd is started",
            hint: "Is it installed? \(enable); or start remindd in your desktop's autostart.")
    }

    /// Lingering (loginctl(1)): whether the user's services run without a login.
    static func lingering(_ surroundings: Surroundings) -> Doctor.Check? {
        guard let user = surroundings.variable("USER") ?? surroundings.variable("LOGNAME"),
            !user.contains("/")
        else { return nil }
        let lingers = access("/var/lib/systemd/linger/" + user, F_OK) == 0
        return Doctor.Check(
            "lingering", .good,
            lingers
                ? "on: remindd runs without a login too; pop-ups wait for the desktop"
                : "off: what comes due while you are logged out rings at the next login")
    }

    /// Further apart, the two programs do not see the same clock.
    private static let apartLimit: Int64 = 5000

    /// adjtimex(2), and the daemon's clock beside ours.
    /// - Parameter daemon: the daemon's time; `nil` when it cannot be asked.
    static func clock(now: Instant, daemon: Instant?, isSynchronised: Bool?) -> Doctor.Check {
        if let daemon, abs(daemon.milliseconds - now.milliseconds) > apartLimit {
            return Doctor.Check(
                "time", .failed,
                "remindd's clock is \(abs(daemon.milliseconds - now.milliseconds) / 1000) s off",
                hint: "systemctl --user restart remindd.service")
        }
        guard isSynchronised != false else {
            return Doctor.Check(
                "time", .notice, "the clock is not synchronised: reminders are as exact as it is",
                hint: "timedatectl set-ntp true")
        }
        return Doctor.Check(
            "time", .good,
            isSynchronised == nil ? "no clock service tells of it" : "the clock is synchronised")
    }

    /// Whether the kernel's clock is disciplined; `nil` when it does not tell.
    static func isClockSynchronised() -> Bool? {
        switch clinux_clock_state() {
        case 0: true
        case 1: false
        default: nil
        }
    }
}
