/// Base64 (RFC 4648 section 4): how bytes that need not be UTF-8 travel in JSON.
package enum Base64 {
    private static let letters = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let padding = UInt8(ascii: "=")

    /// The value of each letter; 255 for a byte that is none.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 255, count: 256)
        for (value, letter) in letters.enumerated() { values[Int(letter)] = UInt8(value) }
        return values
    }()

    package static func encoded(_ bytes: [UInt8]) -> String {
        String(unsafeUninitializedCapacity: (bytes.count + 2) / 3 * 4) { text in
            var (place, written) = (0, 0)
            func add(_ bits: UInt32, letters count: Int) {
                for letter in 0..<count {
                    text[written] = letters[Int(bits >> UInt32(18 - 6 * letter) & 63)]
                    written += 1
                }
            }
            while place + 3 <= bytes.count {
                add(
                    UInt32(bytes[place]) << 16 | UInt32(bytes[place + 1]) << 8
                        | UInt32(bytes[place + 2]), letters: 4)
                place += 3
            }
            let left = bytes.count - place
            if left > 0 {
                let second = left > 1 ? UInt32(bytes[place + 1]) << 8 : 0
                add(UInt32(bytes[place]) << 16 | second, letters: left + 1)
            }
            while written % 4 != 0 {
                text[written] = padding
                written += 1
            }
            return written
        }
    }

    /// - Returns: `nil` when the text is not Base64: another letter, or a length that has no
    ///   meaning. Padding may be left out.
    package static func decoded(_ text: String) -> [UInt8]? {
        var text = text
        return text.withUTF8 { decoded($0) }
    }

    private static func decoded(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        var end = text.count
        while end > 0, text[end - 1] == padding, text.count - end < 2 { end -= 1 }
        guard end % 4 != 1 else { return nil }
        var wrong: UInt8 = 0
        let bytes = values.withUnsafeBufferPointer { values in
            [UInt8](unsafeUninitializedCapacity: end / 4 * 3 + 2) { bytes, count in
                var place = 0
                func take(_ letters: Int) -> UInt32 {
                    var bits: UInt32 = 0
                    for _ in 0..<letters {
                        let value = values[Int(text[place])]
                        wrong |= value
                        bits = bits << 6 | UInt32(value & 63)
                        place += 1
                    }
                    return bits << UInt32(6 * (4 - letters))
                }
                func add(_ bits: UInt32, bytes length: Int) {
                    for index in 0..<length {
                        bytes[count] = UInt8(truncatingIfNeeded: bits >> UInt32(16 - 8 * index))
                        count += 1
                    }
                }
                while place + 4 <= end { add(take(4), bytes: 3) }
                let left = end - place
                if left > 0 { add(take(left), bytes: left - 1) }
            }
        }
        return wrong < 64 ? bytes : nil
    }
}
