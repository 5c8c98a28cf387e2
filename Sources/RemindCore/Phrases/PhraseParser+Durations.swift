/// Lengths of time: `10m`, `1h 30m`, `an hour and a half`, `1.5h`, `PT15M`.
extension PhraseParser {
    /// Reads a duration at this place.
    mutating func duration() throws(PhraseError) -> CalendarDuration? {
        if let iso = try isoDuration() { return iso }
        let start = index
        var total = CalendarDuration()
        var shortest = TimeUnit.year.rawValue + 1
        while let part = try durationPart(isFirst: index == start) {
            guard part.unit.rawValue < shortest else {
                throw refuse(
                    "The units of ‘\(typed(range(from: start)))’ must go from long to short, "
                        + "each once.",
                    at: range(from: start), instead: ["1h 30m"])
            }
            if shortest == TimeUnit.year.rawValue, part.unit == .minute {
                try refuseMinutesOfYear()
            }
            shortest = part.unit.rawValue
            // Each part is limited, and no more than eight units can follow each other.
            total.months += part.duration.months
            total.days += part.duration.days
            total.seconds += part.duration.seconds
            skipDurationJoiner()
        }
        return index == start ? nil : total
    }

    /// `1y6m`: behind a year, `m` could be months.
    private func refuseMinutesOfYear() throws(PhraseError) {
        let unit = peek(-1).range
        guard typed(unit).lowercased() == "m" else { return }
        let place = peek(-2).range.lowerBound..<unit.upperBound
        let number = typed(peek(-2).range)
        throw refuse(
            "‘\(typed(place))’ is not clear behind a year: it could be months or minutes.",
            at: place, instead: ["\(number)mo", " \(number)min"])
    }

    typealias Part = (duration: CalendarDuration, unit: TimeUnit)

    /// The comma or `and` between two parts, only when a further part follows.
    private mutating func skipDurationJoiner() {
        let start = index
        _ = skip(",")
        _ = skip(.and)
        if index != start, !startsDurationPart() { index = start }
    }

    private func startsDurationPart() -> Bool {
        switch current.kind {
        case .number: unitFollowsNumber()
        case .word(.count(let tens)): countWord(tens) != nil
        case .word(.article): unit(at: 1) != nil
        default: false
        }
    }

    /// A unit stands behind the number here, or behind its decimals.
    private func unitFollowsNumber() -> Bool {
        if unit(at: 1) != nil { return true }
        return (isSign(".", at: 1) || isSign(",", at: 1)) && gluedNumber(at: 2) != nil
            && unit(at: 3) != nil
    }

    func unit(at distance: Int = 0) -> TimeUnit? {
        switch peek(distance).kind {
        case .word(.unit(let unit)): unit
        case .word(.second): .second
        default: nil
        }
    }

    private mutating func durationPart(isFirst: Bool) throws(PhraseError) -> Part? {
        if let part = try halfPart() { return part }
        switch current.kind {
        case .number where unitFollowsNumber(): return try numberPart()
        case .word(.count(let tens)):
            guard let (count, tokens) = countWord(tens) else { return nil }
            return try part(Int64(count), from: index, skipping: tokens)
        case .word(.article) where isWord(.quarter, at: 1) || unit(at: 1) != nil:
            return try articlePart()
        case .word(.half) where isFirst, .word(.quarter) where isFirst: return try fractionPart()
        default: return nil
        }
    }

    /// `ten`, `forty five`, `forty-five`: what stands before a unit, and in how many tokens.
    private func countWord(_ tens: Int) -> (count: Int, tokens: Int)? {
        if unit(at: 1) != nil { return (tens, 1) }
        let distance = isSign("-", at: 1) ? 2 : 1
        guard tens >= 20, case .word(.count(let ones)) = peek(distance).kind, ones < 10,
            unit(at: distance + 1) != nil
        else { return nil }
        return (tens + ones, distance + 1)
    }

    /// A count and its unit, which stands `skipping` tokens on; then `and a half`.
    private mutating func part(
        _ count: Int64, from start: Int, skipping: Int
    ) throws(PhraseError) -> Part {
        advance(skipping)
        guard let unit = unit() else { throw notUnderstood() }
        advance()
        var duration = try scaled(count, unit, from: start)
        if let length = andHalf {
            guard unit == .hour || unit == .minute else {
                throw refuse(
                    "Half of a \(unit) is not a whole number of anything; hours can be halved.",
                    at: current.range.lowerBound..<peek(length - 1).range.upperBound)
            }
            advance(length)
            duration.seconds += Self.seconds(of: unit) / 2
        }
        return (duration, unit)
    }

    /// `and a half`, `and half`: of how many tokens it is.
    var andHalf: Int? {
        guard isWord(.and) else { return nil }
        if isWord(.article, at: 1), isWord(.half, at: 2) { return 3 }
        // `an hour and half a minute`
        return isWord(.half, at: 1) && !isWord(.article, at: 2) && unit(at: 2) == nil ? 2 : nil
    }

    private mutating func numberPart() throws(PhraseError) -> Part? {
        let start = index
        guard case .number(let count, let digits) = current.kind else { return nil }
        try refuseClock(count, digits)
        guard unit(at: 1) == nil else {
            return try part(digits > 15 ? .max : Int64(count), from: start, skipping: 1)
        }
        guard case .number(let fraction, let places) = peek(2).kind, let unit = unit(at: 3) else {
            return nil
        }
        try refuseThousands(count, fraction, places: places)
        advance(4)
        let place = range(from: start)
        guard unit == .hour || unit == .minute, places <= 3, digits <= 9 else {
            throw refuse(
                "‘\(typed(place))’ cannot be split: only hours and minutes take decimals, "
                    + "at most three.", at: place, instead: ["1.5h"])
        }
        let whole = try scaled(Int64(count), unit, from: start)
        let scale: Int64 = [1, 10, 100, 1000][places]
        let parts = Int64(fraction) * Self.seconds(of: unit)
        guard parts % scale == 0 else {
            throw refuse(
                "‘\(typed(place))’ is not a whole number of seconds.", at: place,
                instead: ["1.5h"])
        }
        return (CalendarDuration(seconds: whole.seconds + parts / scale), unit)
    }

    /// `an hour`, `a week`, `a quarter of an hour`.
    private mutating func articlePart() throws(PhraseError) -> Part? {
        guard isWord(.quarter, at: 1) else { return try part(1, from: index, skipping: 1) }
        let start = index
        advance()
        if let part = try fractionPart() { return part }
        index = start
        return nil
    }

    /// `half an hour`, `half a minute`, `quarter of an hour`.
    private mutating func fractionPart() throws(PhraseError) -> Part? {
        let start = index
        let divisor: Int64 = isWord(.half) ? 2 : 4
        advance()
        _ = skip(.of)
        _ = skip(.article)
        guard let unit = unit(), unit == .hour || unit == .minute else {
            index = start
            return nil
        }
        advance()
        return (CalendarDuration(seconds: Self.seconds(of: unit) / divisor), unit)
    }

    static func seconds(of unit: TimeUnit) -> Int64 {
        switch unit {
        case .minute: 60
        case .hour: 3600
        default: 1
        }
    }

    private func scaled(
        _ count: Int64, _ unit: TimeUnit, from start: Int
    ) throws(PhraseError) -> CalendarDuration {
        let years = Int64(CalendarDuration.longestYears)
        let (limit, scale): (Int64, Int64) =
            switch unit {
            case .second, .minute, .hour:
                (years * 31_622_400 / Self.seconds(of: unit), Self.seconds(of: unit))
            case .day: (years * 366, 1)
            case .week: (years * 53, 7)
            case .fortnight: (years * 27, 14)
            case .month: (years * 12, 1)
            case .year: (years, 12)
            }
        guard count <= limit else { throw tooLong(range(from: start)) }
        let value = count * scale
        switch unit {
        case .second, .minute, .hour: return CalendarDuration(seconds: value)
        case .day, .week, .fortnight: return CalendarDuration(days: Int(value))
        case .month, .year: return CalendarDuration(months: Int(value))
        }
    }

    private func tooLong(_ place: Range<Int>) -> PhraseError {
        refuse(
            "‘\(typed(place))’ is too long: the calendar ends with the year 9999.", at: place,
            suggest: ["in 10 years"])
    }

    /// ISO 8601: a run that begins with P and a digit, or PT.
    private mutating func isoDuration() throws(PhraseError) -> CalendarDuration? {
        guard isWord(.pt) || isWord(.p), gluedNumber(at: 1) != nil else { return nil }
        let place = runRange(from: index)
        let folded = typed(place)
        guard let duration = CalendarDuration(iso8601: folded) ?? decimals(folded) else {
            throw refuse(
                "‘\(folded)’ is not an ISO 8601 duration.", at: place,
                instead: ["PT15M", "P1DT2H"])
        }
        while !isAtEnd, current.range.lowerBound < place.upperBound { advance() }
        return duration
    }

    /// `PT1.5H`: decimals as in `1.5h`.
    private func decimals(_ iso: String) -> CalendarDuration? {
        let parts = iso.uppercased().dropFirst(2)
        guard isWord(.pt), parts.contains("."),
            parts.allSatisfy({ $0.isNumber || ".HMS".contains($0) })
        else { return nil }
        return try? DurationPhrase.parse(String(parts))
    }
}
