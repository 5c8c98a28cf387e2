import Calendaring
import RemindAPI
import RemindCore

/// The times of a list: neighbours in it are near to each other, and many are the same.
struct ListTimes {
    private let zone: SystemZone
    private var offsets: [(span: Int64, offset: Int)] = Array(repeating: (.min, 0), count: 8)
    private var former = Written()
    private var earlier = Written()

    /// A time with its quotation marks, as it was written: 34 bytes at most.
    private struct Written {
        var second = Int64.min
        var count = 0
        var bytes = (UInt64(0), UInt64(0), UInt64(0), UInt64(0), UInt64(0))

        func copy(to text: inout JSONText) {
            withUnsafeBytes(of: bytes) { bytes in
                text.add(UnsafeBufferPointer(rebasing: bytes.bindMemory(to: UInt8.self)[..<count]))
            }
        }
    }

    init(zone: SystemZone) { self.zone = zone }

    /// Adds `"2030-05-01T09:00:00+02:00"` or `null`.
    mutating func add(_ instant: Instant?, to text: inout JSONText) {
        guard let instant else { return text.add("null") }
        if former.second == instant.seconds { return former.copy(to: &text) }
        if earlier.second != instant.seconds { earlier = written(instant) }
        swap(&former, &earlier)
        former.copy(to: &text)
    }

    /// Whether a clock on the wall shows this then; it does not where the clock leaves it out.
    mutating func shows(_ civil: CivilDateTime, at instant: Instant) -> Bool {
        let local = instant.seconds + Int64(offset(at: instant))
        return CivilDateTime(secondsSinceEpoch: local) == civil
    }

    private mutating func written(_ instant: Instant) -> Written {
        var written = Written(second: instant.seconds)
        let offset = offset(at: instant)
        withUnsafeMutableBytes(of: &written.bytes) { bytes in
            written.count = ASCIIText.write(to: bytes.bindMemory(to: UInt8.self)) { text in
                text.add("\"")
                instant.addRFC3339(offset: offset, to: &text)
                text.add("\"")
            }
        }
        return written
    }

    /// Of nine hours at a time the offset is asked for once, when it is the same at both ends: no
    /// zone changes it twice in so short a time.
    mutating func offset(at instant: Instant) -> Int {
        let span = instant.seconds >> 15
        let place = Int(span & 7)
        if offsets[place].span == span { return offsets[place].offset }
        let first = zone.offset(at: Instant(seconds: span << 15))
        let last = zone.offset(at: Instant(seconds: (span + 1) << 15 - 1))
        guard first == last else { return zone.offset(at: instant) }
        offsets[place] = (span, first)
        return first
    }
}
