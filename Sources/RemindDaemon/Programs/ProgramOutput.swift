import Dispatch
import Glibc
import Varlink

/// What a program writes, as lines. It can neither stop the program nor fill the log: what comes
/// beyond the limits is read and thrown away.
///
/// Unchecked: touched on the queue that it was given, and on no other.
final class ProgramOutput: @unchecked Sendable {
    /// Bytes of a line, and lines of one run.
    static let lineLimit = 1000
    static let linesLimit = 100

    private let descriptor: Int32
    private var source: SwitchedSource?
    private let line: @Sendable (String) -> Void
    private var partial: [UInt8] = []
    private var lines = 0

    /// - Parameter descriptor: the reading end of a pipe; closed at the end.
    init(
        reading descriptor: Int32, queue: DispatchQueue, line: @escaping @Sendable (String) -> Void
    ) {
        (self.descriptor, self.line) = (descriptor, line)
        // The writing end stays as it is: programs do not expect EAGAIN.
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        source = SwitchedSource.reading(
            descriptor, on: queue,
            { [weak self] in
                // The end of the file would be told again and again.
                if self?.readSome() == 0 { self?.source?.cancel() }
            }, ended: { close(descriptor) })
        source?.turn(on: true)
    }

    /// The program has ended: what is there still counts. What its own children write later, in
    /// the background, does not.
    func finish() {
        guard source?.isCancelled == false else { return endLine() }
        var reads = 0
        while reads < 64, readSome() > 0 { reads += 1 }
        endLine()
        source?.cancel()
    }

    /// - Returns: what read(2) did.
    private func readSome() -> Int {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        let count = read(descriptor, &buffer, buffer.count)
        for byte in buffer.prefix(max(0, count)) {
            if byte == UInt8(ascii: "\n") {
                endLine()
            } else if partial.count < Self.lineLimit {
                partial.append(byte)
            }
        }
        return count
    }

    private func endLine() {
        guard !partial.isEmpty else { return }
        defer { partial.removeAll() }
        lines += 1
        if lines <= Self.linesLimit { line(String(decoding: partial, as: UTF8.self)) }
        if lines == Self.linesLimit + 1 { line("… and more, which is not logged") }
    }
}
