package import RemindCore

/// What `--at`, `--every`, `--rrule` and `--tz` mean together.
package struct Interpretation: Hashable, Sendable {
    /// When it is due; of a recurrence, its first occurrence. `nil` when nothing was said.
    package var deadline: Deadline?
    package var recurrence: Recurrence?
    /// What the user should be told about it. Whole English sentences.
    package var notes: [String] = []
}

/// Why it was not understood.
package enum NotUnderstood: Error, Hashable, Sendable {
    case phrase(PhraseError)
    case rule(RuleError)
    case zone(UnknownZone)
}

/// Joins phrases, rules and zones to deadlines and recurrences that do happen.
package struct Interpreter<Zones: ZoneDatabase>: Sendable {
    package let schedule: Schedule<Zones>

    package init(schedule: Schedule<Zones>) { self.schedule = schedule }

    /// - Parameters:
    ///   - when: a `WHEN`; it may be a rule itself.
    ///   - every: a `RULE` in English or as an RRULE; it repeats what `when` says, or begins with
    ///     the first match ahead.
    ///   - rrule: an RRULE, taken to the letter.
    ///   - tz: the zone in which wall times are read, and which the deadline keeps.
    ///   - allowPast: a deadline that lies in the past is accepted.
    /// - Throws: `NotUnderstood`; also for a rule that never happens.
    package func understand(
        when: String? = nil, every: String? = nil, rrule: String? = nil, tz: String? = nil,
        now: Instant, allowPast: Bool = false
    ) throws(NotUnderstood) -> Interpretation {
        let context = try context(tz: tz, now: now, allowPast: allowPast)
        let given = try when.map { text throws(NotUnderstood) in
            try phrase { () throws(PhraseError) in try context.understand(text) }
        }
        var understood = try join(given, every, rrule, in: context)
        understood.notes += notes(on: understood, given: given, in: context)
        return understood
    }

    private func join(
        _ given: Understanding?, _ every: String?, _ rrule: String?,
        in context: PhraseContext<Zones>
    ) throws(NotUnderstood) -> Interpretation {
        guard let text = rrule ?? every else { return try checked(given) }
        if let repeated = given?.recurrence?.rule {
            let what = "repeats already, by the phrase that was given; give one rule only"
            throw .rule(.wrong(text[...], what + " (\(repeated.rrule))"))
        }
        if rrule == nil, let every,
            case .english(let rule) = try phrase({ () throws(PhraseError) in
                try RuleText.parse(every)
            })
        {
            return try checked(
                phrase { () throws(PhraseError) in
                    try context.understand(rule, from: given?.deadline)
                })
        }
        return try repetition(text, from: given, in: context)
    }

    /// The first occurrences of what was understood, the deadline among them, at most `limit`.
    package func occurrences(
        of understood: Interpretation, limit: Int
    ) throws(ScheduleError) -> [Occurrence] {
        guard let deadline = understood.deadline else { return [] }
        let ring = try schedule.instant(of: deadline).instant
        guard let recurrence = understood.recurrence else {
            return [Occurrence(deadline: deadline, instant: ring)]
        }
        return try schedule.occurrences(
            of: recurrence, after: ring.advanced(byMilliseconds: -1), limit: limit)
    }
}

extension Interpreter {
    private func context(
        tz: String?, now: Instant, allowPast: Bool
    ) throws(NotUnderstood) -> PhraseContext<Zones> {
        var zone: Zones.Zone?
        if let tz {
            do { zone = try schedule.zones.zone(named: tz) } catch { throw .zone(error) }
        }
        return PhraseContext(
            now: now, zones: schedule.zones, zone: zone, settings: schedule.settings,
            allowPast: allowPast)
    }

    private func phrase<Value>(
        _ body: () throws(PhraseError) -> Value
    ) throws(NotUnderstood) -> Value {
        do { return try body() } catch { throw .phrase(error) }
    }

    private func scheduled<Value>(
        _ body: () throws(ScheduleError) -> Value
    ) throws(NotUnderstood) -> Value {
        do {
            return try body()
        } catch {
            switch error {
            case .zone(let unknown): throw .zone(unknown)
            case .rule(let wrong): throw .rule(wrong)
            }
        }
    }

    /// An English rule has been read; whether it ever happens is seen here.
    private func checked(_ meaning: Understanding?) throws(NotUnderstood) -> Interpretation {
        guard let meaning else { return Interpretation() }
        if let recurrence = meaning.recurrence {
            let first = try scheduled { () throws(ScheduleError) in
                try schedule.firstOccurrence(of: recurrence.rule, from: meaning.deadline)
            }
            guard first != nil else { throw .rule(.never(recurrence.rule.rrule)) }
        }
        return Interpretation(
            deadline: meaning.deadline, recurrence: meaning.recurrence, notes: meaning.notes)
    }

    /// An RRULE: its first match at or after the deadline that was given, else the first ahead.
    private func repetition(
        _ text: String, from given: Understanding?, in context: PhraseContext<Zones>
    ) throws(NotUnderstood) -> Interpretation {
        let parsed: ParsedRule
        do { parsed = try ParsedRule(text) } catch { throw .rule(error) }
        let rule = RecurrenceRule(rrule: parsed.text)
        let first = try scheduled { () throws(ScheduleError) in
            if let given {
                try schedule.firstOccurrence(of: rule, from: given.deadline)
            } else {
                try schedule.occurrences(
                    of: Recurrence(
                        rule: RecurrenceRule(rrule: parsed.withoutCount),
                        start: start(of: parsed, in: context)),
                    after: context.now, limit: 1
                ).first?.deadline
            }
        }
        guard let first else { throw .rule(.never(parsed.text)) }
        return Interpretation(
            deadline: first, recurrence: Recurrence(rule: rule, start: first),
            notes: given?.notes ?? [])
    }

    /// Where a rule begins to count that was given without a deadline: now for elapsed time, today
    /// for the rest; without times of its own it is date only.
    private func start(of rule: ParsedRule, in context: PhraseContext<Zones>) -> Deadline {
        let today = context.zone.civil(at: context.now).date
        if rule.isElapsed { return .absolute(context.now) }
        if !rule.namesTimes, rule.frequency >= .daily { return .date(today) }
        let midnight = CivilDateTime(today, .midnight)
        return context.zoneIsExplicit
            ? .zoned(midnight, zone: context.zone.identifier) : .floating(midnight)
    }
}

extension ParsedRule {
    /// The same rule, for a series that has not begun to count.
    var withoutCount: String {
        text.split(separator: ";").filter { !$0.hasPrefix("COUNT=") }.joined(separator: ";")
    }
}

extension RuleError {
    static func never(_ rule: String) -> RuleError {
        .wrong(rule[...], "never happens; choose days that exist, and an end that is still ahead")
    }
}
