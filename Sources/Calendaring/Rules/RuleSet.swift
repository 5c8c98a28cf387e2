import RemindCore

/// The times at which a rule happens in a day, an hour or a minute: hours × minutes × seconds,
/// sorted, and never written out, as there may be 86,400.
struct TimeGrid {
    private let hours: [Int]
    private let minutes: [Int]
    private let seconds: [Int]

    /// - Parameter start: what the rule does not say is taken from here.
    init(rule: ParsedRule, start: CivilTime) {
        func given(_ list: [Int], _ own: Int, from unit: ParsedRule.Frequency) -> [Int] {
            rule.frequency < unit ? [0] : list.isEmpty ? [own] : list
        }
        hours = given(rule.byHour, start.hour, from: .daily)
        minutes = given(rule.byMinute, start.minute, from: .hourly)
        // A leap second (60) never comes on a wall without leap seconds.
        seconds = given(rule.bySecond, start.second, from: .minutely).filter { $0 < 60 }
    }

    var count: Int { hours.count * minutes.count * seconds.count }

    subscript(_ index: Int) -> Int64 {
        let (minute, second) = index.quotientAndRemainder(dividingBy: seconds.count)
        let (hour, rest) = minute.quotientAndRemainder(dividingBy: minutes.count)
        return Int64(hours[hour] * 3600 + minutes[rest] * 60 + seconds[second])
    }
}

/// What one period of a rule gives, sorted: its days (or the one hour or minute) × their times.
/// Elements are computed when they are asked for, so a set costs what its days cost.
struct RuleSet {
    /// Where the days begin, in units of `unit` seconds.
    private let origins: [Int]
    private let unit: Int64
    private let times: TimeGrid
    /// The elements that BYSETPOS takes, sorted; `nil`: all.
    private var places: [Int]?

    init(days: [Int], times: TimeGrid) { self.init(origins: days, unit: 86_400, times: times) }

    /// The set of one hour, minute or second that begins at `second`.
    init(at second: Int64, times: TimeGrid) {
        self.init(origins: [Int(second)], unit: 1, times: times)
    }

    private init(origins: [Int], unit: Int64, times: TimeGrid) {
        (self.origins, self.unit, self.times) = (origins, unit, times)
    }

    var count: Int { places?.count ?? origins.count * times.count }
    var isEmpty: Bool { count == 0 }
    var last: Int64? { isEmpty ? nil : self[count - 1] }

    subscript(_ index: Int) -> Int64 {
        let place = places?[index] ?? index
        let (origin, time) = place.quotientAndRemainder(dividingBy: times.count)
        return Int64(origins[origin]) * unit + times[time]
    }

    /// The index of the first element at or after `position`; `count` when there is none.
    /// Logarithmic.
    func index(from position: Int64) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < position { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The elements at these places, counted from 1, or from the end by -1 (BYSETPOS).
    func chosen(by positions: [Int]) -> RuleSet {
        let all = 0..<(origins.count * times.count)
        var set = self
        let places = positions.map { $0 > 0 ? $0 - 1 : all.count + $0 }.filter(all.contains)
        set.places = places.count < 2 ? places : Set(places).sorted()
        return set
    }
}
