package import RemindCore

/// Writes a zone as a VTIMEZONE (RFC 5545 section 3.6.5), made of its own clock changes: each one
/// up to where a yearly rule begins that holds to the end of what is looked at, then the rule.
package struct ZoneText<Zone: ZoneRules> {
    private let id: String
    private let zone: Zone
    private let since: Int
    private let changes: [ZoneChange]

    /// Years in which clock changes are looked for.
    private static var years: ClosedRange<Int> { 1970...2100 }

    /// - Parameter id: its TZID.
    package init(_ zone: Zone, named id: String) {
        (self.zone, self.id, since) = (zone, id, Self.years.lowerBound)
        changes = Self.changes(of: zone, in: Self.years)
    }

    /// Content lines without folds, BEGIN to END.
    package var lines: [String] {
        var lines = ["BEGIN:VTIMEZONE", "TZID:" + id]
        let start = CivilDateTime(ZoneChange.day(since, 1, 1), .midnight)
        let first = zone.offset(at: Instant(seconds: start.secondsSinceEpoch))
        lines += observance(
            "STANDARD", start, first, first,
            zone.abbreviation(at: Instant(seconds: start.secondsSinceEpoch)), [])
        var left = changes
        var rules: [[String]] = []
        for isForward in [true, false] {
            guard let rule = ZoneRule(changes.filter { $0.isForward == isForward }) else {
                continue
            }
            left.removeAll { $0.isForward == isForward && $0.second >= rule.first.second }
            rules.append(observance(rule.first, ["RRULE:" + rule.text]))
        }
        lines += single(left) + rules.flatMap { $0 }
        return lines + ["END:VTIMEZONE"]
    }

    /// Changes of one kind together, as dates.
    private func single(_ changes: [ZoneChange]) -> [String] {
        var groups: [[ZoneChange]] = []
        for change in changes {
            if let place = groups.firstIndex(where: { $0[0].isLike(change) }) {
                groups[place].append(change)
            } else {
                groups.append([change])
            }
        }
        return groups.flatMap { group -> [String] in
            let dates = group.dropFirst().map { "RDATE:" + ContentLineWriter.basic($0.wall) }
            return observance(group[0], dates)
        }
    }

    private func observance(_ change: ZoneChange, _ more: [String]) -> [String] {
        observance(
            change.isForward ? "DAYLIGHT" : "STANDARD", change.wall, change.from, change.to,
            change.name, more)
    }

    private func observance(
        _ kind: String, _ start: CivilDateTime, _ from: Int, _ to: Int, _ name: String,
        _ more: [String]
    ) -> [String] {
        [
            "BEGIN:" + kind, "DTSTART:" + ContentLineWriter.basic(start),
            "TZOFFSETFROM:" + Self.offset(from), "TZOFFSETTO:" + Self.offset(to),
            "TZNAME:" + ContentLineWriter.escaped(name),
        ] + more + ["END:" + kind]
    }

    /// `+0100`, `-003730`.
    private static func offset(_ seconds: Int) -> String {
        let size = abs(seconds)
        let parts = [size / 3600, size / 60 % 60] + (size % 60 == 0 ? [] : [size % 60])
        return (seconds < 0 ? "-" : "+") + parts.map(ContentLineWriter.two).joined()
    }

    private static func changes(of zone: Zone, in years: ClosedRange<Int>) -> [ZoneChange] {
        let step: Int64 = 7 * 86_400
        var second = Int64(ZoneChange.day(years.lowerBound, 1, 1).daysSinceEpoch) * 86_400
        let end = Int64(ZoneChange.day(years.upperBound, 1, 1).daysSinceEpoch) * 86_400
        var (offset, found) = (zone.offset(at: Instant(seconds: second)), [ZoneChange]())
        while second < end {
            let next = zone.offset(at: Instant(seconds: second + step))
            if next != offset {
                let at = bisect(zone, second, second + step, offset)
                let instant = Instant(seconds: at)
                found.append(
                    ZoneChange(
                        second: at, from: offset, to: next, name: zone.abbreviation(at: instant)))
            }
            (second, offset) = (second + step, next)
        }
        return found
    }

    /// The first second after `low` at which the offset is not `offset` any more.
    private static func bisect(_ zone: Zone, _ low: Int64, _ high: Int64, _ offset: Int) -> Int64 {
        var (low, high) = (low, high)
        while high - low > 1 {
            let middle = low + (high - low) / 2
            if zone.offset(at: Instant(seconds: middle)) == offset {
                low = middle
            } else {
                high = middle
            }
        }
        return high
    }
}

/// A clock change of a zone.
struct ZoneChange: Hashable {
    /// POSIX seconds.
    let second: Int64
    let from: Int
    let to: Int
    let name: String

    /// What the wall showed.
    var wall: CivilDateTime { CivilDateTime(secondsSinceEpoch: second + Int64(from)) }

    var isForward: Bool { to > from }

    func isLike(_ other: ZoneChange) -> Bool {
        (from, to, name) == (other.from, other.to, other.name)
    }

    static func day(_ year: Int, _ month: Int, _ day: Int) -> CivilDate {
        CivilDate(year: year, month: month, day: day) ?? .first
    }
}

/// The yearly rule of changes of one kind, from the first that it holds for to the last.
struct ZoneRule {
    let first: ZoneChange
    let text: String

    /// Fewer years than this make no rule.
    private static let fewest = 5

    /// - Parameter changes: of one kind, in their order, up to 2099.
    init?(_ changes: [ZoneChange]) {
        guard let last = changes.last, last.wall.date.year >= 2099 else { return nil }
        let date = last.wall.date
        var tail: [ZoneChange] = []
        var days = date.day...date.day
        for change in changes.reversed() {
            let wall = change.wall
            days = min(days.lowerBound, wall.date.day)...max(days.upperBound, wall.date.day)
            guard wall.date.year == date.year - tail.count, change.isLike(last),
                wall.time == last.wall.time, wall.date.month == date.month,
                wall.date.weekday == date.weekday, days.count <= 7
            else { break }
            tail.append(change)
        }
        guard tail.count >= Self.fewest, let day = Self.day(tail), let first = tail.last
        else { return nil }
        self.first = first
        text = "FREQ=YEARLY;BYMONTH=\(date.month);" + day
    }

    /// `BYDAY=-1SU`, `BYDAY=2SU`, or a weekday among seven dates.
    private static func day(_ changes: [ZoneChange]) -> String? {
        let dates = changes.map(\.wall.date)
        guard let low = dates.map(\.day).min(), let high = dates.map(\.day).max() else {
            return nil
        }
        let names = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
        let weekday = names[(dates[0].daysSinceEpoch + 3).floorModulo(7)]
        let isLast = dates.allSatisfy {
            $0.day > CivilDate.length(ofMonth: $0.month, year: $0.year) - 7
        }
        if isLast { return "BYDAY=-1" + weekday }
        if (low - 1) / 7 == (high - 1) / 7 { return "BYDAY=\((low - 1) / 7 + 1)" + weekday }
        guard high - low == 6 else { return nil }
        let window = (low...high).map { String($0) }.joined(separator: ",")
        return "BYMONTHDAY=\(window);BYDAY=" + weekday
    }
}
