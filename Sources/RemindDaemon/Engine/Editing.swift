import Calendaring
import RemindAPI
import RemindCore
import Store

/// Changing a task.
extension Engine {
    /// - Returns: the reminder as it now is, and what was changed, in words.
    func edit(_ parameters: Edit.Parameters) throws(APIError) -> (Reminder, Understood) {
        let now = clock.now
        let before = try findOne(parameters.reference)
        var after = before
        var texts = Texts(parameters)
        texts.tags = texts.tags?.filter { !$0.isEmpty }
        try fill(&after, with: texts)
        let reading = PhraseReading(timetable: timetable, settings: settings, now: now)
        let notes = try reschedule(&after, parameters, reading)
        let leadTimes = parameters.before?.filter { !$0.isEmpty }
        if let leads = try reading.leadTimes(leadTimes) { after.before = leads }
        if let nag = parameters.nag { after.nag = nag.isEmpty ? nil : try reading.nag(nag) }
        guard after != before else {
            let answer = AnswerText(before, was: before, timetable, now: now)
            return (before, answer.understood(["nothing changed"]))
        }
        after.modified = now
        let isMoved =
            after.deadline != before.deadline || after.recurrence != before.recurrence
            || after.before != before.before
        // It does not ring any more as the calendar says that it came from.
        if isMoved { after.plan = nil }
        if isMoved { after.restartAlarm(now: now, timetable: timetable) }
        try store(after, was: before)
        let answer = AnswerText(after, was: before, timetable, now: now)
        let changes = answer.removals + answer.changes(given: texts)
        return (after, answer.understood(changes, notes: notes))
    }

    private func store(_ after: Reminder, was before: Reminder) throws(APIError) {
        try storing {
            try commit(UserChange(.edit, at: clock.now)) {
                try writeUnrecorded(after.number)
                try store.update(after, due: timetable.dueInstant(of: after))
            }
        }
        afterCommit(mayBeDue: true) { engine in
            engine.unrecorded[after.number] = nil
            engine.schedule(after)
            let rings = after.alarm.state == .ringing
            if !rings { engine.forget(after) }
            engine.updateScreen(shown: rings ? [after] : [], closed: rings ? [] : [before])
            engine.runHooks(heldBackBefore: [after])
            engine.tell(.changed, after)
        }
    }

    /// Sets the deadline and the repetition anew, if the call says anything about them.
    /// - Returns: what should be said about it.
    private func reschedule(
        _ reminder: inout Reminder, _ parameters: Edit.Parameters, _ reading: PhraseReading
    ) throws(APIError) -> [String] {
        if parameters.at == "" || parameters.in == "" {
            (reminder.deadline, reminder.recurrence) = (nil, nil)
            return []
        }
        if parameters.every == "" || parameters.rrule == "" { reminder.recurrence = nil }
        var phrases = PhraseReading.Deadline(parameters)
        guard phrases.saysAnything else { return [] }
        // What is not given stays: the old deadline is said again, the old rule is kept.
        if phrases.at == nil, phrases.in == nil, let deadline = reminder.deadline {
            phrases.at = PhrasePrinter(zone: timetable.zones.local).text(deadline)
            phrases.past = true
            phrases.keptZone = deadline.zoneName
        }
        let kept = phrases.every == nil && phrases.rrule == nil ? reminder.recurrence : nil
        if let kept, kept.rule.basis == .schedule { phrases.rrule = kept.rule.rrule }
        guard let meaning = try reading.meaning(of: phrases) else { return [] }
        reminder.deadline = meaning.deadline
        reminder.recurrence = kept?.rule.basis == .completion ? kept : meaning.recurrence
        return meaning.notes
    }
}

extension Reminder {
    /// The schedule is another one: what rang or was silenced by the old one does not count.
    fileprivate mutating func restartAlarm(now: Instant, timetable: Timetable) {
        scheduled = deadline == nil ? nil : now
        alarm = Alarm(state: .pending, rings: alarm.rings)
        self = rearmed(timetable.facts(for: self, now: now))
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
}
