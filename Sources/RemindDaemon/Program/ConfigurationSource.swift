import Configuration
import Glibc
import RemindCore

/// The configuration file of this run, read at the beginning and at each SIGHUP.
struct ConfigurationSource {
    let path: String
    /// No such file: everything is as by default. One that was asked for must be there.
    private let isOptional: Bool

    /// Why there are no settings: one line a fault.
    struct Failure: Error, Hashable {
        let message: String
    }

    /// What was found.
    struct Found {
        var settings = Settings()
        var isThere = true
        /// Lines for people, with file and line.
        var faults: [String] = []
        /// What may mend itself, such as a program on a disk that is not mounted: no reason not to
        /// ring.
        var warnings: [String] = []
    }

    init(_ options: Options, _ environment: (String) -> String?) throws(Options.Misuse) {
        (path, isOptional) = try options.configurationPath(environment)
    }

    /// The settings of a file without faults; warnings are logged.
    /// - Throws: `Failure`.
    func settings() throws(Failure) -> Settings {
        let found = try read()
        guard found.faults.isEmpty else {
            throw Failure(message: found.faults.joined(separator: "\n"))
        }
        for warning in found.warnings { Journal.notice(warning) }
        return found.settings
    }

    /// - Throws: `Failure` when the file cannot be read.
    func read() throws(Failure) -> Found {
        guard let bytes = try contents() else { return Found(isThere: false) }
        let outcome = ConfigurationFile.read(bytes)
        var found = Found(settings: outcome.settings)
        found.faults = outcome.faults.map { $0.text(path: path) }
        if let program = outcome.settings.onRing, !Self.isProgram(program) {
            let line = outcome.line(of: "OnRing", in: "Hooks")
            let fault = ConfigurationFile.Fault(
                line: line,
                message: "OnRing=\(program): there is no such program, or it cannot be run. "
                    + "Give the path of a file that you may execute (chmod +x).")
            found.warnings.append(fault.text(path: path))
        }
        return found
    }

    /// Whether it is a file that may be executed.
    static func isProgram(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
            && access(path, X_OK) == 0
    }

    /// `nil` when there is no file and none is needed. Never waits, not even for a FIFO.
    private func contents() throws(Failure) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else {
            if isOptional, errno == ENOENT || errno == ENOTDIR { return nil }
            throw failure()
        }
        defer { close(file) }
        // One byte more than is allowed tells that there is more.
        var bytes = [UInt8](repeating: 0, count: ConfigurationFile.sizeLimit + 1)
        var length = 0
        while length < bytes.count {
            let count = bytes.withUnsafeMutableBytes { buffer in
                Glibc.read(file, buffer.baseAddress.map { $0 + length }, buffer.count - length)
            }
            guard count >= 0 else { throw failure() }
            if count == 0 { break }
            length += count
        }
        return Array(bytes[..<length])
    }

    private func failure() -> Failure {
        Failure(
            message:
                "\(path): the configuration cannot be read: \(String(cString: strerror(errno)))")
    }
}
