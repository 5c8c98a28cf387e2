import Dispatch
import Glibc

/// Runs programs of the user outside of the daemon's own sandbox, which has no network: the user's service
/// manager starts each as a service of its own (systemd-run(1)), with our input, output and
/// variables. To us it is a child like any other: systemd-run stays as long as the program does,
/// and ends as it ended.
struct OutsideSandbox: Sendable {
    /// The path of systemd-run.
    let runner: String

    /// - Parameter environment: the daemon's, `NAME=value`.
    /// - Returns: `nil` when no service manager has started us: no sandbox binds our programs then.
    init?(environment: [String], pid: pid_t = getpid()) {
        let runners = ["/usr/bin/systemd-run", "/bin/systemd-run"]
        guard environment.contains("SYSTEMD_EXEC_PID=\(pid)"),
            let runner = runners.first(where: { access($0, X_OK) == 0 })
        else { return nil }
        self.runner = runner
    }

    /// What to run in the place of `inner`.
    /// - Parameter description: what the service manager shows of it.
    func launch(_ inner: ChildProcess.Launch, description: String) -> ChildProcess.Launch {
        var launch = inner
        launch.path = runner
        launch.arguments =
            [
                "--user", "--quiet", "--wait", "--pipe", "--collect", "--service-type=exec",
                "--description=\(description)",
                // We end systemd-run at the limit itself; this ends what it has started.
                "--property=RuntimeMaxSec=\(inner.timeLimit.wholeSeconds + 1)",
                "--property=KillSignal=SIGKILL",
            ] + Self.names(inner.environment).map { "--setenv=\($0)" } + ["--", inner.path]
            + inner.arguments
        return launch
    }

    /// What the manager says to a service alone.
    private static let ours: Set<Substring> = [
        "INVOCATION_ID", "MANAGERPID", "SYSTEMD_EXEC_PID", "MEMORY_PRESSURE_WATCH",
        "MEMORY_PRESSURE_WRITE",
    ]

    /// The names of the variables that it gets: systemd-run takes their values from its own
    /// environment, and refuses names that no shell would take.
    private static func names(_ environment: [String]) -> [Substring] {
        environment.compactMap { text in
            guard let end = text.firstIndex(of: "=") else { return nil }
            let name = text[..<end]
            let isPlain = name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
            guard isPlain, let first = name.first, !("0"..."9").contains(first) else { return nil }
            return ours.contains(name) ? nil : name
        }
    }
}

extension DispatchTimeInterval {
    /// Rounded up; a day for one that never comes.
    fileprivate var wholeSeconds: Int {
        switch self {
        case .seconds(let count): count
        case .milliseconds(let count): (count + 999) / 1000
        case .microseconds(let count): (count + 999_999) / 1_000_000
        case .nanoseconds(let count): (count + 999_999_999) / 1_000_000_000
        default: 86_400
        }
    }
}
