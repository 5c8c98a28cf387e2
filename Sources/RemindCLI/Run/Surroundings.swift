import Glibc
import RemindAPI
package import RemindCore

/// What the program is started in, as values: tests give their own.
package struct Surroundings: Sendable {
    /// Looks up an environment variable.
    private let environment: @Sendable (String) -> String?
    /// The terminal that stdout is; `nil` for pipes and files.
    package var terminal: Terminal?
    /// The terminal that stderr is.
    package var errorTerminal: Terminal?
    /// The descriptor that `-` reads.
    package var inputDescriptor: Int32
    /// Whether somebody sits at a terminal who can be asked: stdin and stdout are one.
    package var canAsk: Bool
    package var now: @Sendable () -> Instant
    /// How long the daemon may say nothing before it counts as stuck; its store waits less.
    package var patienceMilliseconds = 30_000
    /// How often a call is made again while another program has the store's lock, ten times a second.
    package var busyAttempts = 30
    /// Asks systemctl(1), and gives its first word.
    package var systemctl: @Sendable ([String]) -> String? = Systemctl.ask
    /// How often `watch` tries to reach a daemon that has stopped, ten times a second.
    package var restartAttempts = 100
    /// What the program was built from, for `--version`; empty when it is not known.
    package var commit = ""

    package init(
        environment: @escaping @Sendable (String) -> String?, terminal: Terminal?,
        inputDescriptor: Int32, canAsk: Bool = false, now: @escaping @Sendable () -> Instant
    ) {
        (self.environment, self.terminal) = (environment, terminal)
        (self.inputDescriptor, self.canAsk, self.now) = (inputDescriptor, canAsk, now)
    }

    /// Those of this process.
    package static var process: Surroundings {
        var surroundings = Surroundings(
            environment: SocketLocation.environment, terminal: .current(STDOUT_FILENO),
            inputDescriptor: STDIN_FILENO,
            canAsk: isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1, now: Clock.now)
        surroundings.errorTerminal = .current(STDERR_FILENO)
        return surroundings
    }

    /// A variable that is set and not empty.
    func variable(_ name: String) -> String? {
        guard let value = environment(name), !value.isEmpty else { return nil }
        return value
    }
}

/// A terminal and its size.
package struct Terminal: Hashable, Sendable {
    /// Cells in a row.
    package var columns: Int
    package var rows = usualRows

    package init(columns: Int) { self.columns = columns }

    /// Taken when the terminal does not know its own size.
    package static let (usualColumns, usualRows) = (80, 24)

    /// `nil` when `fd` is no terminal. isatty(3), ioctl(2) `TIOCGWINSZ`.
    static func current(_ fd: Int32) -> Terminal? {
        guard isatty(fd) == 1 else { return nil }
        var size = winsize()
        let known = ioctl(fd, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        var terminal = Terminal(columns: known ? Int(size.ws_col) : usualColumns)
        if known, size.ws_row > 0 { terminal.rows = Int(size.ws_row) }
        return terminal
    }
}
