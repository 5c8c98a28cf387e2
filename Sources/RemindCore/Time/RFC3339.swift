/// Internet date-times (RFC 3339): the form of every time on the socket and in `--json`.
extension CivilDate {
    /// `2030-05-01`.
    package var iso8601: String { ASCIIText.make(capacity: 12) { $0.add(self) } }

    /// Reads `2030-05-01` and nothing else.
    package init?(iso8601 text: some StringProtocol) {
        var reader = DigitReader(text)
        guard let year = reader.digits(4), reader.skip("-"), let month = reader.digits(2),
            reader.skip("-"), let day = reader.digits(2), reader.atEnd
        else { return nil }
        self.init(year: year, month: month, day: day)
    }
}

extension CivilTime {
    /// `09:00:00`.
    package var iso8601: String { ASCIIText.make(capacity: 8) { $0.add(self) } }
}

extension CivilDateTime {
    /// `2030-05-01T09:00:00`, without a zone.
    package var iso8601: String { ASCIIText.make(capacity: 22) { $0.add(self) } }

    /// Reads `2030-05-01T09:00:00` and nothing else.
    package init?(iso8601 text: some StringProtocol) {
        var reader = DigitReader(text)
        guard let value = reader.dateTime(), reader.atEnd else { return nil }
        self = value
    }
}

extension Instant {
    /// `2030-05-01T09:00:00+02:00`, to the second, with the offset that `zone` has then.
    package func rfc3339(in zone: some ZoneRules) -> String {
        rfc3339(offset: zone.offset(at: self))
    }

    /// The same with a given offset in seconds east of Greenwich.
    package func rfc3339(offset: Int) -> String {
        ASCIIText.make(capacity: 32) { addRFC3339(offset: offset, to: &$0) }
    }

    /// Adds that text: 32 bytes at most.
    package func addRFC3339(offset: Int, to text: inout ASCIIText) {
        // RFC 3339 has no seconds in an offset: those of old local mean times are dropped.
        let minutes = offset / 60
        text.add(CivilDateTime(secondsSinceEpoch: seconds + Int64(minutes) * 60))
        text.add(minutes < 0 ? "-" : "+")
        text.add(abs(minutes) / 60, digits: 2)
        text.add(":")
        text.add(abs(minutes) % 60, digits: 2)
    }

    /// Reads an RFC 3339 date-time with `Z` or an offset; fractions of a second are kept to the
    /// millisecond.
    package init?(rfc3339 text: some StringProtocol) {
        guard let parsed = OffsetDateTime(rfc3339: text) else { return nil }
        self = parsed.instant
    }
}

/// An instant with the offset it was written with, so that a client without a zone database can
/// print the wall time.
package struct OffsetDateTime: Hashable, Sendable {
    package let instant: Instant
    /// Seconds east of Greenwich.
    package let offset: Int

    package init(instant: Instant, offset: Int) { (self.instant, self.offset) = (instant, offset) }

    /// What the wall showed there.
    package var civil: CivilDateTime {
        CivilDateTime(secondsSinceEpoch: instant.seconds + Int64(offset))
    }

    package init?(rfc3339 text: some StringProtocol) {
        var reader = DigitReader(text)
        guard let civil = reader.dateTime() else { return nil }
        var milliseconds = 0
        if reader.skip(".") {
            guard let fraction = reader.fraction() else { return nil }
            milliseconds = fraction
        }
        guard let offset = reader.offset(), reader.atEnd else { return nil }
        let seconds = civil.secondsSinceEpoch - Int64(offset)
        self.init(
            instant: Instant(milliseconds: seconds * 1000 + Int64(milliseconds)), offset: offset)
    }
}

extension ASCIIText {
    fileprivate mutating func add(_ date: CivilDate) {
        add(date.year, digits: 4)
        add("-")
        add(date.month, digits: 2)
        add("-")
        add(date.day, digits: 2)
    }

    fileprivate mutating func add(_ time: CivilTime) {
        add(time.hour, digits: 2)
        add(":")
        add(time.minute, digits: 2)
        add(":")
        add(time.second, digits: 2)
    }

    fileprivate mutating func add(_ civil: CivilDateTime) {
        add(civil.date)
        add("T")
        add(civil.time)
    }
}

/// Decimal digits with leading zeros; cheaper than formatting, and independent of any locale.
func padded(_ value: Int, _ width: Int) -> String {
    let digits = String(value)
    return digits.utf8.count >= width
        ? digits : String(repeating: "0", count: width - digits.utf8.count) + digits
}

/// Reads fixed-width ASCII digits from the front of a text.
struct DigitReader {
    private let bytes: [UInt8]
    private var place = 0

    init(_ text: some StringProtocol) { bytes = Array(Substring(text).utf8) }

    var atEnd: Bool { place == bytes.count }

    mutating func digits(_ count: Int) -> Int? {
        guard bytes.count - place >= count else { return nil }
        var value = 0
        for byte in bytes[place..<place + count] {
            guard (48...57).contains(byte) else { return nil }
            value = value * 10 + Int(byte) - 48
        }
        place += count
        return value
    }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard place < bytes.count, UInt32(bytes[place]) == character.value else { return false }
        place += 1
        return true
    }

    mutating func dateTime() -> CivilDateTime? {
        guard let year = digits(4), skip("-"), let month = digits(2), skip("-"),
            let day = digits(2), skip("T") || skip("t") || skip(" "), let hour = digits(2),
            skip(":"), let minute = digits(2), skip(":"), let second = digits(2),
            let date = CivilDate(year: year, month: month, day: day),
            let time = CivilTime(hour: hour, minute: minute, second: second)
        else { return nil }
        return CivilDateTime(date, time)
    }

    /// Milliseconds of a decimal fraction of a second; further digits are dropped.
    mutating func fraction() -> Int? {
        var value = 0, count = 0
        while let digit = digits(1) {
            if count < 3 { value = value * 10 + digit }
            count += 1
        }
        guard count > 0 else { return nil }
        return count == 1 ? value * 100 : count == 2 ? value * 10 : value
    }

    /// Seconds east of Greenwich from `Z`, `+02:00` or `-05:30`.
    mutating func offset() -> Int? {
        if skip("Z") || skip("z") { return 0 }
        let sign = skip("+") ? 1 : skip("-") ? -1 : 0
        guard sign != 0, let hours = digits(2), hours <= 23, skip(":"), let minutes = digits(2),
            minutes <= 59
        else { return nil }
        return sign * (hours * 3600 + minutes * 60)
    }
}
