import Glibc

/// Text on its way to a file descriptor, in large pieces: ten thousand lines are a few calls.
package final class Output {
    let descriptor: Int32
    private let pending = GrowingBuffer<UInt8>()
    /// Whether text is written in ASCII; bytes go out as they are.
    var isASCII = false
    private static let pieceBytes = 64 << 10

    package init(fd: Int32) { descriptor = fd }

    /// - Throws: `Failure.outputClosed` when the reader has gone, else an I/O failure.
    func write(_ text: String) throws(Failure) {
        try write(bytes: (isASCII ? text.ascii : text).utf8)
    }

    func write(bytes: some Collection<UInt8>) throws(Failure) {
        add(bytes: bytes)
        if pending.count >= Self.pieceBytes { try flush() }
    }

    /// Hands on what has been added when that is a full piece.
    func writeLineEnd() throws(Failure) {
        pending.append("\n", times: 1)
        if pending.count >= Self.pieceBytes { try flush() }
    }

    /// Adds to what the next `write` hands on.
    func add(_ text: String) {
        if !text.isEmpty { pending.append(isASCII ? text.ascii : text) }
    }

    /// Adds bytes as they are.
    func add(bytes: UnsafeBufferPointer<UInt8>) { pending.append(bytes) }

    private func add(bytes: some Collection<UInt8>) {
        if bytes.withContiguousStorageIfAvailable({ pending.append($0) }) == nil {
            for byte in bytes { pending.append(byte) }
        }
    }

    func add(bytes first: UInt8, _ second: UInt8) {
        let room = pending.room(for: 2)
        (room[0], room[1]) = (first, second)
        pending.keep(2)
    }

    /// Adds that many blanks.
    func add(blanks count: Int) { pending.append(" ", times: count) }

    /// Adds a number that has so many digits, its sign among them.
    func add(number: Int64, digits: Int) {
        let room = pending.room(for: digits)
        var rest = number.magnitude
        for place in (0..<digits).reversed() {
            room[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
        if number < 0 { room[0] = UInt8(ascii: "-") }
        pending.keep(digits)
    }

    /// One line; line ends inside, which only blanks between JSON values can be, become blanks.
    func writeLine(json: some Collection<UInt8>) throws(Failure) {
        add(json: json)
        if pending.count >= Self.pieceBytes { try flush() }
    }

    /// Adds such a line to what the next `write` hands on.
    func add(json: some Collection<UInt8>) {
        let start = pending.count
        add(bytes: json)
        if let base = pending.start {
            for lineEnd: Int32 in [0x0A, 0x0D] {
                var at = start
                while let found = memchr(base + at, lineEnd, pending.count - at) {
                    found.storeBytes(of: 0x20, as: UInt8.self)
                    at = found - UnsafeMutableRawPointer(base) + 1
                }
            }
        }
        pending.append("\n", times: 1)
    }

    func flush() throws(Failure) {
        var sent = 0
        defer { pending.removeFirst(pending.count) }
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
            let rest = min(pending.count - start, limit)
            let count = Glibc.write(descriptor, pending.start.map { $0 + start }, rest)
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
