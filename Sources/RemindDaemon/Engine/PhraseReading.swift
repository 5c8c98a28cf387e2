import Calendaring
import RemindAPI
import RemindCore

/// Reads the phrases of a call, and says of which parameter an error is.
struct PhraseReading {
    let timetable: Timetable
    let settings: Settings
    let now: Instant

    /// What a deadline was given as.
    struct Meaning {
        var deadline: Deadline
        var recurrence: Recurrence?
        var notes: [String]
    }

    /// The deadline of a new task; `nil` when it has none.
    /// - Throws: `invalidPhrase`, `inThePast`, or `invalidArgument` for what cannot stand together.
    func deadline(of parameters: Add.Parameters) throws(APIError) -> Meaning? {
        guard parameters.at == nil || parameters.in == nil else {
            throw .invalidArgument(
                "in", value: parameters.in ?? "", "‘at’ and ‘in’ cannot both say when.",
                hint: "Give one of them.")
        }
        let context = try context(parameters)
        if let at = parameters.at {
            return try read("at", at) { text throws(PhraseError) in
                Meaning(try context.understand(text))
            }
        }
        if let length = parameters.in {
            return try read("in", length) { text throws(PhraseError) in
                let duration = try DurationPhrase.parse(text)
                return Meaning(try context.resolve(WhenPhrase(in: duration)))
            }
        }
        return nil
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
            try context(nil).understand(text)
        }
        guard meaning.recurrence == nil else {
            throw .invalidArgument(
                parameter, value: text, "‘\(text)’ repeats; one moment is needed here.",
                hint: "remindctl snooze REF 1h, or … 14:00")
        }
        return meaning.instant
    }

    private func context(_ parameters: Add.Parameters) throws(APIError) -> PhraseContext<
        SystemZones
    > {
        var zone: SystemZone?
        if let name = parameters.timeZone {
            do { zone = try timetable.zones.zone(named: name) } catch {
                let near = error.suggestions.prefix(3).map { "--tz \($0)" }.joined(separator: ", ")
                throw .invalidArgument(
                    "timeZone", value: name, "‘\(name)’ is no time zone that the system knows.",
                    hint: near.isEmpty ? "Give an IANA name: --tz Europe/Paris" : "Try \(near).")
            }
        }
        var context = context(zone)
        context.allowPast = parameters.past ?? false
        return context
    }

    private func context(_ zone: SystemZone?) -> PhraseContext<SystemZones> {
        PhraseContext(now: now, zones: timetable.zones, zone: zone, settings: settings)
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
