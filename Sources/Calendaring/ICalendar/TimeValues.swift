import RemindCore

/// A value that cannot be read.
struct ValueError: Error, Hashable {
    /// A sentence that names the value.
    let message: String
    let line: Int

    init(_ message: String, line: Int) { (self.message, self.line) = (message, line) }
}

/// A DATE or DATE-TIME as it is written (RFC 5545 sections 3.3.4 and 3.3.5).
struct WrittenTime: Hashable {
    private(set) var date: CivilDate
    /// `nil`: a DATE.
    private(set) var civil: CivilDateTime?
    private(set) var isUniversal: Bool
    /// It is written in the way of RFC 3339, with parts of a second or an offset.
    private(set) var isForeign = false

    /// As below, also `2030-07-10T10:00:00.5+03:00`: the parts of a second are left out.
    init?(_ text: String) {
        if let strict = WrittenTime(strict: text) {
            self = strict
            return
        }
        guard let (plain, offset) = Self.withoutFractionAndOffset(text.trimmedASCII) else {
            self.init(plain: text)
            return
        }
        guard let local = WrittenTime(plain: plain), let civil = local.civil,
            offset == nil || !local.isUniversal
        else { return nil }
        guard let offset else {
            self = local
            isForeign = true
            return
        }
        self = local
        let moved = CivilDateTime(secondsSinceEpoch: civil.secondsSinceEpoch - offset)
        (date, self.civil, isUniversal, isForeign) = (moved.date, moved, true, true)
    }

    /// `20300501T090000` and `20300501T090000Z`, as most are written; `nil`: it is anything else.
    private init?(strict text: String) {
        let length = text.utf8.count
        guard length == 15 || length == 16 else { return nil }
        var text = text
        let parts = text.withUTF8 { bytes -> (day: Int, clock: Int)? in
            guard bytes[8] == UInt8(ascii: "T"), length == 15 || bytes[15] == UInt8(ascii: "Z"),
                let day = Self.number(bytes[0..<8]), let clock = Self.number(bytes[9..<15])
            else { return nil }
            return (day, clock)
        }
        guard let (day, clock) = parts,
            let date = CivilDate(year: day / 10_000, month: day / 100 % 100, day: day % 100),
            let time = CivilTime(
                hour: clock / 10_000, minute: clock / 100 % 100, second: clock % 100)
        else { return nil }
        (self.date, civil) = (date, CivilDateTime(date, time))
        isUniversal = length == 16
    }

    /// Of decimal digits only.
    private static func number(_ digits: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
        var number = 0
        for byte in digits {
            let digit = Int(byte) - 48
            guard digit >= 0, digit <= 9 else { return nil }
            number = number * 10 + digit
        }
        return number
    }

    /// The text without parts of a second and an offset, and the offset in seconds; `nil` when it
    /// has neither.
    private static func withoutFractionAndOffset(
        _ text: String
    ) -> (plain: String, offset: Int64?)? {
        guard let begin = text.firstIndex(where: { $0 == "T" || $0 == "t" }) else { return nil }
        var clock = text[begin...]
        var offset: Int64?
        if let sign = clock.lastIndex(where: { $0 == "+" || $0 == "-" }) {
            let digits = clock[sign...].dropFirst().filter { $0 != ":" }
            guard digits.utf8.count == 4, let number = Int64(digits), number % 100 < 60,
                number / 100 < 24
            else { return nil }
            let seconds = number / 100 * 3600 + number % 100 * 60
            offset = clock[sign] == "-" ? -seconds : seconds
            clock = clock[..<sign]
        }
        var plain = String(clock)
        if let point = plain.firstIndex(of: ".") {
            let tail = plain[point...].dropFirst().drop { ("0"..."9").contains($0) }
            plain = String(plain[..<point] + tail)
        } else if offset == nil {
            return nil
        }
        return (text[..<begin] + plain, offset)
    }

    /// Takes `20300501`, `20300501T090000` and `20300501T090000Z`, also with `-` and `:` and
    /// without seconds, as some programs write them. 24:00 is the next midnight, a leap second
    /// the second before it.
    private init?(plain text: String) {
        var digits: [Int] = []
        var (time, isUniversal) = (false, false)
        for byte in text.trimmedASCII.utf8 {
            switch byte {
            case _ where isUniversal: return nil
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digits.append(Int(byte) - 48)
            case UInt8(ascii: "-") where !time, UInt8(ascii: ":") where time: break
            case UInt8(ascii: "T") where digits.count == 8 && !time,
                UInt8(ascii: "t") where digits.count == 8 && !time,
                UInt8(ascii: " ") where digits.count == 8 && !time:
                time = true
            case UInt8(ascii: "Z") where time, UInt8(ascii: "z") where time: isUniversal = true
            default: return nil
            }
        }
        func number(_ range: Range<Int>) -> Int { digits[range].reduce(0) { $0 * 10 + $1 } }
        guard digits.count == (time ? 14 : 8) || time && digits.count == 12,
            let date = CivilDate(year: number(0..<4), month: number(4..<6), day: number(6..<8))
        else { return nil }
        self.isUniversal = isUniversal
        guard time else {
            (self.date, civil) = (date, nil)
            return
        }
        let (hour, minute) = (number(8..<10), number(10..<12))
        let second = digits.count == 14 ? number(12..<14) : 0
        if hour == 24, minute == 0, second == 0 {
            self.date = date.adding(days: 1)
            civil = CivilDateTime(self.date, .midnight)
            return
        }
        guard second <= 60,
            let clock = CivilTime(hour: hour, minute: minute, second: min(second, 59))
        else { return nil }
        (self.date, civil) = (date, CivilDateTime(date, clock))
    }
}

extension CivilDateTime {
    /// `20300501T090000`.
    package init?(basic text: String) { self.init(icalendar: text) }

    /// A DATE-TIME without a zone, or the midnight of a DATE; a `Z` is passed over.
    init?(icalendar text: String) {
        guard let written = WrittenTime(text) else { return nil }
        self = written.civil ?? CivilDateTime(written.date, .midnight)
    }
}

extension CalendarDuration {
    /// A DURATION (RFC 5545 section 3.3.6): `-P1W`, `P15DT5H0M20S`, `+PT0S`; also with blanks.
    /// There are no months and years in it, and nothing at all (`P`, `PT`) is no duration.
    init?(icalendar text: String) {
        let tidy = text.trimmedASCII.uppercased()
        let days = tidy.prefix { $0 != "T" }
        guard tidy.utf8.contains(where: { (48...57).contains($0) }),
            !days.contains("M"), !days.contains("Y")
        else { return nil }
        self.init(iso8601: tidy.last == "T" ? String(tidy.dropLast()) : tidy)
    }
}

extension String {
    /// An RRULE without blanks, empty parts and the `;` at the end that some programs write.
    var tidiedRule: String {
        filter { $0 != " " && $0 != "\t" }.split(separator: ";").joined(separator: ";")
    }
}

/// Reads the times of one calendar in a file.
struct TimeReader<Zones: ZoneDatabase> {
    let zones: FileZones<Zones>
    /// Which VCALENDAR of the file: each defines its own zones.
    let calendar: Int
    /// Is told what was read in another way than it is written.
    let note: (Int, String) -> Void

    /// DTSTART, DUE and the like.
    func deadline(_ property: ICalendarProperty) throws(ValueError) -> Deadline {
        try deadline(property.value, of: property)
    }

    /// A list: RDATE, EXDATE. Of a period, its start.
    func deadlines(_ property: ICalendarProperty) throws(ValueError) -> [Deadline] {
        var wrong: ValueError?
        let found = deadlines(property) { wrong = wrong ?? $0 }
        if let wrong { throw wrong }
        return found
    }

    /// The same of what can be read; some programs escape the commas, or write `;` for them.
    func deadlines(
        _ property: ICalendarProperty, isWrong: (ValueError) -> Void
    ) -> [Deadline] {
        var found: [Deadline] = []
        for part in property.value.split(whereSeparator: { $0 == "," || $0 == ";" }) {
            let item = part.last == "\\" ? part.dropLast() : part
            if item.allSatisfy({ $0 == " " }) { continue }
            do throws(ValueError) {
                found.append(try deadline(String(item.prefix { $0 != "/" }), of: property))
            } catch {
                isWrong(error)
            }
        }
        return found
    }

    /// A list of periods; empty when it is none.
    func periods(_ property: ICalendarProperty) throws(ValueError) -> [ICalendarPeriod] {
        var found: [ICalendarPeriod] = []
        for item in property.value.split(separator: ",") {
            let parts = item.split(separator: "/", maxSplits: 1).map(String.init)
            guard parts.count == 2, case let start = try deadline(parts[0], of: property),
                !start.isDateOnly
            else { return [] }
            let end: ICalendarPeriod.End =
                if let duration = CalendarDuration(icalendar: parts[1]) { .after(duration) } else {
                    .at(inReach(of: start, try deadline(parts[1], of: property)))
                }
            found.append(ICalendarPeriod(start: start, end: end))
        }
        return found
    }

    /// A period in UTC is written without a zone, which its end could have.
    private func inReach(of start: Deadline, _ end: Deadline) -> Deadline {
        guard case .absolute = start, case .zoned(let civil, let zone) = end,
            let instant = zones.resolve(civil, zone: zone)
        else { return end }
        return .absolute(instant)
    }

    private func deadline(
        _ text: String, of property: ICalendarProperty
    ) throws(ValueError) -> Deadline {
        guard let written = WrittenTime(text) else {
            throw ValueError(
                "‘\(property.name)’ has ‘\(text.prefix(40))’, which is no date or time.",
                line: property.line)
        }
        if written.isForeign {
            note(
                property.line,
                "‘\(property.name)’ has ‘\(text.prefix(40))’, which iCalendar writes in another way: "
                    + "taken to the second.")
        }
        guard let civil = written.civil else { return .date(written.date) }
        // `VALUE=DATE:20250501T000000` means the day.
        if civil.time == .midnight, property.parameter("VALUE")?.uppercased() == "DATE" {
            return .date(civil.date)
        }
        if written.isUniversal { return .absolute(Instant(seconds: civil.secondsSinceEpoch)) }
        guard let id = property.parameter("TZID"), !id.isEmpty else { return .floating(civil) }
        switch zones.zone(id, calendar: calendar, year: civil.date.year) {
        case .universal: return .absolute(Instant(seconds: civil.secondsSinceEpoch))
        case .named(let name):
            if zones.isGuess(id, name) {
                note(
                    property.line,
                    "The time zone ‘\(id)’ is short for several, or for half of the year: taken as "
                        + "‘\(name)’.")
            }
            return .zoned(civil, zone: name)
        case .defined(let zone): return .absolute(zone.resolve(civil))
        case nil:
            note(property.line, "The time zone ‘\(id)’ is not known: taken as local time.")
            return .floating(civil)
        }
    }

    /// COMPLETED, CREATED and the like, which are instants; one without a zone is taken as UTC.
    func instant(_ property: ICalendarProperty?) -> Instant? {
        guard let property, let deadline = try? self.deadline(property) else { return nil }
        switch deadline {
        case .absolute(let instant): return instant
        case .floating(let civil): return Instant(seconds: civil.secondsSinceEpoch)
        case .date(let date):
            return Instant(seconds: CivilDateTime(date, .midnight).secondsSinceEpoch)
        case .zoned(let civil, let name): return zones.resolve(civil, zone: name)
        }
    }
}
