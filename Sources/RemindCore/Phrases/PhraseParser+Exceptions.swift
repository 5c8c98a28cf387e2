/// Rules with exceptions, `every day except sunday`, which are refused with the days that are left.
extension PhraseParser {
    /// `except sunday`, `but on weekends`, behind a rule of all days or of some weekdays.
    func refusedException(_ parts: RuleParts) -> PhraseError? {
        guard isExceptionAhead else { return nil }
        var ahead = self
        ahead.advance()
        let excluded = ahead.excludedWeekdays()
        let days = weekdays(of: parts)
        let left = days.filter { !excluded.contains($0) }
        let place = ahead.range(from: index)
        let reason = "‘\(typed(place))’ is not understood: say the days that are left."
        guard !left.isEmpty, left.count < days.count else { return refuse(reason, at: place) }
        // What the days take the place of: `every day`, `weekdays`.
        let head = tokens[tokens[0].kind == .word(.every) ? 1 : 0].range.upperBound
        let names = left.map { Names.fullWeekdays[$0.rawValue].prefix(3).lowercased() }
        return refuse(
            reason, at: place,
            suggest: [
                "every " + names.joined(separator: ",") + typed(head..<place.lowerBound)
                    + typed(place.upperBound..<text.original.utf8.count)
            ])
    }

    /// A word that takes something out of a rule, and is no zone behind a time.
    var isExceptionAhead: Bool {
        ["except", "but", "excluding", "without"].contains(typed(current.range).lowercased())
    }

    /// The weekdays of a rule that is about nothing else.
    private func weekdays(of parts: RuleParts) -> [Weekday] {
        guard parts.interval == 1 else { return [] }
        switch (parts.cycle, parts.place) {
        case (.days(1), nil): return Weekday.allCases
        case (nil, .weekdays(let days)): return days
        default: return []
        }
    }

    /// Reads `sunday`, `on weekends`, `sat and sun`.
    private mutating func excludedWeekdays() -> [Weekday] {
        _ = skip(.on)
        _ = skip(.the)
        switch current.kind {
        case .word(.weekday), .word(.weekdays): return weekdayList()
        case .word(.workday), .word(.head(.weekdays)):
            advance()
            return Self.workdays
        case .word(.weekend), .word(.head(.weekends)):
            advance()
            return [.saturday, .sunday]
        default: return []
        }
    }
}
