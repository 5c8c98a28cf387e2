/// Dates: `2030-05-01`, `20300501`, `1.5.2030`, `1 may`, `May 1st, 2030`, `15th`.
extension PhraseParser {
    /// `may 1`, `May 1st, 2030`, `may the 4th`.
    mutating func monthFirst(_ month: Int) throws(PhraseError) -> DaySyntax? {
        let start = index
        advance()
        skipDot(from: start)
        _ = skip(.the)
        if let ordinal = ordinalWord() { return try dayOfYear(ordinal, month, from: start) }
        guard case .number(let day, let digits) = current.kind, digits <= 2,
            !isSign(":", at: 1)
        else {
            if let refusal = spacedDate() { throw refusal }
            let name = typed(tokens[start].range)
            throw refuse(
                "‘\(name)’ needs a day: say which one of the month.", at: tokens[start].range,
                instead: ["1 " + name])
        }
        advance()
        if isWord(.ordinalEnding), current.isGlued { advance() }
        return try dayOfYear(day, month, from: start)
    }

    /// The year, when one follows, and the check that there is such a day.
    private mutating func dayOfYear(
        _ day: Int, _ month: Int, from start: Int
    ) throws(PhraseError) -> DaySyntax {
        if let year = takeYear() {
            try refuseFarYear(year, month, day, from: start)
            return .date(try date(year, month, day, from: start), nil)
        }
        let place = range(from: start)
        guard CivilDate(year: 2000, month: month, day: day) != nil else {
            throw noSuchDay(place, month: month, day: day, year: nil)
        }
        try refuseShortYear(day, month, from: start)
        return .dayOfYear(month: month, day: day, nil)
    }

    /// Four digits that do not begin with 0 are a year, after an optional comma.
    mutating func takeYear() -> Int? {
        let comma = isSign(",", glued: false) ? 1 : 0
        guard case .number(let year, 4) = peek(comma).kind, year >= 1000,
            !isSign(":", at: comma + 1), !isSign("-", at: comma + 1),
            peek(comma + 1).kind != .word(.meridiem(isPM: true)),
            peek(comma + 1).kind != .word(.meridiem(isPM: false))
        else { return nil }
        advance(comma + 1)
        return year
    }

    /// `1 may 30`: a year of two digits is refused rather than taken for something else.
    private func refuseShortYear(_ day: Int, _ month: Int, from start: Int) throws(PhraseError) {
        let quote = isSign("'", glued: false) ? 1 : 0
        guard case .number(let year, 2) = peek(quote).kind else { return }
        switch peek(quote + 1).kind {
        case .sign(":"), .word(.meridiem), .word(.oclock), .sign("."): return
        default: break
        }
        let place = tokens[start].range.lowerBound..<peek(quote).range.upperBound
        let full = CivilDate(year: 2000 + year, month: month, day: day)
        throw refuse(
            "‘\(typed(peek(quote).range))’ is not clear: a year has four digits.", at: place,
            instead: (full.map { [$0.iso8601] } ?? [])
                + (year < 24 ? ["\(day) \(Names.months[month - 1].lowercased()) at \(year)"] : []))
    }

    mutating func ordinalDay(_ day: Int, from start: Int) throws(PhraseError) -> DaySyntax? {
        let place = index
        let hasOf = skip(.of)
        if case .word(.month(let month)) = current.kind {
            let word = index
            advance()
            skipDot(from: word)
            return try dayOfYear(day, month, from: start)
        }
        if hasOf {
            _ = skip(.the)
            if skip(.unit(.month)) { return .dayOfMonth(day, nil) }
            index = place
        }
        if (1...31).contains(day), let months = takeMonthAhead() {
            return .placeOfMonth(.days([day]), month: nil, ahead: months)
        }
        guard (1...31).contains(day) else {
            throw refuse(
                "‘\(typed(range(from: start)))’ is not a day of a month.", at: range(from: start),
                instead: ["31st"])
        }
        return .dayOfMonth(day, nil)
    }

    // MARK: Dates that begin with a number

    mutating func numberDay() throws(PhraseError) -> DaySyntax? {
        guard case .number(let value, let digits) = current.kind else { return nil }
        let start = index
        if digits == 8 { return try compactDate(value) }
        if let sign = separator(at: 1), gluedNumber(at: 2) != nil, !isDottedTime {
            return try separatedDate(sign)
        }
        if isWeekDate { throw weekDate() }
        guard digits <= 2 else { return nil }
        if let date = try dateAroundMonthName(value) { return date }
        if isWord(.ordinalEnding, at: 1), peek().isGlued {
            advance(2)
            if let day = try weekdayOfMonth(value, from: start) { return day }
            return try ordinalDay(value, from: start)
        }
        let distance = isSign(".", at: 1) || isWord(.of, at: 1) ? 2 : 1
        if case .word(.month) = peek(distance).kind {
            advance(distance)
            return try ordinalDay(value, from: start)
        }
        return nil
    }

    /// `9.30pm`, which behind a weekday could be taken for a date.
    private var isDottedTime: Bool {
        guard isSign(".", at: 1), case .word(.meridiem) = peek(3).kind else { return false }
        return true
    }

    private func separator(at distance: Int) -> Unicode.Scalar? {
        guard case .sign(let sign) = peek(distance).kind, peek(distance).isGlued,
            sign == "-" || sign == "/" || sign == "."
        else { return nil }
        return sign
    }

    /// `1-May-2030`, `1/may/2030`, `1-may`.
    private mutating func dateAroundMonthName(_ day: Int) throws(PhraseError) -> DaySyntax? {
        guard let sign = separator(at: 1), case .word(.month(let month)) = peek(2).kind,
            peek(2).isGlued
        else { return nil }
        let start = index
        guard separator(at: 3) == sign, let (year, digits) = gluedNumber(at: 4), digits == 4 else {
            guard separator(at: 3) == nil else { return nil }
            advance(3)
            return try dayOfYear(day, month, from: start)
        }
        advance(5)
        return .date(try date(year, month, day, from: start), nil)
    }

    private mutating func compactDate(_ value: Int) throws(PhraseError) -> DaySyntax {
        let start = index
        advance()
        return .date(
            try date(value / 10_000, value / 100 % 100, value % 100, from: start), nil)
    }

    /// Three numbers with the same sign between them: `2030-05-01`, `1.5.2030`, `25/12/2030`.
    private mutating func separatedDate(_ sign: Unicode.Scalar) throws(PhraseError) -> DaySyntax? {
        let start = index
        guard case .number(let first, let firstDigits) = current.kind,
            let (second, secondDigits) = gluedNumber(at: 2)
        else { return nil }
        guard isSign(sign, at: 3), let (third, thirdDigits) = gluedNumber(at: 4) else {
            throw incompleteDate(first, second)
        }
        advance(5)
        let place = range(from: start)
        if firstDigits == 4, secondDigits <= 2, thirdDigits <= 2 {
            return .date(try date(first, second, third, from: start), nil)
        }
        guard firstDigits <= 2, secondDigits <= 2, thirdDigits == 4 else {
            throw refuse(
                "‘\(typed(place))’ is not clear: a year has four digits.", at: place,
                instead: shortYearDates(first, second, third, sign))
        }
        switch sign {
        case ".": return .date(try date(third, second, first, from: start), nil)
        case "/": return .numeric(first: first, second: second, year: third, range: place)
        default:
            throw refuse(
                "‘\(typed(place))’ is not clear: write the year first.", at: place,
                instead: readings(first, second, third))
        }
    }

    /// The dates that two numbers and a year can be, day first and month first.
    func readings(_ first: Int, _ second: Int, _ year: Int) -> [String] {
        [
            CivilDate(year: year, month: second, day: first),
            CivilDate(year: year, month: first, day: second),
        ].compactMap { $0?.iso8601 }
    }

    private func shortYearDates(
        _ first: Int, _ second: Int, _ third: Int, _ sign: Unicode.Scalar
    ) -> [String] {
        guard third < 100, first < 100 else { return [] }
        if sign == "-", let date = CivilDate(year: 2000 + first, month: second, day: third) {
            return [date.iso8601]
        }
        let dates = readings(first, second, 2000 + third)
        return sign == "." ? Array(dates.prefix(1)) : dates
    }

    /// `5/10`, `10.5`, `2024-05`.
    private func incompleteDate(_ first: Int, _ second: Int) -> PhraseError {
        let isDotted = isSign(".", at: 1) && isSign(".", at: 3)
        let place = current.range.lowerBound..<peek(isDotted ? 3 : 2).range.upperBound
        if let days = daysOfMonth(first, second) ?? daysOfMonth(second, first) {
            return refuse("‘\(typed(place))’ is a month: say the day.", at: place, instead: days)
        }
        let dates = [(first, second), (second, first)].compactMap { day, month in
            CivilDate(year: 2000, month: month, day: day).map { _ in
                "\(day) \(Names.months[month - 1].lowercased())"
            }
        }
        var time: [String] = []
        if isSign(".", at: 1), CivilTime(hour: first, minute: second) != nil {
            time = ["\(first):\(padded(second, 2))"]
        } else if isSign("-", at: 1), first < second, second <= 24 {
            time = ["at \(first)"]
        }
        return refuse(
            "‘\(typed(place))’ is not clear: name the month, or give the year too.", at: place,
            instead: dates + time)
    }

    /// `2024-05`: its first and last day.
    private func daysOfMonth(_ year: Int, _ month: Int) -> [String]? {
        guard (1000...9999).contains(year), let first = CivilDate(year: year, month: month, day: 1)
        else { return nil }
        return [first.iso8601, "end of \(Names.fullMonths[month - 1].lowercased()) \(year)"]
    }

    // MARK: Checks

    func date(
        _ year: Int, _ month: Int, _ day: Int, from start: Int
    ) throws(PhraseError) -> CivilDate {
        guard let date = CivilDate(year: year, month: month, day: day) else {
            throw noSuchDay(range(from: start), month: month, day: day, year: year)
        }
        return date
    }

    private func noSuchDay(
        _ place: Range<Int>, month: Int, day: Int, year given: Int?
    ) -> PhraseError {
        let year = given ?? 2000
        guard (1...12).contains(month), CivilDate.years.contains(year) else {
            return refuse(
                "‘\(typed(place))’ is not a date: months go from 1 to 12.", at: place,
                instead: readings(day, month, year) + readings(month, day, year))
        }
        let length = CivilDate.length(ofMonth: month, year: year)
        let last = CivilDate(year: year, month: month, day: length)
        return refuse(
            "‘\(typed(place))’ is not a date: \(Names.fullMonths[month - 1])"
                + (month == 2 && given != nil ? " \(year)" : "") + " has \(length) days.",
            at: place,
            instead: given == nil
                ? ["\(length) \(Names.months[month - 1].lowercased())"]
                : last.map { [$0.iso8601] } ?? [])
    }
}
