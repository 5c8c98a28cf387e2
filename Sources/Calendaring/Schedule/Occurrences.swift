package import RemindCore

/// One date of a series: as it is written, and when it rings by itself.
package struct Occurrence: Hashable, Sendable {
    package let deadline: Deadline
    package let instant: Instant

    package init(deadline: Deadline, instant: Instant) {
        (self.deadline, self.instant) = (deadline, instant)
    }
}

extension Schedule {
    /// The occurrence of a series that follows `occurrence`; `nil` when there is none any more or
    /// the reminder does not repeat.
    ///
    /// - Parameter completed: when the reminder was done; a rule that counts from its completion
    ///   counts from here.
    package func nextOccurrence(
        of reminder: Reminder, after occurrence: Deadline, completed: Instant
    ) throws(ScheduleError) -> Deadline? {
        if let plan = plan(of: reminder) {
            return try plan.occurrence(after: instant(of: occurrence).instant)
        }
        guard let recurrence = reminder.recurrence else { return nil }
        if recurrence.rule.basis == .completion {
            return try self.occurrence(of: recurrence, completed: completed)
        }
        let series = try self.series(of: recurrence)
        let position = try self.position(of: occurrence, on: series.wall)
        return series.first(from: position + 1).map(series.wall.deadline)
    }

    /// The occurrence of a reminder that repeats which is due at `instant`, else the first after it.
    package func occurrence(
        of reminder: Reminder, from instant: Instant
    ) throws(ScheduleError) -> Deadline? {
        let before = instant.advanced(byMilliseconds: -1)
        if let plan = plan(of: reminder) { return try plan.occurrence(after: before) }
        guard let recurrence = reminder.recurrence else { return nil }
        return try occurrences(of: recurrence, after: before, limit: 1).first?.deadline
    }

    /// The first occurrences that ring after `instant`, at most `limit`. A rule that counts from
    /// its completion is taken as if each were done on its day.
    package func occurrences(
        of recurrence: Recurrence, after instant: Instant, limit: Int
    ) throws(ScheduleError) -> [Occurrence] {
        let series = try self.series(of: recurrence)
        let wall = series.wall
        var position = wall.position(of: instant) - wall.slack(near: instant)
        var found: [Occurrence] = []
        while found.count < limit, let next = series.first(from: position) {
            let ring = wall.resolve(ringPosition(next, on: wall, scheduled: nil)).instant
            if ring > instant {
                found.append(Occurrence(deadline: wall.deadline(at: next), instant: ring))
            }
            position = next + 1
        }
        return found
    }

    /// The first occurrence at or after `start` of a rule whose series begins there; `nil` when it
    /// never happens.
    package func firstOccurrence(
        of rule: RecurrenceRule, from start: Deadline
    ) throws(ScheduleError) -> Deadline? {
        let series = try self.series(of: Recurrence(rule: rule, start: start))
        return series.first(from: series.wall.position(of: start)).map(series.wall.deadline)
    }
}

extension Schedule {
    /// The occurrences of a reminder from its current deadline on.
    func series(
        of reminder: Reminder, deadline: Deadline
    ) throws(ScheduleError) -> Series<Zones.Zone> {
        guard let recurrence = reminder.recurrence, recurrence.rule.basis == .schedule else {
            let wall = try self.wall(of: deadline)
            return Series(wall: wall, current: wall.position(of: deadline))
        }
        var series = try self.series(of: recurrence)
        series.current = try position(of: deadline, on: series.wall)
        return series
    }

    /// All occurrences of a recurrence. Each addition and exception is put on the wall of its
    /// start.
    func series(of recurrence: Recurrence) throws(ScheduleError) -> Series<Zones.Zone> {
        let rule = try rule(of: recurrence)
        var wall = try self.wall(of: recurrence.start)
        if rule.isElapsed {
            // Elapsed time goes on through clock changes, where wall times do not.
            let anchor = wall.resolve(wall.position(of: recurrence.start)).instant
            wall = Wall(
                kind: .absolute(fraction: anchor.milliseconds.floorModulo(1000)), zone: wall.zone)
        }
        var series = Series(wall: wall)
        let start = try position(of: recurrence.start, on: wall)
        let end = self.end(of: rule, on: wall)
        series.rule = RulePositions(rule: rule, start: start, end: end)
        if case .instant(let until) = rule.until, wall.kind != .date { series.until = until }
        for addition in recurrence.additions {
            series.additions.append(try positionOfAddition(addition, start: start, on: wall))
        }
        series.additions.sort()
        for exception in recurrence.exceptions {
            if case .date(let date) = exception, wall.kind != .date {
                series.exceptionDays.insert(Int64(date.daysSinceEpoch) * 86_400)
            } else {
                series.exceptions.insert(try position(of: exception, on: wall))
            }
        }
        return series
    }

    /// The rule of a recurrence as its start allows it: a date has no use for hours, minutes and
    /// seconds (RFC 5545 section 3.3.10), and cannot repeat within a day.
    func rule(of recurrence: Recurrence) throws(ScheduleError) -> ParsedRule {
        do throws(RuleError) {
            let rule = try ParsedRule(recurrence.rule.rrule)
            guard recurrence.start.isDateOnly else { return rule }
            guard rule.frequency >= .daily else { throw RuleError.needsTime(rule) }
            return rule.withoutTimes
        } catch {
            throw .rule(error)
        }
    }

    /// Where a deadline lies on a wall, whatever zone it is written in.
    func position(
        of deadline: Deadline, on wall: Wall<Zones.Zone>
    ) throws(ScheduleError) -> Int64 {
        if case .zoned(let civil, let zone) = deadline, wall.kind != .zoned(zone) {
            let instant = try self.zone(of: deadline).resolve(civil).instant
            return wall.position(of: Deadline.absolute(instant))
        }
        return wall.position(of: deadline)
    }

    /// An added date without a time takes the time of the series.
    private func positionOfAddition(
        _ addition: Deadline, start: Int64, on wall: Wall<Zones.Zone>
    ) throws(ScheduleError) -> Int64 {
        let position = try self.position(of: addition, on: wall)
        guard addition.isDateOnly, wall.kind != .date else { return position }
        return position + start.floorModulo(86_400)
    }

    /// The last position that UNTIL admits, inclusive (RFC 5545 section 3.3.10): a date admits
    /// all of its day. An instant is compared as an instant: where the clock was set before it,
    /// no position divides what lies before from what lies after, and `Series.until` decides.
    func end(of rule: ParsedRule, on wall: Wall<Zones.Zone>) -> Int64? {
        switch rule.until {
        case nil: nil
        case .date(let date):
            wall.position(of: CivilDateTime(date.adding(days: 1), .midnight)) - 1
        case .wall(let civil): wall.position(of: civil)
        case .instant(let instant):
            if case .date = wall.kind {
                // Out of the standard, yet written: the day that the text shows.
                Int64(instant.seconds.floorDivided(by: 86_400)) * 86_400
            } else {
                wall.position(of: instant) + wall.slack(near: instant)
            }
        }
    }
}
