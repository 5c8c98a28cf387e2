import Calendaring
import RemindAPI
import RemindCore

/// Reads the phrases of a call, and says of which parameter an error is.
struct PhraseReading {
    let timetable: Timetable
    let settings: Settings
    let now: Instant

    /// What the phrases of a call mean together.
    struct Meaning {
        var deadline: RemindCore.Deadline
        var recurrence: Recurrence?
        var notes: [String]
    }

    /// The phrases of a call that say when.
    struct Deadline {
        /// WHEN, and the name of its parameter.
        var at: String?
        var atName = "at"
        /// DURATION
        var `in`: String?
        /// RULE
        var every: String?
        var rrule: String?
        var timeZone: String?
        var past = false

        /// All of them, as they were given.
        var text: String { [at, `in`, every, rrule].compactMap { $0 }.joined(separator: " ") }
    }

    /// - Returns: `nil` when there is no phrase.
    /// - Throws: `invalidPhrase`, `inThePast`, or `invalidArgument` for what cannot stand together.
    func meaning(of phrases: Deadline) throws(APIError) -> Meaning? {
        try refuseBoth("at", phrases.at, "in", phrases.in)
        try refuseBoth("every", phrases.every, "rrule", phrases.rrule)
        var context = PhraseContext(
            now: now, zones: timetable.zones, zone: try zone(named: phrases.timeZone),
            settings: settings)
        context.allowPast = phrases.past
        let first = try deadline(phrases, context)
        if let every = phrases.every {
            let rule = try read("every", every) { text throws(PhraseError) in
                try RuleText.parse(text)
            }
            switch rule {
            case .rrule(let rrule): return try meaning(rrule, "every", from: first, context)
            case .english(let rule):
                return try read("every", every) { _ throws(PhraseError) in
                    Meaning(try context.understand(rule, from: first?.deadline))
                }
            }
        }
        if let rrule = phrases.rrule { return try meaning(rrule, "rrule", from: first, context) }
        return first
    }

    private func refuseBoth(
        _ one: String, _ first: String?, _ other: String, _ second: String?
    ) throws(APIError) {
        guard first != nil, let second else { return }
        throw .invalidArgument(
            other, value: second, "‘\(one)’ and ‘\(other)’ cannot be given together.",
            hint: "Give one of them.")
    }

    private func deadline(
        _ phrases: Deadline, _ context: PhraseContext<SystemZones>
    ) throws(APIError) -> Meaning? {
        if let at = phrases.at {
            return try read(phrases.atName, at) { text throws(PhraseError) in
                Meaning(try context.understand(text))
            }
        }
        if let length = phrases.in {
            return try read("in", length) { text throws(PhraseError) in
                Meaning(try context.resolve(WhenPhrase(in: DurationPhrase.parse(text))))
            }
        }
        return nil
    }

    /// An RRULE is taken to the letter. Its series begins at the deadline that is given with it;
    /// else it counts from today, or from now when it has to do with hours.
    private func meaning(
        _ rrule: String, _ parameter: String, from first: Meaning?,
        _ context: PhraseContext<SystemZones>
    ) throws(APIError) -> Meaning {
        let rule = RecurrenceRule(text: rrule)
        let start = first?.deadline ?? beginning(of: rule, context)
        let schedule = timetable.schedule
        let found = try asked(parameter, rrule) { () throws(ScheduleError) in
            try schedule.firstOccurrence(of: rule, from: start)
        }
        guard let found else {
            throw .invalidArgument(
                parameter, value: rrule, "‘\(rrule)’ never happens.",
                hint: "Try FREQ=MONTHLY;BYMONTHDAY=-1 for the last day of each month.")
        }
        let recurrence = Recurrence(rule: rule, start: found)
        if let first {
            return Meaning(deadline: found, recurrence: recurrence, notes: first.notes)
        }
        let ahead = try asked(parameter, rrule) { () throws(ScheduleError) in
            try schedule.occurrences(of: recurrence, after: now, limit: 1)
        }
        return Meaning(
            deadline: ahead.first?.deadline ?? found, recurrence: recurrence, notes: [])
    }

    private func asked<Value>(
        _ parameter: String, _ value: String, _ body: () throws(ScheduleError) -> Value
    ) throws(APIError) -> Value {
        do { return try body() } catch {
            throw APIError(error, parameter: parameter, value: value)
        }
    }

    private func beginning(
        of rule: RecurrenceRule, _ context: PhraseContext<SystemZones>
    ) -> RemindCore.Deadline {
        let civil = context.zone.civil(at: now)
        let hourly = ["HOURLY", "MINUTELY", "SECONDLY", "BYHOUR", "BYMINUTE", "BYSECOND"]
        guard hourly.contains(where: rule.rrule.contains) else { return .date(civil.date) }
        return context.zoneIsExplicit
            ? .zoned(civil, zone: context.zone.identifier) : .floating(civil)
    }

    /// The first occurrences from now on; of what does not repeat, the deadline.
    func occurrences(of meaning: Meaning, limit: Int) -> [RemindCore.Deadline] {
        guard let recurrence = meaning.recurrence else { return [meaning.deadline] }
        let found = try? timetable.schedule.occurrences(of: recurrence, after: now, limit: limit)
        return found?.map(\.deadline) ?? []
    }

    func leadTimes(_ texts: [String]?) throws(APIError) -> [CalendarDuration]? {
        guard let texts else { return nil }
        guard texts.count <= Limits.leadTimes else {
            throw .invalidArgument(
                "before", value: "\(texts.count)",
                "A task has at most \(Limits.leadTimes) lead times.")
        }
        var result: [CalendarDuration] = []
        for text in texts {
            let duration = try read("before", text) { text throws(PhraseError) in
                try DurationPhrase.parse(text, allowsNegative: true)
            }
            if !result.contains(duration) { result.append(duration) }
        }
        return result
    }

    /// Seconds.
    func nag(_ text: String?) throws(APIError) -> Int64? {
        guard let text else { return nil }
        let duration = try read("nag", text) { text throws(PhraseError) in
            try DurationPhrase.parse(text)
        }
        let seconds =
            (timetable.instant(duration, after: now).milliseconds - now.milliseconds) / 1000
        guard seconds >= Limits.shortestNag else {
            throw .invalidArgument(
                "nag", value: text, "‘\(text)’ is too often to nag.",
                hint: "Nag every \(Limits.shortestNag) seconds or less often: --nag 5m")
        }
        return seconds
    }

    /// A DURATION from now, or a WHEN; `nil` when none is given.
    func instant(_ text: String?, parameter: String) throws(APIError) -> Instant? {
        guard let text else { return nil }
        if let duration = try? DurationPhrase.parse(text) {
            return timetable.instant(duration, after: now)
        }
        let meaning = try read(parameter, text) { text throws(PhraseError) in
            try PhraseContext(now: now, zones: timetable.zones, settings: settings)
                .understand(text)
        }
        guard meaning.recurrence == nil else {
            throw .invalidArgument(
                parameter, value: text, "‘\(text)’ repeats; one moment is needed here.",
                hint: "remindctl snooze REF 1h, or … 14:00")
        }
        return meaning.instant
    }

    /// - Throws: `invalidArgument` with near names.
    func zone(named name: String?) throws(APIError) -> SystemZone? {
        guard let name else { return nil }
        do { return try timetable.zones.zone(named: name) } catch {
            let near = error.suggestions.prefix(3).map { "--tz \($0)" }.joined(separator: ", ")
            throw .invalidArgument(
                "timeZone", value: name, "‘\(name)’ is no time zone that the system knows.",
                hint: near.isEmpty ? "Give an IANA name: --tz Europe/Paris" : "Try \(near).")
        }
    }

    private func read<Value>(
        _ parameter: String, _ text: String, _ body: (String) throws(PhraseError) -> Value
    ) throws(APIError) -> Value {
        do { return try body(text) } catch {
            throw .phrase(
                error.phrase, at: error.range, parameter: parameter, message: error.reason,
                hint: error.hint, isPast: error.isPast)
        }
    }
}

extension PhraseReading.Meaning {
    init(_ understanding: Understanding) {
        self.init(
            deadline: understanding.deadline, recurrence: understanding.recurrence,
            notes: understanding.notes)
    }
}

extension PhraseReading.Deadline {
    init(_ parameters: Add.Parameters) {
        self.init(
            at: parameters.at, in: parameters.in, every: parameters.every,
            rrule: parameters.rrule, timeZone: parameters.timeZone,
            past: parameters.past ?? false)
    }

    init(_ parameters: When.Parameters) {
        self.init(
            at: parameters.phrase, atName: "phrase", every: parameters.every,
            rrule: parameters.rrule, timeZone: parameters.timeZone)
    }
}
