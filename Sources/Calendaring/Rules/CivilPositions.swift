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
            for position in set where position >= from && position <= last { count += 1 }
            return count < limit && set.last ?? last < last
        }
        return min(count, limit)
    }

    /// The position of the last of `count` occurrences; before the start when there is none.
    private func lastOf(_ count: Int) -> Int64 {
        if let step = expander.evenStep { return start + Int64(count - 1) * step }
        var (left, last) = (count, start - 1)
        expander.forEachSet(from: start) { set in
            let set = set.drop { $0 < start }
            guard let reached = set.prefix(left).last else { return true }
            last = reached
            left -= set.count
            return left > 0
        }
        return last
    }

    func first(from position: Int64, through limit: Int64 = .max) -> Int64? {
        let position = max(position, start)
        if let end, position > end { return nil }
        var found: Int64?
        expander.forEachSet(from: position, through: min(end ?? .max, limit)) { set in
            found = set.first { $0 >= position }
            return found == nil
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
    /// Seconds of the day at which daily and longer rules happen, sorted.
    private let times: [Int64]

    /// Days and periods that one search looks at before a rule counts as never happening again:
    /// a century of days, or as many years. A few milliseconds.
    static let budget = 40_000

    init(rule: ParsedRule, start: Int64) {
        self.rule = rule
        self.start = CivilDateTime(secondsSinceEpoch: start)
        times = Self.times(
            hours: rule.byHour.isEmpty ? [self.start.time.hour] : rule.byHour,
            minutes: rule.byMinute.isEmpty ? [self.start.time.minute] : rule.byMinute,
            seconds: rule.bySecond.isEmpty ? [self.start.time.second] : rule.bySecond)
    }

    /// A leap second (60) never comes on a wall without leap seconds.
    private static func times(hours: [Int], minutes: [Int], seconds: [Int]) -> [Int64] {
        hours.flatMap { hour in
            minutes.flatMap { minute in
                seconds.filter { $0 < 60 }.map { Int64(hour * 3600 + minute * 60 + $0) }
            }
        }
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

    /// Calls `body` with the set of the period that holds `position`, then with each later one
    /// that is not empty, until `body` returns false, the periods lie beyond `end`, the years end
    /// or the budget is used up since the last set.
    func forEachSet(
        from position: Int64, through end: Int64 = .max, _ body: ([Int64]) -> Bool
    ) {
        if rule.frequency <= .hourly {
            forEachSubDaily(from: position, through: end, body)
            return
        }
        let date = CivilDateTime(secondsSinceEpoch: position).date
        let lastPeriod = period(holding: CivilDateTime(secondsSinceEpoch: end).date)
        var period = period(holding: date)
        var (total, left) = (Self.budget * 10, Self.budget)
        while left > 0, period <= lastPeriod {
            guard let days = days(ofPeriod: period, budget: &left) else { return }
            if !days.isEmpty {
                let set = choose(days.flatMap { day in times.map { Int64(day) * 86_400 + $0 } })
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
    func choose(_ set: [Int64]) -> [Int64] {
        guard !rule.bySetPosition.isEmpty else { return set }
        let places = rule.bySetPosition.map { $0 > 0 ? $0 - 1 : set.count + $0 }
        return Set(places).sorted().filter(set.indices.contains).map { set[$0] }
    }
}
