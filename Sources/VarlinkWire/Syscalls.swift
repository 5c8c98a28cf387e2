import CLinux
import Glibc

/// A system call that failed: its name and errno.
package struct SystemError: Error, Equatable, Sendable, CustomStringConvertible {
    package let call: String
    package let code: Int32

    package init(_ call: String, _ code: Int32 = errno) {
        self.call = call
        self.code = code
    }

    package var description: String { "\(call) failed: \(String(cString: strerror(code)))" }
}

/// One Swift function a C call; a call that a signal interrupted is made again. The rules that
/// decide what to do with a failure are one layer up.
package enum Syscalls {
    /// What came of moving bytes without waiting.
    package enum Transfer: Equatable {
        case moved(Int)
        /// Nothing can be moved now (EAGAIN).
        case blocked
        /// The peer has closed its side (only when receiving).
        case ended
    }

    /// socket(2): a blocking, close-on-exec Unix stream socket.
    package static func unixStream() throws(SystemError) -> Int32 {
        try check("socket", clinux_unix_stream())
    }

    /// accept4(2); nil when no one waits.
    package static func accept(_ listener: Int32) throws(SystemError) -> Int32? {
        while true {
            let fd = clinux_accept(listener)
            if fd >= 0 { return fd }
            switch errno {
            case EAGAIN: return nil
            case EINTR, ECONNABORTED: continue
            default: throw SystemError("accept4")
            }
        }
    }

    /// Who is at the other end of a connection.
    package struct Peer: Equatable, Sendable {
        package let uid: UInt32
        /// The process that has connected; 0 when it is in another namespace.
        package let process: Int32
    }

    /// getsockopt(2) SO_PEERCRED.
    package static func peer(_ fd: Int32) throws(SystemError) -> Peer {
        var credentials = clinux_credentials()
        try check("getsockopt", clinux_peer_credentials(fd, &credentials))
        return Peer(uid: credentials.uid, process: credentials.pid)
    }

    /// recv(2) of at most 64 KiB, which `take` gets.
    package static func receive(
        _ fd: Int32, _ take: (UnsafeRawBufferPointer) -> Void
    ) throws(SystemError) -> Transfer {
        while true {
            let count = withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 16) {
                buffer in
                let count = recv(fd, buffer.baseAddress, buffer.count, 0)
                if count > 0 { take(UnsafeRawBufferPointer(rebasing: buffer[..<count])) }
                return count
            }
            if count > 0 { return .moved(count) }
            if count == 0 { return .ended }
            if errno == EAGAIN { return .blocked }
            if errno != EINTR { throw SystemError("recv") }
        }
    }

    /// send(2) of `bytes` without the first `start`, with MSG_NOSIGNAL: a peer that has gone is
    /// EPIPE, never a SIGPIPE.
    package static func send(_ fd: Int32, _ bytes: [UInt8], from start: Int = 0) throws(SystemError)
        -> Transfer
    {
        while true {
            let count = bytes.withUnsafeBytes { buffer in
                let rest = buffer[start...]
                return Glibc.send(
                    fd, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count,
                    Int32(MSG_NOSIGNAL))
            }
            if count >= 0 { return .moved(count) }
            if errno == EAGAIN { return .blocked }
            if errno != EINTR { throw SystemError("send") }
        }
    }

    /// What poll(2) tells of a connection.
    package struct State: Equatable, Sendable {
        /// Bytes, or the end, wait to be read.
        package let isReadable: Bool
        /// The peer has closed both directions, and not only its sending one.
        package let isHungUp: Bool
    }

    /// poll(2), without waiting.
    package static func state(_ fd: Int32) -> State {
        var entry = pollfd(fd: fd, events: Int16(POLLIN), revents: 0)
        let events = poll(&entry, 1, 0) > 0 ? Int32(entry.revents) : 0
        let isHungUp = events & (POLLHUP | POLLERR) != 0
        return State(isReadable: isHungUp || events & POLLIN != 0, isHungUp: isHungUp)
    }

    /// connect(2).
    package static func connect(_ fd: Int32, _ address: SocketAddress) throws(SystemError) {
        try check("connect", address.withPointer { Glibc.connect(fd, $0, $1) })
    }

    /// bind(2).
    package static func bind(_ fd: Int32, _ address: SocketAddress) throws(SystemError) {
        try check("bind", address.withPointer { Glibc.bind(fd, $0, $1) })
    }

    /// listen(2), with a queue for `Limits.pendingConnections`.
    package static func listen(_ fd: Int32) throws(SystemError) {
        try check("listen", Glibc.listen(fd, Limits.pendingConnections))
    }

    /// getsockopt(2) of an integer at SOL_SOCKET.
    package static func option(_ fd: Int32, _ name: Int32) throws(SystemError) -> Int32 {
        var value: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        try check("getsockopt", getsockopt(fd, SOL_SOCKET, name, &value, &size))
        return value
    }

    /// setsockopt(2) SO_RCVTIMEO and SO_SNDTIMEO; the latter also bounds connect(2).
    /// Zero: no limit.
    package static func setTimeout(_ fd: Int32, milliseconds: Int) throws(SystemError) {
        var limit = timeval(tv_sec: milliseconds / 1000, tv_usec: milliseconds % 1000 * 1000)
        let size = socklen_t(MemoryLayout<timeval>.size)
        try check("setsockopt", setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, size))
        try check("setsockopt", setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, size))
    }

    /// fcntl(2): O_NONBLOCK and FD_CLOEXEC.
    package static func makeNonBlocking(_ fd: Int32) throws(SystemError) {
        let flags = try check("fcntl", fcntl(fd, F_GETFL))
        try check("fcntl", fcntl(fd, F_SETFL, flags | O_NONBLOCK))
        try check("fcntl", fcntl(fd, F_SETFD, FD_CLOEXEC))
    }

    /// Turns -1 into the error that errno names.
    @discardableResult
    package static func check(_ call: String, _ result: Int32) throws(SystemError) -> Int32 {
        if result < 0 { throw SystemError(call) }
        return result
    }
}
