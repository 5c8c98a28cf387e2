/// Times of day: `9am`, `9:30pm`, `09:00:30`, `1730`, `noon`, `tomorrow morning`, `at 7`.
extension PhraseParser {
    /// Reads a time of day. `afterAt`: a joiner stood before it, so that `7` is an hour;
    /// `afterT`: the joiner was ISO 8601's, so that `090030` is a time too.
    mutating func time(afterAt: Bool, afterT: Bool = false) throws(PhraseError) -> TimeSyntax? {
        if let spoken = try spokenTime() { return spoken }
        switch current.kind {
        case .number: return try numberTime(afterAt: afterAt, afterT: afterT)
        case .word(.count(let hour))
        where afterAt || isHourEnding(at: 1) || isPartAhead || isSpokenClock:
            return try hourWord(hour)
        case .word(.noon):
            advance()
            return .clock(.noon)
        case .word(.midnight):
            advance()
            return Self.midnight
        default: return nil
        }
    }

    static let midnight = TimeSyntax.clock(TimeSyntax.Clock(time: .midnight, isMidnight: true))

    /// `at seven`, `seven o'clock`.
    private mutating func hourWord(_ hour: Int) throws(PhraseError) -> TimeSyntax? {
        let start = index
        advance()
        let minute = minuteWords.map { minute in
            advance(minute.length)
            return minute.value
        }
        if unit() != nil {
            index = start
            return nil
        }
        let meridiem = takeMeridiem()
        if minute == nil { _ = skip(.oclock) }
        return try clock(hour: hour, minute: minute ?? 0, meridiem: meridiem, from: start)
    }

    private mutating func numberTime(
        afterAt: Bool, afterT: Bool
    ) throws(PhraseError) -> TimeSyntax? {
        guard case .number(let value, let digits) = current.kind else { return nil }
        if let named = namedTwelve(value) { return named }
        if isSign(":", at: 1) { return try colonTime() }
        if let dotted = try dottedTime() { return dotted }
        if case .word(let word) = peek().kind {
            switch word {
            case .meridiem, .oclock: return try hourTime(value, digits)
            case .noon where value == 12 && digits == 2:
                advance(2)
                return .clock(.noon)
            case .midnight where value == 12 && digits == 2:
                advance(2)
                return Self.midnight
            default: break
            }
        }
        if afterT, digits == 6 { return try digitTime(value, hasSeconds: true) }
        if digits == 4, !isDateAhead || isMonthAfterTime(value) {
            return try digitTime(value, hasSeconds: false)
        }
        guard afterAt || afterT || isPartAhead, digits <= 2, !isDateAhead,
            unit(at: 1) == nil || isDayAfter(at: 1)
        else {
            return nil
        }
        return try hourTime(value, digits)
    }

    /// `12:00 noon`, `12:00 midnight`.
    private mutating func namedTwelve(_ hour: Int) -> TimeSyntax? {
        let isNoon = isWord(.noon, at: 3)
        guard hour == 12, isSign(":", at: 1), gluedNumber(at: 2)?.value == 0,
            isNoon || isWord(.midnight, at: 3)
        else {
            return nil
        }
        advance(4)
        return isNoon ? .clock(.noon) : Self.midnight
    }

    /// What follows makes the number here the beginning of a date.
    private var isDateAhead: Bool {
        switch peek().kind {
        case .sign("-"), .sign("/"), .sign("."):
            peek().isGlued && gluedNumber(at: 2) != nil || isWeekDate
        case .word(.month), .word(.ordinalEnding): true
        case .word(.of): true
        default: false
        }
    }

    /// `0900 may 2`: a month after four digits that are no year of this age.
    private func isMonthAfterTime(_ value: Int) -> Bool {
        guard case .word(.month) = peek().kind else { return false }
        return !(1900...2199).contains(value)
    }

    /// `8 in the evening`, `8 tonight`: the number before it is an hour.
    private var isPartAhead: Bool {
        if isWord(.tonight, at: 1) { return true }
        if isWord(.at, at: 1), peek(2).kind == .word(.part(.night)) { return true }
        guard isWord(.in, at: 1), isWord(.the, at: 2), case .word(.part) = peek(3).kind else {
            return false
        }
        return true
    }

    /// `pm`, `o'clock`.
    func isHourEnding(at distance: Int) -> Bool {
        if case .word(.meridiem) = peek(distance).kind { return true }
        return isWord(.oclock, at: distance)
    }

    private mutating func takeMeridiem() -> Bool? {
        guard case .word(.meridiem(let isPM)) = current.kind else { return nil }
        advance()
        return isPM
    }

    private mutating func hourTime(_ hour: Int, _ digits: Int) throws(PhraseError) -> TimeSyntax {
        let start = index
        advance()
        var meridiem = takeMeridiem()
        if skip(.oclock), meridiem == nil {
            meridiem = takeMeridiem()
            if hour > 12, hour <= 24 {
                return try clock(hour: hour, meridiem: meridiem, from: start)
            }
        }
        guard digits <= 2 else {
            throw refuse(
                "‘\(typed(range(from: start)))’ is not a time of day.", at: range(from: start),
                instead: digits <= 4
                    ? [
                        "\(hour / 100):\(padded(hour % 100, 2))"
                            + (hour / 100 > 12 ? "" : meridiem.map { $0 ? "pm" : "am" } ?? "")
                    ]
                    : ["9:00"])
        }
        return try clock(hour: hour, meridiem: meridiem, from: start)
    }

    /// `1730`, and after a `T` also `173000`.
    private mutating func digitTime(
        _ value: Int, hasSeconds: Bool
    ) throws(PhraseError) -> TimeSyntax {
        let start = index
        advance()
        let clockValue = hasSeconds ? value / 100 : value
        var fraction = 0
        if hasSeconds { fraction = try milliseconds() }
        let meridiem = takeMeridiem()
        return try clock(
            hour: clockValue / 100, minute: clockValue % 100,
            second: hasSeconds ? value % 100 : 0, milliseconds: fraction, meridiem: meridiem,
            isFull: true, from: start)
    }

    /// `9:30`, `09:30:15`, `09:30:15.250`, each with am or pm.
    private mutating func colonTime() throws(PhraseError) -> TimeSyntax {
        let start = index
        guard case .number(let hour, let hourDigits) = current.kind else { throw notUnderstood() }
        advance()
        var fields: [Int] = []
        while fields.count < 2, isSign(":") {
            guard let (value, digits) = gluedNumber(at: 1), digits == 2 else {
                throw malformed(from: start)
            }
            fields.append(value)
            advance(2)
        }
        guard hourDigits <= 2, !isSign(":") else { throw malformed(from: start) }
        let fraction = fields.count == 2 ? try milliseconds() : 0
        let meridiem = takeMeridiem()
        return try clock(
            hour: hour, minute: fields[0], second: fields.count > 1 ? fields[1] : 0,
            milliseconds: fraction, meridiem: meridiem, isFull: hourDigits == 2 || hour == 0,
            from: start)
    }

    private func malformed(from start: Int) -> PhraseError {
        let place = runRange(from: start)
        return refuse(
            "‘\(typed(place))’ is not a time of day: minutes and seconds have two digits.",
            at: place, instead: ["9:05", "21:30"])
    }

    /// `9.30pm`: with a dot only where am or pm tells it from a date.
    private mutating func dottedTime() throws(PhraseError) -> TimeSyntax? {
        guard isSign(".", at: 1), let (minute, digits) = gluedNumber(at: 2), digits == 2,
            case .word(.meridiem) = peek(3).kind, case .number(let hour, _) = current.kind
        else { return nil }
        let start = index
        advance(3)
        let meridiem = takeMeridiem()
        return try clock(hour: hour, minute: minute, meridiem: meridiem, from: start)
    }

    /// The decimals of a second; digits after the third are dropped when they are zero.
    private mutating func milliseconds() throws(PhraseError) -> Int {
        guard isSign(".") || isSign(","), let (value, digits) = gluedNumber(at: 1) else {
            return 0
        }
        let place = current.range.lowerBound..<peek().range.upperBound
        guard digits <= 9 else {
            throw refuse(
                "‘\(typed(place))’ has more decimals than a clock has.", at: place, instead: [""])
        }
        advance(2)
        let nanoseconds = (digits..<9).reduce(value) { value, _ in value * 10 }
        return nanoseconds / 1_000_000
    }

    // One place checks what every notation of a time may say.
    private func clock(
        hour: Int, minute: Int = 0, second: Int = 0, milliseconds: Int = 0, meridiem: Bool?,
        isFull: Bool = false, from start: Int
    ) throws(PhraseError) -> TimeSyntax {
        let place = range(from: start)
        if let meridiem {
            guard (1...12).contains(hour) else {
                let isHour = hour < 24 && (hour > 12 || minute > 0)
                let instead = isHour ? "\(hour):\(padded(minute, 2))" : "12am"
                throw refuse(
                    "‘\(typed(place))’ is not a time of day: am and pm take the hours 1 to 12.",
                    at: place, instead: [instead])
            }
            guard
                let time = CivilTime(
                    hour: hour % 12 + (meridiem ? 12 : 0), minute: minute, second: second)
            else { throw outOfRange(place) }
            return .clock(TimeSyntax.Clock(time: time, milliseconds: milliseconds))
        }
        if hour == 24, minute == 0, second == 0, milliseconds == 0 {
            return .clock(TimeSyntax.Clock(time: .midnight, endsDay: true))
        }
        guard let time = CivilTime(hour: hour, minute: minute, second: second) else {
            throw outOfRange(place)
        }
        let isExact = isFull || hour > 12 || hour == 0
        return .clock(TimeSyntax.Clock(time: time, milliseconds: milliseconds, isExact: isExact))
    }

    private func outOfRange(_ place: Range<Int>) -> PhraseError {
        refuse(
            "‘\(typed(place))’ is not a time of day: hours go to 23, minutes and seconds to 59.",
            at: place, instead: ["9:00", "23:59"])
    }
}
