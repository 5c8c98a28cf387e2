package import RemindCore

/// Why a schedule could not be computed.
package enum ScheduleError: Error, Hashable, Sendable {
    /// The deadline's zone is not in the system's tzdata (any more).
    case zone(UnknownZone)
    case rule(RuleError)
}

/// What deadlines and rules mean on the time line: when a reminder rings, and what comes after.
/// Pure: the zones are asked, no clock is read. Make a new one when the machine's zone or the
/// settings change.
package struct Schedule<Zones: ZoneDatabase>: Sendable {
    package let zones: Zones
    package let settings: Settings

    package init(zones: Zones, settings: Settings = Settings()) {
        (self.zones, self.settings) = (zones, settings)
    }

    /// The zone in which a deadline is to be shown: its own, else the machine's.
    package func zone(of deadline: Deadline) throws(ScheduleError) -> Zones.Zone {
        guard let name = deadline.zoneName else { return zones.local }
        do {
            return try zones.zone(named: name)
        } catch {
            throw .zone(error)
        }
    }

    /// When a deadline rings by itself, and whether that wall time lies in a gap or an overlap.
    ///
    /// A date rings at `settings.allDayTime`. One that was set on that very day after that time
    /// rings at `settings.evening`, or, set after that too, the next day at `allDayTime`.
    ///
    /// - Parameter scheduled: when the deadline was set (`Reminder.scheduled`).
    @_specialize(where Zones == SystemZones)
    package func instant(
        of deadline: Deadline, scheduled: Instant? = nil
    ) throws(ScheduleError) -> ResolvedTime {
        let wall = try self.wall(of: deadline)
        let position = wall.position(of: deadline)
        return wall.resolve(ringPosition(position, on: wall, scheduled: scheduled))
    }

    /// The day of a deadline on the wall where it is read.
    package func day(of deadline: Deadline) -> CivilDate {
        switch deadline {
        case .floating(let civil), .zoned(let civil, _): civil.date
        case .date(let date): date
        case .absolute(let instant): zones.local.civil(at: instant).date
        }
    }

    /// From when on a deadline counts as overdue, and by which lists are sorted: the instant
    /// itself; of a date, the end of its day (it rings at `allDayTime`, and is overdue when the
    /// day is over).
    @_specialize(where Zones == SystemZones)
    package func overdue(_ deadline: Deadline) throws(ScheduleError) -> Instant {
        guard case .date(let date) = deadline else { return try instant(of: deadline).instant }
        return zones.local.resolve(CivilDateTime(date.adding(days: 1), .midnight)).instant
    }
}

extension Schedule {
    /// The wall on which `deadline` and what repeats it are counted.
    func wall(of deadline: Deadline) throws(ScheduleError) -> Wall<Zones.Zone> {
        let kind: Wall<Zones.Zone>.Kind =
            switch deadline {
            case .floating: .floating
            case .zoned(_, let name): .zoned(name)
            case .date: .date
            case .absolute(let instant): .absolute(fraction: instant.milliseconds.floorModulo(1000))
            }
        return Wall(kind: kind, zone: try zone(of: deadline))
    }

    /// Where the ring of the occurrence at `position` lies: the same but for dates.
    func ringPosition(_ position: Int64, on wall: Wall<Zones.Zone>, scheduled: Instant?) -> Int64 {
        guard case .date = wall.kind else { return position }
        let usual = position + Int64(settings.allDayTime.secondOfDay)
        guard let scheduled else { return usual }
        let set = zones.local.civil(at: scheduled).secondsSinceEpoch
        guard set > usual, set < position + 86_400 else { return usual }
        let evening = position + Int64(settings.evening.secondOfDay)
        return set < evening ? evening : usual + 86_400
    }
}

extension Wall {
    /// Where a deadline of any kind lies on this wall: by its wall time when the kinds agree, else
    /// by its instant.
    func position(of deadline: Deadline) -> Int64 {
        switch (deadline, kind) {
        case (.floating(let civil), .floating): civil.secondsSinceEpoch
        case (.zoned(let civil, _), .zoned): civil.secondsSinceEpoch
        case (.date(let date), .date): CivilDateTime(date, .midnight).secondsSinceEpoch
        case (.absolute(let instant), .absolute): instant.seconds
        case (.absolute(let instant), .date):
            CivilDateTime(zone.civil(at: instant).date, .midnight).secondsSinceEpoch
        case (.absolute(let instant), _): position(of: instant)
        case (.floating(let civil), .date), (.zoned(let civil, _), .date):
            CivilDateTime(civil.date, .midnight).secondsSinceEpoch
        case (.floating(let civil), _), (.zoned(let civil, _), _): position(of: civil)
        case (.date(let date), _): position(of: CivilDateTime(date, .midnight))
        }
    }
}
