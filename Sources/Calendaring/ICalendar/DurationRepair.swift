import RemindCore

/// Durations whose meaning is plain, though RFC 5545 section 3.3.6 has them in another form:
/// `PT` and `P` (nothing at all, at the time itself), `-P1H`, `-PT1W`, `P-2D`, `P0Y0M1DT0H0M0.000S`.
enum DurationRepair {
    /// - Returns: `nil` when the text is well formed, or is not understood. `-P15M` is not: an `M`
    ///   without a `T` would be months.
    static func repaired(_ text: String) -> String? {
        let text = text.trimmedASCII.uppercased()
        guard mayBeDuration(text), CalendarDuration(icalendar: text) == nil else { return nil }
        var (isNegative, inTime, isFraction, number) = (false, false, false, Int?.none)
        var (days, seconds) = (0, 0)
        for byte in text.utf8.drop(while: { $0 != UInt8(ascii: "P") }).dropFirst() {
            switch byte {
            case UInt8(ascii: "-") where number == nil: isNegative = true
            case UInt8(ascii: "T") where number == nil && !inTime: inTime = true
            case UInt8(ascii: ".") where inTime && number != nil: isFraction = true
            case UInt8(ascii: "0") where isFraction: continue
            case UInt8(ascii: "0")...UInt8(ascii: "9") where !isFraction:
                number = (number ?? 0) * 10 + Int(byte - UInt8(ascii: "0"))
                guard number ?? 0 <= mostOfUnit else { return nil }
            default:
                guard let count = number, !isFraction || byte == UInt8(ascii: "S") else {
                    return nil
                }
                number = nil
                switch byte {
                case UInt8(ascii: "W"): days += count * 7
                case UInt8(ascii: "D"): days += count
                case UInt8(ascii: "H"): seconds += count * 3600
                case UInt8(ascii: "M") where inTime: seconds += count * 60
                case UInt8(ascii: "S"): seconds += count
                case UInt8(ascii: "Y") where count == 0, UInt8(ascii: "M") where count == 0:
                    continue
                default: return nil
                }
            }
        }
        guard number == nil else { return nil }
        let duration = CalendarDuration(days: days, seconds: Int64(seconds))
        return (isNegative || text.first == "-" ? duration.negated : duration).iso8601
    }

    private static let mostOfUnit = 10_000_000

    /// Quick, as every alarm comes by: a time begins with a digit.
    private static func mayBeDuration(_ text: String) -> Bool {
        let first = text.utf8.first, second = text.utf8.dropFirst().first
        let isSigned = first == UInt8(ascii: "-") || first == UInt8(ascii: "+")
        return (isSigned ? second : first) == UInt8(ascii: "P")
    }
}
