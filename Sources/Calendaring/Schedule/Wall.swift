import RemindCore

/// The wall on which a series is counted: converts deadlines to positions on it and back.
///
/// A position is what `RingPoint.position` says: civil seconds for floating, zoned and date
/// deadlines (a date: its midnight), POSIX seconds for absolute ones.
struct Wall<Zone: ZoneRules> {
    enum Kind: Hashable {
        case floating
        case zoned(String)
        case date
        /// `fraction`: milliseconds beyond the second, the same for all of the series.
        case absolute(fraction: Int64)
    }

    let kind: Kind
    /// The zone of its wall times; for absolute deadlines the one in which calendar steps are made.
    let zone: Zone

    var isAbsolute: Bool { if case .absolute = kind { true } else { false } }

    /// Seconds by which a ring that comes near `instant` may lie beside its place on the wall: the
    /// clock change that was last, if it was near (a whole day in Apia in 2011), the rings of dates.
    func slack(near instant: Instant) -> Int64 {
        switch kind {
        case .absolute: 1
        case .date: 2 * 86_400
        case .floating, .zoned: abs(clockChange(before: instant)) + 1
        }
    }

    /// Seconds by which the clock was set forward (back: negative) in the 26 hours up to `instant`;
    /// no offset changes by more.
    func clockChange(before instant: Instant) -> Int64 {
        let before = zone.offset(at: instant.advanced(bySeconds: -Self.longestChange))
        return Int64(zone.offset(at: instant) - before)
    }

    static var longestChange: Int64 { 26 * 3600 }

    /// The place on the wall before that of `position` that rings at the same instant, as the one
    /// lies in a spring gap and the other behind it; `nil`: there is none.
    func twin(of position: Int64) -> Int64? {
        if isAbsolute || kind == .date { return nil }
        let instant = resolve(position).instant
        let change = clockChange(before: instant)
        guard change > 0 else { return nil }
        let twin = resolve(position - change)
        return twin.kind == .gap && twin.instant == instant ? position - change : nil
    }

    func deadline(at position: Int64) -> Deadline {
        switch kind {
        case .floating: .floating(CivilDateTime(secondsSinceEpoch: position))
        case .zoned(let name): .zoned(CivilDateTime(secondsSinceEpoch: position), zone: name)
        case .date: .date(CivilDateTime(secondsSinceEpoch: position).date)
        case .absolute(let fraction):
            .absolute(Instant(seconds: position).advanced(byMilliseconds: fraction))
        }
    }

    /// Where an instant lies on this wall.
    func position(of instant: Instant) -> Int64 {
        isAbsolute ? instant.seconds : zone.civil(at: instant).secondsSinceEpoch
    }

    /// Where a wall time of this wall's own zone lies.
    func position(of civil: CivilDateTime) -> Int64 {
        isAbsolute ? zone.resolve(civil).instant.seconds : civil.secondsSinceEpoch
    }

    /// The instant at `position`, read by the rule for gaps and overlaps.
    func resolve(_ position: Int64) -> ResolvedTime {
        if case .absolute(let fraction) = kind {
            let instant = Instant(seconds: position).advanced(byMilliseconds: fraction)
            return ResolvedTime(instant: instant, kind: .unique)
        }
        return zone.resolve(CivilDateTime(secondsSinceEpoch: position))
    }

    /// `position` moved on this wall, calendar steps in the wall's zone.
    func adding(_ duration: CalendarDuration, to position: Int64) -> Int64 {
        guard isAbsolute, !duration.isElapsed else {
            return CivilDateTime(secondsSinceEpoch: position).adding(duration).secondsSinceEpoch
        }
        var calendar = duration
        calendar.seconds = 0
        let moved = zone.civil(at: Instant(seconds: position)).adding(calendar)
        return zone.resolve(moved).instant.advanced(bySeconds: duration.seconds).seconds
    }

    /// The instant that `duration` leads to from `position`: calendar steps first, at the same
    /// wall time, then elapsed seconds (RFC 5545 section 3.3.6).
    func instant(_ duration: CalendarDuration, from position: Int64) -> Instant {
        var calendar = duration
        calendar.seconds = 0
        let moved = calendar.isZero ? position : adding(calendar, to: position)
        return resolve(moved).instant.advanced(bySeconds: duration.seconds)
    }
}
