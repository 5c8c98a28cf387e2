/// A time zone: which offset holds when. The system's tzdata stands behind it in the daemon
/// (room `Calendaring`); the pure rooms only ask.
package protocol ZoneRules: Sendable {
    /// The IANA name, or the POSIX `TZ` text that the zone was made from.
    var identifier: String { get }

    /// What people call the offset that holds at `instant`: `CEST`. For showing only, never read.
    func abbreviation(at instant: Instant) -> String

    /// Seconds east of Greenwich that hold at `instant`.
    func offset(at instant: Instant) -> Int

    /// The instant at which the wall shows `civil` (RFC 5545 section 3.3.5): in a spring gap the
    /// offset before the gap is used (02:30 becomes 03:30), in an autumn overlap the first one.
    func resolve(_ civil: CivilDateTime) -> ResolvedTime
}

/// Where a wall time lies on the time line.
package struct ResolvedTime: Hashable, Sendable {
    package enum Kind: Sendable { case unique, gap, overlap }

    package let instant: Instant
    /// `gap`: that wall time does not exist that day; `overlap`: it exists twice.
    package let kind: Kind

    package init(instant: Instant, kind: Kind) { (self.instant, self.kind) = (instant, kind) }
}

/// Finds zones by name.
package protocol ZoneDatabase: Sendable {
    associatedtype Zone: ZoneRules

    /// The machine's zone as it is now.
    var local: Zone { get }

    /// - Throws: `UnknownZone`, with near names, when the system's tzdata does not have it.
    func zone(named name: String) throws(UnknownZone) -> Zone

    /// The same without near names, which take long to find: for what is read from files, where
    /// there may be thousands of them.
    func knownZone(named name: String) -> Zone?
}

extension ZoneDatabase {
    package func knownZone(named name: String) -> Zone? { try? zone(named: name) }
}

/// A zone name that the system's tzdata does not know.
package struct UnknownZone: Error, Hashable, Sendable {
    package let name: String
    /// IANA names that could have been meant, the likeliest first; may be empty.
    package let suggestions: [String]

    package init(name: String, suggestions: [String]) {
        (self.name, self.suggestions) = (name, suggestions)
    }
}

extension ZoneRules {
    /// `UTC`, or the offset (`+02:00`) where nothing better is known.
    package func abbreviation(at instant: Instant) -> String {
        offset(at: instant) == 0 ? "UTC" : String(instant.rfc3339(in: self).suffix(6))
    }

    /// What the wall shows in this zone at `instant`, to the second.
    package func civil(at instant: Instant) -> CivilDateTime {
        CivilDateTime(secondsSinceEpoch: instant.seconds + Int64(offset(at: instant)))
    }
}

/// A zone whose offset never changes: UTC, and phrases that name an offset.
package struct FixedZone: ZoneRules, Hashable {
    package let identifier: String
    /// Seconds east of Greenwich.
    package let seconds: Int

    package init(identifier: String, seconds: Int) {
        (self.identifier, self.seconds) = (identifier, seconds)
    }

    package static let utc = FixedZone(identifier: "UTC", seconds: 0)

    package func offset(at instant: Instant) -> Int { seconds }

    package func resolve(_ civil: CivilDateTime) -> ResolvedTime {
        ResolvedTime(
            instant: Instant(seconds: civil.secondsSinceEpoch - Int64(seconds)), kind: .unique)
    }
}
