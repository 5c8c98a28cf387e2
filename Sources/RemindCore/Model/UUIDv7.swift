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
        ASCIIText.make(capacity: 36) { add(to: &$0) }
    }

    /// Adds those characters.
    package func add(to text: inout ASCIIText) {
        text.add(hex: high >> 32, digits: 8)
        text.add("-")
        text.add(hex: high >> 16, digits: 4)
        text.add("-")
        text.add(hex: high, digits: 4)
        text.add("-")
        text.add(hex: low >> 48, digits: 4)
        text.add("-")
        text.add(hex: low, digits: 12)
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
}
