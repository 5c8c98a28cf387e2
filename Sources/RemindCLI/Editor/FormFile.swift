import Glibc
import RemindAPI

/// The form in a file that only its user can read, in the runtime directory.
struct FormFile {
    let path: String

    /// mkstemps(3): mode 0600, a name that nobody else has.
    /// - Throws: `CannotCreate` (exit 73).
    init(_ text: String, number: Int64, in folder: String) throws(Failure) {
        let suffix = ".txt"
        var name = Array("\(folder)/remindctl-\(number)-XXXXXX\(suffix)".utf8CString)
        let fd = mkstemps(&name, Int32(suffix.utf8.count))
        path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard fd >= 0 else { throw Self.failure("created in", folder) }
        defer { close(fd) }
        // The editor gets the name alone.
        _ = fcntl(fd, F_SETFD, FD_CLOEXEC)
        let output = Output(fd: fd)
        try output.write(text)
        try output.flush()
    }

    /// What the editor left there; an editor may have put another file in its place.
    /// - Throws: exit 65 when it is too long or no UTF-8, 74 when it cannot be read.
    func read() throws(Failure) -> String {
        // A pipe in its place would hold us up for ever.
        let fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard fd >= 0 else { throw Self.failure("read from", path) }
        defer { close(fd) }
        var status = stat()
        guard fstat(fd, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw Failure(
                "CannotCreate", "The editor has left no regular file in ‘\(path)’.",
                hint: "EDITOR=nano remindctl edit 7", exit: .inputOutput)
        }
        return try StandardInput.text(
            from: fd, limit: StandardInput.byteLimit * 2, named: "in ‘\(path)’")
    }

    func remove() { unlink(path) }

    private static func failure(_ what: String, _ path: String) -> Failure {
        Failure(
            "CannotCreate",
            "The form cannot be \(what) ‘\(path)’: \(String(cString: strerror(errno))).",
            exit: .cannotCreate)
    }
}
