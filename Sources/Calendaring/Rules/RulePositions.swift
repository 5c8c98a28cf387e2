/// What a rule yields on its wall, in seconds: by arithmetic or by expansion.
enum RulePositions {
    case elapsed(ElapsedPositions)
    case civil(CivilPositions)

    /// - Parameters:
    ///   - start: where the series begins (DTSTART).
    ///   - end: the last position that UNTIL admits; `nil`: open.
    init(rule: ParsedRule, start: Int64, end: Int64?) {
        self =
            rule.isElapsed
            ? .elapsed(ElapsedPositions(rule: rule, start: start, end: end))
            : .civil(CivilPositions(rule: rule, start: start, end: end))
    }

    /// The first occurrence at or after `position`; `nil`: none any more, or none up to `limit`.
    /// Bounded in work.
    func first(from position: Int64, through limit: Int64 = .max) -> Int64? {
        switch self {
        case .elapsed(let positions): positions.first(from: position)
        case .civil(let positions): positions.first(from: position, through: limit)
        }
    }

    /// How many lie in `range`; a walk over them may stop at `limit` or soon after.
    func count(in range: Range<Int64>, limit: Int) -> Int {
        switch self {
        case .elapsed(let positions): positions.count(in: range)
        case .civil(let positions): positions.count(in: range, limit: limit)
        }
    }
}
