import RemindCore

/// How the start, the end and the deadline of an item's occurrences lie to each other.
struct Span {
    /// From the base (DTSTART, else DUE) to the end, elapsed.
    private let exact: Int64
    /// The same as calendar days, where the base is a date or DURATION says so.
    private let nominal: CalendarDuration?
    private let isEvent: Bool
    private let baseIsEnd: Bool

    /// An occurrence on the time line. Of a date: its midnight.
    struct Place {
        let deadline: Deadline
        let start: Instant
        let end: Instant
        let due: Instant
    }

    init<Zones: ZoneDatabase>(
        _ item: ICalendarItem, schedule: Schedule<Zones>
    ) throws(ScheduleError) {
        isEvent = item.component == .event
        baseIsEnd = item.start == nil
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

    func occurrence<Zone>(at position: Int64, on wall: Wall<Zone>) -> Place {
        let start = wall.resolve(position).instant
        let end = nominal.map { wall.moved(start, by: $0) } ?? start.advanced(bySeconds: exact)
        return Place(
            deadline: wall.deadline(at: position), start: start, end: end,
            due: isEvent || baseIsEnd ? start : end)
    }

    /// How long after the base of an occurrence its first ring comes, about, in seconds.
    func reach(of alarm: ICalendarAlarm?) -> Int64 {
        switch alarm?.trigger {
        case .start(let duration): duration.exactSeconds
        case .end(let duration): exact + duration.exactSeconds
        case .absolute: 0
        case nil: (isEvent ? 0 : exact) + 86_400
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
