/// A length of time as people give it: calendar steps (months, days) at the same wall time, and
/// elapsed seconds. Years are 12 months, weeks 7 days, hours and minutes seconds. A negative one
/// points the other way; its parts never differ in sign.
package struct CalendarDuration: Hashable, Sendable {
    package var months: Int
    package var days: Int
    package var seconds: Int64

    package init(months: Int = 0, days: Int = 0, seconds: Int64 = 0) {
        (self.months, self.days, self.seconds) = (months, days, seconds)
    }

    package var isZero: Bool { months == 0 && days == 0 && seconds == 0 }

    /// True when there is no calendar step in it.
    package var isElapsed: Bool { months == 0 && days == 0 }

    /// The opposite direction.
    package var negated: CalendarDuration {
        CalendarDuration(months: -months, days: -days, seconds: -seconds)
    }

    /// No part is longer than this many years; parsers refuse more, so that sums cannot overflow.
    package static let longestYears = 9999
}

extension CalendarDuration {
    /// ISO 8601: `PT15M`, `P1DT2H`, `-P1M`, `PT0S`.
    package var iso8601: String {
        if isZero { return "PT0S" }
        let sign = months < 0 || days < 0 || seconds < 0 ? "-" : ""
        let (months, days, seconds) = (months.magnitude, days.magnitude, seconds.magnitude)
        var date = "P", time = ""
        if months / 12 > 0 { date += "\(months / 12)Y" }
        if months % 12 > 0 { date += "\(months % 12)M" }
        if days > 0 { date += "\(days)D" }
        if seconds / 3600 > 0 { time += "\(seconds / 3600)H" }
        if seconds / 60 % 60 > 0 { time += "\(seconds / 60 % 60)M" }
        if seconds % 60 > 0 { time += "\(seconds % 60)S" }
        return sign + date + (time.isEmpty ? "" : "T" + time)
    }

    /// Reads what `iso8601` writes and every other ISO 8601 duration of whole numbers, `P2W` too,
    /// with an optional sign. `nil` for anything else, and for a part beyond `longestYears`.
    package init?(iso8601 text: String) {
        var bytes = Substring(text.uppercased()).utf8
        let negative = bytes.first == UInt8(ascii: "-")
        if negative || bytes.first == UInt8(ascii: "+") { bytes.removeFirst() }
        guard bytes.popFirst() == UInt8(ascii: "P") else { return nil }
        self.init()
        var (inTime, sawPart) = (false, false)
        var units = "YMWD"[...].utf8
        while let byte = bytes.first {
            if byte == UInt8(ascii: "T"), !inTime {
                (inTime, sawPart, units) = (true, false, "HMS"[...].utf8)
                bytes.removeFirst()
                continue
            }
            guard let number = Self.takeNumber(&bytes), let unit = bytes.popFirst(),
                let place = units.firstIndex(of: unit), add(number, unit: unit, inTime: inTime)
            else { return nil }
            units = units[units.index(after: place)...]
            sawPart = true
        }
        guard sawPart else { return nil }
        if negative { self = negated }
    }

    private static func takeNumber(_ bytes: inout Substring.UTF8View) -> Int? {
        let digits = bytes.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        bytes.removeFirst(digits.count)
        return digits.count > 15 ? nil : Int(Substring(digits))
    }

    /// False when the part would be longer than `longestYears`.
    private mutating func add(_ number: Int, unit: UInt8, inTime: Bool) -> Bool {
        let (limit, scale): (Int, Int) =
            switch (unit, inTime) {
            case (UInt8(ascii: "Y"), _): (Self.longestYears, 12)
            case (UInt8(ascii: "M"), false): (Self.longestYears * 12, 1)
            case (UInt8(ascii: "W"), _): (Self.longestYears * 53, 7)
            case (UInt8(ascii: "D"), _): (Self.longestYears * 366, 1)
            case (UInt8(ascii: "H"), _): (Self.longestYears * 8784, 3600)
            case (UInt8(ascii: "M"), true): (Self.longestYears * 527_040, 60)
            default: (Self.longestYears * 31_622_400, 1)
            }
        guard number <= limit else { return false }
        switch (unit, inTime) {
        case (UInt8(ascii: "Y"), _), (UInt8(ascii: "M"), false): months += number * scale
        case (UInt8(ascii: "W"), _), (UInt8(ascii: "D"), _): days += number * scale
        default: seconds += Int64(number * scale)
        }
        return true
    }
}
