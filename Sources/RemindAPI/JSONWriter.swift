import RemindCore

/// Writes JSON (RFC 8259) straight into bytes, with the fields in the order in which they are
/// written: lists stream without a tree in memory, and output is the same each time.
package struct JSONWriter {
    /// What has been written, UTF-8.
    package private(set) var bytes: [UInt8] = []
    /// True when the next element of the open object or array needs a comma before it.
    private var needsComma = false

    package init(capacity: Int = 1024) { bytes.reserveCapacity(capacity) }

    package mutating func object(_ body: (inout JSONWriter) -> Void) {
        enclosed("{", "}", body)
    }

    package mutating func array(_ body: (inout JSONWriter) -> Void) {
        enclosed("[", "]", body)
    }

    /// The name of a field whose value is written next.
    package mutating func key(_ name: StaticString) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        bytes.append(
            contentsOf: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    package mutating func field(_ name: StaticString, _ value: String?) {
        key(name)
        if let value { string(value) } else { null() }
    }

    package mutating func field(_ name: StaticString, _ value: Int64?) {
        key(name)
        if let value { raw(String(value).utf8) } else { null() }
    }

    package mutating func field(_ name: StaticString, _ value: Bool) {
        key(name)
        raw((value ? "true" : "false").utf8)
    }

    package mutating func field(_ name: StaticString, _ values: [String]) {
        key(name)
        array { json in for value in values { json.string(value) } }
    }

    package mutating func null() { raw("null".utf8) }

    /// A string with what JSON wants escaped: quotation marks, backslashes, control characters; and
    /// U+2028 and U+2029, at which many programs end a line.
    package mutating func string(_ text: String) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        let isDone: Void? = text.utf8.withContiguousStorageIfAvailable { escape($0) }
        if isDone == nil { Array(text.utf8).withUnsafeBufferPointer { escape($0) } }
        bytes.append(UInt8(ascii: "\""))
        needsComma = true
    }

    /// The same of UTF-8; what is not valid in it becomes “�”.
    package mutating func string(utf8 text: UnsafeBufferPointer<UInt8>) {
        var all: UInt8 = 0
        for byte in text { all |= byte }
        guard all < 0x80 else { return string(String(decoding: text, as: UTF8.self)) }
        separate()
        bytes.append(UInt8(ascii: "\""))
        escape(text)
        bytes.append(UInt8(ascii: "\""))
        needsComma = true
    }

    /// Pieces that need no escape are copied whole.
    private mutating func escape(_ text: UnsafeBufferPointer<UInt8>) {
        var start = 0
        for place in text.indices {
            let byte = text[place]
            let isEnd = byte == 0xE2 && Self.isLineEnd(text[place...])
            guard byte < 32 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || isEnd
            else { continue }
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<place]))
            start = place + (isEnd ? 3 : 1)
            switch byte {
            case 0xE2: bytes.append(contentsOf: "\\u20".utf8 + Self.hex(text[place + 2] - 0x80))
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(contentsOf: [UInt8(ascii: "\\"), byte])
            case UInt8(ascii: "\n"): bytes.append(contentsOf: "\\n".utf8)
            case UInt8(ascii: "\r"): bytes.append(contentsOf: "\\r".utf8)
            case UInt8(ascii: "\t"): bytes.append(contentsOf: "\\t".utf8)
            default: bytes.append(contentsOf: "\\u00".utf8 + Self.hex(byte))
            }
        }
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start...]))
    }

    /// U+2028 and U+2029 as UTF-8.
    private static func isLineEnd(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        text.starts(with: [0xE2, 0x80, 0xA8]) || text.starts(with: [0xE2, 0x80, 0xA9])
    }

    /// A value that is JSON already.
    package mutating func raw(_ value: some Collection<UInt8>) {
        separate()
        bytes.append(contentsOf: value)
        needsComma = true
    }

    /// Forgets what has been written, and keeps the memory.
    package mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        needsComma = false
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
    }

    private mutating func enclosed(
        _ open: Unicode.Scalar, _ close: Unicode.Scalar, _ body: (inout JSONWriter) -> Void
    ) {
        separate()
        bytes.append(UInt8(ascii: open))
        needsComma = false
        body(&self)
        bytes.append(UInt8(ascii: close))
        needsComma = true
    }

    private static func hex(_ byte: UInt8) -> [UInt8] {
        let digits = Array("0123456789abcdef".utf8)
        return [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
}
