import Glibc

/// Text on its way to a file descriptor, in large pieces: ten thousand lines are a few calls.
package final class Output {
    private let fd: Int32
    private var pending: [UInt8] = []
    /// Whether text is written in ASCII; bytes go out as they are.
    var isASCII = false
    private static let pieceBytes = 64 << 10

    package init(fd: Int32) { self.fd = fd }

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
        for _ in 0..<max(count, 0) { pending.append(UInt8(ascii: " ")) }
    }

    /// One line; line ends inside, which only blanks between JSON values can be, become blanks.
    func writeLine(json: some Collection<UInt8>) throws(Failure) {
        let start = pending.count
        pending.append(contentsOf: json)
        for index in start..<pending.count where pending[index] == 0x0A || pending[index] == 0x0D {
            pending[index] = 0x20
        }
        try write(bytes: CollectionOfOne(0x0A))
    }

    func flush() throws(Failure) {
        var sent = 0
        defer { pending.removeAll(keepingCapacity: true) }
        while sent < pending.count {
            let count = pending.withUnsafeBytes { bytes in
                Glibc.write(fd, bytes.baseAddress.map { $0 + sent }, bytes.count - sent)
            }
            if count >= 0 {
                sent += count
            } else if errno != EINTR {
                throw Self.failure(errno)
            }
        }
    }

    private static func failure(_ code: Int32) -> Failure {
        code == EPIPE ? .outputClosed : .output(String(cString: strerror(code)))
    }
}
