import Dispatch
import Synchronization
import Testing

/// Tests that run programs. One after the other: a script that one test has just written could not
/// be run while the program of another still holds it open.
@Suite("Programs", .serialized)
enum Programs {}

/// What programs said, for a test that waits for it.
final class ProgramLog: Sendable {
    private let lines = Mutex<[String]>([])
    private let came = DispatchSemaphore(value: 0)

    func append(_ line: String) {
        lines.withLock { $0.append(line) }
        came.signal()
    }

    /// Waits until so many lines have come in all; all that have come.
    func wait(for count: Int) -> [String] {
        while lines.withLock({ $0.count }) < count {
            guard came.wait(timeout: .now() + 20) == .success else { break }
        }
        return lines.withLock { $0 }
    }
}
