/// Days that are counted from other days, or lie in a month that is: `a week from friday`, `15th of
/// next month`, `the last workday of june`.
extension PhraseParser {
    /// What follows whole days: `from friday`, `after the 15th`, `before 1 june`.
    mutating func shifted(_ duration: CalendarDuration) throws(PhraseError) -> DaySyntax? {
        guard duration.seconds == 0, !duration.isZero,
            isWord(.from) || isWord(.after) || isWord(.before)
        else { return nil }
        let start = index
        let isBefore = isWord(.before)
        advance()
        guard let day = try day() else {
            index = start
            return nil
        }
        return .shifted(day, by: isBefore ? duration.negated : duration)
    }

    /// `next month`, `of next month`, `of this month`: how many months ahead.
    mutating func takeMonthAhead() -> Int? {
        let start = index
        _ = skip(.of) || skip(.in)
        _ = skip(.the)
        let months = isWord(.next) ? 1 : isWord(.this) ? 0 : nil
        guard let months, isWord(.unit(.month), at: 1) else {
            index = start
            return nil
        }
        advance(2)
        return months
    }

    /// What follows the ordinal: `workday of june`, `friday of next month`.
    mutating func otherPlaceOfMonth(_ nth: Int) throws(PhraseError) -> DaySyntax? {
        let start = index
        let place: RulePhrase.MonthPlace
        switch current.kind {
        case .word(.weekday(let weekday)) where nth <= 5: place = .weekday([nth], weekday)
        case .word(.workday) where nth <= 20: place = .workday(nth)
        default: return nil
        }
        advance()
        if let months = takeMonthAhead() {
            return .placeOfMonth(place, month: nil, ahead: months)
        }
        guard case .workday = place, skip(.of) else {
            index = start
            return nil
        }
        _ = skip(.the)
        if skip(.unit(.month)) { return .placeOfMonth(place, month: nil, ahead: nil) }
        guard case .word(.month(let month)) = current.kind else {
            index = start
            return nil
        }
        advance()
        return .placeOfMonth(place, month: month, ahead: nil)
    }

    /// `second saturday` without a month.
    func refuseWithoutMonth(_ nth: Int, from start: Int) -> PhraseError? {
        switch current.kind {
        case .word(.weekday) where nth <= 5, .word(.workday): break
        default: return nil
        }
        let place = tokens[start].range.lowerBound..<current.range.upperBound
        let said = typed(place)
        return refuse(
            "‘\(said)’ is not clear: say of which month.", at: place,
            instead: [said + " of the month", said + " of next month"], suggest: ["every " + said])
    }

    /// `twenty-first`: tens and ones, in how many tokens.
    func compoundOrdinal() -> (value: Int, length: Int)? {
        guard case .word(.count(let tens)) = current.kind, tens == 20 || tens == 30 else {
            return nil
        }
        let distance = isSign("-", at: 1) ? 2 : 1
        switch peek(distance).kind {
        case .word(.ordinal(let ones)) where ones < 10: return (tens + ones, distance + 1)
        case .word(.second): return (tens + 2, distance + 1)
        default: return nil
        }
    }

    /// `end of the week`, `start of next year`: the days that could be meant.
    func noEdge(isEnd: Bool, isNext: Bool, from start: Int) -> PhraseError {
        let place = range(from: start)
        let instead: [String] =
            switch (tokens[index - 1].kind, isEnd) {
            case (.word(.unit(.day)), _): ["17:00", "tonight"]
            case (.word(.unit(.week)), true):
                isNext ? ["friday next week", "sunday next week"] : ["friday", "sunday"]
            case (.word(.unit(.week)), false): isNext ? ["monday next week"] : ["monday"]
            case (.word(.unit(.year)), false): ["1 jan"]
            case (.number(let year, 4), true): ["end of year \(year)"]
            case (.number(let year, 4), false): ["1 jan \(year)"]
            default: ["friday", "end of month", "end of year"]
            }
        return refuse("‘\(typed(place))’ is not a day.", at: place, instead: instead)
    }

    /// `twenty second of may`, whose beginning could be a length of time.
    var isCompoundDay: Bool {
        guard let (_, length) = compoundOrdinal() else { return false }
        return isWord(.of, at: length) || isMonth(at: length)
    }

    /// `1200 day after tomorrow`, `at 17 day after tomorrow`: one day, and a time before it.
    var isTimeBeforeDayAfter: Bool {
        guard case .number(let value, _) = current.kind, value != 1 else { return false }
        return isDayAfter(at: 1)
    }

    /// `day after`, where several would be `days`.
    func isDayAfter(at distance: Int) -> Bool {
        guard isWord(.after, at: distance + 1) || isWord(.before, at: distance + 1) else {
            return false
        }
        return typed(peek(distance).range).lowercased() == "day"
    }

    /// `friday in two weeks`, `a week tomorrow`: which week a day is in is not clear.
    func shiftedSuggestion(_ place: Range<Int>) -> String {
        var rest = Self.tidied(text.replacing(place, with: "")).lowercased()
        if rest.hasPrefix("on ") { rest.removeFirst(3) }
        var length = typed(place).lowercased()
        if length.hasPrefix("in ") { length.removeFirst(3) }
        return "\(length) from \(rest)"
    }
}

extension DaySyntax {
    /// The day with the weekday that stands behind it: `8 may, wednesday`.
    func adding(_ weekday: Weekday) -> DaySyntax? {
        switch self {
        case .date(let date, nil): .date(date, weekday)
        case .dayOfYear(let month, let day, nil): .dayOfYear(month: month, day: day, weekday)
        default: nil
        }
    }
}
