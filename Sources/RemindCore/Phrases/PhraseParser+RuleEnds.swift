/// Where a rule starts and ends: `until DATE`, `for 3 times`, `after completion`, `starting DATE`.
extension PhraseParser {
    /// `until DATE`, `for 3 times`, `after completion`, `starting DATE`.
    mutating func takeEnd(_ parts: inout RuleParts) throws(PhraseError) -> Bool {
        let start = index
        switch current.kind {
        case .word(.until):
            advance()
            _ = skip(.on)
            try setOnce(&parts.until, try until(parts), from: start)
        case .word(.for): try setOnce(&parts.count, try times(), from: start)
        case .number where isWord(.times, at: 1):
            try setOnce(&parts.count, try times(), from: start)
        case .word(.after) where isWord(.completion, at: 1):
            guard !parts.isAfterCompletion else { throw notUnderstood() }
            advance(2)
            parts.isAfterCompletion = true
        case .word(.starting), .word(.from):
            advance()
            _ = skip(.on)
            guard let day = try day() else { throw notUnderstood() }
            try setOnce(&parts.starting, day, from: start)
        default: return false
        }
        return true
    }

    /// A day; its time only when the rule has one of its own already, else the time is the rule's.
    private mutating func until(_ parts: RuleParts) throws(PhraseError) -> RulePhrase.Until {
        if let day = try day() {
            guard parts.time != nil || isElapsed(parts) else {
                return RulePhrase.Until(day: day)
            }
            let place = index
            _ = skip(",")
            let isAt = skip(.at) || skip("@") || skip(.t)
            if let time = try time(afterAt: isAt) {
                return RulePhrase.Until(day: day, time: time)
            }
            index = place
            return RulePhrase.Until(day: day)
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

    private func isElapsed(_ parts: RuleParts) -> Bool {
        if case .elapsed = parts.cycle { true } else { false }
    }

    /// `for 3 times`, `3 times`.
    private mutating func times() throws(PhraseError) -> Int {
        let start = index
        _ = skip(.for)
        let count: Int
        switch current.kind {
        case .number(let value, _): count = value
        case .word(.count(let value)): count = value
        default: throw notUnderstood()
        }
        advance()
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
}
