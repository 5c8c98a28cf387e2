import Glibc

/// Why the daemon could not begin: a line that it leaves beside its socket, for clients that find
/// nobody there. The next daemon that begins takes it away.
package enum StartFailure {
    /// What is read of it at most, in bytes.
    private static let limit = 4096

    private static func path(_ socket: String) -> String { socket + ".failure" }

    /// Leaves `message`; where that cannot be done, the log has it all the same.
    package static func leave(_ message: String, socket: String) {
        let flags = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        let file = open(path(socket), flags, 0o600)
        guard file >= 0 else { return }
        defer { close(file) }
        _ = Array(message.utf8.prefix(limit)).withUnsafeBytes {
            write(file, $0.baseAddress, $0.count)
        }
    }

    package static func clear(socket: String) { unlink(path(socket)) }

    /// - Returns: `nil` when there is none, or when it is somebody else's.
    package static func read(socket: String) -> String? {
        let file = open(path(socket), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            status.st_uid == geteuid()
        else { return nil }
        let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            count = max(0, Glibc.read(file, buffer.baseAddress, limit))
        }
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }
}
