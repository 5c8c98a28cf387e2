import RemindCore

/// How the start, the end and the deadline of an item's occurrences lie to each other.
struct Span<Zone: ZoneRules> {
    /// From the base (DTSTART, else DUE) to the end, elapsed.
    private let exact: Int64
    /// The same as calendar days, where the base is a date or DURATION says so.
    private let nominal: CalendarDuration?
    private let isEvent: Bool
    private let baseIsEnd: Bool
    /// Without alarms it rings at a time of the day, which may lie behind its midnight.
    private let ringsByDay: Bool
    /// The wall of an end that is given in a zone of its own.
    private let endWall: Wall<Zone>?
    /// The ends of occurrences that have their own, by position.
    private var ends: [Int64: Instant] = [:]
    /// How much longer (or shorter) than all others an occurrence may be, in seconds.
    private(set) var spread: Int64 = 0

    /// An occurrence on the time line. Of a date: its midnight.
    struct Place {
        let deadline: Deadline
        let start: Instant
        let end: Instant
        let due: Instant
        /// On which steps from the end are made.
        let endWall: Wall<Zone>
    }

    init<Zones: ZoneDatabase>(
        _ item: ICalendarItem, schedule: Schedule<Zones>
    ) throws(ScheduleError) where Zones.Zone == Zone {
        isEvent = item.component == .event
        baseIsEnd = item.start == nil
        ringsByDay = item.deadline?.isDateOnly ?? true
        endWall =
            if item.start != nil, let end = item.end, case .zoned = end {
                try schedule.wall(of: end)
            } else { nil }
        guard let start = item.start else {
            (exact, nominal) = (0, nil)
            return
        }
        if let duration = item.duration {
            (exact, nominal) = (duration.exactSeconds, duration)
            return
        }
        guard let end = item.end else {
            // An all-day event without an end lasts its day (RFC 5545 section 3.6.1).
            nominal = start.isDateOnly && isEvent ? CalendarDuration(days: 1) : nil
            exact = nominal?.exactSeconds ?? 0
            return
        }
        let from = try schedule.beginning(of: start), to = try schedule.beginning(of: end)
        exact = (to.milliseconds - from.milliseconds) / 1000
        if case .date(let first) = start, case .date(let last) = end {
            nominal = CalendarDuration(days: last.daysSinceEpoch - first.daysSinceEpoch)
        } else {
            nominal = nil
        }
    }

    /// Adds the occurrences of a series on `wall` that have ends of their own.
    mutating func add<Zones: ZoneDatabase>(
        _ periods: [ICalendarPeriod], on wall: Wall<Zone>, schedule: Schedule<Zones>
    ) throws(ScheduleError) where Zones.Zone == Zone {
        for period in periods {
            let position = try schedule.position(of: period.start, on: wall)
            let start = wall.resolve(position).instant
            let end =
                switch period.end {
                case .at(let deadline): try schedule.beginning(of: deadline)
                case .after(let duration): wall.moved(start, by: duration)
                }
            ends[position] = end
            spread = max(spread, abs((end.milliseconds - start.milliseconds) / 1000 - exact))
        }
    }

    func occurrence(at position: Int64, on wall: Wall<Zone>) -> Place {
        let start = wall.resolve(position).instant
        let end =
            ends[position] ?? nominal.map { wall.moved(start, by: $0) }
            ?? start.advanced(bySeconds: exact)
        return Place(
            deadline: wall.deadline(at: position), start: start, end: end,
            due: isEvent || baseIsEnd ? start : end, endWall: endWall ?? wall)
    }

    /// How long after the base of an occurrence its first ring comes, about, in seconds.
    func reach(of alarm: ICalendarAlarm?) -> Int64 {
        switch alarm?.trigger {
        case .start(let duration): duration.exactSeconds
        case .end(let duration): exact + spread + duration.exactSeconds
        case .absolute: 0
        case nil: (isEvent ? 0 : exact + spread) + (ringsByDay ? 86_400 : 0)
        }
    }
}

extension Schedule {
    /// An instant; of a date its midnight.
    func beginning(of deadline: Deadline) throws(ScheduleError) -> Instant {
        let wall = try self.wall(of: deadline)
        return wall.resolve(wall.position(of: deadline)).instant
    }
}
