/// Days by their names: `tomorrow`, `fri`, `friday next week`, `end of month`.
extension PhraseParser {
    /// Reads a day at this place.
    mutating func day() throws(PhraseError) -> DaySyntax? {
        switch current.kind {
        case .number: return try numberDay()
        case .word(.weekday(let weekday)): return try weekdayDay(weekday)
        case .word(.month(let month)): return try monthFirst(month)
        case .word(.the), .word(.ordinal), .word(.second): return try theDay()
        case .word(.last) where isLastDay: return try edge()
        case .word(.next), .word(.last): return try nextDay()
        case .word(.this): return try thisDay()
        case .word(.end), .word(.start): return try edge()
        case .word(.unit(.day)): return try dayAfter()
        case .word(.count) where compoundOrdinal() != nil: return try theDay()
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

    /// `day after tomorrow`, `day before yesterday`, `day after the 15th`.
    private mutating func dayAfter() throws(PhraseError) -> DaySyntax? {
        let start = index
        advance()
        guard let day = try shifted(CalendarDuration(days: 1)) else {
            index = start
            return nil
        }
        guard case .shifted(.steps(let other), let step) = day else { return day }
        return .steps(CalendarDuration(days: other.days + step.days))
    }

    /// What `the` may stand before, and ordinals as words.
    private mutating func theDay() throws(PhraseError) -> DaySyntax? {
        let start = index
        _ = skip(.the)
        var day: DaySyntax?
        let hasThe = index > start
        if let ordinal = ordinalWord() {
            if let day = try weekdayOfMonth(ordinal, from: start) { return day }
            if let refused = refuseWithoutMonth(ordinal, from: start) { throw refused }
            // `second` alone is too little to be a day.
            guard hasThe || isWord(.of) || isMonth(at: 0) || isWord(.next) else {
                index = start
                return nil
            }
            day = try ordinalDay(ordinal, from: start)
        } else {
            switch current.kind {
            case .number where isWord(.ordinalEnding, at: 1): day = try numberDay()
            case .word(.unit(.day)): day = try dayAfter()
            case .word(.end), .word(.start): day = try edge()
            case .word(.last) where isLastDay: day = try edge()
            case .word(.last): day = try lastWeekday(from: start)
            case .word(.weekend): day = plainDay()
            case .word(.this): day = try thisDay()
            default: break
            }
        }
        if day == nil { index = start }
        return day
    }

    func isMonth(at distance: Int) -> Bool {
        if case .word(.month) = peek(distance).kind { true } else { false }
    }

    mutating func ordinalWord() -> Int? {
        switch current.kind {
        case .word(.ordinal(let value)):
            advance()
            return value
        case .word(.second):
            advance()
            return 2
        case .word(.count):
            guard let (value, length) = compoundOrdinal() else { return nil }
            advance(length)
            return value
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
    mutating func skipDot(from start: Int) {
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

    /// `last friday of may`.
    private mutating func lastWeekday(from start: Int) throws(PhraseError) -> DaySyntax? {
        let place = index
        if skip(.last), let day = try weekdayOfMonth(-1, from: start) { return day }
        if case .word(.weekday) = current.kind, isWord(.of, at: 1) {
            throw refuse(
                "‘\(typed(range(from: start)))’ is not understood here: name the month.",
                at: range(from: start), suggest: ["last friday of may", "last friday of the month"])
        }
        index = place
        return nil
    }

    /// What follows the ordinal: `monday of june 2030`, `tuesday of the month`.
    mutating func weekdayOfMonth(_ nth: Int, from start: Int) throws(PhraseError) -> DaySyntax? {
        if let day = try otherPlaceOfMonth(nth) { return day }
        guard case .word(.weekday(let weekday)) = current.kind, nth <= 5,
            isWord(.of, at: 1) || isWord(.in, at: 1) && isMonth(at: 2)
        else { return nil }
        let place = index
        advance(2)
        _ = skip(.the)
        if skip(.unit(.month)) { return .weekdayOfMonth(nth, weekday, month: nil) }
        guard case .word(.month(let month)) = current.kind else {
            index = place
            return nil
        }
        let word = index
        advance()
        skipDot(from: word)
        guard let year = takeYear() else { return .weekdayOfMonth(nth, weekday, month: month) }
        let dates = RulePhrase.MonthPlace.weekday([nth], weekday).dates(year: year, month: month)
        guard let date = dates.first else {
            throw refuse(
                "‘\(typed(range(from: start)))’ is not a day: the month has four of them.",
                at: range(from: start))
        }
        return .date(date, nil)
    }

    private mutating func nextDay() throws(PhraseError) -> DaySyntax? {
        let start = index
        if let weeks = takeWeek() {
            let place = range(from: start)
            _ = skip(.on)
            guard case .word(.weekday(let weekday)) = current.kind else {
                throw refuse(
                    "‘\(typed(place))’ is not a day: say which.", at: place,
                    instead: weeks == 0
                        ? ["friday this week", "sunday this week"]
                        : ["monday next week", "in 1 week"])
            }
            advance()
            return .weekdayOfWeek(weekday, weeks: weeks)
        }
        if let day = try lastWeekday(from: start) { return day }
        throw refusedNext()
    }

    /// `next month`, `last friday`: the word and what it stands before.
    private func refusedNext() -> PhraseError {
        let place = current.range.lowerBound..<peek().range.upperBound
        let which = "‘\(typed(place))’ is not a day: say which."
        switch peek().kind {
        case .word(.weekday):
            let name = typed(peek().range)
            return refuse(
                isWord(.next)
                    ? "‘\(typed(place))’ can mean the coming one or the one of next week."
                    : "‘\(typed(place))’ has gone by.",
                at: place, instead: [name, name + " next week", "a week from " + name])
        case .word(.weekend):
            return refuse(
                "‘\(typed(place))’ can mean the coming one or the one after it.", at: place,
                instead: ["saturday", "saturday next week"])
        case .word(.unit(let unit)):
            return refuse(
                which, at: place,
                instead: ["in 1 \(unit)"] + (unit == .month ? ["start of next month"] : []))
        case .word(.quarter): return refuse(which, at: place, instead: ["in 3 months"])
        case .word(.workday): return refuse(which, at: place, instead: ["tomorrow", "monday"])
        default:
            return refuse("‘\(typed(current.range))’ is not understood here.", at: current.range)
        }
    }

    private mutating func thisDay() throws(PhraseError) -> DaySyntax? {
        // `this coming friday`
        if isWord(.this, at: 1) { advance() }
        switch peek().kind {
        case .word(.weekday(let weekday)):
            advance()
            return try weekdayDay(weekday)
        case .word(.weekend):
            advance()
            return plainDay()
        case .word(.unit(.week)): return try nextDay()
        case .word(.unit(let unit)) where unit == .month || unit == .year:
            let place = current.range.lowerBound..<peek().range.upperBound
            throw refuse(
                "‘\(typed(place))’ is not a day: say which.", at: place,
                instead: ["end of \(unit)"])
        default: return nil
        }
    }

    // MARK: Ends

    /// `last day of …`, which is the end of it.
    private var isLastDay: Bool { isWord(.unit(.day), at: 1) && isWord(.of, at: 2) }

    /// `end of month`, `end of the year`, `start of next month`, `last day of february`.
    private mutating func edge() throws(PhraseError) -> DaySyntax? {
        let start = index
        let isEnd = !isWord(.start)
        advance(isWord(.last) ? 2 : 1)
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
            let word = index
            advance()
            skipDot(from: word)
            guard let year = takeYear() else {
                return .edgeOfNamedMonth(isEnd: isEnd, month: month)
            }
            let length = CivilDate.length(ofMonth: month, year: year)
            return .date(try date(year, month, isEnd ? length : 1, from: start), nil)
        case (.word(.unit(.year)), true, nil):
            advance()
            guard let year = takeYear() else { return .endOfYear }
            return .date(try date(year, 12, 31, from: start), nil)
        default:
            advance()
            throw noEdge(isEnd: isEnd, isNext: months == 1, from: start)
        }
    }
}
