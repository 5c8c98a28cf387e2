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
        if after.deadline != before.deadline {
            after.restartAlarm(now: now, timetable: timetable)
        } else if isMoved || after.nag != before.nag {
            after.goOn(from: before, now: now, timetable: timetable)
        }
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
}

extension Reminder {
    /// The schedule is another one: what rang or was silenced by the old one does not count.
    fileprivate mutating func restartAlarm(now: Instant, timetable: Timetable) {
        scheduled = deadline == nil ? nil : now
        alarm = Alarm(state: .pending, rings: alarm.rings)
        self = rearmed(timetable.facts(for: self, now: now))
    }

    /// The occurrence is the same one, with other rings: what rings or is snoozed goes on, what was
    /// answered stays so, and a lead time that has gone by does not ring.
    mutating func goOn(from former: Reminder, now: Instant, timetable: Timetable) {
        let isUpToDate = timetable.facts(for: former, now: now).due == nil
        // What rang by a calendar's alarms is measured on another wall.
        if plan != former.plan { alarm.rungThrough = nil }
        if isUpToDate, let position = timetable.position(of: now, for: self) {
            alarm.rungThrough = max(alarm.rungThrough ?? .min, position - 1)
        }
        self = rearmed(timetable.facts(for: self, now: now))
    }
}
