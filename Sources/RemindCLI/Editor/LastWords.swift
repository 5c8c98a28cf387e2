import Glibc
import Synchronization

/// What is written to stderr if a signal ends the program: nobody else will say it. It is heard
/// whatever the program does at that moment.
struct LastWords {
    private static let signals = [SIGINT, SIGQUIT, SIGTERM, SIGHUP]

    /// The words stay in memory: a signal may be saying them. Signals that are ignored stay so, as
    /// nohup(1) wants.
    init(_ words: String) {
        lastWords.store(UInt(bitPattern: strdup(words)), ordering: .releasing)
        for number in Self.signals {
            let before = signal(number, sayLastWords)
            if address(before) == address(SIG_IGN) { signal(number, SIG_IGN) }
        }
    }

    /// From here on a signal says nothing.
    func forget() {
        lastWords.store(0, ordering: .releasing)
    }
}

/// The address of what the handler writes, 0 for nothing: it may neither allocate nor wait
/// (signal-safety(7)).
private let lastWords = Atomic<UInt>(0)

private func sayLastWords(_ number: Int32) {
    if let text = UnsafePointer<CChar>(bitPattern: lastWords.load(ordering: .acquiring)) {
        _ = write(STDERR_FILENO, text, strlen(text))
    }
    signal(number, SIG_DFL)
    // It comes when the handler returns.
    raise(number)
}

private func address(_ handler: (@convention(c) (Int32) -> Void)?) -> Int {
    unsafeBitCast(handler, to: Int.self)
}
