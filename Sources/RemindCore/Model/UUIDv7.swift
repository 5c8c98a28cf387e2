/// A time-ordered identifier (RFC 9562 section 5.7): 48 bits of Unix milliseconds, then random.
/// Stable everywhere: pop-up key, iCalendar UID, API.
package struct UUIDv7: Hashable, Comparable, Sendable {
    package let high: UInt64
    package let low: UInt64

    package init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

    /// A new identifier that carries `created`.
    package init(created: Instant, using generator: inout some RandomNumberGenerator) {
        let time = UInt64(clamping: created.milliseconds) & 0xFFFF_FFFF_FFFF
        high = time << 16 | 0x7000 | generator.next() >> 52
        low = 1 << 63 | generator.next() >> 2
    }

    /// The same, from the system's generator.
    package init(created: Instant) {
        var generator = SystemRandomNumberGenerator()
        self.init(created: created, using: &generator)
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
    package init?(text: String) {
        guard text.utf8.count == 36 else { return nil }
        var (high, low, place): (UInt64, UInt64, Int) = (0, 0, 0)
        for byte in text.utf8 {
            if place == 8 || place == 13 || place == 18 || place == 23 {
                guard byte == UInt8(ascii: "-") else { return nil }
            } else {
                guard let digit = Self.digit(byte) else { return nil }
                high = high << 4 | low >> 60
                low = low << 4 | digit
            }
            place += 1
        }
        self.init(high: high, low: low)
    }

    private static func digit(_ byte: UInt8) -> UInt64? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(byte - UInt8(ascii: "a")) + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(byte - UInt8(ascii: "A")) + 10
        default: nil
        }
    }

    package static func < (left: UUIDv7, right: UUIDv7) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }
}
