import Dispatch
import Glibc
import RemindAPI
import RemindCore

/// Runs the user's program for each ring: a few at once, the others one after the other.
///
/// Unchecked: touched on the engine's queue, and on no other.
final class Hooks: @unchecked Sendable {
    /// What bounds them.
    struct Bounds: Sendable {
        var timeLimit = DispatchTimeInterval.seconds(30)
        var atOnce = 4
        /// More rings than these wait for no program.
        var waiting = 1000
    }

    private let queue: DispatchQueue
    private let environment: [String]
    private let bounds: Bounds
    private let outside: OutsideSandbox?
    private let log: @Sendable (String) -> Void
    private var running: [Int64: ChildProcess] = [:]
    private var waiting: [(number: Int64, launch: ChildProcess.Launch)] = []
    private var runs: Int64 = 0

    /// - Parameters:
    ///   - environment: what programs get besides the reminder, `NAME=value`.
    ///   - log: takes the lines of programs, and what became of them.
    init(
        queue: DispatchQueue, environment: [String], bounds: Bounds = Bounds(),
        log: @escaping @Sendable (String) -> Void
    ) {
        (self.queue, self.environment) = (queue, environment)
        (self.bounds, self.log) = (bounds, log)
        outside = OutsideSandbox(environment: environment)
    }

    /// Runs `program` for a reminder as soon as there is room. Returns at once.
    func run(_ program: String, for reminder: Reminder, _ writer: Timetable.Writer) {
        guard waiting.count < bounds.waiting else {
            return log("the hook of #\(reminder.number) is left out: \(waiting.count) are waiting")
        }
        var json = JSONWriter()
        writer.write(reminder, to: &json)
        let direct = ChildProcess.Launch(
            path: program, environment: environment + Self.variables(reminder, writer),
            input: json.bytes + [UInt8(ascii: "\n")], timeLimit: bounds.timeLimit)
        let launch = outside?.launch(direct, description: "remindd: hook of #\(reminder.number)")
        waiting.append((reminder.number, launch ?? direct))
        startNext()
    }

    /// No further one is started; those that run are left to themselves.
    func stop() { waiting = [] }

    private func startNext() {
        while running.count < bounds.atOnce, !waiting.isEmpty {
            let (number, launch) = waiting.removeFirst()
            start(launch, of: number)
        }
    }

    private func start(_ launch: ChildProcess.Launch, of number: Int64) {
        runs += 1
        let run = runs
        do throws(ChildProcess.Failure) {
            running[run] = try ChildProcess(
                launch, queue: queue,
                line: { [log] in log("hook of #\(number): \($0)") },
                ended: { [self] end in
                    running[run] = nil
                    if let trouble = end.trouble { log("the hook of #\(number) \(trouble)") }
                    startNext()
                })
        } catch {
            log("the hook of #\(number) did not run: \(error.message)")
        }
    }

    /// Bytes of one variable: the system takes no longer ones (execve(2)), and all of it is in the
    /// JSON.
    static let variableLimit = 65_536

    private static func variables(_ reminder: Reminder, _ writer: Timetable.Writer) -> [String] {
        let zone = writer.zone(of: reminder)
        let due = reminder.deadline.map { writer.due(of: $0, in: zone) }
        let values: KeyValuePairs = [
            "NUMBER": "\(reminder.number)", "ID": reminder.id.text, "TITLE": reminder.title,
            "NOTE": reminder.note ?? "", "DUE": due ?? "",
            "PRIORITY": reminder.priority.rawValue, "LIST": reminder.list,
            "TAGS": reminder.tags.joined(separator: ","), "RINGS": "\(reminder.alarm.rings)",
        ]
        return values.map { "REMIND_\($0)=\(cut($1))" }
    }

    /// The first bytes of a text, up to a whole character.
    private static func cut(_ text: String) -> Substring {
        var end =
            text.utf8.index(
                text.startIndex, offsetBy: variableLimit, limitedBy: text.endIndex) ?? text.endIndex
        while end > text.startIndex, end.samePosition(in: text) == nil {
            end = text.utf8.index(before: end)
        }
        return text[..<end]
    }
}

extension ChildProcess.End {
    /// What went wrong, in words; `nil` when nothing did.
    var trouble: String? {
        switch self {
        case .exited(0): nil
        case .exited(let status): "failed with status \(status)"
        case .killed(let signal): "was ended by signal \(signal)"
        case .tookTooLong: "took too long and was killed"
        }
    }
}

/// The daemon's environment, for programs that it runs.
enum ProgramEnvironment {
    /// What the service manager said to us alone (sd_notify(3), sd_listen_fds(3)).
    private static let ours = [
        "NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID", "LISTEN_FDS", "LISTEN_PID",
        "LISTEN_FDNAMES", "JOURNAL_STREAM",
    ]

    /// `environ`, without that.
    static var current: [String] {
        var (texts, index) = ([String](), 0)
        while let text = environ[index] {
            texts.append(String(cString: text))
            index += 1
        }
        return texts.filter { text in !ours.contains { text.hasPrefix($0 + "=") } }
    }
}
