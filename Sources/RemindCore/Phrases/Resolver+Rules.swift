/// Rules: the first occurrence, and the RRULE that repeats it.
extension Resolver {
    func understanding(
        of rule: RulePhrase, from start: Deadline?
    ) throws(PhraseError) -> Understanding {
        let series = try Series(rule, start, self)
        if case .elapsed(let seconds) = rule.cycle {
            return try elapsed(rule, seconds: seconds, series)
        }
        let date = try firstDate(of: rule, series)
        let deadline = series.deadline(on: date, self)
        let first = series.instant(of: date, self)
        let until = try until(rule, series)
        guard until.map({ first <= $0.instant }) ?? true else { throw endsBefore() }
        let rrule = RRuleText.text(
            of: rule, anchor: series.base, times: series.times,
            weekStart: context.settings.weekStart, until: until?.text)
        var notes: [String] = []
        if let time = series.time(on: date, self) {
            let wall = CivilDateTime(date, time)
            notes = ClockChange.notes(on: wall, series.zone.resolve(wall), in: series.zone)
        }
        return Understanding(
            deadline: deadline,
            instant: series.time == nil ? context.ringTime(of: date) : first, notes: notes,
            recurrence: Recurrence(
                rule: RecurrenceRule(rrule: rrule, basis: rule.basis), start: deadline))
    }

    /// Where a series stands: its zone, its time of day and the day it counts from.
    struct Series {
        let zone: Zone
        /// `nil`: date only.
        let time: CivilTime?
        /// When the rule has several: all of them, in order.
        let times: [CivilTime]
        let base: CivilDate
        /// The deadline given beside the rule, as an instant; occurrences do not come before it.
        let anchor: Instant?
        /// The rule names the day it starts on.
        let isStarted: Bool
        /// That deadline is a day, and the rule has the time.
        let isDay: Bool

        init(
            _ rule: RulePhrase, _ start: Deadline?, _ resolver: Resolver
        ) throws(PhraseError) {
            let (zone, wall, date) = try resolver.place(of: start, rule)
            times = try resolver.times(of: rule)
            let said = rule.time.map { resolver.clock(of: $0) }
            let startTime = rule.starting == nil ? nil : times.first
            if let wall, said != nil, !times.contains(wall.time) {
                throw resolver.otherTime(in: rule, than: CivilText.time(wall.time))
            }
            self.zone = zone
            isStarted = rule.starting != nil
            isDay = wall == nil && date != nil && !times.isEmpty
            time = times.contains { $0 == wall?.time } ? wall?.time : times.first ?? wall?.time
            let today = zone.civil(at: resolver.context.now).date
            if let day = rule.starting {
                let clock = startTime.map { TimeSyntax.Clock(time: $0) }
                base = try resolver.date(of: day, at: clock, in: zone)
                guard base >= today || resolver.context.allowPast else {
                    throw resolver.past("starts on a day that has gone by", [])
                }
            } else {
                base = date ?? today
            }
            if case .absolute(let instant) = start {
                anchor = instant
            } else {
                let allDay = resolver.context.settings.allDayTime
                anchor = date.map { date in
                    zone.resolve(wall ?? CivilDateTime(date, allDay)).instant
                }
            }
        }

        /// The time of the first occurrence, which is on that day: the first that is still ahead.
        func time(on date: CivilDate, _ resolver: Resolver) -> CivilTime? {
            guard times.count > 1 else { return time }
            if anchor != nil, !isDay { return date == base ? time : times.first }
            let now = resolver.context.now
            return times.first { zone.resolve(CivilDateTime(date, $0)).instant > now }
                ?? times.first
        }

        func deadline(on date: CivilDate, _ resolver: Resolver) -> Deadline {
            guard let time = time(on: date, resolver) else { return .date(date) }
            let wall = CivilDateTime(date, time)
            guard case .fixed = zone else { return resolver.deadline(wall, in: zone) }
            return .zoned(wall, zone: zone.identifier)
        }

        /// When it rings; of a date, at `AllDayTime`.
        func instant(of date: CivilDate, _ resolver: Resolver) -> Instant {
            let allDay = resolver.context.settings.allDayTime
            let time = time(on: date, resolver) ?? allDay
            return zone.resolve(CivilDateTime(date, time)).instant
        }
    }

    fileprivate func otherTime(in rule: RulePhrase, than first: String) -> PhraseError {
        PhraseError(
            phrase: text, range: 0..<text.utf8.count,
            reason: "‘\(text)’ names another time of day than the first occurrence has (\(first)).",
            suggestions: [PhraseError.Suggestion(replacing(rule.timesPlace, with: first))])
    }

    /// The zone, wall time and date of the deadline beside a rule.
    fileprivate func place(
        of start: Deadline?, _ rule: RulePhrase
    ) throws(PhraseError) -> (Zone, CivilDateTime?, CivilDate?) {
        let named = rule.zone == nil ? nil : try zone(rule.zone)
        if case .fixed(let fixed)? = named, fixed.seconds != 0 {
            throw PhraseError(
                phrase: text, range: 0..<text.utf8.count,
                reason: "‘\(text)’ repeats in a zone that has only an offset; name the zone, so "
                    + "that its clock changes are kept.",
                suggestions: ["every day at 9:00 UTC", "every day at 9:00 Europe/Paris"].map {
                    PhraseError.Suggestion($0)
                })
        }
        switch start {
        case nil: return (named ?? zoneInForce, nil, nil)
        case .date(let date): return (named ?? zoneInForce, nil, date)
        case .floating(let wall): return (named ?? zoneInForce, wall, wall.date)
        case .zoned(let wall, let name):
            let own = Zone.named(try namedZone(name, 0..<text.utf8.count))
            return (named ?? own, wall, wall.date)
        case .absolute(let instant):
            let zone = named ?? zoneInForce
            let wall = zone.civil(at: instant)
            return (zone, wall, wall.date)
        }
    }

    // MARK: Elapsed intervals

    private func elapsed(
        _ rule: RulePhrase, seconds: Int64, _ series: Series
    ) throws(PhraseError) -> Understanding {
        var first = context.now.advanced(bySeconds: seconds)
        if let time = series.time, rule.starting != nil {
            first = series.zone.resolve(CivilDateTime(series.base, time)).instant
        } else if let anchor = series.anchor {
            first = anchor
        }
        guard first < .latest else { throw beyondCalendar() }
        let until = try until(rule, series)
        guard until.map({ first <= $0.instant }) ?? true else { throw endsBefore() }
        let start = Deadline.absolute(first)
        let rrule = RRuleText.text(
            of: rule, anchor: series.base, times: [], weekStart: context.settings.weekStart,
            until: until?.text)
        return Understanding(
            deadline: start, instant: first,
            recurrence: Recurrence(
                rule: RecurrenceRule(rrule: rrule, basis: rule.basis), start: start))
    }

    // MARK: Ends

    private func until(
        _ rule: RulePhrase, _ series: Series
    ) throws(PhraseError) -> (text: String, instant: Instant)? {
        guard let until = rule.until else { return nil }
        let clock = until.time.map { self.clock(of: $0) }
        let date = try date(of: until.day, at: clock, in: series.zone)
        let lastSecond = CivilTime(hour: 23, minute: 59, second: 59) ?? .midnight
        let end = wall(date, clock ?? TimeSyntax.Clock(time: lastSecond))
        let instant = series.zone.resolve(end).instant
        guard instant >= context.now else { throw endsBefore() }
        if case .elapsed = rule.cycle { return (RRuleText.utc(instant), instant) }
        guard series.time != nil else { return (RRuleText.date(end.date), instant) }
        if case .inForce(_, isExplicit: false) = series.zone {
            return (RRuleText.local(end), instant)
        }
        return (RRuleText.utc(instant), instant)
    }

    private func endsBefore() -> PhraseError {
        PhraseError(
            phrase: text, range: 0..<text.utf8.count,
            reason: "‘\(text)’ ends before its first occurrence.",
            suggestions: [PhraseError.Suggestion("every day until end of next month")])
    }
}
