import Calendaring
import RemindAPI
import RemindCore

/// The deadline and the repetition of a task that is changed.
extension Engine {
    /// Sets them anew, if the call says anything about them. What is not given stays: the old
    /// deadline is said again, its zone is kept, and a rule keeps its end and its dates.
    ///
    /// - Returns: what should be said about it.
    func reschedule(
        _ reminder: inout Reminder, _ parameters: Edit.Parameters, _ reading: PhraseReading
    ) throws(APIError) -> [String] {
        if parameters.at == "" || parameters.in == "" {
            (reminder.deadline, reminder.recurrence) = (nil, nil)
            return []
        }
        if parameters.every == "" || parameters.rrule == "" { reminder.recurrence = nil }
        var phrases = PhraseReading.Deadline(parameters)
        let zone = reminder.deadline?.zoneName
        let losesZone = parameters.timeZone == "" && zone != nil
        guard phrases.saysAnything || losesZone else { return [] }
        phrases.keptZone = losesZone ? nil : zone
        let kept = phrases.every == nil && phrases.rrule == nil ? reminder.recurrence : nil
        if let kept, kept.rule.basis == .schedule {
            phrases.rrule = timetable.rest(of: kept, from: reminder.deadline).rrule
        }
        guard let meaning = try meaning(of: phrases, beside: reminder.deadline, reading) else {
            return []
        }
        // The same occurrence of the same series.
        if kept != nil, meaning.deadline == reminder.deadline { return meaning.notes }
        reminder.recurrence =
            kept.map { timetable.moved($0, to: meaning) } ?? meaning.recurrence
        reminder.deadline = meaning.deadline
        return meaning.notes
    }

    /// - Parameter old: what is meant where the call names no other deadline.
    private func meaning(
        of phrases: PhraseReading.Deadline, beside old: Deadline?, _ reading: PhraseReading
    ) throws(APIError) -> PhraseReading.Meaning? {
        guard phrases.at == nil, phrases.in == nil, let old else {
            return try reading.meaning(of: phrases)
        }
        var said = phrases
        said.past = true
        guard phrases.namesTime else {
            said.at = PhrasePrinter(zone: timetable.zones.local).text(old)
            return try reading.meaning(of: said)
        }
        // The rule has a time of its own: it begins on the old day, or when that time has gone by
        // there, with its first match ahead.
        said.at = CivilText.date(timetable.schedule.day(of: old))
        let meaning = try reading.meaning(of: said)
        let begins = meaning.flatMap { try? timetable.schedule.instant(of: $0.deadline).instant }
        return begins ?? .latest > reading.now ? meaning : try reading.meaning(of: phrases)
    }
}

extension Timetable {
    /// The rule of what is left of a series from its current occurrence on.
    fileprivate func rest(of recurrence: Recurrence, from occurrence: Deadline?) -> RecurrenceRule {
        guard let occurrence else { return recurrence.rule }
        return (try? schedule.rest(of: recurrence, from: occurrence)) ?? recurrence.rule
    }

    /// A series that goes on at another time, with the dates that were added or taken out.
    fileprivate func moved(
        _ kept: Recurrence, to meaning: PhraseReading.Meaning
    ) -> Recurrence {
        let start = meaning.deadline
        // One that counts from its completion.
        guard var moved = meaning.recurrence else {
            return Recurrence(rule: kept.rule, start: start)
        }
        moved.additions = (try? schedule.moved(kept.additions, of: kept, to: start)) ?? []
        moved.exceptions = (try? schedule.moved(kept.exceptions, of: kept, to: start)) ?? []
        return moved
    }
}

extension PhraseReading.Deadline {
    init(_ parameters: Edit.Parameters) {
        func given(_ text: String?) -> String? { text == "" ? nil : text }
        self.init(
            at: given(parameters.at), in: given(parameters.in), every: given(parameters.every),
            rrule: given(parameters.rrule), timeZone: given(parameters.timeZone),
            past: parameters.past ?? false)
    }

    /// Anything at all about when.
    fileprivate var saysAnything: Bool {
        at != nil || self.in != nil || every != nil || rrule != nil || timeZone != nil
    }

    /// Whether the rule has a time of day.
    fileprivate var namesTime: Bool {
        guard let every, case .english(let rule)? = try? RuleText.parse(every) else { return false }
        return rule.namesTime
    }
}
