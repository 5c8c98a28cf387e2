import RemindCore

/// The occurrences of a reminder as positions on its wall, in order: those of the rule and the
/// additions, without the exceptions. A reminder that does not repeat has one.
struct Series<Zone: ZoneRules> {
    let wall: Wall<Zone>
    /// The rule; `nil`: none, or one that is counted from each completion.
    var rule: RulePositions?
    /// Sorted.
    var additions: [Int64] = []
    var exceptions: Set<Int64> = []
    /// Midnights of the days on which every occurrence is taken out.
    var exceptionDays: Set<Int64> = []
    /// The occurrence that is current: there whatever the rule says, and nothing before it counts.
    var current: Int64?

    /// The first occurrence at or after `position`.
    func first(from position: Int64) -> Int64? {
        guard let current, position <= current else { return firstInSet(from: position) }
        return current
    }

    /// The newest occurrence in `range` for which `condition` holds; where it does not hold, it
    /// must not hold for later ones either. About 40 times the work of `first`.
    func last(in range: ClosedRange<Int64>, where condition: (Int64) -> Bool) -> Int64? {
        guard let first = first(from: range.lowerBound), first <= range.upperBound,
            condition(first)
        else { return nil }
        // The newest one lies in `low...high`, and `low` is one.
        var (low, high) = (first, range.upperBound)
        while low < high {
            let middle = low + (high - low) / 2
            if let found = self.first(from: middle + 1), found <= high, condition(found) {
                low = found
            } else {
                high = middle
            }
        }
        return low
    }

    /// How many occurrences lie in `range`, counted up to `limit`.
    func count(in range: Range<Int64>, limit: Int) -> Int {
        if additions.isEmpty, exceptions.isEmpty, exceptionDays.isEmpty, let rule,
            let count = rule.count(in: max(range.lowerBound, current ?? .min)..<range.upperBound)
        {
            return count
        }
        var (count, position) = (0, range.lowerBound)
        while count < limit, let next = first(from: position), next < range.upperBound {
            (count, position) = (count + 1, next + 1)
        }
        return count
    }

    private func firstInSet(from position: Int64) -> Int64? {
        var position = position
        // Each turn passes one exception, or all that is left of a day that is taken out.
        for _ in 0...(exceptions.count + Limits.occurrencesSearched) {
            let added = additions.first { $0 >= position }
            guard let next = [rule?.first(from: position), added].compactMap({ $0 }).min() else {
                return nil
            }
            let midnight = next - next.floorModulo(86_400)
            if exceptionDays.contains(midnight) {
                position = midnight + 86_400
            } else if exceptions.contains(next) {
                position = next + 1
            } else {
                return next
            }
        }
        return nil
    }
}
