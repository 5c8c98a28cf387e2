/// What a TZif file (RFC 8536) says about the time after its last stored clock change.
///
/// GLib 2.74 misreads such a rule when its “daylight” time is behind its standard time
/// (`IST-1GMT0,M10.5.0,M3.5.0/1`, Ireland); so we look ourselves.
struct ZoneFooter: Equatable {
    /// Seconds since the Unix epoch; a time long ago when the file has no change at all.
    let lastTransition: Int64
    /// A POSIX `TZ` text.
    let text: String

    /// `nil` when there is no footer, as in version 1 of the format.
    init?(_ bytes: [UInt8]) {
        guard bytes.count > 44, bytes[4] >= UInt8(ascii: "2"),
            let first = Self.counts(bytes, at: 0)
        else { return nil }
        let second = 44 + first.size(ofTime: 4)
        guard let counts = Self.counts(bytes, at: second) else { return nil }
        let times = second + 44 + counts.times * 8
        let end = second + 44 + counts.size(ofTime: 8)
        guard end < bytes.count, bytes[end] == UInt8(ascii: "\n") else { return nil }
        let line = bytes[(end + 1)...].prefix { $0 != UInt8(ascii: "\n") }
        text = String(decoding: line, as: UTF8.self)
        lastTransition =
            counts.times == 0
            ? -(1 << 40)
            : bytes[(times - 8)..<times].reduce(Int64(0)) { $0 << 8 | Int64($1) }
    }

    /// The six numbers of a header (section 3.1).
    private struct Counts {
        var isUT = 0, isStandard = 0, leaps = 0, times = 0, types = 0, letters = 0

        /// Bytes of the data block after the header.
        func size(ofTime width: Int) -> Int {
            times * (width + 1) + types * 6 + letters + leaps * (width + 4) + isStandard + isUT
        }
    }

    private static func counts(_ bytes: [UInt8], at start: Int) -> Counts? {
        guard bytes.count >= start + 44 else { return nil }
        let numbers = stride(from: start + 20, to: start + 44, by: 4).map { place in
            bytes[place..<(place + 4)].reduce(0) { $0 << 8 | Int($1) }
        }
        guard numbers.allSatisfy({ $0 < 1 << 20 }) else { return nil }
        return Counts(
            isUT: numbers[0], isStandard: numbers[1], leaps: numbers[2], times: numbers[3],
            types: numbers[4], letters: numbers[5])
    }
}
