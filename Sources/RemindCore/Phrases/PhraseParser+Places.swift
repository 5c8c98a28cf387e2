/// The days that a rule names: `mon,wed,fri`, `the 1st and 15th`, `the last friday`, `29 feb`.
extension PhraseParser {
    /// Reads the days of a rule at this place.
    mutating func place() throws(PhraseError) -> RulePhrase.Place? {
        let start = index
        _ = skip(.the)
        let place: RulePhrase.Place?
        switch current.kind {
        case _ where isDayOfWeek(at: 0): place = try daysOfWeek(from: start)
        case .word(.weekend):
            advance()
            place = .weekdays([.saturday])
        case .word(.month(let month)): place = try monthDay(month, from: start)
        case .number: place = try numberPlace(from: start)
        case .word(.ordinal), .word(.second), .word(.last): place = try ordinalPlace(from: start)
        default: place = nil
        }
        if place == nil { index = start }
        switch place {
        case .ofMonth(.days), .ofYear(_, .days): try refuseYearAhead()
        default: break
        }
        return place
    }

    // MARK: Weekdays

    /// `mon,wed,fri`, `monday and friday`, `mon-fri`.
    mutating func weekdayList() -> [Weekday] {
        var days: Set<Int> = []
        var previous: Int?
        while let day = weekday(at: 0)?.rawValue {
            advance()
            if isSign("."), isWord(.of, at: 1) == false, gluedNumber(at: 1) == nil { advance() }
            if let first = previous {
                for step in 0...(day - first).floorModulo(7) { days.insert((first + step) % 7) }
            }
            days.insert(day)
            previous = nil
            if isSign("-", glued: false) || isWord(.to) || isWord(.through), weekday(at: 1) != nil {
                advance()
                previous = day
            } else if isSign("/"), weekday(at: 1) != nil {
                advance()
            } else if !skipListJoiner({ $0.weekday(at: $1) != nil }) {
                // `mon wed fri`; a day that comes again is no list.
                guard let next = weekday(at: 0)?.rawValue, !days.contains(next) else { break }
            }
        }
        return days.sorted().compactMap(Weekday.init)
    }

    func weekday(at distance: Int) -> Weekday? {
        switch peek(distance).kind {
        case .word(.weekday(let day)), .word(.weekdays(let day)): day
        default: nil
        }
    }

    /// The `,`, `and`, `&` or `, and` before a further item; untouched when none follows.
    mutating func skipListJoiner(_ isItem: (PhraseParser, Int) -> Bool) -> Bool {
        let start = index
        _ = skip(",")
        _ = skip(.and) || skip("&")
        _ = skip(.on)
        _ = skip(.the)
        guard index != start, isItem(self, 0) else {
            index = start
            return false
        }
        return true
    }

    // MARK: Days of a month or year

    /// `may 1`, `may 1st`.
    private mutating func monthDay(
        _ month: Int, from start: Int
    ) throws(PhraseError) -> RulePhrase.Place {
        advance()
        _ = skip(.the)
        guard case .number(let day, let digits) = current.kind, digits <= 2 else {
            let name = typed(tokens[start].range)
            throw refuse(
                "‘\(name)’ needs a day: say which one of the month.", at: tokens[start].range,
                instead: ["1 " + name, "month"])
        }
        advance()
        if isWord(.ordinalEnding), current.isGlued { advance() }
        return try dayOfYear(day, month, from: start)
    }

    private mutating func dayOfYear(
        _ day: Int, _ month: Int, from start: Int
    ) throws(PhraseError) -> RulePhrase.Place {
        let place = range(from: start)
        guard CivilDate(year: 2000, month: month, day: day) != nil else {
            throw refuse(
                "‘\(typed(place))’ never comes.", at: place,
                instead: [
                    "\(CivilDate.length(ofMonth: month, year: 2000)) "
                        + Names.months[month - 1].lowercased()
                ])
        }
        if case .number(_, let digits) = current.kind,
            digits == 2 && !isTimeAhead || isYearLike(at: index)
        {
            throw refuse(
                "‘\(typed(current.range))’ is not clear here: a date that repeats has no year, and a "
                    + "time is told by ‘at’.",
                at: current.range, instead: ["", "at \(typed(current.range))"])
        }
        return .ofYear(month: month, .days([day]))
    }

    /// The number here begins a time: `9:00`, `9am`.
    var isTimeAhead: Bool { isTimeAhead(at: 0) }

    func isTimeAhead(at distance: Int) -> Bool {
        switch peek(distance + 1).kind {
        case .sign(":"), .sign("."), .word(.meridiem), .word(.oclock): true
        default: false
        }
    }

    /// `29 feb`, `15th`, `1st and 15th of the month`, `2nd tuesday`.
    private mutating func numberPlace(from start: Int) throws(PhraseError) -> RulePhrase.Place? {
        guard case .number(let value, let digits) = current.kind, digits <= 2 else { return nil }
        let isOrdinal = isWord(.ordinalEnding, at: 1) && peek().isGlued
        let afterNumber = isOrdinal || isSign(".", at: 1) ? 2 : 1
        let month = isWord(.of, at: afterNumber) ? afterNumber + 1 : afterNumber
        if case .word(.month(let number)) = peek(month).kind {
            advance(month + 1)
            return try dayOfYear(value, number, from: start)
        }
        guard isOrdinal else { return nil }
        advance(2)
        return try ordinalPlace(value, from: start)
    }

    private mutating func ordinalPlace(from start: Int) throws(PhraseError) -> RulePhrase.Place? {
        let value: Int
        switch current.kind {
        case .word(.ordinal(let ordinal)): value = ordinal
        case .word(.second): value = 2
        default: value = -1
        }
        let isSecond = isWord(.second)
        advance()
        if isSecond, weekday(at: 0) != nil || unit() == .day, !isWord(.of, at: 1) {
            throw ambiguousSecond(from: start)
        }
        return try ordinalPlace(value, from: start)
    }

    /// `every second tuesday` is every other one to some and the month's second to others.
    private func ambiguousSecond(from start: Int) -> PhraseError {
        let place = tokens[start].range.lowerBound..<current.range.upperBound
        let day = typed(current.range)
        return refuse(
            "‘\(typed(place))’ can mean every other one, or the second of the month.", at: place,
            instead: ["other " + day, unit() == .day ? "month on the 2nd" : "2nd " + day])
    }

    /// What follows an ordinal: a weekday, `day`, or nothing, which makes it a day of the month.
    private mutating func ordinalPlace(
        _ ordinal: Int, from start: Int
    ) throws(PhraseError) -> RulePhrase.Place? {
        if let weekday = weekday(at: 0) {
            advance()
            return try ofMonth(.weekday([try nth(ordinal, from: start)], weekday), from: start)
        }
        if let weekday = try weekdays(ordinal, from: start) {
            return try ofMonth(weekday, from: start)
        }
        if skip(.workday) {
            return try ofMonth(.workday(try nth(ordinal, from: start)), from: start)
        }
        if unit() == .day {
            advance()
            guard ordinal < 0 || isWord(.of) else { throw ambiguousDay(ordinal, from: start) }
        } else if ordinal < 0 {
            return nil
        }
        if ordinal > 0, case .word(.unit(let unit)) = current.kind, unit != .day {
            throw refuse(
                "‘\(typed(range(from: start)))’ is not clear before a unit of time.",
                at: tokens[start].range.lowerBound..<current.range.upperBound,
                instead: ["\(ordinal) \(unit)s"] + (ordinal == 2 ? ["other \(unit)"] : []))
        }
        var days: Set<Int> = [ordinal]
        while skipListJoiner({ $0.isMonthDay(at: $1) }) { days.insert(try takeMonthDay()) }
        return try ofMonth(.days(try checked(days, from: start)), from: start)
    }

    /// `every 3rd day` is every three days to some and a day of the month to others.
    private func ambiguousDay(_ ordinal: Int, from start: Int) -> PhraseError {
        let place = range(from: start)
        return refuse(
            "‘\(typed(place))’ can mean a number of days, or a day of the month.", at: place,
            instead: [
                "\(ordinal) days", "month on the " + Self.ordinal(ordinal),
            ])
    }

    func nth(_ ordinal: Int, from start: Int) throws(PhraseError) -> Int {
        guard ordinal <= 5 else {
            throw refuse(
                "‘\(typed(range(from: start)))’ never comes: a month has at most five of them.",
                at: range(from: start), instead: ["last friday"])
        }
        return ordinal
    }

    private func isMonthDay(at distance: Int) -> Bool {
        switch peek(distance).kind {
        case .number: isWord(.ordinalEnding, at: distance + 1) && peek(distance + 1).isGlued
        case .word(.last): peek(distance + 1).kind == .word(.unit(.day))
        default: false
        }
    }

    private mutating func takeMonthDay() throws(PhraseError) -> Int {
        let day: Int
        if case .number(let value, _) = current.kind { day = value } else { day = -1 }
        advance(2)
        return day
    }

    /// Days that every month has, or one day alone, which is moved to the month's end.
    private func checked(_ days: Set<Int>, from start: Int) throws(PhraseError) -> [Int] {
        let place = range(from: start)
        guard days.allSatisfy({ (1...31).contains($0) || $0 == -1 }) else {
            throw refuse(
                "‘\(typed(place))’ is not a day of a month.", at: place, instead: ["31st"])
        }
        guard days.count > 1 else { return Array(days) }
        // In company the 31st is the last day; for the 29th and 30th a rule has no words.
        let moved = Set(days.map { $0 == 31 ? -1 : $0 })
        guard !moved.contains(29), !moved.contains(30) else {
            throw refuse(
                "‘\(typed(place))’ has a day that not every month has; repeat it on its own.",
                at: place, instead: ["1st and last day", "30th"])
        }
        let sorted = moved.sorted()
        return sorted.first == -1 ? Array(sorted.dropFirst()) + [-1] : sorted
    }

    /// `of the month`, `of every month`, `of may`.
    mutating func ofMonth(
        _ monthPlace: RulePhrase.MonthPlace, from start: Int
    ) throws(PhraseError) -> RulePhrase.Place {
        guard isWord(.of) || isWord(.in) else { return .ofMonth(monthPlace) }
        let place = index
        advance()
        if case .word(.month(let month)) = current.kind {
            advance()
            return try ofYear(month, monthPlace, from: start)
        }
        _ = skip(.the) || skip(.article)
        if skip(.unit(.month)) { return .ofMonth(monthPlace) }
        // `of every month` and `of every year` are read as the interval.
        index = isWord(.every) ? index : place
        return .ofMonth(monthPlace)
    }

    private func ofYear(
        _ month: Int, _ place: RulePhrase.MonthPlace, from start: Int
    ) throws(PhraseError) -> RulePhrase.Place {
        if case .days(let days) = place {
            let longest = CivilDate.length(ofMonth: month, year: 2000)
            guard days.count == 1, days[0] <= longest else {
                let range = range(from: start)
                throw refuse(
                    "‘\(typed(range))’ is not one day of the year.", at: range,
                    instead: ["1 " + Names.months[month - 1].lowercased()])
            }
        }
        return .ofYear(month: month, place)
    }
}
