import RemindCore

/// Rules that count from the moment the reminder was done (`every 3 days after completion`).
extension Schedule {
    /// The occurrence that follows a completion.
    ///
    /// Seconds to hours are counted as elapsed time from `completed`; days and longer from its
    /// day, at the time of day of the series; months clamp. A rule with BY parts begins anew on
    /// that day and happens first after it. COUNT means nothing here: refuse it before.
    func occurrence(
        of recurrence: Recurrence, completed: Instant
    ) throws(ScheduleError) -> Deadline? {
        var rule = try self.rule(of: recurrence)
        rule.count = nil
        let wall = try self.wall(of: recurrence.start)
        if rule.isElapsed {
            let next = completed.advanced(bySeconds: rule.elapsedStep)
            return isOver(rule, at: next, position: wall.position(of: next), on: wall)
                ? nil : .absolute(next)
        }
        guard let civil = civil(rule, after: completed, start: recurrence.start, on: wall) else {
            return nil
        }
        let position = wall.position(of: civil)
        let instant = wall.resolve(position).instant
        return isOver(rule, at: instant, position: position, on: wall)
            ? nil : wall.deadline(at: position)
    }

    /// Whether UNTIL lies before.
    private func isOver(
        _ rule: ParsedRule, at instant: Instant, position: Int64, on wall: Wall<Zones.Zone>
    ) -> Bool {
        if case .instant(let until) = rule.until, wall.kind != .date { return instant > until }
        return end(of: rule, on: wall).map { position > $0 } ?? false
    }

    private func civil(
        _ rule: ParsedRule, after completed: Instant, start: Deadline, on wall: Wall<Zones.Zone>
    ) -> CivilDateTime? {
        let done = wall.zone.civil(at: completed)
        if rule.frequency <= .hourly {
            let positions = CivilPositions(
                rule: rule, start: done.secondsSinceEpoch, end: nil)
            return positions.first(from: done.secondsSinceEpoch + 1)
                .map(CivilDateTime.init(secondsSinceEpoch:))
        }
        let time = timeOfDay(start, on: wall)
        let restart = CivilDateTime(done.date, time).secondsSinceEpoch
        guard rule.hasByParts else {
            return CivilDateTime(done.date, time).adding(rule.calendarStep)
        }
        let tomorrow = CivilDateTime(done.date.adding(days: 1), .midnight).secondsSinceEpoch
        return CivilPositions(rule: rule, start: restart, end: nil).first(from: tomorrow)
            .map(CivilDateTime.init(secondsSinceEpoch:))
    }

    private func timeOfDay(_ start: Deadline, on wall: Wall<Zones.Zone>) -> CivilTime {
        switch start {
        case .floating(let civil), .zoned(let civil, _): civil.time
        case .absolute(let instant): wall.zone.civil(at: instant).time
        case .date: .midnight
        }
    }
}

extension ParsedRule {
    /// One interval of a daily or longer rule.
    fileprivate var calendarStep: CalendarDuration {
        let interval = min(interval, CalendarDuration.longestYears * 366)
        return switch frequency {
        case .yearly: CalendarDuration(months: 12 * interval)
        case .monthly: CalendarDuration(months: interval)
        case .weekly: CalendarDuration(days: 7 * interval)
        default: CalendarDuration(days: interval)
        }
    }
}
