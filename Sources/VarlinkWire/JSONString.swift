/// The text of a JSON string (RFC 8259 section 7).
extension JSONScan {
    /// - Parameter range: from the quotation mark to the one that ends it.
    /// - Throws: `Fault.malformed` when that is no string.
    package static func string(of bytes: [UInt8], at range: Range<Int>) throws(Fault) -> String {
        let mark = UInt8(ascii: "\"")
        guard range.count >= 2, bytes[range.lowerBound] == mark, bytes[range.upperBound - 1] == mark
        else { throw .malformed }
        var rest = bytes[(range.lowerBound + 1)..<(range.upperBound - 1)]
        guard rest.contains(UInt8(ascii: "\\")) else {
            return String(decoding: rest, as: UTF8.self)
        }
        var text: [UInt8] = []
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "\\") {
                text += String(try escaped(&rest)).utf8
            } else {
                text.append(byte)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func escaped(_ rest: inout ArraySlice<UInt8>) throws(Fault) -> Unicode.Scalar {
        switch rest.popFirst() {
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "u"): return try codePoint(&rest)
        case let byte?
        where [UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/")].contains(byte):
            return Unicode.Scalar(byte)
        default: throw .malformed
        }
    }

    /// Four digits, and another `\u` with four for a surrogate pair.
    private static func codePoint(_ rest: inout ArraySlice<UInt8>) throws(Fault) -> Unicode.Scalar {
        let first = try hexDigits(&rest)
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard (0xD800..<0xDC00).contains(first), rest.starts(with: "\\u".utf8) else {
            throw .malformed
        }
        rest.removeFirst(2)
        let second = try hexDigits(&rest)
        guard (0xDC00..<0xE000).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { throw .malformed }
        return scalar
    }

    private static func hexDigits(_ rest: inout ArraySlice<UInt8>) throws(Fault) -> UInt32 {
        let digits = rest.prefix(4)
        guard digits.count == 4, digits.first != UInt8(ascii: "+"),
            digits.first != UInt8(ascii: "-"),
            let value = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw .malformed }
        rest.removeFirst(4)
        return value
    }
}
