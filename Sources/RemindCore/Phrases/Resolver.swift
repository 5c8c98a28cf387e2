/// Gives a parsed phrase its meaning in a context.
struct Resolver<Zones: ZoneDatabase> {
    let context: PhraseContext<Zones>
    /// The phrase, for messages.
    let text: String

    /// A zone that a phrase names, or the one in force.
    enum Zone: ZoneRules {
        case inForce(Zones.Zone, isExplicit: Bool)
        case named(Zones.Zone)
        case fixed(FixedZone)

        var identifier: String {
            switch self {
            case .inForce(let zone, _), .named(let zone): zone.identifier
            case .fixed(let zone): zone.identifier
            }
        }

        func offset(at instant: Instant) -> Int {
            switch self {
            case .inForce(let zone, _), .named(let zone): zone.offset(at: instant)
            case .fixed(let zone): zone.offset(at: instant)
            }
        }

        func resolve(_ civil: CivilDateTime) -> ResolvedTime {
            switch self {
            case .inForce(let zone, _), .named(let zone): zone.resolve(civil)
            case .fixed(let zone): zone.resolve(civil)
            }
        }
    }

    func understanding(of syntax: WhenPhrase.Syntax) throws(PhraseError) -> Understanding {
        switch syntax {
        case .now: return Understanding(deadline: .absolute(context.now), instant: context.now)
        case .instant(let instant):
            // `@9` and `@1730` may have been meant as times of day.
            let hour = Int(instant.seconds.clamped(to: -1...9999))
            let time =
                hour > 99
                ? CivilTime(hour: hour / 100, minute: hour % 100) : CivilTime(hour: hour)
            try refusePast(instant, sameTimeAhead: time.map(CivilText.time))
            return Understanding(deadline: .absolute(instant), instant: instant)
        case .relative(let duration): return try relative(duration)
        case .moment(let moment): return try understanding(of: moment)
        case .rule(let rule): return try understanding(of: rule, from: nil)
        }
    }

    // MARK: Zones

    var zoneInForce: Zone { .inForce(context.zone, isExplicit: context.zoneIsExplicit) }

    func zone(_ syntax: ZoneSyntax?) throws(PhraseError) -> Zone {
        switch syntax {
        case nil: return zoneInForce
        case .offset(0): return .fixed(.utc)
        case .offset(let seconds):
            let name = Instant(seconds: 0).rfc3339(offset: seconds).suffix(6)
            return .fixed(FixedZone(identifier: String(name), seconds: seconds))
        case .named(let name, let range): return .named(try namedZone(name, range))
        }
    }

    func namedZone(_ name: String, _ range: Range<Int>) throws(PhraseError) -> Zones.Zone {
        do throws(UnknownZone) {
            return try context.zones.zone(named: name)
        } catch {
            // Zone names are told apart without regard to case, as the rest of a phrase is.
            if let same = error.suggestions.first(where: { $0.lowercased() == name.lowercased() }),
                let zone = context.zones.knownZone(named: same)
            {
                return zone
            }
            let isZone = name.utf8.contains(UInt8(ascii: "/"))
            var refused = PhraseError(
                phrase: text, range: range,
                reason: isZone
                    ? "The time zone ‘\(name)’ is not known." : "‘\(name)’ is not understood.",
                suggestions: (error.suggestions + [""]).map {
                    PhraseError.Suggestion(replacing(range, with: $0))
                })
            refused.isMisspelt = !isZone
            throw refused
        }
    }

    func replacing(_ range: Range<Int>, with part: String) -> String {
        let utf8 = Array(text.utf8)
        return String(decoding: utf8[..<range.lowerBound], as: UTF8.self) + part
            + String(decoding: utf8[range.upperBound...], as: UTF8.self)
    }

    // MARK: Lengths of time

    private func relative(_ duration: CalendarDuration) throws(PhraseError) -> Understanding {
        guard !duration.isElapsed else {
            let instant = context.now.advanced(bySeconds: duration.seconds)
            try refuseBeyondCalendar(
                context.now.seconds.addingReportingOverflow(duration.seconds))
            try refusePast(instant, sameTimeAhead: nil)
            return Understanding(deadline: .absolute(instant), instant: instant)
        }
        let zone = zoneInForce
        let civil = zone.civil(at: context.now)
        let date = try moved(civil.date, by: duration)
        let wall = CivilDateTime(date, civil.time)
        guard duration.seconds == 0 else {
            let start = zone.resolve(wall).instant
            try refuseBeyondCalendar(start.seconds.addingReportingOverflow(duration.seconds))
            let instant = start.advanced(bySeconds: duration.seconds)
            try refusePast(instant, sameTimeAhead: nil)
            return Understanding(deadline: .absolute(instant), instant: instant)
        }
        return try understanding(of: wall, in: zone, sameTimeAhead: nil)
    }

    /// A date moved by months, then days.
    func moved(_ date: CivilDate, by duration: CalendarDuration) throws(PhraseError) -> CivilDate {
        let month = date.year * 12 + date.month - 1 + duration.months
        guard month >= 12, month < 120_000 else { throw beyondCalendar() }
        let days = date.adding(months: duration.months).daysSinceEpoch + duration.days
        guard days >= CivilDate.first.daysSinceEpoch, days <= CivilDate.last.daysSinceEpoch else {
            throw beyondCalendar()
        }
        return CivilDate(daysSinceEpoch: days)
    }

    private func refuseBeyondCalendar(
        _ sum: (partialValue: Int64, overflow: Bool)
    ) throws(PhraseError) {
        guard !sum.overflow, sum.partialValue <= Instant.latest.seconds,
            sum.partialValue >= Instant.earliest.seconds
        else { throw beyondCalendar() }
    }

    func beyondCalendar() -> PhraseError {
        PhraseError(
            phrase: text, range: 0..<text.utf8.count,
            reason: "‘\(text)’ is outside the calendar, which has the years 1 to 9999.")
    }

    // MARK: Results

    /// The deadline of a wall time, of the kind that its zone makes it.
    func deadline(_ wall: CivilDateTime, in zone: Zone, milliseconds: Int = 0) -> Deadline {
        switch zone {
        case .inForce(_, isExplicit: false): .floating(wall)
        case .inForce(let zone, _), .named(let zone): .zoned(wall, zone: zone.identifier)
        case .fixed(let zone):
            .absolute(zone.resolve(wall).instant.advanced(byMilliseconds: Int64(milliseconds)))
        }
    }

    func understanding(
        of wall: CivilDateTime, in zone: Zone, milliseconds: Int = 0, notes: [String] = [],
        sameTimeAhead: String?
    ) throws(PhraseError) -> Understanding {
        let resolved = zone.resolve(wall)
        let deadline = deadline(wall, in: zone, milliseconds: milliseconds)
        var instant = resolved.instant
        if case .absolute(let exact) = deadline { instant = exact }
        try refusePast(instant, sameTimeAhead: sameTimeAhead)
        return Understanding(
            deadline: deadline, instant: instant,
            notes: notes + ClockChange.notes(on: wall, resolved, in: zone))
    }

    /// - Parameter sameTimeAhead: a phrase for the same time of day on a day that is ahead.
    func refusePast(_ instant: Instant, sameTimeAhead: String?) throws(PhraseError) {
        guard !context.allowPast, instant < context.now else { return }
        throw past(
            "was \(RelativePhrase.text(from: context.now, to: instant))",
            sameTimeAhead.map { [$0] } ?? [])
    }

    func past(_ predicate: String, _ suggestions: [String]) -> PhraseError {
        PhraseError(
            phrase: text, range: 0..<text.utf8.count,
            reason: "‘\(PhraseParser.tidied(text))’ \(predicate).",
            suggestions: suggestions.map { PhraseError.Suggestion($0) },
            isPast: true)
    }
}

/// What to tell about a wall time that a clock change takes away or doubles.
enum ClockChange {
    static func notes(
        on wall: CivilDateTime, _ resolved: ResolvedTime, in zone: some ZoneRules
    ) -> [String] {
        let day = CivilText.date(wall.date)
        let time = CivilText.time(wall.time)
        switch resolved.kind {
        case .unique: return []
        case .gap:
            let moved = CivilText.time(zone.civil(at: resolved.instant).time)
            return [
                "‘\(time)’ does not exist on \(day) in \(zone.identifier), where the clock goes "
                    + "forward: \(moved) is taken."
            ]
        case .overlap:
            return [
                "‘\(time)’ comes twice on \(day) in \(zone.identifier), where the clock goes back: "
                    + "the first is taken."
            ]
        }
    }
}
