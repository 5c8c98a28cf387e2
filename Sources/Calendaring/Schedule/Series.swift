import RemindCore

/// The occurrences of a reminder as positions on its wall, in order: those of the rule and the
/// additions, without the exceptions. A reminder that does not repeat has one.
struct Series<Zone: ZoneRules> {
    let wall: Wall<Zone>
    /// The rule; `nil`: none, or one that is counted from each completion.
    var rule: RulePositions?
    /// Nothing rings after it by the rule (UNTIL as an instant).
    var until: Instant?
    /// Sorted.
    var additions: [Int64] = []
    var exceptions: Set<Int64> = []
    /// Midnights of the days on which every occurrence is taken out.
    var exceptionDays: Set<Int64> = []
    /// What these give is taken out, whatever their walls are.
    var excluded: [Series<Zone>] = []
    /// The occurrence that is current: there whatever the rule says, and nothing before it counts.
    var current: Int64?
    private let memo = Memo()

    init(wall: Wall<Zone>, current: Int64? = nil) { (self.wall, self.current) = (wall, current) }

    /// The first occurrence at or after `position`.
    func first(from position: Int64) -> Int64? { first(from: position, through: .max) }

    /// The same, not looked for beyond `end`; one that is found may lie beyond it.
    func first(from position: Int64, through end: Int64) -> Int64? {
        guard let current, position <= current else {
            return firstInSet(from: position, through: end)
        }
        return current
    }

    /// The newest occurrence in `range` for which `condition` holds; where it does not hold, it
    /// must not hold for later ones either. About 40 times the work of `first`.
    func last(in range: ClosedRange<Int64>, where condition: (Int64) -> Bool) -> Int64? {
        guard let first = first(from: range.lowerBound), first <= range.upperBound,
            condition(first)
        else { return nil }
        // The newest one lies in `low...high`, and `low` is one. The step after the first one is
        // tried at once: in sparse series it ends the search.
        var (low, high) = (first, range.upperBound)
        var middle = low
        while low < high {
            if let found = self.first(from: middle + 1, through: high), found <= high,
                condition(found)
            {
                low = found
            } else {
                high = middle
            }
            middle = low + (high - low) / 2
        }
        return low
    }

    /// How many occurrences lie in `range`, counted up to `limit`.
    func count(in range: Range<Int64>, limit: Int) -> Int {
        if additions.isEmpty, exceptions.isEmpty, exceptionDays.isEmpty, excluded.isEmpty,
            let rule, current ?? .min <= range.lowerBound, until == nil
        {
            return rule.count(in: range, limit: limit)
        }
        var (count, position) = (0, range.lowerBound)
        while count < limit, let next = first(from: position), next < range.upperBound {
            (count, position) = (count + 1, next + 1)
        }
        return count
    }

    private func firstInSet(from position: Int64, through end: Int64) -> Int64? {
        var position = position
        // Each turn passes one exception, or all that is left of a day that is taken out.
        let limit = excluded.isEmpty ? Limits.occurrencesSearched : ICalendarLimits.excludedInARow
        for _ in 0...(exceptions.count + limit) {
            let added = additions.first { $0 >= position }
            guard
                let next = [firstOfRule(from: position, through: end), added].compactMap({ $0 })
                    .min()
            else {
                return nil
            }
            let midnight = next - next.floorModulo(86_400)
            if exceptionDays.contains(midnight) {
                position = midnight + 86_400
            } else if exceptions.contains(next) || next != added && isLate(next)
                || hasTwin(next) || isExcluded(next)
            {
                position = next + 1
            } else {
                return next
            }
        }
        return nil
    }

    private func isLate(_ position: Int64) -> Bool {
        guard let until else { return false }
        return wall.resolve(position).instant > until
    }

    /// Whether an occurrence before rings at the same instant, as it lies in a spring gap: the two
    /// are one.
    private func hasTwin(_ position: Int64) -> Bool {
        if memo.isQuiet(position, wall) { return false }
        return wall.twin(of: position).map(contains) ?? false
    }

    private func contains(_ position: Int64) -> Bool {
        if let current, position <= current { return position == current }
        let isTakenOut =
            exceptions.contains(position)
            || exceptionDays.contains(position - position.floorModulo(86_400))
            || isExcluded(position)
        let isThere =
            additions.contains(position)
            || firstOfRule(from: position, through: position) == position && !isLate(position)
        return isThere && !isTakenOut
    }

    /// Whether a series that is taken out has an occurrence at the same instant.
    func isExcluded(_ position: Int64) -> Bool {
        if excluded.isEmpty { return false }
        let instant = wall.resolve(position).instant
        return excluded.contains { series in
            let its = series.wall.position(of: instant)
            return series.first(from: its, through: its) == its
        }
    }

    /// Answers of the rule are kept: a search for the newest occurrence asks many times in the
    /// same gap, and a gap of centuries is costly to look through.
    private func firstOfRule(from position: Int64, through end: Int64) -> Int64? {
        guard let rule else { return nil }
        if let known = memo.gaps.first(where: {
            $0.from <= position && position <= $0.next ?? .max
        }) {
            return known.next
        }
        let next = rule.first(from: position, through: end)
        if next == nil, end < .max { return nil }
        if memo.gaps.count >= 64 { memo.gaps.removeAll(keepingCapacity: true) }
        memo.gaps.append((position, next))
        return next
    }

    /// Gaps between occurrences that were seen: nothing lies in `from..<next`.
    private final class Memo {
        var gaps: [(from: Int64, next: Int64?)] = []
        /// The last day that was asked about, and whether the clock was not set then or the day
        /// before.
        private var day: (number: Int64, isQuiet: Bool)?

        func isQuiet(_ position: Int64, _ wall: Wall<Zone>) -> Bool {
            if wall.isAbsolute || wall.kind == .date { return true }
            let number = position.floorDivided(by: 86_400)
            if let day, day.number == number { return day.isQuiet }
            let (first, last) = (number * 86_400, number * 86_400 + 86_399)
            let isQuiet = [first, last].allSatisfy {
                wall.clockChange(before: wall.resolve($0).instant) == 0
            }
            day = (number, isQuiet)
            return isQuiet
        }
    }
}
