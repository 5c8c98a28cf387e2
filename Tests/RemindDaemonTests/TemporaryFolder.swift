import Glibc
import Testing

/// A folder that goes with the test, and the files that were written into it.
final class TemporaryFolder {
    let path: String
    private var names: [String] = []

    init() throws {
        var template = Array("/tmp/remindd-test-XXXXXX".utf8CString)
        try #require(mkdtemp(&template) != nil)
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// A pipe with a name (mkfifo(3)).
    func makePipe(_ name: String) throws -> String {
        names.append(name)
        try #require(mkfifo(path + "/" + name, 0o600) == 0)
        return path + "/" + name
    }

    deinit {
        for name in names { unlink(path + "/" + name) }
        rmdir(path)
    }

    /// Writes a file, closed when it returns, here and in whatever another test has just forked: a
    /// program that is open for writing cannot be run.
    /// - Returns: its path.
    @discardableResult
    func write(_ name: String, _ text: String, mode: mode_t = 0o644) throws -> String {
        names.append(name)
        let file = open(path + "/" + name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
        try #require(file >= 0)
        let written = Glibc.write(file, text, text.utf8.count)
        close(file)
        try #require(written == text.utf8.count)
        try waitForWriters(of: path + "/" + name)
        return path + "/" + name
    }

    /// A lease for reading is given when nobody has the file open for writing (fcntl(2), F_SETLEASE,
    /// which Glibc's module lacks).
    private func waitForWriters(of file: String) throws {
        let reader = open(file, O_RDONLY | O_CLOEXEC)
        try #require(reader >= 0)
        defer { close(reader) }
        let setLease: Int32 = 1024
        while fcntl(reader, setLease, F_RDLCK) != 0 {
            try #require(errno == EAGAIN)
            poll(nil, 0, 1)
        }
    }
}
