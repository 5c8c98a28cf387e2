import Calendaring
import RemindAPI
import RemindCore
import Store

/// A wall clock that stood ahead (a wrong RTC, a wrong NTP server) and was put back, while we ran or
/// between two runs. The log says what rang meanwhile: that has rung and does not ring again. What it
/// passed over rings at its time, and what was counted from the wrong time is counted from now.
extension Engine {
    private static let aheadKey = "clock-was-at"
    /// Rows of the log of one reminder that are looked at.
    private static let rowsLooked = 1000

    /// Brings what is ahead of the clock though it has rung in line. Once after each start and after
    /// each step of the clock; the wheel is built anew afterwards.
    func followClock() throws {
        guard !followsClock else { return }
        let now = clock.now
        aheadThrough = try store.meta(Self.aheadKey).flatMap { Int64($0) }
            .map(Instant.init(milliseconds:))
        try endPauseAhead(now)
        guard try store.newestOfLog() ?? now > now else {
            followsClock = true
            return
        }
        for number in try store.alarmsAhead(of: now) {
            guard let reminder = try store.reminder(number: number) else { continue }
            try followClock(reminder, now)
        }
        followsClock = true
    }

    private func followClock(_ reminder: Reminder, _ now: Instant) throws {
        // A clock that stands before the reminder was made is wrong itself.
        guard reminder.created <= now else { return }
        let rows = try store.log(of: reminder.number, limit: Self.rowsLooked)
        guard let last = rows.lazy.filter({ $0.at > now }).map(\.at).max() else { return }
        var changed = timetable.putBack(
            reminder, to: now,
            doneAhead: rows.contains { $0.kind == .done && $0.at > now },
            hasRung: { point in rows.contains { $0.isRing(of: point) } })
        changed = (changed ?? reminder).countedFrom(now, rows)
        guard let changed, changed != reminder else { return }
        let armed = changed.rearmed(timetable.facts(for: changed, now: now))
        try store.transaction {
            try store.update(armed, due: timetable.dueInstant(of: armed))
            let through = max(last, aheadThrough ?? .earliest)
            try store.setMeta(Self.aheadKey, String(through.milliseconds))
        }
        aheadThrough = max(last, aheadThrough ?? .earliest)
        Journal.notice("the clock was ahead: #\(reminder.number) is counted from now again")
        tell(.changed, armed)
    }

    /// What is due of a reminder; without what rang while the clock stood ahead.
    func due(_ reminder: inout Reminder, now: Instant) throws(StoreError) -> ScheduleFacts {
        var facts = timetable.facts(for: reminder, now: now)
        guard let ahead = aheadThrough else { return facts }
        while let point = facts.due, point.instant <= ahead {
            let rows = try store.log(of: reminder.number, limit: Self.rowsLooked)
            guard rows.contains(where: { $0.isRing(of: point) }) else { return facts }
            if reminder.recurrence != nil { reminder.deadline = point.occurrence }
            if rows.contains(where: { $0.kind == .done && $0.due == point.due }),
                let next = timetable.next(after: reminder, completedAt: now)
            {
                reminder.deadline = next
            }
            let rung = max(point.position, reminder.alarm.rungThrough ?? .min)
            guard rung != reminder.alarm.rungThrough else { return facts }
            reminder.alarm.rungThrough = rung
            facts = timetable.facts(for: reminder, now: now)
        }
        return facts
    }

    /// A pause that was begun while the clock stood ahead is as long, from now.
    private func endPauseAhead(_ now: Instant) throws {
        guard let pause, pause != .latest, let begun = pauseBegan, begun > now else { return }
        let length = max(0, pause.milliseconds - begun.milliseconds)
        let until = now.advanced(byMilliseconds: length)
        try store.transaction { try storePause(until, begun: now) }
        (self.pause, pauseBegan) = (until, now)
    }
}

extension LogEntry {
    /// Whether it tells of the ring at a point, rather than of a nag or the end of a snooze.
    fileprivate func isRing(of point: RingPoint) -> Bool {
        kind == .rang && due == point.due
            && at.advanced(byMilliseconds: -(late ?? 0)) == point.instant
    }
}

extension Reminder {
    /// A ring and a snooze that began after `now` count from now.
    fileprivate func countedFrom(_ now: Instant, _ rows: [LogEntry]) -> Reminder {
        var changed = self
        if alarm.state == .ringing, nag != nil, let rang = alarm.ring?.rangAt, rang > now {
            changed.alarm.ring?.rangAt = now
        }
        if alarm.state == .snoozed, let until = alarm.snoozedUntil,
            let row = rows.first(where: { $0.kind == .snoozed }), row.at > now
        {
            let length = max(0, until.milliseconds - row.at.milliseconds)
            changed.alarm.snoozedUntil = min(until, now.advanced(byMilliseconds: length))
        }
        return changed
    }
}
