import Glibc

/// Text on its way to a file descriptor, in large pieces: ten thousand lines are a few calls.
package final class Output {
    let descriptor: Int32
    private var pending: [UInt8] = []
    /// Whether text is written in ASCII; bytes go out as they are.
    var isASCII = false
    private static let pieceBytes = 64 << 10

    package init(fd: Int32) { descriptor = fd }

    /// - Throws: `Failure.outputClosed` when the reader has gone, else an I/O failure.
    func write(_ text: String) throws(Failure) {
        try write(bytes: (isASCII ? text.ascii : text).utf8)
    }

    func write(bytes: some Collection<UInt8>) throws(Failure) {
        pending.append(contentsOf: bytes)
        if pending.count >= Self.pieceBytes { try flush() }
    }

    /// Adds to what the next `write` hands on.
    func add(_ text: String) {
        pending.append(contentsOf: (isASCII ? text.ascii : text).utf8)
    }

    /// Adds that many blanks.
    func add(blanks count: Int) {
        pending.append(contentsOf: repeatElement(UInt8(ascii: " "), count: max(count, 0)))
    }

    /// One line; line ends inside, which only blanks between JSON values can be, become blanks.
    func writeLine(json: some Collection<UInt8>) throws(Failure) {
        add(json: json)
        if pending.count >= Self.pieceBytes { try flush() }
    }

    /// Adds such a line to what the next `write` hands on.
    func add(json: some Collection<UInt8>) {
        let start = pending.count
        pending.append(contentsOf: json)
        let end = pending.count
        pending.withUnsafeMutableBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            for lineEnd: Int32 in [0x0A, 0x0D] {
                var at = start
                while let found = memchr(base + at, lineEnd, end - at) {
                    found.storeBytes(of: 0x20, as: UInt8.self)
                    at = found - base + 1
                }
            }
        }
        pending.append(0x0A)
    }

    func flush() throws(Failure) {
        var sent = 0
        defer { pending.removeAll(keepingCapacity: true) }
        while sent < pending.count { sent += try send(from: sent, limit: .max) }
    }

    /// Hands on full pieces as far as the reader takes them at once; the rest stays for later.
    func handOnWithoutWaiting() throws(Failure) {
        var sent = 0
        defer { pending.removeFirst(sent) }
        while pending.count - sent >= Self.pieceBytes, case let room = room, room > 0 {
            sent += try send(from: sent, limit: room)
        }
    }

    private func send(from start: Int, limit: Int) throws(Failure) -> Int {
        while true {
            let count = pending.withUnsafeBytes { bytes in
                let rest = min(bytes.count - start, limit)
                return Glibc.write(descriptor, bytes.baseAddress.map { $0 + start }, rest)
            }
            if count >= 0 { return count }
            if errno != EINTR { throw Self.failure(errno) }
        }
    }

    /// Bytes that can be written without waiting. pipe(7): a pipe that can be written to takes a
    /// page, and one that is empty all that it holds; a file takes everything.
    private var room: Int {
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard poll(&entry, 1, 0) > 0 else { return 0 }
        let capacity = fcntl(descriptor, Self.getPipeSize)
        guard capacity > 0 else {
            return isatty(descriptor) == 1 ? Self.pageBytes : Self.pieceBytes
        }
        var unread: Int32 = 0
        let isEmpty = ioctl(descriptor, UInt(FIONREAD), &unread) == 0 && unread == 0
        return isEmpty ? Int(capacity) : Self.pageBytes
    }

    private static let pageBytes = 4096
    /// `F_GETPIPE_SZ`, hidden without _GNU_SOURCE. fcntl(2).
    private static let getPipeSize: Int32 = 1032

    private static func failure(_ code: Int32) -> Failure {
        code == EPIPE ? .outputClosed : .output(String(cString: strerror(code)))
    }
}
