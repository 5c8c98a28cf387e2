import Glibc

/// Cuts a byte stream into Varlink messages, each ended by one NUL. Pure: no I/O.
///
/// Every byte is looked at once, whatever the sizes of the pieces it comes in.
/// Source: <https://varlink.org/Method-Call> (“messages are NUL-terminated JSON objects”).
package struct Framer: Sendable {
    /// What a peer can do wrong at this level. The stream cannot be read on after either.
    package enum Fault: Error, Equatable {
        /// More than `limit` bytes without a NUL.
        case messageTooLong(limit: Int)
        /// Two NULs in a row, or one at the start.
        case emptyMessage
    }

    /// The largest message in bytes, without its NUL.
    package let limit: Int
    private var buffer: [UInt8] = []
    private var start = 0
    private var scanned = 0

    package init(limit: Int) {
        self.limit = limit
    }

    /// Bytes held: messages not taken yet and the beginning of an unfinished one.
    package var count: Int { buffer.count - start }

    /// Takes in what was read. Amortised O(bytes).
    package mutating func append(_ bytes: UnsafeRawBufferPointer) {
        compact()
        buffer.append(contentsOf: bytes)
    }

    /// The next complete message without its NUL, or nil when more bytes are needed.
    /// - Throws: `Fault`, and again at every further call.
    package mutating func next() throws(Fault) -> [UInt8]? {
        guard let end = terminator() else {
            if count > limit { throw .messageTooLong(limit: limit) }
            return nil
        }
        if end == start { throw .emptyMessage }
        if end - start > limit { throw .messageTooLong(limit: limit) }
        let message = Array(buffer[start..<end])
        start = end + 1
        scanned = start
        if start == buffer.count { compact() }
        return message
    }

    /// Where the NUL of the first message is. Stays on it until the message is taken.
    private mutating func terminator() -> Int? {
        let from = scanned
        let found = buffer.withUnsafeBytes { bytes -> Int? in
            guard from < bytes.count, let base = bytes.baseAddress,
                let hit = memchr(base + from, 0, bytes.count - from)
            else { return nil }
            return UnsafeRawPointer(hit) - base
        }
        scanned = found ?? buffer.count
        return found
    }

    /// Drops what was taken, once it is at least half, so that moving the rest costs O(1) a byte.
    private mutating func compact() {
        guard start > 0, start * 2 >= buffer.count else { return }
        if start == buffer.count {
            buffer.removeAll(keepingCapacity: buffer.capacity <= 65536)
        } else {
            buffer.removeSubrange(..<start)
        }
        scanned -= start
        start = 0
    }
}
