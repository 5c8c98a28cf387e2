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
        fileprivate var understood: Interpretation
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
        /// As it was named in the call.
        var timeZone: String?
        /// That of the deadline which is there, when none is named.
        var keptZone: String?
        var past = false

        /// All of them, as they were given.
        var text: String { [at, `in`, every, rrule].compactMap { $0 }.joined(separator: " ") }
    }

    /// - Returns: `nil` when there is no phrase.
    /// - Throws: `invalidPhrase`, `inThePast`, or `invalidArgument` for what cannot stand together.
    func meaning(of phrases: Deadline) throws(APIError) -> Meaning? {
        try refuseBoth("at", phrases.at, "in", phrases.in)
        try refuseBoth("every", phrases.every, "rrule", phrases.rrule)
        try refuseTwoRules(phrases)
        try refuseAbbreviation(phrases.timeZone)
        var when = phrases.at
        if let length = phrases.in {
            _ = try read("in", length) { text throws(PhraseError) in
                try DurationPhrase.parse(text)
            }
            when = length
        }
        if when == nil, phrases.every == nil, phrases.rrule == nil {
            guard let zone = phrases.timeZone else { return nil }
            // The hint repeats the name, so it must be one.
            _ = try self.zone(named: zone)
            throw .invalidArgument(
                "timeZone", value: zone,
                "There is no deadline that ‘\(zone)’ could be the zone of.",
                hint: "Say when: --at \"9:00\" --tz \(zone)")
        }
        let understood: Interpretation
        do {
            understood = try interpreter.understand(
                when: when, every: phrases.every, rrule: phrases.rrule,
                tz: phrases.timeZone ?? phrases.keptZone, now: now, allowPast: phrases.past)
        } catch {
            throw APIError(error, phrases)
        }
        return understood.deadline.map {
            Meaning(
                deadline: $0, recurrence: understood.recurrence,
                notes: understood.notes,
                understood: understood)
        }
    }

    private var interpreter: Interpreter<SystemZones> { Interpreter(schedule: timetable.schedule) }

    private func refuseBoth(
        _ one: String, _ first: String?, _ other: String, _ second: String?
    ) throws(APIError) {
        guard first != nil, let second else { return }
        throw .invalidArgument(
            other, value: second, "‘\(one)’ and ‘\(other)’ cannot be given together.",
            hint: "Give one of them.")
    }

    private func refuseTwoRules(_ phrases: Deadline) throws(APIError) {
        guard let when = phrases.at, let rule = phrases.every ?? phrases.rrule,
            (try? WhenPhrase.parse(when))?.isRule == true
        else { return }
        throw .invalidArgument(
            phrases.every == nil ? "rrule" : "every", value: rule,
            "‘\(when)’ repeats, and so does ‘\(rule)’: a reminder has one rule.",
            hint: "Give one of them: --every \"\(when)\"")
    }

    /// The first occurrences; of what does not repeat, the deadline.
    func occurrences(of meaning: Meaning, limit: Int) -> [RemindCore.Deadline] {
        let found = try? interpreter.occurrences(of: meaning.understood, limit: limit)
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
                try DurationPhrase.parse(text)
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
        // A day is 24 hours here, whatever the clock does in the coming ones.
        let wall = timetable.zones.local.civil(at: now)
        let seconds = wall.adding(duration).secondsSinceEpoch - wall.secondsSinceEpoch
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
        let context = PhraseContext(now: now, zones: timetable.zones, settings: settings)
        let meaning = try read(parameter, text) { text throws(PhraseError) in
            try context.understandOnce(text)
        }
        return meaning.instant
    }

    /// - Throws: `invalidArgument` with near names.
    func zone(named name: String?) throws(APIError) -> SystemZone? {
        guard let name else { return nil }
        try refuseAbbreviation(name)
        do { return try timetable.zones.zone(named: name) } catch { throw APIError(error) }
    }

    /// An abbreviation is refused as in a phrase, although tzdata has zones of such names:
    /// `EST` is one that knows no summer time.
    private func refuseAbbreviation(_ name: String?) throws(APIError) {
        guard let name, let meanings = ZoneAbbreviations.meanings(of: name) else { return }
        throw .invalidArgument(
            "timeZone", value: name, ZoneAbbreviations.reason(name),
            hint: "Try \(meanings.map { "--tz \($0)" }.joined(separator: ", ")).")
    }

    private func read<Value>(
        _ parameter: String, _ text: String, _ body: (String) throws(PhraseError) -> Value
    ) throws(APIError) -> Value {
        do { return try body(text) } catch { throw APIError(error, parameter: parameter) }
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
            rrule: parameters.rrule, timeZone: parameters.timeZone,
            past: parameters.past ?? false)
    }
}
