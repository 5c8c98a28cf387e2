import Calendaring
import Synchronization

/// The zones that a file must define.
struct ExportZones {
    let database: SystemZones
    var defined: Set<String>
    /// What the beginnings of lines name, up to the colon.
    private var heads: [String: String?] = [:]
    private static let timed = ["DTSTART", "DUE", "DTEND", "RDATE", "EXDATE", "RECURRENCE-ID"]

    init(database: SystemZones, defined: Set<String>) {
        (self.database, self.defined) = (database, defined)
    }

    /// The definitions of the zones that `lines` name and that have none yet.
    mutating func definitions(for lines: [String]) -> [String] {
        var found: [String] = []
        for line in lines {
            guard let id = zone(in: line), defined.insert(id).inserted,
                let zone = database.knownZone(named: id)
            else { continue }
            found += ZoneLines.lines(id, zone)
        }
        return found
    }

    /// The same for lines that are joined by `\n`.
    mutating func definitions(for text: String) -> [String] {
        // Most texts name no zone, and of the others most name the same.
        guard text.utf8.contains(UInt8(ascii: ";")) else { return [] }
        return definitions(
            for: text.utf8.split(separator: 10).compactMap { line -> String? in
                guard let first = line.first,
                    first == UInt8(ascii: "D") || first == UInt8(ascii: "R")
                        || first == UInt8(ascii: "E")
                else { return nil }
                return String(Substring(line))
            })
    }

    private mutating func zone(in line: String) -> String? {
        guard Self.timed.contains(where: line.hasPrefix) else { return nil }
        let head = String(Substring(line.utf8.prefix { $0 != UInt8(ascii: ":") }))
        if let known = heads[head] { return known }
        let id = ICalendarProperty(text: line)?.parameter("TZID")
        if !head.utf8.contains(UInt8(ascii: "\"")), heads.count < 100 {
            heads.updateValue(id, forKey: head)
        }
        return id
    }
}

/// Definitions of zones, which take a millisecond to make, by their names.
private enum ZoneLines {
    static func lines(_ id: String, _ zone: SystemZone) -> [String] {
        known.withLock { known in
            if let lines = known[id] { return lines }
            let lines = ZoneText(zone, named: id).lines
            if known.count < 100 { known[id] = lines }
            return lines
        }
    }

    private static let known = Mutex<[String: [String]]>([:])
}
