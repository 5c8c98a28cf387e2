import RemindCore

/// A zone as a file defines it (VTIMEZONE, RFC 5545 section 3.6.5).
struct FileZone: Hashable {
    /// STANDARD or DAYLIGHT: from each onset on, an offset holds.
    struct Observance: Hashable {
        /// The first onset on the wall before the change, in seconds.
        let start: Int64
        /// Seconds east of Greenwich before and after each onset.
        let from: Int
        let to: Int
        let rule: ParsedRule?
        let additions: [Int64]
        /// TZNAME.
        let name: String?
    }

    let id: String
    /// The IANA name that some programs add (`X-LIC-LOCATION`).
    let location: String?
    let observances: [Observance]

    /// - Throws: a sentence about what is wrong.
    init(_ component: Component) throws(ValueError) {
        guard let id = component.first("TZID")?.value.trimmedASCII, !id.isEmpty else {
            throw ValueError("VTIMEZONE has no TZID.", line: component.line)
        }
        self.id = ICalendarText.decoded(id)
        location = component.first("X-LIC-LOCATION")?.value.trimmedASCII
        var observances: [Observance] = []
        for child in component.children where ["STANDARD", "DAYLIGHT"].contains(child.name) {
            observances.append(try Observance(child))
        }
        guard !observances.isEmpty else {
            throw ValueError(
                "The VTIMEZONE ‘\(id)’ has neither STANDARD nor DAYLIGHT.", line: component.line)
        }
        self.observances = observances
    }

    /// What holds at an instant, in seconds east of Greenwich. Before all onsets: what the
    /// earliest one changes from.
    func offset(at second: Int64) -> Int {
        let onsets = observances.compactMap { observance in
            observance.lastOnset(at: second).map { (at: $0, to: observance.to) }
        }
        if let last = onsets.max(by: { $0.at < $1.at }) { return last.to }
        return observances.min { $0.start < $1.start }?.from ?? 0
    }

    /// The instant at which the wall shows `civil`, by the rule for gaps and overlaps.
    func resolve(_ civil: CivilDateTime) -> Instant {
        let wall = civil.secondsSinceEpoch
        let (before, after) = (offset(at: wall - 86_400), offset(at: wall + 86_400))
        let first = wall - Int64(before)
        if offset(at: first) == before { return Instant(seconds: first) }
        let second = wall - Int64(after)
        return Instant(seconds: offset(at: second) == after ? second : first)
    }
}

extension FileZone.Observance {
    init(_ component: Component) throws(ValueError) {
        guard let start = component.first("DTSTART"),
            let civil = CivilDateTime(icalendar: start.value)
        else {
            throw ValueError("\(component.name) has no DTSTART.", line: component.line)
        }
        self.start = civil.secondsSinceEpoch
        from = try Self.offset("TZOFFSETFROM", component)
        to = try Self.offset("TZOFFSETTO", component)
        name = component.first("TZNAME").map { ICalendarText.decoded($0.value) }
        do {
            rule = try component.first("RRULE").map { rule throws(RuleError) in
                try ParsedRule(rule.value.tidiedRule)
            }
        } catch {
            throw ValueError(error.message, line: component.line)
        }
        additions = component.all("RDATE").flatMap { property in
            property.value.split(separator: ",").compactMap {
                CivilDateTime(icalendar: String($0))?.secondsSinceEpoch
            }
        }.sorted()
    }

    private static func offset(_ name: String, _ component: Component) throws(ValueError) -> Int {
        guard let property = component.first(name),
            let seconds = Self.seconds(property.value.trimmedASCII)
        else { throw ValueError("\(component.name) has no \(name).", line: component.line) }
        return seconds
    }

    /// `+0100`, `-053000`, also without the `+`.
    private static func seconds(_ text: String) -> Int? {
        let isSigned = text.first == "+" || text.first == "-"
        let digits = text.utf8.dropFirst(isSigned ? 1 : 0).filter { $0 != UInt8(ascii: ":") }
            .map { Int($0) - 48 }
        guard digits.count == 4 || digits.count == 6,
            digits.allSatisfy({ (0...9).contains($0) })
        else { return nil }
        let pairs = stride(from: 0, to: digits.count, by: 2).map {
            digits[$0] * 10 + digits[$0 + 1]
        }
        let total = zip(pairs, [3600, 60, 1]).reduce(0) { $0 + $1.0 * $1.1 }
        return text.first == "-" ? -total : total
    }

    /// The onsets, as seconds on the wall before the change.
    private var series: Series<FixedZone> {
        var series = Series(wall: Wall(kind: .absolute(fraction: 0), zone: FixedZone.utc))
        series.additions = additions
        series.current = start
        series.rule = rule.map { RulePositions(rule: $0, start: start, end: end(of: $0)) }
        return series
    }

    private func end(of rule: ParsedRule) -> Int64? {
        switch rule.until {
        case nil: nil
        case .date(let date): CivilDateTime(date.adding(days: 1), .midnight).secondsSinceEpoch - 1
        case .wall(let civil): civil.secondsSinceEpoch
        case .instant(let instant): instant.seconds + Int64(from)
        }
    }

    /// The last onset up to an instant, as an instant in seconds.
    func lastOnset(at second: Int64) -> Int64? {
        let wall = second + Int64(from)
        guard wall >= start else { return nil }
        return series.last(in: start...wall) { _ in true }.map { $0 - Int64(from) }
    }

    /// The onsets in a year, as instants in seconds; at most ten.
    func onsets(inYear year: Int) -> [Int64] {
        guard let first = CivilDate(year: year, month: 1, day: 1) else { return [] }
        var (found, series) = ([Int64](), series)
        series.current = nil
        var position = max(start, CivilDateTime(first, .midnight).secondsSinceEpoch)
        if series.rule == nil, !additions.contains(start) { series.additions.append(start) }
        series.additions.sort()
        let end = CivilDateTime(first.adding(months: 12), .midnight).secondsSinceEpoch
        while found.count < 10, let next = series.first(from: position), next < end {
            found.append(next - Int64(from))
            position = next + 1
        }
        return found
    }
}
