/// Days of the week in a rule, one by one or together: `mon,wed`, `weekdays and saturday`; and
/// `friday the 13th`.
extension PhraseParser {
    func isDayOfWeek(at distance: Int) -> Bool {
        weekday(at: distance) != nil || Self.group(peek(distance)) != nil
    }

    /// The days that one word stands for; not those of `weekend`, which is one day of a rule.
    private static func group(_ token: Token) -> [Weekday]? {
        if token.isWorkdays { return workdays }
        return token.kind == .word(.head(.weekends)) ? [.saturday, .sunday] : nil
    }

    /// Reads the days from here on.
    mutating func daysOfWeek(from start: Int) throws(PhraseError) -> RulePhrase.Place {
        var days: Set<Weekday> = []
        repeat {
            if let group = Self.group(current) {
                advance()
                days.formUnion(group)
            } else {
                days.formUnion(weekdayList())
            }
        } while (isSign(",", glued: false) || isWord(.and) || isSign("&", glued: false))
            && skipListJoiner({ $0.isDayOfWeek(at: $1) })
        if index == start + 1, let day = days.first, let place = try dated(day, from: start) {
            return place
        }
        return .weekdays(Weekday.allCases.filter(days.contains))
    }

    /// `the 13th` behind a weekday: the months whose 13th is that day.
    private mutating func dated(
        _ weekday: Weekday, from start: Int
    ) throws(PhraseError) -> RulePhrase.Place? {
        guard Self.group(tokens[start]) == nil else { return nil }
        let before = index
        _ = skip(.the)
        var day: Int?
        switch current.kind {
        case .number(let value, 1...2) where isWord(.ordinalEnding, at: 1) && peek().isGlued:
            day = value
            advance(2)
        case .word(.ordinal(let value)):
            day = value
            advance()
        default: break
        }
        guard let day else {
            index = before
            return nil
        }
        guard (1...31).contains(day) else {
            throw refuse(
                "‘\(typed(range(from: start)))’ is not a day of a month.", at: range(from: start),
                instead: ["friday the 13th"])
        }
        return try ofMonth(.dated(day, weekday), from: start)
    }
}

extension Token {
    /// `weekday`, `weekdays`: those from Monday to Friday.
    var isWorkdays: Bool { kind == .word(.workday) || kind == .word(.head(.weekdays)) }
}
