import Foundation
import RemindCore
import Testing

@testable import Calendaring

/// A civil time from `2030-05-01T09:00:00`.
func civil(_ text: String) throws -> CivilDateTime {
    try #require(CivilDateTime(iso8601: text), "\(text)")
}

/// An instant from RFC 3339 text.
func instant(_ text: String) throws -> Instant {
    try #require(Instant(rfc3339: text), "\(text)")
}

@Suite("Zones by name")
struct ZoneNameTests {
    let zones = SystemZones(environment: [:])

    @Test(
        "a known name in any case is taken and gets its own spelling",
        arguments: [
            ("Europe/Berlin", "Europe/Berlin"), ("europe/berlin", "Europe/Berlin"),
            ("AMERICA/ARGENTINA/BUENOS_AIRES", "America/Argentina/Buenos_Aires"), ("UTC", "UTC"),
            ("Etc/GMT+5", "Etc/GMT+5"), ("utc", "UTC"),
        ])
    func known(name: String, identifier: String) throws {
        #expect(try zones.zone(named: name).identifier == identifier)
    }

    @Test(
        "an unknown name is refused with names that could have been meant",
        arguments: [
            ("Europe/Berln", "Europe/Berlin"), ("Berlin", "Europe/Berlin"),
            ("new york", "America/New_York"), ("America/NewYork", "America/New_York"),
            ("Tokio", "Asia/Tokyo"), ("UTC+2", "Etc/GMT-2"), ("+05:00", "Etc/GMT-5"),
        ])
    func near(name: String, suggestion: String) throws {
        let error = #expect(throws: UnknownZone.self) { try zones.zone(named: name) }
        #expect(error?.name == name)
        #expect(error?.suggestions.first == suggestion)
    }

    @Test(
        "paths, other files and nonsense are refused",
        arguments: [
            "", "/", "../zoneinfo/Europe/Berlin", "Europe/../Europe/Berlin", "/etc/localtime",
            "/usr/share/zoneinfo/Europe/Berlin", "Europe", "Europe/", "Europe//Berlin", "zone.tab",
            "leapseconds", "posix/Europe/Berlin", "right/Europe/Berlin", "localtime", "Factory",
            "Europe/Berlin\0", ":Europe/Berlin", "Mars/Base", "Z\u{fc}rich", "a,b,c", ",,", "EST5",
            String(repeating: "x", count: 5000),
        ])
    func refused(name: String) {
        #expect(throws: UnknownZone.self) { try zones.zone(named: name) }
    }

    @Test("a POSIX text with its rules is a zone")
    func posix() throws {
        let zone = try zones.zone(named: "CET-1CEST,M3.5.0,M10.5.0/3")
        let berlin = try zones.zone(named: "Europe/Berlin")
        for text in ["2030-03-31T02:30:00", "2030-10-27T02:30:00", "2030-07-01T12:00:00"] {
            #expect(try zone.resolve(civil(text)) == berlin.resolve(civil(text)))
        }
    }

    @Test("a POSIX text with winter time as its daylight time is read right")
    func negativeDaylight() throws {
        let zone = try zones.zone(named: "IST-1GMT0,M10.5.0,M3.5.0/1")
        let dublin = try zones.zone(named: "Europe/Dublin")
        for text in ["2030-03-31T01:30:00", "2050-03-27T01:30:00", "2050-07-01T12:00:00"] {
            #expect(try zone.resolve(civil(text)) == dublin.resolve(civil(text)))
        }
        #expect(try dublin.resolve(civil("2050-03-27T01:30:00")).kind == .gap)
    }

    @Test("abbreviations follow the clock")
    func abbreviations() throws {
        let zone = try zones.zone(named: "Europe/Berlin")
        #expect(try zone.abbreviation(at: instant("2030-01-01T00:00:00Z")) == "CET")
        #expect(try zone.abbreviation(at: instant("2030-07-01T00:00:00Z")) == "CEST")
    }
}

@Suite("The machine's zone")
struct LocalZoneTests {
    private func local(_ tz: String) -> SystemZone {
        SystemZones(localtime: "/nowhere", environment: ["TZ": tz]).local
    }

    @Test(
        "TZ decides when it is set",
        arguments: [
            ("Europe/Berlin", "Europe/Berlin", 3600), (":Europe/Berlin", "Europe/Berlin", 3600),
            ("/usr/share/zoneinfo/Asia/Tokyo", "Asia/Tokyo", 32_400),
            (":/usr/share/zoneinfo/Asia/Tokyo", "Asia/Tokyo", 32_400),
            ("CET-1CEST,M3.5.0,M10.5.0/3", "CET-1CEST,M3.5.0,M10.5.0/3", 3600),
            ("<+0330>-3:30", "<+0330>-3:30", 12_600), ("EST5", "EST5", -18_000),
            ("XST5XDT", "XST5XDT", -18_000), ("", "UTC", 0), ("Mars/Base", "UTC", 0),
            ("/nowhere/else", "UTC", 0), ("UTC0", "UTC0", 0),
        ])
    func environment(tz: String, identifier: String, offset: Int) throws {
        let zone = local(tz)
        #expect(zone.identifier == identifier)
        #expect(try zone.offset(at: instant("2030-01-01T00:00:00Z")) == offset)
    }

    @Test("a zone with summer time but no rules gets those of the C library")
    func rulesAssumed() throws {
        #expect(try local("XST5XDT").offset(at: instant("2030-07-01T00:00:00Z")) == -14_400)
    }

    @Test("a link, another link and a copy in its place are seen by the next reading")
    func changes() throws {
        let directory = FileManager.default.temporaryDirectory
            .appendingPathComponent("remindd-localtime-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let link = directory.appendingPathComponent("localtime").path
        let name = directory.appendingPathComponent("timezone").path
        var kept: [SystemZone] = []
        func read() -> SystemZone {
            let zone = SystemZones(localtime: link, timezone: name, environment: [:]).local
            kept.append(zone)
            return zone
        }
        let noon = try instant("2030-01-01T12:00:00Z")
        #expect(read().identifier == "UTC")
        for (zone, offset) in [("Asia/Tokyo", 32_400), ("Asia/Singapore", 28_800)] {
            try? FileManager.default.removeItem(atPath: link)
            try FileManager.default.createSymbolicLink(
                atPath: link, withDestinationPath: "/usr/share/zoneinfo/" + zone)
            let found = read()
            #expect(found.identifier == zone || found.identifier == "Singapore")
            #expect(found.offset(at: noon) == offset)
        }
        for (zone, offset) in [("Europe/Berlin", 3600), ("America/New_York", -18_000)] {
            try? FileManager.default.removeItem(atPath: link)
            try FileManager.default.copyItem(
                atPath: "/usr/share/zoneinfo/" + zone, toPath: link)
            #expect(read().identifier == "localtime")
            try zone.write(toFile: name, atomically: true, encoding: .utf8)
            let found = read()
            #expect(found.identifier == zone)
            #expect(found.offset(at: noon) == offset)
        }
        #expect(kept[1].offset(at: noon) == 32_400)
    }

    @Test("clock changes go on in all years that are kept")
    func farYears() throws {
        let zone = try Machine("Europe/Berlin").local
        for (text, seconds) in [
            ("2998-07-01T12:00:00", 7200), ("2999-07-01T12:00:00", 7200),
            ("2999-12-01T12:00:00", 3600), ("9999-07-01T12:00:00", 7200),
            ("9999-12-31T23:00:00", 3600),
        ] {
            let resolved = zone.resolve(try civil(text))
            #expect(zone.offset(at: resolved.instant) == seconds)
            #expect(try zone.civil(at: resolved.instant) == civil(text))
        }
        #expect(zone.resolve(try civil("3000-03-30T02:30:00")).kind == .gap)
        #expect(zone.abbreviation(at: try instant("3500-07-01T12:00:00Z")) == "CEST")
    }

    /// Near names took 10 ms for each unknown zone of a calendar file.
    @Test("What a file names is looked up without near names")
    func knownZones() {
        let zones = SystemZones(environment: ["TZ": "UTC"])
        #expect(zones.knownZone(named: "europe/berlin")?.identifier == "Europe/Berlin")
        #expect(zones.knownZone(named: "Europe/DublinAmerica/Mazatla") == nil)
        #expect(zones.knownZone(named: "/etc/passwd") == nil)
        #expect(throws: UnknownZone.self) { try zones.zone(named: "Europe/Berlim") }
    }
}
