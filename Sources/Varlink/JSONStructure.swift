import VarlinkWire

/// Finds the values of a JSON text (RFC 8259), from its first byte to its last.
struct JSONStructure {
    typealias Fault = JSONDocument.Fault
    typealias Value = JSONDocument.Value

    private let text: UnsafeBufferPointer<UInt8>
    private var at = 0
    private var values: [Value] = []

    /// Most calls have fewer.
    private static let usualValues = 32

    /// - Throws: `tooDeep`, `malformed`.
    static func values(of text: UnsafeBufferPointer<UInt8>) throws(Fault) -> [Value] {
        var structure = JSONStructure(text)
        structure.values.reserveCapacity(usualValues)
        try structure.value(depth: 0)
        structure.skipBlanks()
        if structure.at < text.count { throw .malformed }
        return structure.values
    }

    private init(_ text: UnsafeBufferPointer<UInt8>) { self.text = text }

    private var byte: UInt8? { at < text.count ? text[at] : nil }

    private mutating func skipBlanks() {
        while at < text.count {
            switch text[at] {
            case 0x20, 0x0A, 0x0D, 0x09: at += 1
            default: return
            }
        }
    }

    /// Recursion ends at `JSONScan.depthLimit`.
    private mutating func value(depth: Int) throws(Fault) {
        skipBlanks()
        switch byte {
        case UInt8(ascii: "\""): try string()
        case UInt8(ascii: "{"): try list(.object, until: UInt8(ascii: "}"), depth)
        case UInt8(ascii: "["): try list(.array, until: UInt8(ascii: "]"), depth)
        case UInt8(ascii: "t"): try word("true", .true)
        case UInt8(ascii: "f"): try word("false", .false)
        case UInt8(ascii: "n"): try word("null", .null)
        case UInt8(ascii: "-"): number()
        case let byte? where JSONNumber.isDigit(byte): number()
        default: throw .malformed
        }
    }

    private mutating func list(_ kind: JSONDocument.Kind, until close: UInt8, _ depth: Int)
        throws(Fault)
    {
        if depth > JSONScan.depthLimit { throw .tooDeep }
        let place = values.count
        note(kind, from: at)
        at += 1
        skipBlanks()
        while byte != close {
            if kind == .object { try name() }
            try value(depth: depth + 1)
            skipBlanks()
            guard byte == UInt8(ascii: ",") else { break }
            at += 1
            skipBlanks()
            if byte == close { values[place].isPlain = false }
        }
        guard byte == close else { throw .malformed }
        at += 1
        (values[place].end, values[place].next) = (UInt32(at), UInt32(values.count))
    }

    private mutating func name() throws(Fault) {
        guard byte == UInt8(ascii: "\"") else { throw .malformed }
        try string()
        skipBlanks()
        guard byte == UInt8(ascii: ":") else { throw .malformed }
        at += 1
    }

    private mutating func word(_ word: StaticString, _ kind: JSONDocument.Kind) throws(Fault) {
        let (start, count) = (at, word.utf8CodeUnitCount)
        guard count <= text.count - at else { throw .malformed }
        for index in 0..<count where text[at + index] != word.utf8Start[index] { throw .malformed }
        at += count
        note(kind, from: start)
    }

    /// As far as there is what numbers are made of; whether it is one is found out where it is read.
    private mutating func number() {
        let start = at
        scan: while at < text.count {
            switch text[at] {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"),
                UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
                at += 1
            default: break scan
            }
        }
        note(.number, from: start)
    }

    private mutating func note(_ kind: JSONDocument.Kind, from start: Int) {
        values.append(
            Value(
                kind: kind, isPlain: true, start: UInt32(start), end: UInt32(at),
                next: UInt32(values.count + 1)))
    }
}

/// Strings, and the names of members.
extension JSONStructure {
    private mutating func string() throws(Fault) {
        let start = at
        var isPlain = true
        at = text.endOfCleanText(from: at + 1, upTo: text.count)
        while let byte, byte != UInt8(ascii: "\"") {
            isPlain = false
            if byte == UInt8(ascii: "\\") { try skipEscape() } else { at += 1 }
            at = text.endOfCleanText(from: at, upTo: text.count)
        }
        guard at < text.count else { throw .malformed }
        at += 1
        note(.string, from: start)
        values[values.count - 1].isPlain = isPlain
    }

    /// Past the backslash and what belongs to it.
    private mutating func skipEscape() throws(Fault) {
        let count = at + 1 < text.count && text[at + 1] == UInt8(ascii: "u") ? 6 : 2
        guard count <= text.count - at else { throw .malformed }
        // The end of the string is no digit.
        if count == 6, text[(at + 2)..<(at + 6)].contains(UInt8(ascii: "\"")) { throw .malformed }
        at += count
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Where the first quotation mark, backslash or control character is from `start` on, else
    /// `end`. Eight bytes a step; as `endOfPlainText`, which takes control characters as text.
    fileprivate func endOfCleanText(from start: Int, upTo end: Int) -> Int {
        var at = start
        guard let base = baseAddress.map(UnsafeRawPointer.init) else { return start }
        while at + 8 <= end {
            let word = UInt64(
                littleEndian: base.loadUnaligned(fromByteOffset: at, as: UInt64.self))
            let hits =
                Self.below(0x01, word ^ 0x2222_2222_2222_2222)
                | Self.below(0x01, word ^ 0x5C5C_5C5C_5C5C_5C5C) | Self.below(0x20, word)
            if hits != 0 { return at + hits.trailingZeroBitCount / 8 }
            at += 8
        }
        while at < end, self[at] != UInt8(ascii: "\""), self[at] != UInt8(ascii: "\\"),
            self[at] >= 0x20
        {
            at += 1
        }
        return at
    }

    /// The highest bit of each byte that is less than `limit`, right up to and including the lowest
    /// of them.
    private static func below(_ limit: UInt64, _ word: UInt64) -> UInt64 {
        (word &- 0x0101_0101_0101_0101 &* limit) & ~word & 0x8080_8080_8080_8080
    }
}
