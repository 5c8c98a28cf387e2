import Glibc
import Testing

@testable import Varlink
import VarlinkWire

/// A client that sends any bytes, to misbehave with.
final class RawClient {
    let fd: Int32
    private var framer = Framer(limit: 64 << 20)

    init(path: String) throws {
        fd = try Syscalls.unixStream()
        try Syscalls.setTimeout(fd, milliseconds: 30_000)
        try Syscalls.connect(fd, try SocketAddress(path: path))
    }

    deinit {
        close(fd)
    }

    /// - Returns: whether all was taken.
    @discardableResult
    func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            guard case .moved(let count) = try? Syscalls.send(fd, bytes, from: sent) else {
                return false
            }
            sent += count
        }
        return true
    }

    func endSending() { shutdown(fd, Int32(SHUT_WR)) }

    /// The next message as text; nil at the end of the stream.
    func receive() throws -> String? {
        while true {
            if let message = try framer.next() { return String(decoding: message, as: UTF8.self) }
            let transfer = try? Syscalls.receive(fd) { framer.append($0) }
            guard case .moved = transfer else {
                #expect(transfer != .blocked, "no reply in time")
                return nil
            }
        }
    }
}
