/// Days: `tomorrow`, `fri`, `friday next week`, `2030-05-01`, `1 may`, `15th`, `end of month`.
extension PhraseParser {
    /// Reads a day at this place.
    mutating func day() throws(PhraseError) -> DaySyntax? {
        switch current.kind {
        case .number: return try numberDay()
        case .word(.weekday(let weekday)): return try weekdayDay(weekday)
        case .word(.month(let month)): return try monthFirst(month)
        case .word(.the), .word(.ordinal), .word(.second): return try theDay()
        case .word(.next), .word(.last): return try nextDay()
        case .word(.this): return try thisDay()
        case .word(.end), .word(.start): return try edge()
        case .word(.unit(.day)): return dayAfterTomorrow()
        default: return plainDay()
        }
    }

    private mutating func plainDay() -> DaySyntax? {
        let days: Int
        switch current.kind {
        case .word(.today): days = 0
        case .word(.tomorrow): days = 1
        case .word(.yesterday): days = -1
        case .word(.weekend):
            advance()
            return .weekday(.saturday)
        default: return nil
        }
        advance()
        return .steps(CalendarDuration(days: days))
    }

    /// `day after tomorrow`, `day before yesterday`.
    private mutating func dayAfterTomorrow() -> DaySyntax? {
        let days: Int
        if isWord(.after, at: 1), isWord(.tomorrow, at: 2) {
            days = 2
        } else if isWord(.before, at: 1), isWord(.yesterday, at: 2) {
            days = -2
        } else {
            return nil
        }
        advance(3)
        return .steps(CalendarDuration(days: days))
    }

    /// What `the` may stand before, and ordinals as words.
    private mutating func theDay() throws(PhraseError) -> DaySyntax? {
        let start = index
        _ = skip(.the)
        var day: DaySyntax?
        let hasThe = index > start
        if let ordinal = ordinalWord() {
            // `second` alone is too little to be a day.
            guard hasThe || isWord(.of) || isMonth(at: 0) else {
                index = start
                return nil
            }
            day = try ordinalDay(ordinal, from: start)
        } else {
            switch current.kind {
            case .number where isWord(.ordinalEnding, at: 1): day = try numberDay()
            case .word(.unit(.day)): day = dayAfterTomorrow()
            case .word(.end), .word(.start): day = try edge()
            case .word(.weekend): day = plainDay()
            default: break
            }
        }
        if day == nil { index = start }
        return day
    }

    private func isMonth(at distance: Int) -> Bool {
        if case .word(.month) = peek(distance).kind { true } else { false }
    }

    private mutating func ordinalWord() -> Int? {
        switch current.kind {
        case .word(.ordinal(let value)):
            advance()
            return value
        case .word(.second):
            advance()
            return 2
        default: return nil
        }
    }

    // MARK: Weekdays

    private mutating func weekdayDay(_ weekday: Weekday) throws(PhraseError) -> DaySyntax? {
        let start = index
        advance()
        skipDot(from: start)
        if let weeks = takeWeek() { return .weekdayOfWeek(weekday, weeks: weeks) }
        let place = index
        _ = skip(",")
        if let date = try dateAfterWeekday(weekday) { return date }
        index = place
        return .weekday(weekday)
    }

    /// The dot of an abbreviation: `Fri.`, `Sept.`
    private mutating func skipDot(from start: Int) {
        let range = tokens[start].range
        if range.count <= 5, isSign("."), gluedNumber(at: 1) == nil { advance() }
    }

    /// `this week`, `next week`.
    private mutating func takeWeek() -> Int? {
        let weeks = isWord(.next) ? 1 : isWord(.this) ? 0 : nil
        guard let weeks, isWord(.unit(.week), at: 1) else { return nil }
        advance(2)
        return weeks
    }

    /// `Wed 1 May 2030`: the date must be on that weekday, and the resolver sees to it.
    private mutating func dateAfterWeekday(_ weekday: Weekday) throws(PhraseError) -> DaySyntax? {
        switch current.kind {
        case .number, .word(.month), .word(.the): break
        default: return nil
        }
        guard let date = try day() else { return nil }
        switch date {
        case .date(let date, nil): return .date(date, weekday)
        case .dayOfYear(let month, let day, nil):
            return .dayOfYear(month: month, day: day, weekday)
        case .dayOfMonth(let day, nil): return .dayOfMonth(day, weekday)
        default: return nil
        }
    }

    private mutating func nextDay() throws(PhraseError) -> DaySyntax? {
        let start = index
        if let weeks = takeWeek() {
            guard case .word(.weekday(let weekday)) = current.kind else {
                throw refuse(
                    "‘\(typed(range(from: start)))’ is not a day: say which.",
                    at: range(from: start), instead: ["monday next week", "in 1 week"])
            }
            advance()
            return .weekdayOfWeek(weekday, weeks: weeks)
        }
        let word = typed(current.range)
        advance()
        let place = tokens[start].range.lowerBound..<current.range.upperBound
        switch (current.kind, isWord(.next, at: -1)) {
        case (.word(.weekday), let isNext):
            let name = typed(current.range)
            throw refuse(
                isNext
                    ? "‘\(typed(place))’ can mean the coming one or the one of next week."
                    : "‘\(typed(place))’ has gone by.",
                at: place, instead: [name, name + " next week"])
        case (.word(.weekend), _):
            throw refuse(
                "‘\(typed(place))’ can mean the coming one or the one after it.", at: place,
                instead: ["saturday", "saturday next week"])
        case (.word(.unit(let unit)), _):
            throw refuse(
                "‘\(typed(place))’ is not a day: say which.", at: place,
                instead: ["in 1 \(unit)"] + (unit == .month ? ["start of next month"] : []))
        default:
            index = start
            throw refuse("‘\(word)’ is not understood here.", at: tokens[start].range)
        }
    }

    private mutating func thisDay() throws(PhraseError) -> DaySyntax? {
        switch peek().kind {
        case .word(.weekday(let weekday)):
            advance()
            return try weekdayDay(weekday)
        case .word(.weekend):
            advance()
            return plainDay()
        case .word(.unit(.week)): return try nextDay()
        default: return nil
        }
    }

    // MARK: Ends

    /// `end of month`, `end of the year`, `start of next month`, `end of february`.
    private mutating func edge() throws(PhraseError) -> DaySyntax? {
        let start = index
        let isEnd = isWord(.end)
        advance()
        guard skip(.of) else {
            index = start
            return nil
        }
        _ = skip(.the)
        let months = isWord(.next) ? 1 : isWord(.this) ? 0 : nil
        if months != nil { advance() }
        switch (current.kind, isEnd, months) {
        case (.word(.unit(.month)), _, _):
            advance()
            return .edgeOfMonth(isEnd: isEnd, months: months)
        case (.word(.month(let month)), _, nil):
            advance()
            return .edgeOfNamedMonth(isEnd: isEnd, month: month)
        case (.word(.unit(.year)), true, nil):
            advance()
            return .endOfYear
        default:
            advance()
            let place = range(from: start)
            throw refuse(
                "‘\(typed(place))’ is not a day.", at: place,
                instead: peek(-1).kind == .word(.unit(.day))
                    ? ["today", "tonight"] : ["friday", "end of month", "end of year"])
        }
    }

    // MARK: Dates with a month by name, and ordinals

    /// `may 1`, `May 1st, 2030`, `may the 4th`.
    private mutating func monthFirst(_ month: Int) throws(PhraseError) -> DaySyntax? {
        let start = index
        advance()
        skipDot(from: start)
        _ = skip(.the)
        if let ordinal = ordinalWord() { return try dayOfYear(ordinal, month, from: start) }
        guard case .number(let day, let digits) = current.kind, digits <= 2,
            !isSign(":", at: 1)
        else {
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
    private mutating func takeYear() -> Int? {
        let comma = isSign(",") ? 1 : 0
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
            instead: full.map { [$0.iso8601] } ?? [])
    }

    private mutating func ordinalDay(_ day: Int, from start: Int) throws(PhraseError) -> DaySyntax?
    {
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
            let months = isWord(.next) ? 1 : isWord(.this) ? 0 : nil
            if months == nil, skip(.unit(.month)) { return .dayOfMonth(day, nil) }
            index = place
        }
        guard (1...31).contains(day) else {
            throw refuse(
                "‘\(typed(range(from: start)))’ is not a day of a month.", at: range(from: start),
                instead: ["31st"])
        }
        return .dayOfMonth(day, nil)
    }

    // MARK: Dates that begin with a number

    private mutating func numberDay() throws(PhraseError) -> DaySyntax? {
        guard case .number(let value, let digits) = current.kind else { return nil }
        let start = index
        if digits == 8 { return try compactDate(value) }
        if let sign = separator(at: 1), gluedNumber(at: 2) != nil, !isDottedTime {
            return try separatedDate(sign)
        }
        guard digits <= 2 else { return nil }
        if isWord(.ordinalEnding, at: 1), peek().isGlued {
            advance(2)
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
    private func readings(_ first: Int, _ second: Int, _ year: Int) -> [String] {
        [
            CivilDate(year: year, month: second, day: first),
            CivilDate(year: year, month: first, day: second),
        ].compactMap { $0?.iso8601 }
    }

    private func shortYearDates(
        _ first: Int, _ second: Int, _ third: Int, _ sign: Unicode.Scalar
    ) -> [String] {
        guard third < 100 else { return [] }
        if sign == "-", let date = CivilDate(year: 2000 + first, month: second, day: third) {
            return [date.iso8601]
        }
        let dates = readings(first, second, 2000 + third)
        return sign == "." ? Array(dates.prefix(1)) : dates
    }

    /// `5/10`, `10.5`, `2024-05`.
    private func incompleteDate(_ first: Int, _ second: Int) -> PhraseError {
        let place = tokens[index].range.lowerBound..<peek(2).range.upperBound
        let dates = [(first, second), (second, first)].compactMap { day, month in
            CivilDate(year: 2000, month: month, day: day).map { _ in
                "\(day) \(Names.months[month - 1].lowercased())"
            }
        }
        let time =
            isSign(".", at: 1) && CivilTime(hour: first, minute: second) != nil
            ? ["\(first):\(padded(second, 2))"] : []
        return refuse(
            "‘\(typed(place))’ is not clear: name the month, or give the year too.", at: place,
            instead: dates + time)
    }

    // MARK: Checks

    private func date(
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
