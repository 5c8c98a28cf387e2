/// Every so many seconds, minutes or hours from an anchor, through clock changes: arithmetic.
struct ElapsedPositions {
    private let start: Int64
    private let step: Int64
    /// Inclusive.
    private let end: Int64

    /// - Parameter end: the last position that UNTIL admits.
    init(rule: ParsedRule, start: Int64, end: Int64?) {
        (self.start, step) = (start, rule.elapsedStep)
        let counted = rule.count.map { start + Int64($0 - 1) * rule.elapsedStep }
        self.end = [end, counted, Self.latest].compactMap { $0 }.min() ?? Self.latest
    }

    /// The end of the year 9999.
    static let latest: Int64 = 253_402_300_799

    func first(from position: Int64) -> Int64? {
        let steps = position <= start ? 0 : (position - start + step - 1) / step
        let next = start + steps * step
        return next <= end ? next : nil
    }

    func count(in range: Range<Int64>) -> Int {
        guard let first = first(from: range.lowerBound) else { return 0 }
        let last = min(end, range.upperBound - 1)
        return last < first ? 0 : Int((last - first) / step) + 1
    }
}
