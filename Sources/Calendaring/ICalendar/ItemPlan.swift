package import RemindCore

/// The ring points of a reminder that rings at the alarms of a calendar item (`Reminder.plan`).
///
/// Positions are those of ``RingPoint``: seconds on the machine's wall where the item floats, else
/// POSIX seconds.
package struct ItemPlan<Zones: ZoneDatabase> {
    package let item: ICalendarItem
    private let schedule: Schedule<Zones>
    /// One ring an occurrence, when it is due.
    private let occurrences: ICalendarItem

    /// Rings looked at to find the newest that has come, and to count those that were missed.
    private static var searched: Int { 4000 }
    private static var chunk: Int { 8 }

    @_specialize(where Zones == SystemZones)
    package init(_ item: ICalendarItem, schedule: Schedule<Zones>) {
        (self.item, self.schedule) = (item, schedule)
        var plain = item
        (plain.alarms, plain.acknowledged, plain.state) = ([], nil, .open)
        for index in plain.overrides.indices {
            plain.overrides[index].alarms = []
            plain.overrides[index].acknowledged = nil
        }
        occurrences = plain
    }

    /// `nil` when the text holds no item.
    package init?(text: String, schedule: Schedule<Zones>) {
        guard let item = ICalendarReader.item(stored: text, zones: schedule.zones) else {
            return nil
        }
        self.init(item, schedule: schedule)
    }

    /// What rings, seen from `now`; as `Schedule.plan(for:now:)`.
    @_specialize(where Zones == SystemZones)
    package func facts(
        for reminder: Reminder, now: Instant
    ) throws(ScheduleError) -> ScheduleFacts {
        guard reminder.state == .open else { return .nothing }
        let current = try reminder.deadline.map { deadline throws(ScheduleError) in
            try schedule.instant(of: deadline).instant
        }
        let view = View(current: current, reminder: reminder, repeats: repeats)
        let due = try newest(view, now: now)
        let ahead = try ahead(view, now: now, after: due?.due ?? current)
        return ScheduleFacts(
            due: due, missed: due == nil ? 0 : try missed(before: due, view, now: now),
            next: ahead.next, nextOccurrence: ahead.later)
    }

    /// Whether there may be more than one occurrence.
    package var repeats: Bool { item.recurrence != nil || !item.overrides.isEmpty }

    /// The first occurrence that is due after `instant`, as a deadline; `nil`: there is none.
    @_specialize(where Zones == SystemZones)
    package func occurrence(after instant: Instant) throws(ScheduleError) -> Deadline? {
        try schedule.rings(of: occurrences, after: instant, limit: 1).first.map(deadline(of:))
    }

    /// The last occurrence that is due up to `instant`, of those in about a year.
    @_specialize(where Zones == SystemZones)
    package func occurrence(upTo instant: Instant) throws(ScheduleError) -> Deadline? {
        for days: Int64 in [40, 400] {
            let start = instant.advanced(bySeconds: -days * 86_400)
            let rings = try schedule.rings(
                of: occurrences, after: start, through: instant, limit: Self.searched)
            if let last = rings.last(where: { $0.instant <= instant }) { return deadline(of: last) }
        }
        return nil
    }

    /// What counts of the rings.
    private struct View {
        let current: Instant?
        let reminder: Reminder
        let repeats: Bool

        /// An alarm that rang and was answered is over, repetitions and all (RFC 9074 section 6.1).
        func isAnswered(at position: Int64) -> Bool {
            guard reminder.alarm.state == .pending || reminder.alarm.state == .none else {
                return false
            }
            return reminder.alarm.rungThrough.map { position <= $0 } ?? false
        }

        /// Occurrences before the current one are over.
        func counts(due: Instant?, at position: Int64) -> Bool {
            if let rung = reminder.alarm.rungThrough, position <= rung { return false }
            guard repeats, let current, let due else { return true }
            return due >= current
        }
    }

    private func newest(_ view: View, now: Instant) throws(ScheduleError) -> RingPoint? {
        let floor = self.floor(view, now: now)
        for days: Int64 in [2, 40, 400, .max] {
            let start = days == .max ? floor : max(floor, now.advanced(bySeconds: -days * 86_400))
            let rings = try schedule.rings(
                of: item, after: start, through: now, limit: Self.searched)
            let last = rings.last { $0.instant <= now && counts($0, view) }
            if let last { return point(last, view) }
            if start == floor { return nil }
        }
        return nil
    }

    /// Before this nothing is looked for. A reminder that never rang has nothing to make up for
    /// beyond a few years.
    private func floor(_ view: View, now: Instant) -> Instant {
        let longest = now.advanced(bySeconds: -5 * 366 * 86_400)
        guard let rung = view.reminder.alarm.rungThrough else { return longest }
        let instant =
            follows
            ? schedule.zones.local.resolve(CivilDateTime(secondsSinceEpoch: rung)).instant
                .advanced(bySeconds: -Wall<Zones.Zone>.longestChange)
            : Instant(seconds: rung - 1)
        return max(longest, instant)
    }

    private func ahead(
        _ view: View, now: Instant, after due: Instant?
    ) throws(ScheduleError) -> (next: RingPoint?, later: RingPoint?) {
        var (next, later, start, looked) = (RingPoint?.none, RingPoint?.none, now, 0)
        let limit = repeats ? Self.chunk : item.alarms.count + 1
        while looked < Self.searched {
            let rings = try schedule.rings(of: item, after: start, limit: limit)
            for ring in rings where counts(ring, view) {
                next = next ?? point(ring, view)
                if repeats, let due, let its = self.due(of: ring), its > due {
                    later = later ?? point(ring, view)
                }
                if later != nil || !repeats { return (next, later) }
            }
            guard let last = rings.last, rings.count == limit else { break }
            (start, looked) = (last.instant, looked + rings.count)
        }
        return (next, later)
    }

    private func missed(
        before due: RingPoint?, _ view: View, now: Instant
    ) throws(ScheduleError) -> Int {
        guard repeats, let due else { return 0 }
        let rings = try schedule.rings(
            of: item, after: floor(view, now: now), through: now, limit: Self.searched)
        let earlier = rings.filter {
            $0.instant <= now && counts($0, view) && self.due(of: $0) ?? due.due < due.due
        }
        return Set(earlier.compactMap(\.due)).count
    }

    /// Whether its times move with the machine's zone.
    private var follows: Bool {
        switch item.base {
        case .floating, .date: true
        case .zoned, .absolute, nil: false
        }
    }

    private func counts(_ ring: ICalendarRing, _ view: View) -> Bool {
        if let first = ring.first, view.isAnswered(at: position(of: first)) { return false }
        return view.counts(due: due(of: ring), at: position(of: ring))
    }

    private func position(of ring: ICalendarRing) -> Int64 { position(of: ring.instant) }

    /// Where an instant lies, to be compared with `Alarm.rungThrough`.
    package func position(of instant: Instant) -> Int64 {
        follows
            ? schedule.zones.local.civil(at: instant).secondsSinceEpoch : instant.seconds
    }

    private func point(_ ring: ICalendarRing, _ view: View) -> RingPoint {
        let due = self.due(of: ring) ?? view.current ?? ring.instant
        return RingPoint(
            occurrence: ring.due == nil
                ? view.reminder.deadline ?? deadline(of: ring)
                : deadline(of: ring), due: due, instant: ring.instant,
            position: position(of: ring))
    }

    /// A date is due when it rings by itself.
    private func due(of ring: ICalendarRing) -> Instant? {
        guard let due = ring.due, item.deadline?.isDateOnly == true else { return ring.due }
        let midnight = schedule.zones.local.civil(at: due).date
        return schedule.zones.local.resolve(
            CivilDateTime(midnight, schedule.settings.allDayTime)
        ).instant
    }

    /// When the occurrence of a ring is due, in the form of the item's own deadline.
    private func deadline(of ring: ICalendarRing) -> Deadline {
        let due = ring.due ?? ring.instant
        switch item.deadline {
        case .date: return .date(schedule.zones.local.civil(at: due).date)
        case .floating: return .floating(schedule.zones.local.civil(at: due))
        case .zoned(_, let name):
            guard let zone = schedule.zones.knownZone(named: name) else { return .absolute(due) }
            return .zoned(zone.civil(at: due), zone: name)
        case .absolute, nil: return .absolute(due)
        }
    }
}

/// The times and alarms of an item as a short text.
package enum PlanText {
    private static let kept: Set<String> = [
        "BEGIN", "END", "DTSTART", "DUE", "DTEND", "DURATION", "RRULE", "EXRULE", "RDATE",
        "EXDATE", "RECURRENCE-ID", "X-MOZ-LASTACK", "X-MOZ-SNOOZE-TIME", "TRIGGER", "REPEAT",
        "ACKNOWLEDGED",
        "ACTION",
        "PROXIMITY", "X-APPLE-PROXIMITY", "X-KDE-KCALCORE-ENABLED",
    ]
    /// Of what replaces an occurrence: whether that one still rings.
    private static let keptOfChanges: Set<String> = ["STATUS", "COMPLETED", "PERCENT-COMPLETE"]

    /// - Parameter item: with its `text`.
    package static func text(_ item: ICalendarItem) -> String {
        let master = lines(item.text, kept)
        let changes = item.overrides.flatMap { lines($0.text, kept.union(keptOfChanges)) }
        return (master + changes).joined(separator: "\n") + "\n"
    }

    private static func lines(_ lines: [String], _ kept: Set<String>) -> [String] {
        var result = lines.filter { line in
            let name = String(
                Substring(line.utf8.prefix { $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: ";") })
            ).uppercased()
            return kept.contains(name) || name.hasPrefix("X-MOZ-SNOOZE-TIME-")
        }
        // One identity for all, which need not be the real one.
        result.insert("UID:1", at: min(1, result.count))
        return result
    }
}
