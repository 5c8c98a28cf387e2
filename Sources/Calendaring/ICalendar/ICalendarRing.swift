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
                collector.add(first: instant, alarm: alarm, change, occurrence: nil, due: nil)
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
        /// How far each occurrence is moved, in seconds on the wall.
        var shift: Int64 = 0
    }

    private func segments(of item: ICalendarItem) throws(ScheduleError) -> [Segment] {
        guard let recurrence = item.recurrence else {
            var segments: [Segment] = []
            for one in [item] + item.overrides {
                if let segment = try single(one) { segments.append(segment) }
            }
            return segments
        }
        var series = try self.series(of: recurrence)
        let start = series.wall.position(of: recurrence.start)
        // DTSTART is the first occurrence, whatever the rule says (RFC 5545 section 3.8.2.4).
        series.additions = Set(series.additions + [start]).sorted()
        for exception in recurrence.exceptions {
            series.exceptions.formUnion(positionsInGaps(of: exception, on: series.wall))
        }
        var (segments, replaced, future) = ([Segment](), Set<Int64>(), [Change]())
        for change in item.overrides {
            guard let id = change.recurrenceID else { continue }
            let position = try self.position(ofOccurrence: id, in: series)
            // What EXDATE takes out is gone, changed or not; so other calendars read it too.
            guard !series.isTakenOut(position) else { continue }
            replaced.insert(position)
            replaced.formUnion(positionsInGaps(of: id, on: series.wall))
            if let segment = try single(change) { segments.append(segment) }
            if change.replacesFuture { future.append(Change(position: position, item: change)) }
        }
        series.exceptions.formUnion(replaced)
        return segments + stretches(of: item, series, future)
    }

    /// An occurrence from which on others hold too (RANGE=THISANDFUTURE).
    private struct Change {
        let position: Int64
        let item: ICalendarItem
    }

    /// The series, cut where one of its changes holds for all that follow.
    private func stretches(
        of item: ICalendarItem, _ series: Series<Zones.Zone>, _ changes: [Change]
    ) -> [Segment] {
        var segments = [Segment(item: item, series: series, range: .min..<Int64.max)]
        for change in changes.sorted(by: { $0.position < $1.position }) {
            let last = segments.removeLast()
            let shift = change.item.base.map { series.wall.position(of: $0) - change.position }
            segments.append(
                Segment(
                    item: last.item, series: series,
                    range: last.range.lowerBound..<change.position, shift: last.shift))
            segments.append(
                Segment(
                    item: change.item, series: series, range: change.position..<Int64.max,
                    shift: shift ?? 0))
        }
        return segments.filter { $0.item.state == .open }
    }

    /// Where a RECURRENCE-ID points: a date means the occurrence of that day.
    private func position(
        ofOccurrence id: Deadline, in series: Series<Zones.Zone>
    ) throws(ScheduleError) -> Int64 {
        let wall = series.wall
        if case .date(let date) = id, wall.kind != .date {
            let midnight = wall.position(of: CivilDateTime(date, .midnight))
            return series.first(from: midnight) ?? midnight
        }
        if case .zoned(let civil, let name) = id, wall.kind != .zoned(name) {
            let instant = try zone(of: id).resolve(civil).instant
            return wall.position(of: Deadline.absolute(instant))
        }
        return wall.position(of: id)
    }

    /// An instant that names an occurrence whose wall time lies in a gap: where that is.
    private func positionsInGaps(of deadline: Deadline, on wall: Wall<Zones.Zone>) -> [Int64] {
        guard case .absolute(let instant) = deadline, !wall.isAbsolute else { return [] }
        return [3, 24].map { hours in
            instant.seconds
                + Int64(wall.zone.offset(at: instant.advanced(bySeconds: -hours * 3600)))
        }.filter { wall.resolve($0).instant == instant }
    }

    private func single(_ item: ICalendarItem) throws(ScheduleError) -> Segment? {
        guard item.state == .open, let base = item.base else { return nil }
        let wall = try self.wall(of: base)
        let series = Series(wall: wall, current: wall.position(of: base))
        return Segment(item: item, series: series, range: .min..<Int64.max)
    }

    private func collect(
        _ segment: Segment, into collector: inout RingCollector
    ) throws(ScheduleError) {
        let span = try Span(segment.item, schedule: self)
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
        _ segment: Segment, _ span: Span, _ alarm: ICalendarAlarm?,
        _ collector: inout RingCollector
    ) {
        let wall = segment.series.wall
        // Zoned wall times may change their order by a clock change; a day is more than any.
        let slack: Int64 = wall.isAbsolute ? 1 : 90_000
        let repeats = alarm.map { Int64($0.repeats) * $0.interval } ?? 0
        let reach = span.reach(of: alarm) + segment.shift + repeats + slack
        var position = wall.position(of: collector.now.advanced(bySeconds: -reach))
        position = max(position, segment.range.lowerBound)
        while collector.left > 0, let next = segment.series.first(from: position),
            next < segment.range.upperBound
        {
            let occurrence = span.occurrence(at: next + segment.shift, on: wall)
            let first = self.first(
                alarm, of: occurrence, on: wall, isDate: segment.item.deadline?.isDateOnly)
            if collector.isFull, first.advanced(bySeconds: -slack) > collector.last { return }
            if first.advanced(bySeconds: -slack) > collector.end { return }
            collector.left -= 1
            collector.add(
                first: first, alarm: alarm, segment.item, occurrence: occurrence.deadline,
                due: occurrence.due)
            position = next + 1
        }
    }

    /// The first ring of an alarm; `nil`: of an item without alarms.
    private func first(
        _ alarm: ICalendarAlarm?, of occurrence: Span.Place, on wall: Wall<Zones.Zone>,
        isDate: Bool?
    ) -> Instant {
        switch alarm?.trigger {
        case .start(let duration): wall.moved(occurrence.start, by: duration)
        case .end(let duration): wall.moved(occurrence.end, by: duration)
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

/// Keeps the first rings after a moment, sorted, one an instant.
struct RingCollector {
    let now: Instant
    private let limit: Int
    /// How many occurrences may still be looked at.
    var left = ICalendarLimits.occurrencesSearched
    private(set) var rings: [ICalendarRing] = []

    let end: Instant

    init(now: Instant, end: Instant, limit: Int) {
        (self.now, self.end, self.limit) = (now, end, limit)
    }

    var isFull: Bool { rings.count >= limit }

    /// The last ring that is kept.
    var last: Instant { rings.last?.instant ?? now }

    /// Adds an alarm's ring and its repetitions. One that was acknowledged at or after its first
    /// ring is over, repetitions and all (RFC 9074 section 6.1).
    mutating func add(
        first: Instant, alarm: ICalendarAlarm?, _ item: ICalendarItem, occurrence: Deadline?,
        due: Instant?
    ) {
        let seen = [alarm?.acknowledged, item.acknowledged].compactMap { $0 }.max()
        if let seen, seen >= first { return }
        var index: Int64 = 0
        if let alarm, alarm.repeats > 0, first <= now {
            index = (now.milliseconds - first.milliseconds) / (alarm.interval * 1000) + 1
        }
        while index <= Int64(alarm?.repeats ?? 0) {
            let instant = first.advanced(bySeconds: index * (alarm?.interval ?? 0))
            if isFull, instant >= last { return }
            insert(
                ICalendarRing(
                    instant: instant, occurrence: occurrence, due: due,
                    first: index == 0 ? nil : first))
            index += 1
        }
    }

    private mutating func insert(_ ring: ICalendarRing) {
        guard ring.instant > now, ring.instant <= end else { return }
        let place = rings.firstIndex { $0.instant >= ring.instant } ?? rings.count
        if place < rings.count, rings[place].instant == ring.instant {
            // Of several alarms at one instant the youngest says whether it has been answered.
            if let first = rings[place].first, first < ring.first ?? .latest { rings[place] = ring }
            return
        }
        rings.insert(ring, at: place)
        if rings.count > limit { rings.removeLast() }
    }
}

extension Series {
    /// Whether EXDATE takes out what lies at `position`.
    fileprivate func isTakenOut(_ position: Int64) -> Bool {
        exceptions.contains(position)
            || exceptionDays.contains(position - position.floorModulo(86_400))
    }
}
