package import RemindCore

/// A series that goes on at another time of day or in another zone.
extension Schedule {
    /// The rule of what is left of a series: its COUNT without the occurrences that were before
    /// `occurrence`, so that a series which begins there ends as it would have.
    package func rest(
        of recurrence: Recurrence, from occurrence: Deadline
    ) throws(ScheduleError) -> RecurrenceRule {
        var rule = recurrence.rule
        guard let count = try self.rule(of: recurrence).count else { return rule }
        let series = try series(of: recurrence)
        let start = try position(of: recurrence.start, on: series.wall)
        let end = try position(of: occurrence, on: series.wall)
        guard start < end, let gone = series.rule?.count(in: start..<end, limit: count) else {
            return rule
        }
        let left = max(1, count - gone)
        rule.rrule = rule.rrule.split(separator: ";")
            .map { $0.hasPrefix("COUNT=") ? "COUNT=\(left)" : $0 }.joined(separator: ";")
        return rule
    }

    /// Dates that were added to a series or taken out of it, for the same series when it begins
    /// with `start`: on their days, at the new time where they had the old one.
    package func moved(
        _ dates: [Deadline], of recurrence: Recurrence, to start: Deadline
    ) throws(ScheduleError) -> [Deadline] {
        let (old, new) = (try wall(of: recurrence.start), try wall(of: start))
        if old.isAbsolute || new.isAbsolute { return dates }
        let usual = try position(of: recurrence.start, on: old).floorModulo(86_400)
        let time = new.position(of: start).floorModulo(86_400)
        var moved: [Deadline] = []
        for date in dates {
            if date.isDateOnly, new.kind != .date {
                moved.append(date)
                continue
            }
            let position = try self.position(of: date, on: old)
            let clock = position.floorModulo(86_400)
            let midnight = position - clock
            moved.append(new.deadline(at: midnight + (clock == usual ? time : clock)))
        }
        return moved
    }
}
