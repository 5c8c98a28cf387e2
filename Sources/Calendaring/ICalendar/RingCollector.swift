import RemindCore

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
    ///
    /// - Parameter wall: the one on which repetitions some days apart keep their time (RFC 5545
    ///   section 3.3.6); `nil`: their days have 24 hours.
    mutating func add<Zone: ZoneRules>(
        first: Instant, alarm: ICalendarAlarm?, _ item: ICalendarItem, occurrence: Deadline?,
        due: Instant?, on wall: Wall<Zone>?
    ) {
        let seen = [alarm?.acknowledged, item.acknowledged].compactMap { $0 }.max()
        if let seen, seen >= first { return }
        var index: Int64 = 0
        let interval = alarm?.interval ?? CalendarDuration()
        if let alarm, alarm.repeats > 0, first <= now {
            let gone = now.milliseconds - first.milliseconds
            // One that clock changes have put off may be still ahead.
            index = gone / (interval.exactSeconds * 1000) + (interval.isElapsed ? 1 : 0)
        }
        while index <= Int64(alarm?.repeats ?? 0) {
            let instant =
                wall.map { $0.moved(first, by: interval.times(index)) }
                ?? first.advanced(bySeconds: index * interval.exactSeconds)
            if isFull && instant >= last || instant > end { return }
            insert(
                ICalendarRing(
                    instant: instant, occurrence: occurrence, due: due,
                    first: index == 0 ? nil : first))
            if instant == .latest { return }
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

extension CalendarDuration {
    fileprivate func times(_ count: Int64) -> CalendarDuration {
        CalendarDuration(days: days * Int(count), seconds: seconds * count)
    }
}
