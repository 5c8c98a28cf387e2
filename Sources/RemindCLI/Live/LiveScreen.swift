import Glibc
import RemindCore

/// The alternate screen of a terminal, and the keys pressed there. What was on the terminal before is
/// there again afterwards (xterm's control sequences, ctlseqs).
final class LiveScreen {
    enum Key: Equatable {
        case quit, home, end, redraw
        case lines(Int)
        case pages(Int)
    }

    private let output: Output
    private let input: Int32
    private let isKeyboard: Bool
    private var modeBefore: termios?
    private var isEntered = false
    private(set) var size: Terminal

    init(_ session: Session) {
        output = session.output
        input = session.surroundings.inputDescriptor
        isKeyboard = isatty(input) == 1
        size = session.surroundings.terminal ?? Terminal(columns: Terminal.usualColumns)
    }

    /// Where keys are read from; `nil` when stdin is no terminal.
    var keys: Int32? { isKeyboard ? input : nil }

    func refreshedSize() -> Terminal {
        if let now = Terminal.current(output.descriptor) { size = now }
        return size
    }

    /// Replaces what is on the screen, without clearing it first: nothing flickers.
    func draw(_ frame: LiveFrame, from top: Int, notice: String?) throws(Failure) {
        enter()
        output.add("\u{1B}[H")
        frame.add(to: output, from: top, notice: notice)
        try output.flush()
    }

    /// Alternate screen, no cursor, no line wrap; keys come at once and are not shown. Ctrl-C stays a
    /// signal.
    private func enter() {
        guard !isEntered else { return }
        isEntered = true
        output.add("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l")
        var mode = termios()
        guard isKeyboard, tcgetattr(input, &mode) == 0 else { return }
        modeBefore = mode
        mode.c_lflag &= ~tcflag_t(ICANON | ECHO)
        tcsetattr(input, TCSADRAIN, &mode)
    }

    /// The terminal as it was. Harmless when it is so already.
    func leave() {
        guard isEntered else { return }
        isEntered = false
        output.add("\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l")
        // A terminal that has gone needs nothing more.
        try? output.flush()
        if var mode = modeBefore { tcsetattr(input, TCSADRAIN, &mode) }
    }

    /// - Returns: `nil` when the terminal has gone.
    func takeKeys() -> [Key]? {
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = read(input, &bytes, bytes.count)
        if count < 0, errno == EINTR || errno == EAGAIN { return [] }
        return count > 0 ? Self.keys(String(decoding: bytes[..<count], as: UTF8.self)) : nil
    }

    /// Sequences of keys that several terminals send; what is unknown does nothing.
    private static let sequences: [(String, Key)] = [
        ("\u{1B}[A", .lines(-1)), ("\u{1B}OA", .lines(-1)), ("\u{1B}[B", .lines(1)),
        ("\u{1B}OB", .lines(1)), ("\u{1B}[5~", .pages(-1)), ("\u{1B}[6~", .pages(1)),
        ("\u{1B}[H", .home), ("\u{1B}[1~", .home), ("\u{1B}[F", .end), ("\u{1B}[4~", .end),
        ("q", .quit), ("Q", .quit), ("k", .lines(-1)), ("j", .lines(1)), ("b", .pages(-1)),
        (" ", .pages(1)), ("g", .home), ("G", .end), ("\u{0C}", .redraw), ("\u{04}", .quit),
    ]

    static func keys(_ text: String) -> [Key] {
        var rest = Substring(text)
        var keys: [Key] = []
        while !rest.isEmpty {
            if let (sequence, key) = sequences.first(where: { rest.hasPrefix($0.0) }) {
                keys.append(key)
                rest = rest.dropFirst(sequence.count)
            } else {
                rest = rest.dropFirst()
            }
        }
        return keys
    }
}
