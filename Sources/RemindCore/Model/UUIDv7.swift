/// A time-ordered identifier (RFC 9562 section 5.7): 48 bits of Unix milliseconds, then random.
/// Stable everywhere: pop-up key, iCalendar UID, API.
package struct UUIDv7: Hashable, Comparable, Sendable {
    package let high: UInt64
    package let low: UInt64

    package init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

    /// A new identifier that carries `created`.
    package init(created: Instant, using generator: inout some RandomNumberGenerator) {
        let time = UInt64(clamping: created.milliseconds) & 0xFFFF_FFFF_FFFF
        high = time << 16 | 0x7000 | UInt64.random(in: 0...0xFFF, using: &generator)
        low = 1 << 63 | UInt64.random(in: 0...(.max >> 2), using: &generator)
    }

    /// The creation time that it carries.
    package var created: Instant { Instant(milliseconds: Int64(high >> 16)) }

    /// 36 lower-case characters, `0190f0c2-…`.
    package var text: String {
        let hex = Self.hex(high) + Self.hex(low)
        var result = ""
        for (index, digit) in hex.enumerated() {
            if index == 8 || index == 12 || index == 16 || index == 20 { result.append("-") }
            result.append(digit)
        }
        return result
    }

    /// Reads the 36-character form, any case, any version.
    package init?(text: some StringProtocol) {
        let bytes = Array(text.utf8)
        guard bytes.count == 36, [8, 13, 18, 23].allSatisfy({ bytes[$0] == UInt8(ascii: "-") })
        else { return nil }
        let digits = bytes.filter { $0 != UInt8(ascii: "-") }
        guard digits.count == 32, let hex = String(validating: digits, as: UTF8.self),
            let high = UInt64(hex.prefix(16), radix: 16),
            let low = UInt64(hex.suffix(16), radix: 16),
            hex.utf8.allSatisfy({ $0 != UInt8(ascii: "+") })
        else { return nil }
        self.init(high: high, low: low)
    }

    package static func < (left: UUIDv7, right: UUIDv7) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }

    private static func hex(_ value: UInt64) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
