import RemindCore

/// Expands a rule in floating civil time (RFC 5545 section 3.3.10): a wall without clock changes.
///
/// Written here and not left to libical 3.0: that one spins for a second to for ever inside one
/// call when a rule cannot happen (`FREQ=HOURLY;BYMONTH=2;BYMONTHDAY=30`), does not start far
/// from DTSTART in short time, and gives times that the rule excludes
/// (`FREQ=HOURLY;INTERVAL=24;BYHOUR=3` from 09:00). Here the period of a position is found by
/// arithmetic, and each search is bounded by a budget of days and periods looked at.
struct CivilPositions {
    private let expander: RuleExpander
    private let start: Int64
    /// Inclusive; `nil`: open.
    private var end: Int64?
    /// The set of the last answer: the next question is mostly about the same period.
    private let recent = Recent()

    private final class Recent {
        var set: RuleSet?
    }

    /// - Parameter end: the last position that UNTIL admits.
    init(rule: ParsedRule, start: Int64, end: Int64?) {
        expander = RuleExpander(rule: rule, start: start)
        (self.start, self.end) = (start, end)
        if let count = rule.count { self.end = lastOf(count) }
    }

    func count(in range: Range<Int64>, limit: Int) -> Int {
        let from = max(range.lowerBound, start)
        let last = min(range.upperBound - 1, end ?? .max)
        var count = 0
        expander.forEachSet(from: from, through: last) { set in
            count += max(0, set.index(from: last + 1) - set.index(from: from))
            return count < limit && set.last ?? last < last
        }
        return min(count, limit)
    }

    /// The position of the last of `count` occurrences; before the start when there is none.
    private func lastOf(_ count: Int) -> Int64 {
        if let step = expander.evenStep { return start + Int64(count - 1) * step }
        if let cycle = expander.cycle {
            let each = self.count(in: start..<(start + cycle), limit: .max)
            guard each > 0 else { return start - 1 }
            let (turns, rest) = (count - 1).quotientAndRemainder(dividingBy: each)
            return walked(rest + 1) + Int64(turns) * cycle
        }
        return walked(count)
    }

    private func walked(_ count: Int) -> Int64 {
        var (left, last) = (count, start - 1)
        expander.forEachSet(from: start) { set in
            let skipped = set.index(from: start)
            let here = min(left, set.count - skipped)
            guard here > 0 else { return true }
            last = set[skipped + here - 1]
            left -= here
            return left > 0
        }
        return last
    }

    func first(from position: Int64, through limit: Int64 = .max) -> Int64? {
        let position = max(position, start)
        if let end, position > end { return nil }
        var found: Int64?
        if let set = recent.set, let last = set.last, set[0] <= position, position <= last {
            found = set[set.index(from: position)]
        } else {
            expander.forEachSet(from: position, through: min(end ?? .max, limit)) { set in
                let index = set.index(from: position)
                guard index < set.count else { return true }
                (found, recent.set) = (set[index], set)
                return false
            }
        }
        guard let found, found <= end ?? .max else { return nil }
        return found
    }
}

/// Yields the sets of a rule: what one period (a year, a month, … as FREQ says) gives, in order.
struct RuleExpander {
    let rule: ParsedRule
    /// What a rule does not say is taken from here.
    let start: CivilDateTime
    /// Seconds of the day at which daily and longer rules happen, or of the hour or minute at which
    /// the others do.
    let times: TimeGrid

    /// Days and periods that one search looks at before a rule counts as never happening again:
    /// a century of days, or as many years. A few milliseconds; times of the day cost nothing.
    static let budget = 40_000

    init(rule: ParsedRule, start: Int64) {
        self.rule = rule
        self.start = CivilDateTime(secondsSinceEpoch: start)
        times = TimeGrid(rule: rule, start: self.start.time)
    }

    /// A set was found: a new budget for the next one, out of what is left in all.
    static func renewed(_ total: Int, _ left: Int) -> (total: Int, left: Int) {
        let rest = total - (budget - left)
        return (rest, min(budget, rest))
    }

    /// Seconds between occurrences when they are evenly spaced.
    var evenStep: Int64? {
        guard !rule.hasByParts else { return nil }
        let days = rule.frequency == .daily ? 1 : rule.frequency == .weekly ? 7 : 0
        return days == 0 ? nil : Int64(days * rule.interval) * 86_400
    }

    /// Seconds after which a rule of weekdays and times repeats itself: as many weeks as INTERVAL
    /// says. `nil` for other rules, and where one turn is long to walk.
    var cycle: Int64? {
        guard rule.byMonth.isEmpty, rule.byMonthDay.isEmpty, rule.byYearDay.isEmpty,
            rule.frequency <= .weekly, rule.frequency > .secondly, rule.interval <= 1000
        else { return nil }
        return Int64(rule.interval) * 7 * 86_400
    }

    /// Calls `body` with the set of the period that holds `position`, then with each later one
    /// that is not empty, until `body` returns false, the periods lie beyond `end`, the years end
    /// or the budget is used up since the last set.
    func forEachSet(
        from position: Int64, through end: Int64 = .max, _ body: (RuleSet) -> Bool
    ) {
        if rule.frequency <= .hourly {
            forEachSubDaily(from: position, through: end, body)
            return
        }
        let date = CivilDateTime(secondsSinceEpoch: position).date
        let lastPeriod = period(holding: CivilDateTime(secondsSinceEpoch: end).date)
        // The first day of a month may be one of the month before, moved.
        var period = period(holding: rule.skip == .forward ? date.adding(days: -1) : date)
        var (total, left) = (Self.budget * 10, Self.budget)
        while left > 0, period <= lastPeriod {
            guard let days = days(ofPeriod: period, budget: &left) else { return }
            if !days.isEmpty {
                let set = choose(RuleSet(days: days, times: times))
                if !set.isEmpty {
                    guard body(set) else { return }
                    (total, left) = Self.renewed(total, left)
                }
            }
            left -= 1
            period += rule.interval
        }
    }

    /// BYSETPOS.
    func choose(_ set: RuleSet) -> RuleSet {
        rule.bySetPosition.isEmpty ? set : set.chosen(by: rule.bySetPosition)
    }
}
