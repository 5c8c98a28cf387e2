package import RemindCore

/// Writes content lines as RFC 5545 section 3.1 wants them: CRLF, no line longer than 75 octets,
/// folds between characters.
package enum ContentLineWriter {
    /// Octets of a line without its end.
    private static let width = 75

    /// Appends `line`, which has no folds, to `bytes`.
    package static func append(_ line: some StringProtocol, to bytes: inout [UInt8]) {
        var line = String(line)
        line.withUTF8 { append($0, to: &bytes) }
    }

    private static func append(_ line: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
        var (start, room) = (0, width)
        while line.count - start > room {
            var end = start + room
            // Not inside a UTF-8 sequence.
            while end > start + 1, line[end] & 0xC0 == 0x80 { end -= 1 }
            bytes.append(contentsOf: line[start..<end])
            bytes.append(contentsOf: [13, 10, 32])
            (start, room) = (end, width - 1)
        }
        bytes.append(contentsOf: line[start...])
        bytes.append(contentsOf: [13, 10])
    }

    /// Appends a stored component, its lines joined by `\n`.
    ///
    /// - Parameter more: a line that belongs at its end; empty: none.
    /// - Returns: false when that is not all that it needs, as there is another component behind it
    ///   or it has no DTSTAMP; a part of it has been appended then.
    package static func append(
        component text: String, with more: String, to bytes: inout [UInt8]
    ) -> Bool {
        var (text, isStamped, isEnded) = (text, false, false)
        return text.withUTF8 { all in
            for line in all.split(separator: UInt8(ascii: "\n")) {
                if isEnded { return false }
                if line.starts(with: "DTSTAMP".utf8) { isStamped = true }
                if line.elementsEqual("END:VTODO".utf8) || line.elementsEqual("END:VEVENT".utf8) {
                    if !isStamped { return false }
                    if !more.isEmpty { append(more, to: &bytes) }
                    isEnded = true
                }
                append(UnsafeBufferPointer(rebasing: line), to: &bytes)
            }
            return isEnded
        }
    }

    /// A TEXT value (section 3.3.11): `\`, `;`, `,` and line ends escaped.
    package static func escaped(_ text: String) -> String {
        guard text.utf8.contains(where: needsEscape) else { return text }
        var result: [UInt8] = []
        result.reserveCapacity(text.utf8.count + 16)
        var last: UInt8 = 0
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\\"), UInt8(ascii: ";"), UInt8(ascii: ","):
                result += [UInt8(ascii: "\\"), byte]
            case 10 where last == 13: break
            case 10, 13: result += [UInt8(ascii: "\\"), UInt8(ascii: "n")]
            case 0..<32 where byte != 9: break
            default: result.append(byte)
            }
            last = byte
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\\") || byte == UInt8(ascii: ";") || byte == UInt8(ascii: ",")
            || byte < 32
    }

    /// A property with a DATE or DATE-TIME: `DUE;TZID=Europe/Paris:20300501T090000`.
    ///
    /// - Parameter parameters: further ones, each with its semicolon.
    package static func time(
        _ name: String, _ deadline: Deadline, parameters: String = ""
    ) -> String {
        name + parameters + times([deadline])
    }

    /// Several of one kind, with the parameters that say which.
    static func times(_ deadlines: [Deadline]) -> String {
        let values = deadlines.map(value).joined(separator: ",")
        return switch deadlines.first {
        case .date: ";VALUE=DATE:" + values
        case .zoned(_, let zone): ";TZID=" + quoted(zone) + ":" + values
        default: ":" + values
        }
    }

    /// A PERIOD, with the parameters that say which.
    static func period(_ period: ICalendarPeriod) -> String {
        let end =
            switch period.end {
            case .at(let deadline): value(deadline)
            case .after(let duration): self.duration(duration)
            }
        return ";VALUE=PERIOD" + times([period.start]) + "/" + end
    }

    /// A time in UTC: `20300501T070000Z`.
    package static func utc(_ instant: Instant) -> String { value(.absolute(instant)) }

    private static func value(_ deadline: Deadline) -> String {
        switch deadline {
        case .date(let date): basic(date)
        case .floating(let civil), .zoned(let civil, _): basic(civil)
        case .absolute(let instant):
            basic(CivilDateTime(secondsSinceEpoch: instant.seconds)) + "Z"
        }
    }

    static func basic(_ civil: CivilDateTime) -> String {
        basic(civil.date) + "T" + two(civil.time.hour) + two(civil.time.minute)
            + two(civil.time.second)
    }

    static func basic(_ date: CivilDate) -> String {
        two(date.year / 100) + two(date.year % 100) + two(date.month) + two(date.day)
    }

    static func two(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }

    /// A parameter's value, in quotes where it must be.
    static func quoted(_ value: String) -> String {
        let needs = value.utf8.contains { [UInt8(ascii: ","), 58, 59].contains($0) }
        return needs ? "\"" + value + "\"" : value
    }

    /// A DURATION (section 3.3.6), which has neither months nor years.
    package static func duration(_ duration: CalendarDuration) -> String { duration.iso8601 }
}
