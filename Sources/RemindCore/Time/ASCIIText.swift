/// A short ASCII text, made in one piece: lists write tens of thousands of times and identifiers.
package struct ASCIIText {
    private let bytes: UnsafeMutableBufferPointer<UInt8>
    private var count = 0

    /// - Parameters:
    ///   - capacity: no fewer bytes than `body` writes.
    package static func make(capacity: Int, _ body: (inout ASCIIText) -> Void) -> String {
        String(unsafeUninitializedCapacity: capacity) { buffer in
            var text = ASCIIText(bytes: buffer)
            body(&text)
            return text.count
        }
    }

    /// The same into memory of the caller's.
    /// - Returns: how many bytes were written.
    package static func write(
        to bytes: UnsafeMutableBufferPointer<UInt8>, _ body: (inout ASCIIText) -> Void
    ) -> Int {
        var text = ASCIIText(bytes: bytes)
        body(&text)
        return text.count
    }

    private init(bytes: UnsafeMutableBufferPointer<UInt8>) { self.bytes = bytes }

    package mutating func add(_ scalar: Unicode.Scalar) {
        bytes[count] = UInt8(ascii: scalar)
        count += 1
    }

    package mutating func add(word text: StaticString) {
        for index in 0..<text.utf8CodeUnitCount { bytes[count + index] = text.utf8Start[index] }
        count += text.utf8CodeUnitCount
    }

    /// Decimal digits with leading zeros.
    /// - Parameter value: 0 or more.
    package mutating func add(_ value: Int, digits: Int = 1) {
        var (width, rest) = (digits, value)
        for _ in 0..<digits { rest /= 10 }
        while rest > 0 { (width, rest) = (width + 1, rest / 10) }
        rest = value
        for place in stride(from: count + width - 1, through: count, by: -1) {
            bytes[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
        count += width
    }

    /// Hexadecimal digits of the lowest `digits` half-bytes.
    package mutating func add(hex value: UInt64, digits: Int) {
        for place in stride(from: digits - 1, through: 0, by: -1) {
            let digit = UInt8(truncatingIfNeeded: value >> UInt64(place * 4)) & 15
            bytes[count] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
            count += 1
        }
    }
}
