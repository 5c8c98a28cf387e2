import VarlinkWire

/// Steps through JSON (RFC 8259) in bytes, once and forwards: a list of ten thousand reminders is
/// read without a tree in memory. The counterpart of `JSONWriter`.
package struct JSONReader {
    /// The bytes are not the JSON that was asked for.
    package struct Fault: Error, Hashable, Sendable {
        /// Where, in bytes from the beginning.
        package let offset: Int

        package init(offset: Int) { self.offset = offset }
    }

    let bytes: [UInt8]
    var place: Int

    package init(_ bytes: [UInt8]) { (self.bytes, place) = (bytes, 0) }

    /// How deep objects and arrays may be nested; a reply of ours has four levels.
    package static let depthLimit = 32

    /// Reads an object; `body` is called at each value, and may leave it unread.
    /// - Throws: `Fault`.
    package mutating func object(_ body: (String, inout JSONReader) throws(Fault) -> Void)
        throws(Fault)
    {
        try list(from: "{", to: "}") { reader throws(Fault) in
            let name = try reader.string()
            try reader.take(":")
            try reader.value(name, body)
        }
    }

    /// Reads an array; `body` is called at each element, and may leave it unread.
    /// - Throws: `Fault`.
    package mutating func array(_ body: (inout JSONReader) throws(Fault) -> Void) throws(Fault) {
        try list(from: "[", to: "]") { reader throws(Fault) in
            try reader.value("") { _, reader throws(Fault) in try body(&reader) }
        }
    }

    package mutating func string() throws(Fault) -> String {
        try take("\"")
        let start = place
        place = bytes.withUnsafeBufferPointer { text in
            text.endOfPlainText(from: start, upTo: text.count)
        }
        guard place < bytes.count else { throw fault }
        let plain = bytes[start..<place]
        if bytes[place] == UInt8(ascii: "\"") {
            place += 1
            return String(decoding: plain, as: UTF8.self)
        }
        return try escapedString(after: plain)
    }

    package mutating func integer() throws(Fault) -> Int64 {
        skipBlanks()
        let start = place
        while let byte = peek(), byte == UInt8(ascii: "-") || (48...57).contains(byte) {
            place += 1
        }
        guard let value = Int64(String(decoding: bytes[start..<place], as: UTF8.self)) else {
            throw fault
        }
        return value
    }

    package mutating func bool() throws(Fault) -> Bool {
        if skip("true") { return true }
        if skip("false") { return false }
        throw fault
    }

    /// Steps over `null`; false, and nothing read, when there is something else.
    package mutating func null() -> Bool { skip("null") }

    /// The bytes of the next value as they are.
    package mutating func raw() throws(Fault) -> ArraySlice<UInt8> {
        skipBlanks()
        let start = place
        try skipValue(depth: 0)
        return bytes[start..<place]
    }
}

extension JSONReader {
    package mutating func optionalString() throws(Fault) -> String? {
        null() ? nil : try string()
    }

    package mutating func strings() throws(Fault) -> [String] {
        var all: [String] = []
        try array { reader throws(Fault) in all.append(try reader.string()) }
        return all
    }

    /// A string that is one of the values of `Value`.
    package mutating func choice<Value: RawRepresentable<String>>() throws(Fault) -> Value {
        guard let value = Value(rawValue: try string()) else { throw fault }
        return value
    }
}

extension JSONReader {
    var fault: Fault { Fault(offset: place) }

    private func peek() -> UInt8? { place < bytes.count ? bytes[place] : nil }

    private mutating func value(
        _ name: String, _ body: (String, inout JSONReader) throws(Fault) -> Void
    ) throws(Fault) {
        skipBlanks()
        let start = place
        try body(name, &self)
        if place == start { try skipValue(depth: 0) }
    }

    mutating func list(
        from open: Unicode.Scalar, to close: Unicode.Scalar,
        _ element: (inout JSONReader) throws(Fault) -> Void
    ) throws(Fault) {
        try take(open)
        skipBlanks()
        if peek() == UInt8(ascii: close) {
            place += 1
            return
        }
        while true {
            try element(&self)
            skipBlanks()
            guard peek() == UInt8(ascii: ",") else { break }
            place += 1
        }
        try take(close)
    }

    mutating func skipBlanks() {
        while let byte = peek(), byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
            place += 1
        }
    }

    mutating func take(_ scalar: Unicode.Scalar) throws(Fault) {
        skipBlanks()
        guard peek() == UInt8(ascii: scalar) else { throw fault }
        place += 1
    }

    private mutating func skip(_ word: StaticString) -> Bool {
        skipBlanks()
        let count = word.utf8CodeUnitCount
        guard count <= bytes.count - place else { return false }
        for index in 0..<count where bytes[place + index] != word.utf8Start[index] { return false }
        place += count
        return true
    }

    mutating func skipValue(depth: Int) throws(Fault) {
        guard depth < Self.depthLimit else { throw fault }
        skipBlanks()
        switch peek() {
        case UInt8(ascii: "{"):
            try list(from: "{", to: "}") { reader throws(Fault) in
                try reader.skipString()
                try reader.take(":")
                try reader.skipValue(depth: depth + 1)
            }
        case UInt8(ascii: "["):
            try list(from: "[", to: "]") { reader throws(Fault) in
                try reader.skipValue(depth: depth + 1)
            }
        case UInt8(ascii: "\""): try skipString()
        default: try skipScalar()
        }
    }

    mutating func skipString() throws(Fault) {
        try take("\"")
        let start = place
        let end = bytes.withUnsafeBufferPointer { text -> Int? in
            var at = text.endOfPlainText(from: start, upTo: text.count)
            while at < text.count {
                if text[at] == UInt8(ascii: "\"") { return at + 1 }
                at = text.endOfPlainText(from: at + 2, upTo: text.count)
            }
            return nil
        }
        guard let end else { throw fault }
        place = end
    }

    private mutating func skipScalar() throws(Fault) {
        let start = place
        while let byte = peek(), byte > 0x20, byte != UInt8(ascii: ","), byte != UInt8(ascii: "}"),
            byte != UInt8(ascii: "]")
        {
            place += 1
        }
        if place == start { throw fault }
    }
}

extension JSONReader {
    /// The rest of a string that has escapes in it, which `plain` precedes.
    private mutating func escapedString(after plain: ArraySlice<UInt8>) throws(Fault) -> String {
        var text = Array(plain)
        while let byte = peek() {
            place += 1
            if byte == UInt8(ascii: "\"") { return String(decoding: text, as: UTF8.self) }
            if byte == UInt8(ascii: "\\") {
                let scalar = try escape()
                if scalar.isASCII {
                    text.append(UInt8(ascii: scalar))
                } else {
                    text.append(contentsOf: String(scalar).utf8)
                }
            } else {
                text.append(byte)
            }
            let end = bytes.withUnsafeBufferPointer { [place] all in
                all.endOfPlainText(from: place, upTo: all.count)
            }
            text.append(contentsOf: bytes[place..<end])
            place = end
        }
        throw fault
    }

    private mutating func escape() throws(Fault) -> Unicode.Scalar {
        guard let byte = peek() else { throw fault }
        place += 1
        switch byte {
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "u"): return try codePoint()
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        default: throw fault
        }
    }

    /// `\u` and four digits, twice for a surrogate pair (RFC 8259 section 7).
    private mutating func codePoint() throws(Fault) -> Unicode.Scalar {
        let first = try hexDigits()
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard (0xD800..<0xDC00).contains(first), skipEscapeMark() else { throw fault }
        let second = try hexDigits()
        guard (0xDC00..<0xE000).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { throw fault }
        return scalar
    }

    private mutating func skipEscapeMark() -> Bool {
        guard bytes[place...].starts(with: "\\u".utf8) else { return false }
        place += 2
        return true
    }

    private mutating func hexDigits() throws(Fault) -> UInt32 {
        guard place + 4 <= bytes.count,
            let value = UInt32(String(decoding: bytes[place..<place + 4], as: UTF8.self), radix: 16)
        else { throw fault }
        place += 4
        return value
    }
}
