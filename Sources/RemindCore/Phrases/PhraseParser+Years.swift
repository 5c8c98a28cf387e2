/// Four digits that could be a year or a time of day: `the 15th 2025`, `2030 1 may`.
extension PhraseParser {
    /// Four digits alone, as a year of this age is written.
    func isYearLike(at place: Int) -> Bool {
        guard case .number(let year, 4) = tokens[place].kind else { return false }
        return (1900...2199).contains(year)
    }

    /// A time of four digits beside a day that has no year is not taken for either of them.
    func refuseYear(_ parts: MomentParts) throws(PhraseError) {
        guard let place = parts.yearLike, parts.zone == nil, parts.day?.lacksYear == true else {
            return
        }
        throw yearOrTime(tokens[place].range)
    }

    /// `Fri May 10 09:00:00 2024`, as date(1) and logs write it: behind a day and its time, four
    /// digits are the year.
    mutating func takeYearBehindTime(_ parts: inout MomentParts) throws(PhraseError) -> Bool {
        guard parts.time != nil, isYearLike(at: index), !isGluedToNext,
            case .dayOfYear(let month, let day, let weekday) = parts.day,
            case .number(let year, _) = current.kind
        else { return false }
        let start = index
        advance()
        parts.day = .date(try date(year, month, day, from: start), weekday)
        return true
    }

    private var isGluedToNext: Bool { peek().kind != .end && peek().isGlued }

    func yearOrTime(_ place: Range<Int>) -> PhraseError {
        let rest = Self.tidied(text.replacing(place, with: ""))
        return refuse(
            "‘\(typed(place))’ is not clear here: it could be a year or a time of day.", at: place,
            suggest: ["\(rest) \(typed(place))", "\(rest) at \(clockOfYear(place))"])
    }

    /// The same behind a day of a rule, where the order must be kept.
    func refuseYearAhead() throws(PhraseError) {
        let comma = isSign(",", glued: false) ? 1 : 0
        let digits = min(index + comma, tokens.count - 1)
        guard isYearLike(at: digits), !isTimeAhead(at: comma) else {
            return
        }
        let place = tokens[digits].range
        throw refuse(
            "‘\(typed(place))’ is not clear here: it could be a year or a time of day.",
            at: current.range.lowerBound..<place.upperBound,
            instead: ["", (comma == 0 ? "" : ", ") + "at \(clockOfYear(place))"])
    }

    /// `25 dec 2130`: a year that is far away, and a time of day to many.
    func refuseFarYear(
        _ year: Int, _ month: Int, _ day: Int, from start: Int
    ) throws(PhraseError) {
        let place = peek(-1).range
        guard (2100...2359).contains(year), year % 100 < 60, !saysTimeOrWeekday,
            let date = CivilDate(year: year, month: month, day: day)
        else { return }
        throw refuse(
            "‘\(typed(place))’ is not clear here: it could be a year or a time of day.", at: place,
            instead: ["at \(clockOfYear(place))"],
            suggest: [text.replacing(range(from: start), with: date.iso8601)])
    }

    /// Another word of the phrase is a time of day, so that four digits are a year, or a weekday, which
    /// the year must fit.
    private var saysTimeOrWeekday: Bool {
        tokens.contains { token in
            switch token.kind {
            case .sign(":"), .sign("@"), .word(.at), .word(.noon), .word(.midnight), .word(.part),
                .word(.tonight), .word(.meridiem), .word(.weekday):
                true
            default: false
            }
        }
    }

    private func clockOfYear(_ place: Range<Int>) -> String {
        typed(place).prefix(2) + ":" + typed(place).suffix(2)
    }

    /// A year stands as four bare digits in a phrase that names the month: with a day that has
    /// gone by it may have been meant as a time.
    var hasBareYear: Bool {
        tokens.contains { if case .word(.month) = $0.kind { true } else { false } }
            && tokens.indices.contains { place in
                guard case .number(_, 4) = tokens[place].kind else { return false }
                return !tokens[place].isGlued || place == 0
            }
    }
}

/// Week dates of ISO 8601, `2030-W18-3`, which are refused with the day that they are.
extension PhraseParser {
    var isWeekDate: Bool { weekDateParts != nil }

    /// `2030-W18-3` and `2030W183`.
    private var weekDateParts: (year: Int, week: Int, day: Int?)? {
        guard case .number(let year, 4) = current.kind else { return nil }
        let place = isSign("-", at: 1) ? 2 : 1
        guard isWord(.unit(.week), at: place), peek(place).isGlued,
            typed(peek(place).range).lowercased() == "w",
            let (value, digits) = gluedNumber(at: place + 1)
        else { return nil }
        if place == 1, digits == 3 { return (year, value / 10, value % 10) }
        return (year, value, isSign("-", at: place + 2) ? gluedNumber(at: place + 3)?.value : nil)
    }

    func weekDate() -> PhraseError {
        let place = runRange(from: index)
        var date: CivilDate?
        if let (year, week, day) = weekDateParts, (1...53).contains(week), (1...7) ~= day ?? 1,
            let fourth = CivilDate(year: year, month: 1, day: 4)
        {
            // 4 January is always in the first week.
            let days = (week - 1) * 7 - fourth.weekday.rawValue + (day ?? 1) - 1
            date = fourth.adding(days: days)
        }
        return refuse(
            "‘\(typed(place))’ is a date by its week: say the day.", at: place,
            instead: date.map { [$0.iso8601] } ?? [])
    }
}

extension DaySyntax {
    /// A year could stand behind it.
    var lacksYear: Bool {
        switch self {
        case .dayOfYear, .dayOfMonth, .edgeOfMonth, .edgeOfNamedMonth, .endOfYear,
            .weekdayOfMonth, .placeOfMonth:
            true
        default: false
        }
    }
}
