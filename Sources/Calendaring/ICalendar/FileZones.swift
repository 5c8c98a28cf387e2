import RemindCore

/// What the TZIDs of a file mean. By its name, in this order: an IANA name, a Windows name, a name
/// that ends in an IANA name (`/freeassociation.sourceforge.net/Europe/Berlin`); else by the
/// file's VTIMEZONE; else by the offset or the cities in the name (`(UTC+01:00) Amsterdam, Rome`),
/// or as an abbreviation (`PST`).
/// What a file says of a name without an area (`EST`, `GMT`) counts before all of these.
final class FileZones<Zones: ZoneDatabase> {
    enum Meaning {
        case universal
        /// A name that `ZoneDatabase` knows.
        case named(String)
        /// A definition that fits no zone and no POSIX `TZ` text.
        case defined(FileZone)
    }

    let database: Zones
    private var defined: [String: [(calendar: Int, zone: FileZone)]] = [:]
    private var count = 0
    private var byName: [String: String] = [:]
    private var unknown: Set<String> = []
    private var matched: [Match: Meaning] = [:]

    private struct Match: Hashable {
        let zone: FileZone
        let year: Int
    }

    /// Whether POSIX texts are taken as names: in our own texts only, as people get their signs
    /// wrong.
    private let takesRules: Bool

    init(database: Zones, takesRules: Bool = false) {
        (self.database, self.takesRules) = (database, takesRules)
    }

    /// Whether `id` is the very name of a zone.
    func isName(_ id: String) -> Bool {
        !Self.isUniversal(id) && name(id) == id && !(isLoose(id) && isDefined(id))
    }

    /// Adds a VTIMEZONE of a calendar.
    func define(_ zone: FileZone, calendar: Int) {
        // The values of parameters are the same in upper and lower case (RFC 5545 section 2).
        let id = zone.id.lowercased()
        guard defined[id]?.last?.zone != zone, count < ICalendarLimits.timeZones else { return }
        defined[id, default: []].append((calendar, zone))
        count += 1
    }

    /// True when a later part of the file may still say what the name means.
    func isOpen(_ id: String) -> Bool {
        (isLoose(id) || !Self.isUniversal(id) && name(id) == nil) && !isDefined(id)
    }

    private func isDefined(_ id: String) -> Bool {
        !defined.isEmpty && defined[id.lowercased()] != nil
    }

    /// Whether files mean this and that by the name: `EST` with summer time, `GMT` as Britain has
    /// it. Of areas with cities, and of Windows' names, the system knows more than files do.
    private func isLoose(_ id: String) -> Bool {
        if id.utf8.contains(UInt8(ascii: "/")) { return false }
        if Self.isUniversal(id) { return id == "GMT" }
        return WindowsZones.byName[id.lowercased()] == nil
    }

    /// - Parameter year: the year of the time in question; a VTIMEZONE is compared with the zones
    ///   of the system in that year and the next two.
    func zone(_ id: String, calendar: Int, year: Int) -> Meaning? {
        let isLoose = self.isLoose(id)
        if isLoose, let meaning = definition(id, calendar, year) { return meaning }
        if Self.isUniversal(id) { return .universal }
        if let name = name(id) { return .named(name) }
        if !isLoose, let meaning = definition(id, calendar, year) { return meaning }
        return described(id).map(Meaning.named)
    }

    private func definition(_ id: String, _ calendar: Int, _ year: Int) -> Meaning? {
        guard !defined.isEmpty, let list = defined[id.lowercased()] else { return nil }
        let zone = (list.last { $0.calendar <= calendar } ?? list[0]).zone
        return match(zone, year)
    }

    func resolve(_ civil: CivilDateTime, zone name: String) -> Instant? {
        database.knownZone(named: name)?.resolve(civil).instant
    }

    private static func isUniversal(_ id: String) -> Bool {
        switch id.utf8.count {
        case 1...4, 7, 13, 19, 21, 26: universal.contains(id.uppercased())
        default: false
        }
    }

    private static var universal: [String] {
        [
            "UTC", "ETC/UTC", "GMT", "ETC/GMT", "Z", "UT", "ZULU", "TZONE://MICROSOFT/UTC",
            "MICROSOFT/UTC",
            "GREENWICH MEAN TIME", "COORDINATED UNIVERSAL TIME",
        ]
    }

    private func name(_ id: String) -> String? {
        if let known = byName[id] { return known }
        // A name that means nothing is searched for among all names, which takes its time.
        if unknown.contains(id) || unknown.count >= ICalendarLimits.timeZones { return nil }
        let found = find(id)
        if let found { byName[id] = found } else { unknown.insert(id) }
        return found
    }

    private func find(_ id: String) -> String? {
        let plain = id.filter { $0 != "\\" }.trimmedASCII
        if let name = known(plain) { return name }
        if let name = WindowsZones.byName[plain.lowercased()] { return known(name) }
        // Area/City, and Area/Country/City.
        let parts = plain.split(separator: "/")
        for count in [3, 2]
        where parts.count > count || plain.hasPrefix("/") && parts.count == count {
            if let name = known(parts.suffix(count).joined(separator: "/")) { return name }
        }
        return otherwise(plain).flatMap(known)
    }

    /// `America/New York`, `Europe%2FBerlin`, `US-Eastern` as the system writes them.
    private func otherwise(_ id: String) -> String? {
        let name = id.replacing("%2F", with: "/").replacing("%2f", with: "/")
        if name.utf8.contains(UInt8(ascii: "/")) {
            return name.split(separator: " ").joined(separator: "_")
        }
        guard let dash = name.firstIndex(of: "-"), name[..<dash].allSatisfy(\.isLetter) else {
            return nil
        }
        return name[..<dash] + "/" + name[dash...].dropFirst()
    }

    /// A name that the system's tzdata has; not a POSIX text, whose signs people get wrong.
    private func known(_ name: String) -> String? {
        guard takesRules || !name.contains(",") && name.first != "<" else { return nil }
        return database.knownZone(named: name)?.identifier
    }

    /// `(UTC+01:00) Amsterdam, Berlin, Rome`, `(GMT-05.00) Eastern Time (US & Canada)`, `GMT+0100`,
    /// `UTC-5`.
    private func described(_ id: String) -> String? {
        // Before the cities: `Etc/GMT+8` lies eight hours west, what people call `GMT+8` east.
        if let name = offsetZone(id.filter { $0 != " " }) { return name }
        if let name = WindowsZones.displayed(id) { return known(name) }
        // Zimbra has `Amsterdam / Berlin / Bern`.
        let cities = id.replacing(" / ", with: ",")
        for city in cities.split(whereSeparator: { ",);".contains($0) }) {
            let name = String(city).trimmedASCII.split(separator: " ").joined(separator: "_")
            let suffix = "/" + name.lowercased()
            if let zone = WindowsZones.zones.first(where: { $0.lowercased().hasSuffix(suffix) }) {
                return zone
            }
        }
        let head = id.filter { $0 != "(" }.prefix { $0 != ")" && $0 != " " }
        if id.first == "(", ["UTC", "GMT"].contains(head.uppercased()) { return known("Etc/UTC") }
        return offsetZone(String(head)) ?? likely(id)
    }

    /// Of an abbreviation, which may mean several zones: that of this machine if it is one of them,
    /// else the one that most mean.
    private func likely(_ abbreviation: String) -> String? {
        let zones = ZoneAbbreviations.meanings(of: abbreviation) ?? []
        return zones.first { $0 == database.local.identifier } ?? zones.first.flatMap(known)
    }

    /// Whether `name` was chosen for an abbreviation that no zone of the system and of the file has.
    func isGuess(_ id: String, _ name: String) -> Bool {
        id.utf8.count <= 5 && id != name && self.name(id) == nil && !isDefined(id)
            && likely(id) == name
    }

    /// Of `GMT+0100`, `UTC-5`, `GMT+05:30`, `GMT-05.00` and `+0530`, as people mean them.
    private func offsetZone(_ text: String) -> String? {
        let upper = text.uppercased().replacing("\u{2212}", with: "-")
        guard let sign = upper.firstIndex(where: { $0 == "+" || $0 == "-" }),
            ["", "UTC", "GMT"].contains(upper[..<sign])
        else { return nil }
        let digits = upper[sign...].dropFirst().filter { $0 != ":" && $0 != "." }
        guard let number = Int(digits), digits.count <= 4, digits.allSatisfy(\.isNumber) else {
            return nil
        }
        let (hours, minutes) =
            digits.count <= 2 ? (number, 0) : number.quotientAndRemainder(dividingBy: 100)
        guard minutes < 60 else { return nil }
        let offset = (hours * 60 + minutes) * (upper[sign] == "-" ? -60 : 60)
        let name = FixedZoneName(offset: offset)
        return name.flatMap { database.knownZone(named: $0.text)?.identifier }
    }

    private func match(_ zone: FileZone, _ year: Int) -> Meaning {
        let key = Match(zone: zone, year: year)
        if let known = matched[key] { return known }
        let meaning = matching(zone, year)
        if matched.count < ICalendarLimits.timeZones { matched[key] = meaning }
        return meaning
    }

    private func matching(_ zone: FileZone, _ year: Int) -> Meaning {
        if let location = zone.location, let name = known(location) { return .named(name) }
        let matcher = ZoneMatcher(zone: zone, year: year)
        let preferred = [database.local.identifier, matcher.fixedName?.text].compactMap { $0 }
        for name in preferred + ZoneMatcher.wellKnown + WindowsZones.zones {
            if let candidate = database.knownZone(named: name), matcher.agrees(with: candidate) {
                return .named(name)
            }
        }
        if let text = matcher.posixText, let candidate = database.knownZone(named: text),
            matcher.agrees(with: candidate)
        {
            return .named(text)
        }
        return .defined(zone)
    }
}
