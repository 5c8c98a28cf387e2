package import RemindCore

/// A series that goes on at another time of day or in another zone.
extension Schedule {
    /// The rule of what is left of a series, so that one which begins with `occurrence`, at whatever
    /// time, ends as it would have: its COUNT is without what was before, and an UNTIL that has a time
    /// is the day of the last occurrence.
    package func rest(
        of recurrence: Recurrence, from occurrence: Deadline
    ) throws(ScheduleError) -> RecurrenceRule {
        let parsed = try rule(of: recurrence)
        var series = try series(of: recurrence)
        let start = try position(of: recurrence.start, on: series.wall)
        if let count = parsed.count {
            let end = try position(of: occurrence, on: series.wall)
            guard start < end, let gone = series.rule?.count(in: start..<end, limit: count) else {
                return recurrence.rule
            }
            return recurrence.rule.replacing("COUNT", with: String(max(1, count - gone)))
        }
        guard parsed.untilHasTime, parsed.isOnceADay, !series.wall.isAbsolute,
            let end = end(of: parsed, on: series.wall), start <= end
        else { return recurrence.rule }
        series.additions = []
        guard let last = series.last(in: start...end, where: { _ in true }) else {
            return recurrence.rule
        }
        let day = ContentLineWriter.basic(CivilDateTime(secondsSinceEpoch: last).date)
        return recurrence.rule.replacing("UNTIL", with: day)
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

extension RecurrenceRule {
    fileprivate func replacing(_ name: String, with value: String) -> RecurrenceRule {
        var rule = self
        rule.rrule = rrule.split(separator: ";")
            .map { $0.hasPrefix(name + "=") ? "\(name)=\(value)" : String($0) }
            .joined(separator: ";")
        return rule
    }
}

extension ParsedRule {
    fileprivate var untilHasTime: Bool {
        switch until {
        case nil, .date: false
        case .wall, .instant: true
        }
    }

    /// Whether no day has more than one occurrence.
    fileprivate var isOnceADay: Bool {
        frequency >= .daily && max(byHour.count, byMinute.count, bySecond.count) <= 1
    }
}
