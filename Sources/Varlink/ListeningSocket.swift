import Glibc
import VarlinkWire

/// A socket on which clients can connect: made here, or handed over by the service manager.
package final class ListeningSocket: Sendable {
    let fd: Int32
    private let file: SocketFile?

    /// Makes a socket file of mode 0600 at `path` and listens on it. See `SocketFile` for the rules.
    /// - Throws: `SocketAddress.Invalid`, `SocketFile.Refusal`, `SystemError`.
    package convenience init(path: String) throws {
        let made = try SocketFile.listen(at: try SocketAddress(path: path))
        self.init(fd: made.fd, file: made.file)
    }

    /// Takes over a listening Unix stream socket, as socket activation passes it. Its file is the
    /// passer's and stays.
    /// - Throws: `SocketFile.Refusal.notListening` when it is something else; `fd` is then untouched.
    package convenience init(adopting fd: Int32) throws {
        guard (try? Syscalls.option(fd, SO_ACCEPTCONN)) == 1,
            try Syscalls.option(fd, SO_DOMAIN) == AF_UNIX,
            try Syscalls.option(fd, SO_TYPE) == Int32(SOCK_STREAM.rawValue)
        else { throw SocketFile.Refusal.notListening(fd) }
        try Syscalls.makeNonBlocking(fd)
        self.init(fd: fd, file: nil)
    }

    private init(fd: Int32, file: SocketFile?) {
        self.fd = fd
        self.file = file
    }

    /// The file that was made here; `nil` for a socket that was handed over.
    var path: String? { file?.path }

    /// Whether clients find it under its name; always, as far as is known, when it was handed over.
    var isInPlace: Bool { file?.isInPlace ?? true }

    /// Removes the file if it is still the one made here, so that no one finds a dead socket.
    func removeFile() {
        file?.remove()
    }

    deinit {
        close(fd)
    }
}
