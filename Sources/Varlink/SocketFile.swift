import Glibc
import VarlinkWire

/// The file of a listening socket: when it may be made, when one that is there may be replaced.
package struct SocketFile: Sendable {
    /// Why no socket was made. The file system is then as before.
    package enum Refusal: Error, Equatable, Sendable {
        case noParent(path: String)
        case parentNotOurs(path: String, owner: UInt32)
        case parentOpen(path: String, mode: UInt32)
        case notASocket(path: String)
        /// A socket of another kind: datagrams, or packets.
        case foreign(path: String)
        case inUse(path: String)
        /// Another process is making or checking a socket in the same folder at this moment.
        case busy(path: String)
        case notListening(Int32)
    }

    let path: String
    private let device: dev_t
    private let inode: ino_t

    /// Binds and listens at `address`; a file left by a process that died is replaced.
    ///
    /// The mode is 0600 from the first moment: on Linux bind(2) gives the file the mode of the
    /// socket itself, which fchmod(2) sets before; no umask of the whole process, no chmod after.
    /// A lock on the folder covers probe, removal and bind, so that of two daemons that start
    /// together one cannot remove the socket of the other.
    static func listen(at address: SocketAddress) throws -> (fd: Int32, file: SocketFile) {
        let folder = try lockedParent(of: address.path)
        defer { close(folder) }
        try clear(address)
        let fd = try Syscalls.unixStream()
        do {
            try Syscalls.check("fchmod", fchmod(fd, 0o600))
            try Syscalls.bind(fd, address)
            try Syscalls.listen(fd)
            try Syscalls.makeNonBlocking(fd)
            var status = stat()
            try Syscalls.check("lstat", lstat(address.path, &status))
            let file = SocketFile(path: address.path, device: status.st_dev, inode: status.st_ino)
            return (fd, file)
        } catch {
            close(fd)
            throw error
        }
    }

    /// Whether its name still leads to it.
    var isInPlace: Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_dev == device && status.st_ino == inode
    }

    /// Removes the file unless another one has taken its place.
    func remove() { if isInPlace { unlink(path) } }

    /// The folder, open and locked until it is closed.
    private static func lockedParent(of path: String) throws -> Int32 {
        let parent = parent(of: path)
        let fd = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard fd >= 0 else {
            throw errno == ENOENT || errno == ENOTDIR
                ? Refusal.noParent(path: parent) : SystemError("open")
        }
        do {
            var status = stat()
            try Syscalls.check("fstat", fstat(fd, &status))
            if status.st_uid != geteuid() {
                throw Refusal.parentNotOurs(path: parent, owner: status.st_uid)
            }
            if status.st_mode & 0o022 != 0 {
                throw Refusal.parentOpen(path: parent, mode: status.st_mode & 0o7777)
            }
            if flock(fd, LOCK_EX | LOCK_NB) != 0 { throw Refusal.busy(path: path) }
        } catch {
            close(fd)
            throw error
        }
        return fd
    }

    private static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Makes way at `address`, if what is there is a socket on which no one listens.
    private static func clear(_ address: SocketAddress) throws {
        var status = stat()
        guard lstat(address.path, &status) == 0 else {
            if errno == ENOENT { return }
            throw SystemError("lstat")
        }
        guard status.st_mode & S_IFMT == S_IFSOCK else {
            throw Refusal.notASocket(path: address.path)
        }
        let probe = try Syscalls.unixStream()
        defer { close(probe) }
        try Syscalls.makeNonBlocking(probe)
        do {
            try Syscalls.connect(probe, address)
            throw Refusal.inUse(path: address.path)
        } catch let error as SystemError where error.code == EAGAIN {
            // Its queue is full: someone listens.
            throw Refusal.inUse(path: address.path)
        } catch let error as SystemError where error.code == EPROTOTYPE {
            throw Refusal.foreign(path: address.path)
        } catch let error as SystemError where error.code == ECONNREFUSED {
            try Syscalls.check("unlink", unlink(address.path))
        }
    }
}

extension SocketFile.Refusal: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noParent(let path):
            "The folder ‘\(path)’ for the socket does not exist. Create it, or choose another path."
        case .parentNotOurs(let path, let owner):
            "The folder ‘\(path)’ for the socket belongs to user \(owner), not to us. Choose a "
                + "folder of your own."
        case .parentOpen(let path, let mode):
            "Others may write to the folder ‘\(path)’ for the socket (mode \(String(mode, radix: 8)))."
                + " Run ‘chmod go-w \(path)’, or choose another path."
        case .notASocket(let path):
            "‘\(path)’ is not a socket; it was left untouched. Choose another path for the socket."
        case .inUse(let path): "Another remindd is listening on ‘\(path)’."
        case .foreign(let path):
            "‘\(path)’ is the socket of another program; it was left untouched. Choose another path."
        case .busy(let path): "Another remindd is starting on ‘\(path)’. Try again."
        case .notListening(let fd):
            "File descriptor \(fd) is not a listening Unix stream socket. Check the .socket unit."
        }
    }
}
