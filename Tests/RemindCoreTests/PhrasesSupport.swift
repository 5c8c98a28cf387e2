@testable import RemindCore

/// A zone with the clock changes that the EU has had since 1996: on the last Sundays of March and
/// October, at 01:00 UTC. Stands in for tzdata, which the pure rooms do not read.
struct EUZone: ZoneRules {
    let identifier: String
    /// Seconds east of Greenwich in winter.
    let winter: Int

    static let berlin = EUZone(identifier: "Europe/Berlin", winter: 3600)

    func offset(at instant: Instant) -> Int {
        let year = CivilDateTime(secondsSinceEpoch: instant.seconds).date.year
        let isSummer =
            instant >= Self.change(month: 3, year: year)
            && instant < Self.change(month: 10, year: year)
        return winter + (isSummer ? 3600 : 0)
    }

    func resolve(_ civil: CivilDateTime) -> ResolvedTime {
        let inSummer = Instant(seconds: civil.secondsSinceEpoch - Int64(winter) - 3600)
        let inWinter = Instant(seconds: civil.secondsSinceEpoch - Int64(winter))
        let summerHolds = offset(at: inSummer) == winter + 3600
        let winterHolds = offset(at: inWinter) == winter
        switch (summerHolds, winterHolds) {
        case (true, true): return ResolvedTime(instant: inSummer, kind: .overlap)
        case (true, false): return ResolvedTime(instant: inSummer, kind: .unique)
        case (false, true): return ResolvedTime(instant: inWinter, kind: .unique)
        case (false, false): return ResolvedTime(instant: inWinter, kind: .gap)
        }
    }

    private static func change(month: Int, year: Int) -> Instant {
        let last = CivilDate(year: year, month: month, day: 31) ?? .first
        let sunday = last.adding(days: -(last.weekday.rawValue + 1) % 7)
        return Instant(seconds: CivilDateTime(sunday, .midnight).secondsSinceEpoch + 3600)
    }
}

/// A zone of the tests: one with the EU's changes, or one without any.
enum SomeZone: ZoneRules {
    case eu(EUZone)
    case fixed(FixedZone)

    var identifier: String {
        switch self {
        case .eu(let zone): zone.identifier
        case .fixed(let zone): zone.identifier
        }
    }

    func offset(at instant: Instant) -> Int {
        switch self {
        case .eu(let zone): zone.offset(at: instant)
        case .fixed(let zone): zone.offset(at: instant)
        }
    }

    func resolve(_ civil: CivilDateTime) -> ResolvedTime {
        switch self {
        case .eu(let zone): zone.resolve(civil)
        case .fixed(let zone): zone.resolve(civil)
        }
    }
}

/// The zones that the tests know; names in another case are unknown, with the right one near.
struct SomeZones: ZoneDatabase {
    var local = SomeZone.eu(.berlin)

    static let all: [SomeZone] = [
        .eu(.berlin), .eu(EUZone(identifier: "Europe/Paris", winter: 3600)),
        .eu(EUZone(identifier: "Europe/London", winter: 0)),
        .eu(EUZone(identifier: "Europe/Helsinki", winter: 7200)),
        .fixed(FixedZone(identifier: "Asia/Tokyo", seconds: 32_400)),
        .fixed(FixedZone(identifier: "Asia/Kolkata", seconds: 19_800)),
        .fixed(FixedZone(identifier: "Europe/Istanbul", seconds: 10_800)),
        // Without their clock changes, which no test here meets.
        .fixed(FixedZone(identifier: "America/New_York", seconds: -14_400)),
        .fixed(FixedZone(identifier: "America/Chicago", seconds: -18_000)),
        .fixed(FixedZone(identifier: "America/Los_Angeles", seconds: -25_200)),
        .fixed(FixedZone(identifier: "America/Toronto", seconds: -14_400)),
        .fixed(FixedZone(identifier: "America/Port-au-Prince", seconds: -14_400)),
        .fixed(FixedZone(identifier: "Etc/GMT+5", seconds: -18_000)),
        .fixed(FixedZone(identifier: "Japan", seconds: 32_400)),
    ]

    func zone(named name: String) throws(UnknownZone) -> SomeZone {
        if let zone = Self.all.first(where: { $0.identifier == name }) { return zone }
        let near = Self.all.map(\.identifier).filter { $0.lowercased() == name.lowercased() }
        throw UnknownZone(name: name, suggestions: near)
    }
}

/// A context at an RFC 3339 time; `zone` is the machine's zone.
func context(
    _ now: String = "2024-05-01T10:30:00+02:00", zone: String = "Europe/Berlin",
    explicit: String? = nil, settings: Settings = Settings(), allowPast: Bool = false
) throws -> PhraseContext<SomeZones> {
    let database = SomeZones(local: try SomeZones().zone(named: zone))
    let asked = try explicit.map { try database.zone(named: $0) }
    guard let instant = Instant(rfc3339: now) else { throw BadInstant(text: now) }
    return PhraseContext(
        now: instant, zones: database, zone: asked, settings: settings, allowPast: allowPast)
}

struct BadInstant: Error { let text: String }

extension Deadline {
    /// For tables: a date, a wall time, a wall time with its zone, or an instant in UTC.
    var short: String {
        switch self {
        case .date(let date): date.iso8601
        case .floating(let wall): wall.iso8601
        case .zoned(let wall, let zone): wall.iso8601 + " " + zone
        case .absolute(let instant): instant.rfc3339(in: FixedZone.utc)
        }
    }
}
