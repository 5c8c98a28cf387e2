/// Several of the weekdays of a month in a rule: `2nd and 4th tuesday`.
extension PhraseParser {
    /// `2nd and 4th tuesday`, `first and last friday`.
    mutating func weekdays(
        _ ordinal: Int, from start: Int
    ) throws(PhraseError) -> RulePhrase.MonthPlace? {
        let place = index
        var ordinals: Set<Int> = [ordinal]
        while skipListJoiner({ $0.ordinal(at: $1) != nil }),
            let (value, length) = self.ordinal(at: 0)
        {
            ordinals.insert(value)
            advance(length)
        }
        guard ordinals.count > 1, let weekday = weekday(at: 0) else {
            index = place
            return nil
        }
        advance()
        _ = try nth(ordinals.max() ?? 0, from: start)
        return .weekday(ordinals.filter { $0 > 0 }.sorted() + ordinals.filter { $0 < 0 }, weekday)
    }

    /// `2nd`, `second`, `last`, and of how many tokens it is.
    private func ordinal(at distance: Int) -> (value: Int, length: Int)? {
        switch peek(distance).kind {
        case .number(let value, _):
            let isOrdinal = isWord(.ordinalEnding, at: distance + 1) && peek(distance + 1).isGlued
            return isOrdinal ? (value, 2) : nil
        case .word(.ordinal(let value)): return (value, 1)
        case .word(.second): return (2, 1)
        case .word(.last): return (-1, 1)
        default: return nil
        }
    }
}
