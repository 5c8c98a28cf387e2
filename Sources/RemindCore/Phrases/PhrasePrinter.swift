/// Writes deadlines for people, in words that the phrase parser reads back with the same meaning.
package struct PhrasePrinter<Zone: ZoneRules>: Sendable {
    private let zone: Zone

    /// - Parameter zone: the zone in which instants are shown.
    package init(zone: Zone) { self.zone = zone }

    /// `Wed 1 May 2030, 09:00`: the part that is a phrase of its own. Read in the same zone it
    /// means the same instant (or date). Seconds are left out when they are zero.
    package func text(_ deadline: Deadline) -> String {
        switch deadline {
        case .floating(let wall), .zoned(let wall, _): return CivilText.text(wall)
        case .date(let date): return CivilText.date(date)
        case .absolute(let instant): return text(instant)
        }
    }

    /// The same for an instant; the second of two equal wall times carries its offset.
    package func text(_ instant: Instant) -> String {
        let wall = zone.civil(at: instant)
        guard zone.resolve(wall).instant.seconds != instant.seconds else {
            return CivilText.text(wall)
        }
        let offset = instant.rfc3339(in: zone).suffix(6)
        // A bare minus behind a time would read as a range of two times.
        return CivilText.text(wall) + (offset.hasPrefix("-") ? " UTC" : "") + offset
    }

    /// `text` with the zone's abbreviation: `Wed 1 May 2030, 09:00 CEST`; a zoned deadline has the
    /// zone's name instead, which can be read back. A date has none. A wall time that a clock
    /// change takes away is shown as the one that is taken instead of it.
    ///
    /// - Parameter instant: the deadline as an instant.
    package func textWithZone(_ deadline: Deadline, at instant: Instant) -> String {
        switch deadline {
        case .date: text(deadline)
        case .zoned(let wall, let name):
            (name == zone.identifier ? existing(wall, at: instant) : CivilText.text(wall))
                + " " + name
        case .floating(let wall):
            existing(wall, at: instant) + " " + zone.abbreviation(at: instant)
        case .absolute: text(instant) + " " + zone.abbreviation(at: instant)
        }
    }

    private func existing(_ wall: CivilDateTime, at instant: Instant) -> String {
        CivilText.text(zone.resolve(wall).kind == .gap ? zone.civil(at: instant) : wall)
    }
}

/// Writes civil times for people: `Wed 1 May 2030, 09:00`.
package enum CivilText {
    /// `Wed 1 May 2030`; a year before 1000 is written as ISO 8601 does, so that it reads back.
    package static func date(_ date: CivilDate) -> String {
        guard date.year >= 1000 else { return date.iso8601 }
        return "\(Names.weekdays[date.weekday.rawValue]) \(date.day) "
            + "\(Names.months[date.month - 1]) \(date.year)"
    }

    /// `09:00`, and `09:00:30` when there are seconds.
    package static func time(_ time: CivilTime) -> String {
        String(time.iso8601.prefix(time.second == 0 ? 5 : 8))
    }

    package static func text(_ wall: CivilDateTime) -> String {
        date(wall.date) + ", " + time(wall.time)
    }
}
