/// How far an import has come, on a terminal: one line that is written again and again.
struct ImportProgress {
    /// Bytes of the file that are stored, and all.
    var read = 0
    var total = 0
    private var shown = -1

    private static let cells = 30

    mutating func show(on session: Session) throws(Failure) {
        guard session.surroundings.terminal != nil, !session.json, total > 0 else { return }
        let percent = min(read * 100 / total, 100)
        guard percent != shown else { return }
        shown = percent
        let filled = percent * Self.cells / 100
        let bar =
            String(repeating: "#", count: filled)
            + String(repeating: ".", count: Self.cells - filled)
        try session.output.write("\r[\(bar)] \(percent) %")
        try session.output.flush()
    }

    /// Takes the line away.
    mutating func clear(on session: Session) throws(Failure) {
        guard shown >= 0 else { return }
        shown = -1
        try session.output.write("\r\u{1B}[K")
    }
}
