import Calendaring
import RemindAPI
import RemindCore
import Store

/// `when`, `pause` and `log`: what phrases mean, what is held back, what has been.
extension Engine {
    /// Occurrences in one answer, at most and by default; rows of the log likewise.
    static let occurrencesLimit = 1000
    static let occurrencesDefault = 5
    static let logLimit = 10_000
    static let logDefault = 20

    /// Writes what a phrase means; stores nothing.
    func explain(_ parameters: When.Parameters, to json: inout JSONWriter) throws(APIError) {
        let count = try checked(
            "count", parameters.count, upTo: Self.occurrencesLimit, default: Self.occurrencesDefault
        )
        let now = try saidAt(parameters.now)
        let reading = PhraseReading(timetable: timetable, settings: settings, now: now)
        let phrases = PhraseReading.Deadline(parameters)
        guard let meaning = try reading.meaning(of: phrases) else {
            throw .invalidArgument(
                "phrase", value: "", "There is nothing to explain.",
                hint: "Give a phrase: remindctl when tomorrow 9am")
        }
        let zone =
            try reading.zone(named: meaning.deadline.zoneName ?? parameters.timeZone)
            ?? timetable.zones.local
        json.object { json in
            json.field("phrase", phrases.text)
            json.field("due", timetable.writer.due(of: meaning.deadline, in: zone))
            json.field("dateOnly", meaning.deadline.isDateOnly)
            json.field("timeZone", meaning.deadline.zoneName)
            json.field("rule", meaning.recurrence?.rule.text)
            let occurrences = reading.occurrences(of: meaning, limit: count)
            json.field("occurrences", occurrences.map { timetable.writer.due(of: $0, in: zone) })
            json.field("notes", meaning.notes)
            json.field(
                "understood",
                timetable.understood(
                    meaning.deadline, now: now, notes: ringNotes(of: meaning, now: now)))
        }
    }

    /// When a day without a time rings.
    private func ringNotes(of meaning: PhraseReading.Meaning, now: Instant) -> [String] {
        guard case .date(let date) = meaning.deadline else { return [] }
        let context = PhraseContext(now: now, zones: timetable.zones, settings: settings)
        let ring = context.ringTime(of: date)
        guard ring > now else { return [] }
        return ["Without a time it rings \(timetable.words(.absolute(ring)))."]
    }

    /// - Parameter text: RFC 3339, `nil`: the clock.
    func saidAt(_ text: String?) throws(APIError) -> Instant {
        guard let text else { return clock.now }
        guard let instant = Instant(rfc3339: text) else {
            throw .invalidArgument(
                "now", value: text, "‘\(text)’ is not a time with an offset.",
                hint: "Give it like \(timetable.rfc3339(clock.now))")
        }
        return instant
    }

    func checked(
        _ parameter: String, _ value: Int?, upTo limit: Int, default: Int
    ) throws(APIError) -> Int {
        let value = value ?? `default`
        guard (1...limit).contains(value) else {
            throw .invalidArgument(
                parameter, value: "\(value)", "‘\(value)’ is not a number from 1 to \(limit).",
                hint: "Give a number from 1 to \(limit).")
        }
        return value
    }

    func pause(_ parameters: Pause.Parameters, to json: inout JSONWriter) throws(APIError) {
        let now = clock.now
        let reading = PhraseReading(timetable: timetable, settings: settings, now: now)
        let until = try reading.instant(parameters.until, parameter: "until")
        try pause(until: until)
        json.object { json in
            json.field("until", until.map(timetable.rfc3339))
            json.field("understood", until.map { timetable.understood(.absolute($0), now: now) })
        }
    }

    func log(_ parameters: Log.Parameters, to json: inout JSONWriter) throws(APIError) {
        let limit = try checked(
            "limit", parameters.limit, upTo: Self.logLimit, default: Self.logDefault)
        var number: Int64?
        if let reference = parameters.reference { number = try findOne(reference).number }
        let entries = try storing { try store.log(of: number, limit: limit) }
        json.object { json in
            json.key("entries")
            json.array { json in for entry in entries { write(entry, to: &json) } }
        }
    }

    private func write(_ entry: LogEntry, to json: inout JSONWriter) {
        json.object { json in
            json.field("at", timetable.rfc3339(entry.at))
            json.field("kind", entry.kind.rawValue)
            json.field("number", entry.number)
            json.field("id", entry.reminder.text)
            json.field("title", entry.title)
            json.field("due", entry.due.map(timetable.rfc3339))
            let late = entry.late.map { CalendarDuration(seconds: $0 / 1000).iso8601 }
            json.field("late", late)
            json.field("missed", Int64(entry.missed))
            json.field("origin", entry.origin.rawValue)
            json.field("until", entry.until.map(timetable.rfc3339))
        }
    }
}
