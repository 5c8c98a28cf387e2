import Glibc
import RemindCLI

/// The files that are written, by their paths within the folder.
enum Files {
    struct Failure: Error {
        let reason: String
    }

    static var all: [(path: String, text: String)] {
        [
            ("man/remindctl.1", CommandManual.text),
            ("man/remindd.conf.5", SettingsManual.text),
            ("man/org.remindd.Reminders.7", InterfaceManual.text),
            ("man/remindd.8", DaemonManual.text),
        ]
            + CompletionScript.shells.map { ("completions/\($0.name)", $0.text) }
    }

    /// Writes every file; folders that are missing are made.
    static func write(into folder: String) throws(Failure) {
        for part in ["", "/man", "/completions"] {
            guard mkdir(folder + part, 0o755) == 0 || errno == EEXIST else {
                throw failure(folder + part)
            }
        }
        for file in all { try write(file.text, to: "\(folder)/\(file.path)") }
    }

    private static func write(_ text: String, to path: String) throws(Failure) {
        guard let file = fopen(path, "w") else { throw failure(path) }
        let isWritten = fputs(text, file) >= 0
        guard fclose(file) == 0, isWritten else { throw failure(path) }
    }

    /// One line on standard error.
    static func complain(_ message: String) {
        _ = Array("\(message)\n".utf8).withUnsafeBytes {
            Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count)
        }
    }

    private static func failure(_ path: String) -> Failure {
        Failure(reason: "‘\(path)’ cannot be written: \(String(cString: strerror(errno)))")
    }
}
