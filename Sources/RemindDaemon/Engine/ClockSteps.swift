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
        try giveEndsBack(now)
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
        let rows = try store.log(of: reminder.number, limit: Self.rowsLooked)
        guard let last = rows.lazy.filter({ $0.at > now }).map(\.at).max() else { return }
        // A series has no occurrence before it was made: a clock that stands there is wrong itself, or
        // was wrong then. How long a nag or a snooze lasts does not hang on that.
        var changed = reminder
        if reminder.created <= now {
            changed =
                timetable.putBack(
                    reminder, to: now,
                    doneAhead: rows.contains { $0.kind == .done && $0.at > now },
                    hasRung: { point in rows.contains { $0.isRing(of: point) } }) ?? reminder
        }
        changed = changed.nagsFrom(now)
        let end = try snoozeAhead(reminder, now, rows)
        if let end { changed.alarm.snoozedUntil = end.moved }
        guard changed != reminder else { return }
        let armed = changed.rearmed(timetable.facts(for: changed, now: now))
        try store.transaction {
            try store.update(armed, due: timetable.dueInstant(of: armed))
            let through = max(last, aheadThrough ?? .earliest)
            try store.setMeta(Self.aheadKey, String(through.milliseconds))
            try end?.keep(in: store)
        }
        aheadThrough = max(last, aheadThrough ?? .earliest)
        if let end { note(end) }
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

    /// A snooze that was begun while the clock stood ahead is as long, from now.
    private func snoozeAhead(
        _ reminder: Reminder, _ now: Instant, _ rows: [LogEntry]
    ) throws(StoreError) -> MovedEnd? {
        guard reminder.alarm.state == .snoozed, let until = reminder.alarm.snoozedUntil,
            let row = rows.first(where: { $0.kind == .snoozed }), row.at > now
        else { return nil }
        return try counted(reminder.number, from: now, begun: row.at, until: until)
    }

    /// An end that is as far from now as it was from its beginning, and no later than it is. One that
    /// was counted anew before still knows what was asked for.
    private func counted(
        _ number: Int64, from now: Instant, begun: Instant, until: Instant
    ) throws(StoreError) -> MovedEnd {
        let before = try MovedEnd.all(in: store).first { $0.number == number && $0.moved == until }
        let asked = MovedEnd(
            number: number, begun: before?.begun ?? begun, until: before?.until ?? until,
            moved: until)
        return MovedEnd(
            number: number, begun: asked.begun, until: asked.until,
            moved: min(until, now.advanced(byMilliseconds: asked.length)))
    }

    /// A pause that was begun while the clock stood ahead is as long, from now.
    private func endPauseAhead(_ now: Instant) throws {
        guard let pause, pause != .latest, let begun = pauseBegan, begun > now else { return }
        let end = try counted(0, from: now, begun: begun, until: pause)
        try store.transaction {
            try storePause(end.moved, begun: now)
            try end.keep(in: store)
        }
        (self.pause, pauseBegan) = (end.moved, now)
        note(end)
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
    /// A ring that began after `now` is repeated counted from now.
    fileprivate func nagsFrom(_ now: Instant) -> Reminder {
        var changed = self
        if alarm.state == .ringing, nag != nil, let rang = alarm.ring?.rangAt, rang > now {
            changed.alarm.ring?.rangAt = now
        }
        return changed
    }
}
