package import RemindCore

extension Schedule {
    /// What rings, seen from `now`: the newest point that has come and has not rung, how many
    /// occurrences before it were missed, and what is ahead.
    ///
    /// Points are the current deadline, every later occurrence, and the lead times of both. Those
    /// up to `alarm.rungThrough` are past. A lead time that had gone by when the deadline was set
    /// (`scheduled`) does not ring, nor does one that reaches back to the occurrence before. Work
    /// does not grow with the time since the last ring, but for the count of missed occurrences,
    /// which stops at `countedAtMost`.
    @_specialize(where Zones == SystemZones)
    package func plan(
        for reminder: Reminder, now: Instant
    ) throws(ScheduleError) -> ScheduleFacts {
        if let plan = plan(of: reminder) { return try plan.facts(for: reminder, now: now) }
        guard reminder.state == .open, let deadline = reminder.deadline else { return .nothing }
        if reminder.recurrence == nil, reminder.before.allSatisfy(\.isZero) {
            return try single(reminder, deadline, now: now)
        }
        let series = try self.series(of: reminder, deadline: deadline)
        let planner = RingPlanner(schedule: self, reminder: reminder, series: series, now: now)
        return planner.facts
    }

    /// What most reminders have: one deadline, no lead times, one ring.
    private func single(
        _ reminder: Reminder, _ deadline: Deadline, now: Instant
    ) throws(ScheduleError) -> ScheduleFacts {
        let wall = try self.wall(of: deadline)
        let occurrence = wall.position(of: deadline)
        let ring = ringPosition(occurrence, on: wall, scheduled: reminder.scheduled)
        let instant = wall.resolve(ring).instant
        guard ring > reminder.alarm.rungThrough ?? .min else { return .nothing }
        let point = RingPoint(
            occurrence: wall.deadline(at: occurrence), due: instant, instant: instant,
            position: ring)
        return instant <= now ? ScheduleFacts(due: point) : ScheduleFacts(next: point)
    }

    /// What the reminder rings by instead of its own fields; `nil`: nothing.
    func plan(of reminder: Reminder) -> ItemPlan<Zones>? {
        reminder.plan.flatMap { ItemPlan(text: $0, schedule: self) }
    }

    /// Where an instant lies on the wall on which a reminder's rings are counted
    /// (`RingPoint.position`); `nil` without a deadline.
    package func position(
        of instant: Instant, for reminder: Reminder
    ) throws(ScheduleError) -> Int64? {
        if let plan = plan(of: reminder) { return plan.position(of: instant) }
        guard let deadline = reminder.deadline else { return nil }
        return try series(of: reminder, deadline: deadline).wall.position(of: instant)
    }

    /// The next rings after `now`, nearest first.
    package func rings(
        of reminder: Reminder, after now: Instant, limit: Int
    ) throws(ScheduleError) -> [RingPoint] {
        var (reminder, now, points) = (reminder, now, [RingPoint]())
        while points.count < limit, let point = try plan(for: reminder, now: now).next {
            points.append(point)
            now = max(now, point.instant)
            reminder.alarm.rungThrough = max(point.position, reminder.alarm.rungThrough ?? .min)
        }
        return points
    }
}

/// Missed occurrences are counted up to here.
let countedAtMost = 10_000

/// Looks for the ring points of one reminder around one moment.
private struct RingPlanner<Zones: ZoneDatabase> {
    let schedule: Schedule<Zones>
    let reminder: Reminder
    let series: Series<Zones.Zone>
    let now: Instant

    /// A lead time, pointing back, and how far its points may lie from where wall arithmetic puts
    /// them (clock changes, the ring of a date, months of different length).
    private struct Lead {
        let duration: CalendarDuration
        let slack: Int64
    }

    private typealias Found = (occurrence: Int64, point: RingPoint)

    private var leads: [Lead] {
        let before = reminder.before.filter { !$0.isZero }.map(\.negated)
        return ([CalendarDuration()] + before).map { Lead(duration: $0, slack: slack(of: $0)) }
    }

    private func slack(of duration: CalendarDuration) -> Int64 {
        let months: Int64 = duration.months == 0 ? 0 : 4 * 86_400
        let wall = series.wall
        let near = wall.slack(near: now)
        if duration.isZero { return near }
        // The clock may change between the ring and the occurrence, and near both.
        let there = wall.resolve(shifted(wall.position(of: now), duration)).instant
        let longest = Wall<Zones.Zone>.longestChange
        let offsets = [-longest, 0, longest].flatMap { seconds in
            [now, there].map { wall.zone.offset(at: $0.advanced(bySeconds: seconds)) }
        }
        let changes = (offsets.max() ?? 0) - (offsets.min() ?? 0)
        return max(near, Int64(changes) + 1) + months
    }

    private var current: Int64 { series.current ?? 0 }

    var facts: ScheduleFacts {
        let due = newest
        let floor = max(due?.point.position ?? .min, reminder.alarm.rungThrough ?? .min)
        let occurrence = due?.occurrence ?? current
        let next = leads.compactMap { ahead($0, from: current, floor: floor) }.min(by: isBefore)
        let later = leads.compactMap { ahead($0, from: occurrence + 1, floor: floor) }
        return ScheduleFacts(
            due: due?.point, missed: due.map(missed) ?? 0, next: next?.point,
            nextOccurrence: later.min(by: isBefore)?.point)
    }

    private func isBefore(_ left: Found, _ right: Found) -> Bool {
        (left.point.instant, left.point.position, left.occurrence)
            < (right.point.instant, right.point.position, right.occurrence)
    }

    /// The point of the highest position that has come and has not rung; of several at the same
    /// place, that of the earliest occurrence.
    private var newest: Found? {
        leads.compactMap(newest(of:)).max {
            ($0.point.position, -$0.occurrence) < ($1.point.position, -$1.occurrence)
        }
    }

    private func newest(of lead: Lead) -> Found? {
        let bound = wallNow(lead) + lead.slack
        guard bound >= current,
            let occurrence = series.last(
                in: current...bound, where: { self.point($0, lead).instant <= now })
        else { return nil }
        let point = self.point(occurrence, lead)
        if let rung = reminder.alarm.rungThrough, point.position <= rung { return nil }
        return rings(occurrence, point, lead) ? (occurrence, point) : nil
    }

    /// The first point of a lead time after `now` and after `floor`, of occurrences from `from` on.
    private func ahead(_ lead: Lead, from: Int64, floor: Int64) -> Found? {
        let reached = floor == .min ? .min : shifted(floor, lead.duration) - lead.slack
        var position = max(from, wallNow(lead) - lead.slack, reached)
        var refused = 0
        // Lead times that all reach back to the occurrence before never ring.
        while refused < 400, let occurrence = series.first(from: position) {
            position = occurrence + 1
            let ring = schedule.ringPosition(
                occurrence, on: series.wall, scheduled: reminder.scheduled)
            // Most that the slack brings in are over: that is seen before the whole point is made.
            guard series.wall.instant(lead.duration, from: ring) > now else { continue }
            let point = self.point(occurrence, lead)
            guard point.position > floor else { continue }
            if rings(occurrence, point, lead) { return (occurrence, point) }
            refused += 1
        }
        return nil
    }

    private func rings(_ occurrence: Int64, _ point: RingPoint, _ lead: Lead) -> Bool {
        if lead.duration.isZero { return true }
        if let scheduled = reminder.scheduled, point.instant <= scheduled { return false }
        return point.position >= occurrence || series.first(from: point.position) == occurrence
    }

    private func missed(before due: Found) -> Int {
        let rung = reminder.alarm.rungThrough.map { $0 - ringOffset + 1 } ?? .min
        let from = max(current, rung)
        guard from < due.occurrence else { return 0 }
        return series.count(in: from..<due.occurrence, limit: countedAtMost)
    }

    /// From a date's midnight to its usual ring; else 0.
    private var ringOffset: Int64 {
        schedule.ringPosition(0, on: series.wall, scheduled: nil)
    }

    /// Where an occurrence lies, about, whose point of that lead time is now.
    private func wallNow(_ lead: Lead) -> Int64 {
        shifted(series.wall.position(of: now), lead.duration)
    }

    private func shifted(_ position: Int64, _ duration: CalendarDuration) -> Int64 {
        CivilDateTime(secondsSinceEpoch: position).adding(duration.negated).secondsSinceEpoch
    }

    private func point(_ occurrence: Int64, _ lead: Lead) -> RingPoint {
        let ring = schedule.ringPosition(
            occurrence, on: series.wall, scheduled: reminder.scheduled)
        return RingPoint(
            occurrence: series.wall.deadline(at: occurrence),
            due: series.wall.resolve(ring).instant,
            instant: series.wall.instant(lead.duration, from: ring),
            position: series.wall.adding(lead.duration, to: ring))
    }
}
