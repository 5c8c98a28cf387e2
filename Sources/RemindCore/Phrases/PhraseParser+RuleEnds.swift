/// Where a rule starts and ends: `until DATE`, `for 3 times`, `after completion`, `starting DATE`.
extension PhraseParser {
    /// `until DATE`, `for 3 times`, `after completion`, `starting DATE`.
    mutating func takeEnd(_ parts: inout RuleParts) throws(PhraseError) -> Bool {
        let start = index
        switch current.kind {
        case .word(.until), .word(.through):
            advance()
            _ = skip(.on)
            try setOnce(&parts.until, try until(parts, from: start), from: start)
        case .word(.for): try takeTimes(&parts)
        case .number where isWord(.times, at: 1): try takeTimes(&parts)
        case .word(.after) where isWord(.completion, at: 1):
            guard !parts.isAfterCompletion else { throw notUnderstood() }
            advance(2)
            parts.isAfterCompletion = true
        case .word(.after) where index > 0:
            let place = current.range.lowerBound..<text.original.utf8.count
            throw refuse(
                "‘\(typed(place))’ is not understood: say ‘after completion’.", at: place,
                instead: ["after completion"])
        case .word(.starting), .word(.from):
            advance()
            _ = skip(.on)
            guard let day = try day() else {
                guard isTimeAhead else { throw notUnderstood() }
                throw refuse(
                    "‘\(typed(runRange(from: index)))’ is not a day to start from.",
                    at: current.range.lowerBound..<current.range.lowerBound,
                    instead: ["tomorrow at "])
            }
            if day.lacksYear { try refuseYearAhead() }
            try setOnce(&parts.starting, day, from: start)
        default: return false
        }
        return true
    }

    /// A day; a time of its own only when the rule has one too.
    private mutating func until(
        _ parts: RuleParts, from start: Int
    ) throws(PhraseError) -> RulePhrase.Until {
        if let day = try day() {
            if day.lacksYear { try refuseYearAhead() }
            let before = index
            _ = skip(",")
            let place = index
            let isAt = skip(.at) || skip("@") || skip(.t)
            guard let time = try time(afterAt: isAt) else {
                index = before
                return RulePhrase.Until(day: day)
            }
            guard parts.time != nil || isElapsed(parts) else {
                throw timeOfUntil(from: start, place)
            }
            return RulePhrase.Until(day: day, time: time)
        }
        guard isElapsed(parts), let time = try time(afterAt: true) else {
            throw refuse(
                isAtEnd
                    ? "‘\(text.original)’ does not say until when."
                    : "‘\(typed(runRange(from: index)))’ is not a day.",
                at: isAtEnd ? current.range : runRange(from: index),
                instead: isAtEnd ? [" end of next month"] : ["friday", "end of next month"])
        }
        return RulePhrase.Until(time: time)
    }

    /// `every day until friday at noon`: the time is the rule's, or it ends the rule early.
    private func timeOfUntil(from start: Int, _ place: Int) -> PhraseError {
        let time = typed(range(from: place))
        let end = Self.trimmed(
            typed(tokens[start].range.lowerBound..<tokens[place - 1].range.upperBound))
        let isJoined = [.word(.at), .sign("@")].contains(tokens[place].kind)
        return refuse(
            "‘\(time)’ is not clear behind ‘\(end)’: say the time of the rule first.",
            at: range(from: place),
            suggest: [
                typed(0..<tokens[start].range.lowerBound) + (isJoined ? "" : "at ")
                    + "\(time) \(end)"
            ])
    }

    func isElapsed(_ parts: RuleParts) -> Bool {
        if case .elapsed = parts.cycle { true } else { false }
    }

    private mutating func takeTimes(_ parts: inout RuleParts) throws(PhraseError) {
        let start = index
        try setOnce(&parts.count, try times(parts), from: start)
        parts.countPlace = range(from: start)
    }

    /// `for 3 times`, `3 times`.
    private mutating func times(_ parts: RuleParts) throws(PhraseError) -> Int {
        let start = index
        _ = skip(.for)
        let count: Int
        switch current.kind {
        case .number(let value, _): count = value
        case .word(.count(let value)): count = value
        case .word(.article): count = 1
        default: throw notUnderstood()
        }
        advance()
        if let unit = unit(), unit.rawValue >= TimeUnit.day.rawValue {
            advance()
            throw lengthOfRule(count, unit, parts, from: start)
        }
        guard skip(.times) else {
            throw refuse(
                "‘\(typed(range(from: start)))’ needs the word ‘times’ after it.",
                at: tokens[start].range.lowerBound..<current.range.upperBound,
                instead: ["for \(max(1, min(count, 99))) times"])
        }
        guard (1...Limits.occurrencesSearched).contains(count) else {
            throw refuse(
                "‘\(typed(range(from: start)))’ is not between 1 and "
                    + "\(Limits.occurrencesSearched) times.", at: range(from: start),
                instead: ["for 10 times"])
        }
        return count
    }

    /// `every day for 2 weeks`: whether the first day counts is not clear; a number of times is.
    private func lengthOfRule(
        _ count: Int, _ unit: TimeUnit, _ parts: RuleParts, from start: Int
    ) -> PhraseError {
        let days = [TimeUnit.day: 1, .week: 7, .fortnight: 14][unit].map { $0 * count }
        let months = [TimeUnit.month: 1, .year: 12][unit].map { $0 * count }
        let perWeek: Int? =
            switch parts.place {
            case .weekdays(let list): list.count
            default: nil
            }
        let times: Int? =
            switch (parts.cycle, perWeek) {
            case (.days(let step), nil): days.map { $0 / step }
            case (.weeks(let step), nil): days.map { $0 / 7 / step }
            case (.months(let step), nil): months.map { $0 / step }
            case (.years(let step), nil): months.map { $0 / 12 / step }
            case (_, let perWeek?): days.map { $0 / 7 * perWeek }
            default: nil
            }
        let place = range(from: start)
        return refuse(
            "‘\(typed(place))’ is not clear: say how many times, or until when.", at: place,
            instead: (times.map { $0 > 0 ? ["for \($0) times"] : [] } ?? [])
                + ["until end of next month"])
    }
}
