import Calendaring
import Dispatch
import Glibc
import Popups
import RemindAPI
import RemindCore
import Store

/// The looks of `doctor` on the daemon's side. Each failure says in one line what to do.
struct DoctorChecks {
    /// Where they run: they read files, some of them whole.
    static let queue = DispatchQueue(label: "org.remindd.doctor")

    let facts: DoctorFacts
    let report: PresenterReport

    var all: [Doctor.Check] {
        [store, disk] + configuration + [bus, server, clock, zone, facts.holding, hook, sound]
    }

    // MARK: The store

    private var store: Doctor.Check {
        let path = facts.database
        let mend = "Stop remindd, and put a backup in the place of ‘\(path)’."
        do {
            let faults = try Store.faults(path: path)
            guard faults.isEmpty else {
                return failed("store", "\(path) is damaged: \(faults[0])", hint: mend)
            }
            let text = "\(path), \(Self.size(of: path)), intact"
            var status = stat()
            guard stat(path, &status) == 0, status.st_nlink > 1 else {
                return good("store", text)
            }
            // https://www.sqlite.org/howtocorrupt.html, section 2.5: each name has a WAL of its own.
            return notice(
                "store",
                text + "; the file has other names (hard links), by which no other "
                    + "program may open it: that would damage it",
                hint: "Find them: find / -xdev -samefile '\(path)'")
        } catch {
            return failed("store", "\(path) cannot be read: \(error)", hint: mend)
        }
    }

    /// Below this many bytes of free space a change may fail soon.
    private static let leastSpace: UInt64 = 16 << 20

    private var disk: Doctor.Check {
        let path = facts.database
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        var status = statvfs()
        guard statvfs(folder.isEmpty ? "/" : folder, &status) == 0 else {
            return failed(
                "disk", "\(folder) cannot be read: \(Self.reason)", hint: "ls -ld \(folder)")
        }
        guard access(path, W_OK) == 0, access(folder, W_OK) == 0 else {
            return failed(
                "disk", "\(path) cannot be written: \(Self.reason)",
                hint: "chmod u+rwX \(folder) \(path); is the disk mounted read-only?")
        }
        let free = UInt64(status.f_bavail) * UInt64(status.f_frsize)
        guard free >= Self.leastSpace, status.f_files == 0 || status.f_favail > 0 else {
            return failed(
                "disk", "only \(Self.size(free)) free for \(path)",
                hint: "Free space on that disk: df -h \(folder)")
        }
        return good("disk", "writable, \(Self.size(free)) free")
    }

    private static var reason: String { String(cString: strerror(errno)) }

    private static func size(of path: String) -> String {
        var status = stat()
        return stat(path, &status) == 0 ? size(UInt64(max(status.st_size, 0))) : "size unknown"
    }

    private static func size(_ bytes: UInt64) -> String {
        switch bytes {
        case ..<1_000_000: "\(bytes / 1000) kB"
        case ..<10_000_000_000: "\(bytes / 1_000_000) MB"
        default: "\(bytes / 1_000_000_000) GB"
        }
    }

    private var configuration: [Doctor.Check] {
        guard let source = facts.configuration else { return [] }
        do {
            let found = try source.read()
            guard let fault = (found.faults + found.warnings).first else {
                let text = found.isThere ? "valid" : "not there: all is default"
                return [good("configuration", "\(source.path): \(text)")]
            }
            return [failed("configuration", fault, hint: "Mend it, then: remindd --check-config")]
        } catch {
            return [
                failed("configuration", error.message, hint: "ls -l \(source.path)")
            ]
        }
    }

    // MARK: The screen

    private var bus: Doctor.Check {
        guard report.isConnected else {
            return failed(
                "bus", "remindd is on no session bus, so it shows nothing",
                hint: "In the desktop's terminal: systemctl --user import-environment "
                    + "DBUS_SESSION_BUS_ADDRESS && systemctl --user restart remindd.service")
        }
        return good("bus", "connected to the session bus")
    }

    private var server: Doctor.Check {
        guard let server = facts.server else {
            let silent = report.serverBusName.map { "the notification server (\($0)) is silent" }
            return failed(
                "server",
                (silent ?? "no notification server is on the bus") + "; pop-ups wait for one",
                hint: silent == nil
                    ? "Start the notification server of your desktop, or install one such as dunst."
                    : "Start the notification server of your desktop again.")
        }
        let name = "\(server.name) \(server.version)"
        var lacks: [String] = []
        if !server.capabilities.contains("actions") { lacks.append("buttons") }
        if !server.capabilities.contains("body") { lacks.append("text below the title") }
        guard lacks.isEmpty else {
            return notice(
                "server", "\(name), which shows no \(lacks.joined(separator: " and no "))",
                hint: "Answer with remindctl done, snooze and dismiss.")
        }
        guard report.refused == 0 else {
            return failed(
                "server", "\(name) refuses \(report.refused) pop-ups; they are tried again",
                hint: "Start the notification server of your desktop again.")
        }
        return good("server", "\(name), with buttons")
    }

    private var sound: Doctor.Check {
        guard facts.sound else { return good("sound", "off (Sound= in remindd.conf)") }
        if facts.server?.capabilities.contains("sound") == true {
            return good("sound", "played by the notification server")
        }
        guard let player = facts.player else {
            return notice(
                "sound", "there is no player: reminders are silent",
                hint: "Install canberra-gtk-play, pw-play or paplay, or set Sound=off.")
        }
        if let trouble = facts.soundTrouble {
            return notice(
                "sound", "the last reminder was silent: \(trouble)",
                hint: "Try it: \(player); is a sound server running? Or set Sound=off.")
        }
        return good("sound", "played by \(player)")
    }

    private var hook: Doctor.Check {
        guard let program = facts.onRing else { return good("hook", "none (OnRing=)") }
        guard ConfigurationSource.isProgram(program) else {
            return failed(
                "hook", "‘\(program)’ is not there, or cannot be run", hint: "chmod +x \(program)")
        }
        return good("hook", program)
    }

    // MARK: Time

    /// A minute: what the file system's clock may be ahead.
    private static let aheadLimit: Int64 = 60

    private var clock: Doctor.Check {
        let set = "Set the clock: timedatectl set-ntp true"
        guard let least = Instant(rfc3339: "2024-01-01T00:00:00Z"), facts.now >= least else {
            return failed("clock", "the clock stands years in the past", hint: set)
        }
        var status = stat()
        if stat(facts.database, &status) == 0 {
            let ahead = Int64(status.st_mtim.tv_sec) - facts.now.milliseconds / 1000
            guard ahead <= Self.aheadLimit else {
                return failed(
                    "clock", "the clock stands \(ahead) s before the last change of the store",
                    hint: set)
            }
        }
        return good("clock", "not before the last change of the store")
    }

    private var zone: Doctor.Check {
        let zones = SystemZones()
        guard zones.knownZone(named: "Europe/Paris") != nil else {
            return failed(
                "zone", "the time zones of the system cannot be read",
                hint: "Install the package tzdata.")
        }
        if let unknown = zones.unknown {
            return failed(
                "zone", "TZ=‘\(unknown)’ is no time zone, so UTC is used",
                hint: "systemctl --user unset-environment TZ, or where TZ is set: a name of "
                    + "`timedatectl list-timezones`; then start remindd again.")
        }
        if getenv("TZ") == nil, access("/etc/localtime", R_OK) != 0 {
            return failed(
                "zone", "the machine has no time zone, so UTC is used",
                hint: "timedatectl set-timezone Europe/Berlin")
        }
        guard facts.zone != "localtime" else {
            return notice(
                "zone", "the machine's zone has no name; its times are right",
                hint: "timedatectl set-timezone Europe/Berlin")
        }
        return good("zone", facts.zone)
    }

    private func good(_ name: String, _ text: String) -> Doctor.Check {
        Doctor.Check(name, .good, text)
    }

    private func notice(_ name: String, _ text: String, hint: String) -> Doctor.Check {
        Doctor.Check(name, .notice, text, hint: hint)
    }

    private func failed(_ name: String, _ text: String, hint: String) -> Doctor.Check {
        Doctor.Check(name, .failed, text, hint: hint)
    }
}
