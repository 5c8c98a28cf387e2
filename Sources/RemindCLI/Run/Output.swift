import Glibc

/// Text on its way to a file descriptor, in large pieces: ten thousand lines are a few calls.
package final class Output {
    private let fd: Int32
    private var pending: [UInt8] = []
    private static let pieceBytes = 64 << 10

    package init(fd: Int32) { self.fd = fd }

    /// - Throws: `Failure.outputClosed` when the reader has gone, else an I/O failure.
    func write(_ text: String) throws(Failure) { try write(bytes: text.utf8) }

    func write(bytes: some Collection<UInt8>) throws(Failure) {
        pending.append(contentsOf: bytes)
        if pending.count >= Self.pieceBytes { try flush() }
    }

    /// One line; line ends inside, which only blanks between JSON values can be, become blanks.
    func writeLine(json: some Collection<UInt8>) throws(Failure) {
        for byte in json { pending.append(byte == 0x0A || byte == 0x0D ? 0x20 : byte) }
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
