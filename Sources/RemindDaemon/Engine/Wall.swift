import Calendaring
import RemindCore
import Store

/// What deadlines hang on besides the clock: the machine's zone, and the times of day of the
/// configuration. When they change, so do floating and date-only deadlines.
extension Engine {
    private static let zoneKey = "zone"
    private static let dayTimesKey = "day-times"

    /// The machine's zone was changed (`/etc/localtime`).
    func zoneChanged(_ zones: SystemZones) {
        timetable = Timetable(zones: zones, settings: settings)
        Journal.info("the time zone is now \(timetable.zoneName)")
        moveDeadlines()
    }

    /// The configuration was read again.
    func reconfigure(_ new: Settings) {
        Journal.info("the configuration was read again")
        guard new != settings else { return }
        let old = settings
        settings = new
        timetable = Timetable(zones: timetable.zones, settings: new)
        moveDeadlines()
        releaseHeld()
        relabel(from: old)
        arm()
    }

    private func moveDeadlines() {
        refillOrRetry()
        arm()
    }

    /// Floating and date-only deadlines are computed anew when the machine's zone or the times of
    /// day are not those that they were last computed for, be it that these changed now or while no
    /// daemon ran.
    func followWall() throws {
        let zone = timetable.zoneName
        let times = DayTimes(settings)
        let oldTimes = try store.meta(Self.dayTimesKey).flatMap(DayTimes.init(text:))
        guard try store.meta(Self.zoneKey) != zone || oldTimes != times else { return }
        let before = oldTimes.map { Timetable(zones: timetable.zones, settings: $0.settings) }
        let now = clock.now
        try store.transaction {
            for number in try store.followingZone() {
                guard var reminder = try store.reminder(number: number) else { continue }
                if let before { moveWhatRang(&reminder, from: before) }
                let changed = reminder.rearmed(timetable.facts(for: reminder, now: now))
                try store.update(changed, due: timetable.dueInstant(of: changed))
            }
            try store.markUndoMoved()
            try store.setMeta(Self.zoneKey, zone)
            try store.setMeta(Self.dayTimesKey, times.text)
        }
    }

    /// What has rung stays rung: all rings of a date move by the same time on the wall, and so does
    /// the mark up to which they have rung.
    private func moveWhatRang(_ reminder: inout Reminder, from before: Timetable) {
        guard let rung = reminder.alarm.rungThrough, let deadline = reminder.deadline,
            deadline.isDateOnly
        else { return }
        let (old, new) = (before.wallTime(of: reminder), timetable.wallTime(of: reminder))
        guard let old, let new else { return }
        reminder.alarm.rungThrough = rung + new - old
    }
}

/// The times of day at which dates ring, as the store keeps them.
private struct DayTimes: Hashable {
    var settings: Settings { .init(allDayTime: allDayTime, evening: evening) }

    private let allDayTime: CivilTime
    private let evening: CivilTime

    init(_ settings: Settings) { (allDayTime, evening) = (settings.allDayTime, settings.evening) }

    /// `09:00:00 19:00:00`.
    var text: String { "\(allDayTime.iso8601) \(evening.iso8601)" }

    init?(text: String) {
        let times = text.split(separator: " ").compactMap { try? TimePhrase.parse(String($0)) }
        guard times.count == 2 else { return nil }
        (allDayTime, evening) = (times[0], times[1])
    }
}

extension Settings {
    fileprivate init(allDayTime: CivilTime, evening: CivilTime) {
        self.init()
        (self.allDayTime, self.evening) = (allDayTime, evening)
    }
}

extension Timetable {
    /// Where the ring of the current deadline lies on the machine's wall, in civil seconds.
    fileprivate func wallTime(of reminder: Reminder) -> Int64? {
        guard let deadline = reminder.deadline,
            let ring = try? schedule.instant(of: deadline, scheduled: reminder.scheduled).instant
        else { return nil }
        return zones.local.civil(at: ring).secondsSinceEpoch
    }
}
