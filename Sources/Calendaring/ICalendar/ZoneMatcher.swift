import RemindCore

/// Compares a VTIMEZONE with other zones in the years that a time is about.
struct ZoneMatcher {
    let zone: FileZone
    /// Instants at which the offsets have to agree, in seconds, with the definition's offset.
    private let samples: [(second: Int64, offset: Int)]
    private let years: ClosedRange<Int>

    init(zone: FileZone, year: Int) {
        self.zone = zone
        years = year...(year + 2)
        let onsets = years.flatMap { year in zone.observances.flatMap { $0.onsets(inYear: year) } }
        let months = years.flatMap { year in
            (1...12).compactMap { CivilDate(year: year, month: $0, day: 1)?.daysSinceEpoch }
        }
        let seconds = onsets.flatMap { [$0 - 1, $0] } + months.map { Int64($0) * 86_400 }
        samples = seconds.map { ($0, zone.offset(at: $0)) }
    }

    func agrees(with other: some ZoneRules) -> Bool {
        // Before its first onset a definition says little: most begin with the rules of today.
        let begin = zone.observances.map { $0.start - Int64($0.from) }.min() ?? 0
        let defined = samples.filter { $0.second >= begin }
        return (defined.isEmpty ? samples : defined).allSatisfy { sample in
            other.offset(at: Instant(seconds: sample.second)) == sample.offset
        }
    }

    /// Zones to be tried first: of many with the same rules, the one that people know.
    static var wellKnown: [String] {
        [
            "Europe/Berlin", "Europe/London", "Europe/Kyiv", "Europe/Moscow", "America/New_York",
            "America/Chicago", "America/Denver", "America/Los_Angeles", "America/Sao_Paulo",
            "Asia/Kolkata", "Asia/Shanghai", "Asia/Tokyo", "Australia/Sydney",
        ]
    }

    /// The name of a zone without clock changes.
    var fixedName: FixedZoneName? {
        guard Set(samples.map(\.offset)).count == 1 else { return nil }
        return samples.first.flatMap { FixedZoneName(offset: $0.offset) }
    }

    /// A POSIX `TZ` text, where the definition has two yearly changes.
    var posixText: String? {
        let current = zone.observances.filter { !$0.onsets(inYear: years.upperBound).isEmpty }
        guard current.count == 2 else { return nil }
        let standard = current[0].to <= current[1].to ? current[0] : current[1]
        let daylight = current[0].to <= current[1].to ? current[1] : current[0]
        guard let on = daylight.posixRule, let off = standard.posixRule else { return nil }
        return "<STD>\(Self.west(standard.to))<DST>\(Self.west(daylight.to)),\(on),\(off)"
    }

    /// Offsets of POSIX point west.
    private static func west(_ offset: Int) -> String {
        let size = abs(offset)
        let minutes = size / 60 % 60
        return (offset > 0 ? "-" : "") + String(size / 3600)
            + (minutes == 0 ? "" : ":" + (minutes < 10 ? "0" : "") + String(minutes))
    }
}

extension FileZone.Observance {
    /// `M3.5.0/2`: the last Sunday of March at two.
    fileprivate var posixRule: String? {
        guard let rule, rule.frequency == .yearly, rule.interval == 1, rule.byMonth.count == 1,
            rule.byDay.count == 1, let week
        else { return nil }
        let weekday = (rule.byDay[0].weekday.rawValue + 1) % 7
        let time = CivilDateTime(secondsSinceEpoch: start).time
        return "M\(rule.byMonth[0]).\(week).\(weekday)/\(time.hour):"
            + (time.minute < 10 ? "0" : "") + String(time.minute)
    }

    /// 1 to 4, or 5 for the last: by the number of the weekday, or by the seven days it may be.
    private var week: Int? {
        guard let rule else { return nil }
        switch rule.byDay[0].ordinal {
        case -1: return rule.byMonthDay.isEmpty ? 5 : nil
        case 1...4: return rule.byMonthDay.isEmpty ? rule.byDay[0].ordinal : nil
        case 0:
            guard rule.byMonthDay.count == 7, let first = rule.byMonthDay.first,
                rule.byMonthDay.last == first + 6, first > 0, (first - 1) % 7 == 0
            else { return nil }
            return (first - 1) / 7 + 1
        default: return nil
        }
    }
}
