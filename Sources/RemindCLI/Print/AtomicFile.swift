import CLinux
import Glibc
import RemindAPI

/// A file that is there whole or not at all: written beside its place, then renamed.
final class AtomicFile {
    private let path: String
    private let temporary: String
    private let fd: Int32
    private var isDone = false

    /// What is no regular file, such as a pipe, is written as it is.
    private var isDirect: Bool { temporary.isEmpty }

    /// - Parameter path: symbolic links are followed.
    init(_ path: String) throws(Failure) {
        var status = stat()
        let isThere = stat(path, &status) == 0
        if isThere, status.st_mode & S_IFMT != S_IFREG {
            (self.path, temporary) = (path, "")
            fd = open(path, O_WRONLY | O_CLOEXEC)
        } else {
            let resolved = realpath(path, nil)
            let real = resolved.map { String(cString: $0) } ?? path
            free(resolved)
            if isThere, Self.isDatabase(real) {
                throw Failure(
                    "CannotCreate", "‘\(path)’ is a database, and was left as it is.",
                    hint: "Choose another name; a copy of the store is made with remindctl backup.",
                    exit: .cannotCreate)
            }
            self.path = real
            let slash = real.lastIndex(of: "/").map { real.index(after: $0) } ?? real.startIndex
            let suffix = String(UInt32.random(in: .min ... .max), radix: 16)
            temporary = "\(real[..<slash]).\(real[slash...]).\(suffix)"
            let mode = isThere ? status.st_mode & 0o777 : 0o666
            fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        }
        guard fd >= 0 else { throw Self.failure(path, "created", .cannotCreate) }
    }

    deinit {
        close(fd)
        if !isDone, !isDirect { unlink(temporary) }
    }

    /// The store itself, given by mistake: by its first bytes
    /// (<https://www.sqlite.org/fileformat.html>, section 1.3).
    private static func isDatabase(_ path: String) -> Bool {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        let mark = Array("SQLite format 3\0".utf8)
        var head = [UInt8](repeating: 0, count: mark.count)
        return file >= 0 && pread(file, &head, head.count, 0) == head.count && head == mark
    }

    func write(_ text: String) throws(Failure) {
        let bytes = Array(text.utf8)
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { all in
                Glibc.write(fd, all.baseAddress.map { $0 + written }, all.count - written)
            }
            if count >= 0 {
                written += count
            } else if errno != EINTR {
                throw Self.failure(path, "written", .inputOutput)
            }
        }
    }

    /// Puts it in its place. fsync(2), rename(2).
    func finish() throws(Failure) {
        if isDirect { return }
        guard fsync(fd) == 0 else { throw Self.failure(path, "written", .inputOutput) }
        try move()
    }

    private func move() throws(Failure) {
        guard rename(temporary, path) == 0 else {
            throw Self.failure(path, "written", .inputOutput)
        }
        isDone = true
    }

    /// From so many files on the disk is waited for once, for all that it was given by anybody: a
    /// wait for each would take longer.
    private static let many = 32

    /// Puts several in their places, each whole or not at all. The disk is told of all of them before
    /// it is waited for, which takes about as long as for one. sync_file_range(2), fsync(2),
    /// syncfs(2).
    static func finish(_ files: [AtomicFile]) throws(Failure) {
        for file in files { _ = clinux_begin_writing(file.fd) }
        let plain = files.filter { !$0.isDirect }
        if plain.count >= many, clinux_sync_file_system(plain[0].fd) == 0 {
            for file in plain { try file.move() }
        } else {
            for file in files { try file.finish() }
        }
    }

    /// What was put in its place there stays after a power cut. fsync(2).
    static func sync(folder path: String) throws(Failure) {
        let fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { close(fd) }
        guard fd >= 0, fsync(fd) == 0 else { throw failure(path, "written", .inputOutput) }
    }

    private static func failure(_ path: String, _ what: String, _ exit: ExitStatus) -> Failure {
        Failure(
            exit == .cannotCreate ? "CannotCreate" : "WriteFailed",
            "‘\(path)’ cannot be \(what): \(String(cString: strerror(errno))).", exit: exit)
    }
}
