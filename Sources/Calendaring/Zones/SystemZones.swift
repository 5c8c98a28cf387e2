import Glibc
package import RemindCore
import Synchronization

/// The zones of the system's tzdata, as they are when this value is made: make a new one when
/// `/etc/localtime` has changed. Zones are read on first use and kept; safe on any thread.
package struct SystemZones: ZoneDatabase {
    /// The machine's zone: `TZ` when it is set (POSIX.1-2017 section 8.3: an IANA name, a path or
    /// a POSIX rule, each with or without a colon), else the zone of `/etc/localtime`. UTC where
    /// there is none or it means nothing, as in the C library.
    package let local: SystemZone
    /// What `TZ` says where that means nothing.
    package let unknown: String?
    private let files: ZoneFiles
    private let shared: Shared

    /// - Parameters:
    ///   - localtime: the file or link that gives the machine's zone.
    ///   - timezone: the file with the zone's name, used where `localtime` is a copy.
    ///   - environment: `TZ` and `TZDIR` are read.
    package init(
        localtime: String = "/etc/localtime", timezone: String = "/etc/timezone",
        environment: [String: String] = Self.processEnvironment()
    ) {
        let directory = environment["TZDIR"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        let generation = Self.generations.add(1, ordering: .relaxed).newValue
        files = ZoneFiles(directory: directory ?? "/usr/share/zoneinfo", generation: generation)
        shared = Shared()
        let finder = LocalZone(files: files, localtime: localtime, timezone: timezone)
        local = finder.find(tz: environment["TZ"])
        unknown = environment["TZ"].flatMap { finder.isKnown(tz: $0) ? nil : $0 }
    }

    private init(local: SystemZone, files: ZoneFiles, shared: Shared) {
        (self.local, self.files, self.shared, unknown) = (local, files, shared, nil)
    }

    /// The same zones, seen from a machine in one of them.
    package func seen(from local: SystemZone) -> SystemZones {
        SystemZones(local: local, files: files, shared: shared)
    }

    private static let generations = Atomic<UInt64>(0)

    /// `TZ` and `TZDIR` of this process.
    package static func processEnvironment() -> [String: String] {
        ["TZ", "TZDIR"].reduce(into: [:]) { result, key in
            if let value = getenv(key) { result[key] = String(cString: value) }
        }
    }

    private final class Shared: Sendable {
        let zones = Mutex<[String: SystemZone]>([:])
        let names = Mutex<ZoneNames?>(nil)
    }

    /// Every zone and link that the system's tzdata lists.
    package var names: [String] { zoneNames.all }

    private var zoneNames: ZoneNames {
        shared.names.withLock { known in
            let names = known ?? ZoneNames(files: files)
            known = names
            return names
        }
    }

    /// Takes an IANA name in any case (the zone's `identifier` then has the right one) or a
    /// POSIX `TZ` text with its rules (`CET-1CEST,M3.5.0,M10.5.0/3`). Never a path: names come
    /// from clients and files.
    package func zone(named name: String) throws(UnknownZone) -> SystemZone {
        guard let zone = knownZone(named: name) else { throw unknown(name) }
        return zone
    }

    package func knownZone(named name: String) -> SystemZone? {
        if let known = shared.zones.withLock({ $0[name] }) { return known }
        guard let zone = read(name) else { return nil }
        // Clients choose the names: a bound on what they can make us keep.
        shared.zones.withLock { if $0.count < 1000 { $0[name] = zone } }
        return zone
    }

    private func read(_ name: String) -> SystemZone? {
        guard name.utf8.count <= Limits.phrase else { return nil }
        if PosixZone.isComplete(name) { return SystemZone(identifier: name, posix: name) }
        guard Self.isName(name) else { return nil }
        for spelling in [name, zoneNames.canonical(name)].compactMap({ $0 }) {
            let path = files.path(of: spelling)
            if files.isZone(path: path) {
                return SystemZone(identifier: spelling, path: files.salted(path))
            }
        }
        return nil
    }

    private func unknown(_ name: String) -> UnknownZone {
        let fixed = PosixZone.fixedOffsetName(name).map { [$0] } ?? []
        let near = name.utf8.count <= 64 ? zoneNames.near(name) : []
        return UnknownZone(name: name, suggestions: fixed + near)
    }

    /// Letters, digits, `_ + -` in parts joined by single slashes, and not one of the directories
    /// that hold second copies.
    private static func isName(_ name: String) -> Bool {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        let others = ["posix", "right", "localtime", "posixrules", "factory"]
        return !others.contains(parts[0].lowercased())
            && parts.allSatisfy { part in
                !part.isEmpty
                    && part.utf8.allSatisfy {
                        switch $0 {
                        case UInt8(ascii: "a")...UInt8(ascii: "z"),
                            UInt8(ascii: "A")...UInt8(ascii: "Z"),
                            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"),
                            UInt8(ascii: "+"), UInt8(ascii: "-"):
                            true
                        default: false
                        }
                    }
            }
    }
}
