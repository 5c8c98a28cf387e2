/// Where the parts of a JSON text are, without making values of them.
///
/// It finds the bytes of one member, so that parameters can be decoded apart from the header or
/// handed on as they came.
package enum JSONScan {
    package enum Fault: Error, Equatable {
        /// Containers nested more than `JSONScan.depthLimit` deep.
        case tooDeep
        /// Not a JSON text of the shape asked for.
        case malformed
    }

    /// How deep objects and arrays may be nested. Bounds the stack of the recursive decoder.
    package static let depthLimit = 32

    package struct Member: Equatable {
        package let name: String
        package let value: Range<Int>
    }

    /// The members of the object at `range`, in their order. O(bytes).
    package static func members(
        of bytes: [UInt8], in range: Range<Int>? = nil
    ) throws(Fault) -> [Member] {
        var cursor = Cursor(bytes, range ?? bytes.indices)
        var found: [Member] = []
        try cursor.list(from: UInt8(ascii: "{"), to: UInt8(ascii: "}")) { cursor throws(Fault) in
            let name = try cursor.name()
            cursor.skipBlanks()
            try cursor.take(UInt8(ascii: ":"))
            found.append(Member(name: name, value: try cursor.value()))
        }
        return found
    }
}

/// A place in a JSON text that only moves forward.
private struct Cursor {
    private let bytes: [UInt8]
    private var at: Int
    private let end: Int

    init(_ bytes: [UInt8], _ range: Range<Int>) {
        self.bytes = bytes
        at = range.lowerBound
        end = range.upperBound
    }

    /// A comma-separated list between two brackets, which must be all there is.
    mutating func list(
        from open: UInt8, to close: UInt8,
        each: (inout Cursor) throws(JSONScan.Fault) -> Void
    ) throws(JSONScan.Fault) {
        skipBlanks()
        try take(open)
        skipBlanks()
        if peek() == close {
            at += 1
        } else {
            while true {
                skipBlanks()
                try each(&self)
                skipBlanks()
                if peek() == close { break }
                try take(UInt8(ascii: ","))
            }
            at += 1
        }
        skipBlanks()
        if at != end { throw .malformed }
    }

    mutating func take(_ byte: UInt8) throws(JSONScan.Fault) {
        guard peek() == byte else { throw .malformed }
        at += 1
    }

    mutating func skipBlanks() {
        while let byte = peek(), byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
            at += 1
        }
    }

    mutating func name() throws(JSONScan.Fault) -> String {
        let start = at
        try skipString()
        return try JSONScan.string(of: bytes, at: start..<at)
    }

    /// Steps over one value of any kind.
    mutating func value() throws(JSONScan.Fault) -> Range<Int> {
        skipBlanks()
        let (start, limit) = (at, end)
        at = try bytes.withUnsafeBufferPointer { text throws(JSONScan.Fault) in
            try Self.end(ofValueAt: start, in: text, upTo: limit)
        }
        if at == start { throw .malformed }
        return start..<at
    }

    private func peek() -> UInt8? { at < end ? bytes[at] : nil }

    private mutating func skipString() throws(JSONScan.Fault) {
        guard peek() == UInt8(ascii: "\"") else { throw .malformed }
        let (start, limit) = (at, end)
        at = try bytes.withUnsafeBufferPointer { text throws(JSONScan.Fault) in
            try Self.end(ofStringAt: start, in: text, upTo: limit)
        }
    }
}

/// The steps that long replies go through byte by byte: on a buffer, which `limit` stays within.
extension Cursor {
    /// Containers without recursion.
    private static func end(
        ofValueAt start: Int, in text: UnsafeBufferPointer<UInt8>, upTo limit: Int
    ) throws(JSONScan.Fault) -> Int {
        var (at, depth) = (start, 0)
        repeat {
            guard at < limit else { throw .malformed }
            switch text[at] {
            case UInt8(ascii: "\""): at = try end(ofStringAt: at, in: text, upTo: limit)
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                if depth > JSONScan.depthLimit { throw .tooDeep }
                at += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth < 0 { throw .malformed }
                at += 1
            default: at = depth == 0 ? end(ofScalarAt: at, in: text, upTo: limit) : at + 1
            }
        } while depth > 0
        return at
    }

    private static func end(
        ofStringAt start: Int, in text: UnsafeBufferPointer<UInt8>, upTo limit: Int
    ) throws(JSONScan.Fault) -> Int {
        var at = text.endOfPlainText(from: start + 1, upTo: limit)
        while at < limit {
            if text[at] == UInt8(ascii: "\"") { return at + 1 }
            at = text.endOfPlainText(from: at + 2, upTo: limit)
        }
        throw .malformed
    }

    private static func end(
        ofScalarAt start: Int, in text: UnsafeBufferPointer<UInt8>, upTo limit: Int
    ) -> Int {
        var at = start
        while at < limit, text[at] > 0x20, text[at] != UInt8(ascii: ","),
            text[at] != UInt8(ascii: "}"), text[at] != UInt8(ascii: "]")
        {
            at += 1
        }
        return at
    }
}
