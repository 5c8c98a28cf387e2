package import RemindCore

/// A moment at which an item of a calendar file rings.
package struct ICalendarRing: Hashable, Sendable {
    package let instant: Instant
    /// The occurrence it announces, as its DTSTART (DUE where there is none); `nil` for an alarm
    /// at a fixed time.
    package let occurrence: Deadline?
    /// When that occurrence is due.
    package let due: Instant?
    /// Of a repetition: when its alarm rings first.
    package let first: Instant?
}

extension Schedule {
    /// The next rings of an item after `now`, nearest first, one an instant, at most `limit`.
    ///
    /// An item with alarms rings at them and nowhere else; one without rings when it is due (a
    /// date: at `settings.allDayTime`). What is done, cancelled or acknowledged does not ring.
    /// Alarms of an all-day item count from its midnight in the machine's zone (RFC 5545 section
    /// 3.8.6.3); days in a trigger are steps at the same wall time, hours elapsed time (section
    /// 3.3.6). Work is bounded by `ICalendarLimits.occurrencesSearched`.
    ///
    /// - Parameter end: none after this is looked for.
    package func rings(
        of item: ICalendarItem, after now: Instant, through end: Instant = .latest, limit: Int
    ) throws(ScheduleError) -> [ICalendarRing] {
        guard item.state == .open, limit > 0 else { return [] }
        var collector = RingCollector(now: now, end: end, limit: limit)
        for segment in try segments(of: item) {
            try collect(segment, into: &collector)
        }
        for change in [item] + item.overrides where change.state == .open {
            for alarm in change.alarms where alarm.rings {
                guard case .absolute(let instant) = alarm.trigger else { continue }
                collector.add(
                    first: instant, alarm: alarm, change, occurrence: nil, due: nil,
                    on: Wall<Zones.Zone>?.none)
            }
        }
        return collector.rings
    }

    /// A stretch of a series in which each occurrence has the same alarms; or one occurrence.
    private struct Segment {
        let item: ICalendarItem
        let series: Series<Zones.Zone>
        /// The positions of the stretch.
        let range: Range<Int64>
        /// How far each occurrence is moved, in seconds from the series' wall to this one.
        var shift: Int64 = 0
        /// On which the moved occurrences lie.
        let wall: Wall<Zones.Zone>
    }

    private func segments(of item: ICalendarItem) throws(ScheduleError) -> [Segment] {
        guard let recurrence = item.recurrence else {
            var segments: [Segment] = []
            for one in [item] + item.overrides {
                if let segment = try single(one) { segments.append(segment) }
            }
            return segments
        }
        var segments: [Segment] = []
        for (index, series) in try allSeries(of: item, recurrence).enumerated() {
            segments += try self.segments(of: item, series, isFirst: index == 0)
        }
        return segments
    }

    /// The series of its rule with the dates that were added, then one for each further rule. What
    /// several of them give at one instant rings once.
    private func allSeries(
        of item: ICalendarItem, _ recurrence: Recurrence
    ) throws(ScheduleError) -> [Series<Zones.Zone>] {
        var (all, excluded): ([Series<Zones.Zone>], [Series<Zones.Zone>]) = ([], [])
        for rule in item.excludedRules {
            excluded.append(try series(of: Recurrence(rule: rule, start: recurrence.start)))
        }
        for rule in [recurrence.rule] + item.furtherRules {
            var its = recurrence
            its.rule = rule
            if !all.isEmpty { its.additions = [] }
            var series = try self.series(of: its)
            if all.isEmpty {
                // DTSTART is the first occurrence, whatever the rule says (RFC 5545 section
                // 3.8.2.4).
                let start = series.wall.position(of: recurrence.start)
                series.additions = Set(series.additions + [start]).sorted()
            }
            for exception in recurrence.exceptions {
                series.exceptions.formUnion(try positionsInGaps(of: exception, on: series.wall))
            }
            series.excluded = excluded
            all.append(series)
        }
        return all
    }

    /// One series without the occurrences that are changed; with the first one, these too.
    private func segments(
        of item: ICalendarItem, _ series: Series<Zones.Zone>, isFirst: Bool
    ) throws(ScheduleError) -> [Segment] {
        var (series, segments) = (series, [Segment]())
        var (replaced, future) = (Set<Int64>(), [Change]())
        for change in item.overrides {
            guard let id = change.recurrenceID else { continue }
            let position = try self.position(ofOccurrence: id, in: series)
            // What EXDATE takes out is gone, changed or not; so other calendars read it too.
            guard !series.isTakenOut(position) else { continue }
            replaced.insert(position)
            replaced.formUnion(try positionsInGaps(of: id, on: series.wall))
            if isFirst, let segment = try single(change) { segments.append(segment) }
            if change.replacesFuture { future.append(Change(position: position, item: change)) }
        }
        series.exceptions.formUnion(replaced)
        return try segments + stretches(of: item, series, future)
    }

    /// An occurrence from which on others hold too (RANGE=THISANDFUTURE).
    private struct Change {
        let position: Int64
        let item: ICalendarItem
    }

    /// The series, cut where one of its changes holds for all that follow.
    private func stretches(
        of item: ICalendarItem, _ series: Series<Zones.Zone>, _ changes: [Change]
    ) throws(ScheduleError) -> [Segment] {
        var segments = [
            Segment(item: item, series: series, range: .min..<Int64.max, wall: series.wall)
        ]
        for change in changes.sorted(by: { $0.position < $1.position }) {
            let last = segments.removeLast()
            let wall = try self.wall(of: change.item, instead: series.wall, of: item)
            let shift = change.item.base.map { wall.position(of: $0) - change.position }
            segments.append(
                Segment(
                    item: last.item, series: series,
                    range: last.range.lowerBound..<change.position, shift: last.shift,
                    wall: last.wall))
            segments.append(
                Segment(
                    item: change.item, series: series, range: change.position..<Int64.max,
                    shift: shift ?? 0, wall: wall))
        }
        return segments.filter { $0.item.state == .open }
    }

    /// Occurrences that are moved to another zone keep their time there from then on. A change in
    /// UTC says when, not where; a series of hours goes on in elapsed time.
    private func wall(
        of change: ICalendarItem, instead wall: Wall<Zones.Zone>, of item: ICalendarItem
    ) throws(ScheduleError) -> Wall<Zones.Zone> {
        guard let base = change.base, let start = item.base,
            try self.wall(of: start).kind == wall.kind
        else { return wall }
        let own = try self.wall(of: base)
        switch own.kind {
        case .absolute: return wall
        case .floating: return wall.kind == .date ? own : wall
        case .zoned, .date: return own
        }
    }

    /// Where a RECURRENCE-ID points: a date means the occurrence of that day.
    private func position(
        ofOccurrence id: Deadline, in series: Series<Zones.Zone>
    ) throws(ScheduleError) -> Int64 {
        let wall = series.wall
        let id = wall.kind == .date ? id.dayOfMidnight : id
        if case .date(let date) = id, wall.kind != .date {
            let midnight = wall.position(of: CivilDateTime(date, .midnight))
            let first = series.first(from: midnight) ?? midnight
            return first - midnight < 86_400 ? first : midnight
        }
        if case .zoned(let civil, let name) = id, wall.kind != .zoned(name) {
            let instant = try zone(of: id).resolve(civil).instant
            return wall.position(of: Deadline.absolute(instant))
        }
        return wall.position(of: id)
    }

    /// An instant, or the wall time behind a gap, that names an occurrence whose own wall time lies
    /// in the gap: where that is.
    private func positionsInGaps(
        of deadline: Deadline, on wall: Wall<Zones.Zone>
    ) throws(ScheduleError) -> [Int64] {
        if deadline.isDateOnly || wall.isAbsolute || wall.kind == .date { return [] }
        let instant = try beginning(of: deadline)
        return [3, 24].map { hours in
            instant.seconds
                + Int64(wall.zone.offset(at: instant.advanced(bySeconds: -hours * 3600)))
        }.filter { wall.resolve($0).instant == instant }
    }

    private func single(_ item: ICalendarItem) throws(ScheduleError) -> Segment? {
        guard item.state == .open, let base = item.base else { return nil }
        let wall = try self.wall(of: base)
        let series = Series(wall: wall, current: wall.position(of: base))
        return Segment(item: item, series: series, range: .min..<Int64.max, wall: wall)
    }

    private func collect(
        _ segment: Segment, into collector: inout RingCollector
    ) throws(ScheduleError) {
        var span = try Span<Zones.Zone>(segment.item, schedule: self)
        try span.add(segment.item.periods, on: segment.series.wall, schedule: self)
        let own = segment.item.alarms
        // Alarms that are not ours are as good as none (RFC 5545 section 3.6.6).
        let isBare = !own.contains {
            $0.rings && $0.snoozes != "X-MOZ-SNOOZE-TIME" || $0.isSilence
        }
        let alarms = isBare ? [nil] : own.map(Optional.some)
        for alarm in alarms {
            if let alarm, !alarm.rings { continue }
            if case .absolute = alarm?.trigger { continue }
            search(segment, span, alarm, &collector)
        }
    }

    /// Looks at the occurrences in turn, from the first that could ring after `now`.
    private func search(
        _ segment: Segment, _ span: Span<Zones.Zone>, _ alarm: ICalendarAlarm?,
        _ collector: inout RingCollector
    ) {
        let (wall, moved) = (segment.series.wall, segment.wall)
        // Zoned wall times may change their order by a clock change; a day is more than any. Two
        // zones are at most 26 hours apart.
        let slack =
            (wall.kind != moved.kind ? 190_000 : wall.isAbsolute ? 1 : 90_000) + span.spread
        let repeats = alarm.map { Int64($0.repeats) * $0.interval.exactSeconds } ?? 0
        let lead = span.reach(of: alarm) + segment.shift
        let reach = lead + repeats + slack
        var position = wall.position(of: collector.now.advanced(bySeconds: -reach))
        position = max(position, segment.range.lowerBound)
        // What rings behind the end of time is not looked at, however many there are; a wall is at
        // most a day from its instants, and so is the time of a day at which a date rings.
        let last = collector.end.seconds - lead + slack + 2 * 86_400
        while collector.left > 0, let next = segment.series.first(from: position, through: last),
            next <= last, next < segment.range.upperBound
        {
            let occurrence = span.occurrence(at: next + segment.shift, on: moved)
            let first = self.first(
                alarm, of: occurrence, on: moved, isDate: segment.item.deadline?.isDateOnly)
            if collector.isFull, first.advanced(bySeconds: -slack) > collector.last { return }
            if first.advanced(bySeconds: -slack) > collector.end { return }
            collector.left -= 1
            collector.add(
                first: first, alarm: alarm, segment.item, occurrence: occurrence.deadline,
                due: occurrence.due, on: moved)
            position = next + 1
        }
    }

    /// The first ring of an alarm; `nil`: of an item without alarms.
    private func first(
        _ alarm: ICalendarAlarm?, of occurrence: Span<Zones.Zone>.Place, on wall: Wall<Zones.Zone>,
        isDate: Bool?
    ) -> Instant {
        switch alarm?.trigger {
        case .start(let duration): wall.moved(occurrence.start, by: duration)
        case .end(let duration): occurrence.endWall.moved(occurrence.end, by: duration)
        case .absolute(let instant): instant
        case nil:
            // On the wall: a day on which the clock changes has its morning at the same time.
            isDate ?? occurrence.deadline.isDateOnly
                ? zones.local.resolve(
                    CivilDateTime(
                        zones.local.civil(at: occurrence.due).date, settings.allDayTime)
                ).instant
                : occurrence.due
        }
    }
}

extension Wall {
    /// An instant moved by days at the same wall time, then by elapsed seconds; days in UTC have
    /// 24 hours.
    func moved(_ instant: Instant, by duration: CalendarDuration) -> Instant {
        if isAbsolute || duration.isElapsed {
            return instant.advanced(bySeconds: duration.exactSeconds)
        }
        return self.instant(duration, from: position(of: instant))
    }
}

extension Series {
    /// Whether EXDATE takes out what lies at `position`.
    fileprivate func isTakenOut(_ position: Int64) -> Bool {
        exceptions.contains(position)
            || exceptionDays.contains(position - position.floorModulo(86_400))
            || isExcluded(position)
    }
}
