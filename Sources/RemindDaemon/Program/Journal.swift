import CSystemd
import Glibc

/// The log: one line a message on standard error, which the service manager files by the priority
/// in front (sd-daemon(3)). Titles and notes never go into it.
enum Journal {
    static func error(_ message: String) { write("3", message) }
    static func notice(_ message: String) { write("5", message) }
    static func info(_ message: String) { write("6", message) }

    /// Whether standard error is the journal, which reads the priorities; a person does not.
    private static let isJournal = getenv("JOURNAL_STREAM") != nil

    private static func write(_ priority: String, _ message: String) {
        let line = message.split(whereSeparator: \.isNewline).joined(separator: " ")
        let text = (isJournal ? "<\(priority)>" : "remindd: ") + line + "\n"
        // One call, so that lines of several threads do not mix. A log that is gone stops nobody.
        _ = Array(text.utf8).withUnsafeBytes { Glibc.write(2, $0.baseAddress, $0.count) }
    }
}
