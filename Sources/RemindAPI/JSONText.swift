package import RemindCore

/// JSON that is written without a look at each byte's room: of a hundred thousand rows of a list
/// every check counts. Whoever writes asks for `room` first.
///
/// Keeps its memory until it goes, and has one owner.
package struct JSONText: ~Copyable {
    private var start: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    private var count = 0

    package init(capacity: Int = 4096) {
        self.capacity = capacity
        start = .allocate(capacity: capacity)
    }

    deinit { start.deallocate() }

    /// What has been written.
    package var bytes: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: start, count: count)
    }

    package mutating func removeAll() { count = 0 }

    /// Takes back that many bytes of what has been written.
    package mutating func removeLast(_ bytes: Int) { count -= bytes }

    /// Makes sure that `bytes` more can be written.
    package mutating func room(for bytes: Int) {
        guard capacity - count < bytes else { return }
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: 2 * capacity + bytes)
        larger.update(from: start, count: count)
        start.deallocate()
        (start, capacity) = (larger, 2 * capacity + bytes)
    }

    /// Text that is JSON already.
    @inline(__always)
    package mutating func add(_ text: StaticString) {
        add(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Bytes that are JSON already.
    @inline(__always)
    package mutating func add(_ text: UnsafeBufferPointer<UInt8>) {
        assert(capacity - count >= text.count, "no room for \(text.count) bytes")
        guard let from = text.baseAddress else { return }
        (start + count).update(from: from, count: text.count)
        count += text.count
    }

    /// A piece of up to `capacity` bytes.
    @inline(__always)
    package mutating func add(capacity: Int, _ body: (inout ASCIIText) -> Void) {
        assert(self.capacity - count >= capacity, "no room for \(capacity) bytes")
        count += ASCIIText.write(
            to: UnsafeMutableBufferPointer(start: start + count, count: capacity), body)
    }

    /// A text as a string, if it needs no escapes and is ASCII; else nothing.
    /// - Returns: whether it was written.
    package mutating func addPlain(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard text.isPlainASCII else { return false }
        add("\"")
        add(text)
        add("\"")
        return true
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether it is ASCII without control characters, quotation marks and backslashes; eight bytes at
    /// a time.
    fileprivate var isPlainASCII: Bool {
        let bytes = UnsafeRawBufferPointer(self)
        var place = 0
        while place + 8 <= bytes.count {
            let word = bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
            if Self.needsCare(word) { return false }
            place += 8
        }
        while place < bytes.count {
            let byte = bytes[place]
            if byte < 0x20 || byte >= 0x80 || byte == UInt8(ascii: "\"")
                || byte == UInt8(ascii: "\\")
            {
                return false
            }
            place += 1
        }
        return true
    }

    /// Whether one of eight bytes is not plain. (Zero bytes are found by the borrow that subtracting
    /// one takes from them: “Hacker's Delight”, section 6-1.)
    @inline(__always)
    private static func needsCare(_ word: UInt64) -> Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let highs: UInt64 = 0x8080_8080_8080_8080
        let quote = word ^ (ones &* 0x22)
        let backslash = word ^ (ones &* 0x5C)
        let controls = word &- (ones &* 0x20)
        let found =
            (quote &- ones) & ~quote | (backslash &- ones) & ~backslash | controls & ~word | word
        return found & highs != 0
    }
}
