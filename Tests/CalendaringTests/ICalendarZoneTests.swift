import RemindCore
import Testing

@testable import Calendaring

private func zone(_ id: String, _ parts: [String], more: [String] = []) -> [String] {
    ["BEGIN:VTIMEZONE", "TZID:\(id)"] + more + parts + ["END:VTIMEZONE"]
}

private func part(_ name: String, _ lines: String...) -> [String] {
    ["BEGIN:\(name)"] + lines + ["END:\(name)"]
}

private let centralEurope =
    part(
        "DAYLIGHT", "DTSTART:19810329T020000", "TZOFFSETFROM:+0100", "TZOFFSETTO:+0200",
        "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU")
    + part(
        "STANDARD", "DTSTART:19961027T030000", "TZOFFSETFROM:+0200", "TZOFFSETTO:+0100",
        "RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU")

@Suite("Zones of calendar files")
struct ICalendarZoneTests {
    private func deadline(_ id: String, _ definition: [String] = [], time: String) throws
        -> Deadline?
    {
        let read = try ReadCalendar(
            calendar("VTODO", ["DUE;TZID=\(id):\(time)"], before: definition))
        return read.items.first?.deadline
    }

    @Test(
        "a TZID means a zone by its name",
        arguments: [
            ("Europe/Berlin", "Europe/Berlin"), ("europe/berlin", "Europe/Berlin"),
            ("\"Europe/Berlin\"", "Europe/Berlin"),
            ("/freeassociation.sourceforge.net/Europe/Berlin", "Europe/Berlin"),
            ("/freeassociation.sourceforge.net/Tzfile/Europe/Berlin", "Europe/Berlin"),
            (
                "/citadel.org/20190914_1/America/Argentina/Buenos_Aires",
                "America/Argentina/Buenos_Aires"
            ),
            ("/softwarestudio.org/Olson_20011030_5/America/New_York", "America/New_York"),
            ("W. Europe Standard Time", "Europe/Berlin"),
            ("America/New York", "America/New_York"), ("Europe%2FBerlin", "Europe/Berlin"),
            ("US-Eastern", "US/Eastern"), ("America-New_York", "America/New_York"),
            ("Jerusalem Standard Time", "Asia/Jerusalem"),
            ("(GMT+01.00) Amsterdam / Berlin / Bern / Rome", "Europe/Berlin"),
            ("(GMT) Greenwich Mean Time - Dublin / Edinburgh / London", "Europe/London"),
            ("Eastern Standard Time", "America/New_York"),
            ("India Standard Time", "Asia/Kolkata"),
            ("Russia Time Zone 3", "Europe/Samara"),
            ("\"(UTC+01:00) Amsterdam, Berlin, Bern, Rome\"", "Europe/Berlin"),
            ("GMT+0200", "Etc/GMT-2"), ("UTC-5", "Etc/GMT+5"), ("GMT+8", "Etc/GMT-8"),
            ("GMT-12", "Etc/GMT+12"), ("GMT +0200", "Etc/GMT-2"), ("UTC +2", "Etc/GMT-2"),
            ("Etc/GMT+8", "Etc/GMT+8"),
            ("Eastern Time (US & Canada)", "America/New_York"),
            ("(GMT-05.00) Eastern Time (US & Canada)", "America/New_York"),
            ("\"(UTC-09:00) Alaska\"", "America/Anchorage"),
            ("\"(UTC-05:00) Indiana (East)\"", "America/Indiana/Indianapolis"),
            ("\"(UTC-03:30) Newfoundland\"", "America/St_Johns"),
            ("Pacific Daylight Time", "America/Los_Angeles"),
            ("W. Europe Standard Time 1", "Europe/Berlin"),
            ("Mexico Standard Time", "America/Mexico_City"), ("UTC+05:45", "Asia/Kathmandu"),
            ("(GMT-07.00) Arizona", "Etc/GMT+7"), ("(UTC) Koordinerad universell tid", "Etc/UTC"),
        ])
    func byName(id: String, name: String) throws {
        let expected = Deadline.zoned(try civil("2024-05-01T09:00:00"), zone: name)
        #expect(try deadline(id, time: "20240501T090000") == expected)
    }

    @Test(
        "an offset that no zone has was taken as local time",
        arguments: [
            ("GMT+10:30", "<+1030>-10:30", "2024-04-30T22:30:00Z"),
            ("UTC+12:45", "<+1245>-12:45", "2024-04-30T20:15:00Z"),
            ("UTC\u{2212}03:15", "<-0315>3:15", "2024-05-01T12:15:00Z"),
        ])
    func oddOffset(id: String, name: String, ring: String) throws {
        let lines = ["DUE;TZID=\"\(id)\":20240501T090000"]
        let read = try ReadCalendar(calendar("VTODO", lines))
        #expect(read.problems.isEmpty)
        let item = try #require(read.items.first)
        #expect(item.text.contains("DUE;TZID=\"\(name)\":20240501T090000"))
        #expect(try read.rings(now: "2024-01-01T00:00:00Z") == [ring])
        // What is stored is read again as it was.
        let zones = try Machine("UTC")
        let text = item.text.joined(separator: "\n")
        #expect(ICalendarReader.item(stored: text, zones: zones)?.deadline == item.deadline)
    }

    @Test(
        "an abbreviation that nobody defines was taken as local time",
        arguments: [
            ("PST", "UTC", "America/Los_Angeles"), ("EDT", "UTC", "America/New_York"),
            ("CEST", "UTC", "Europe/Berlin"), ("CEST", "Europe/Rome", "Europe/Rome"),
            ("CST", "Asia/Shanghai", "Asia/Shanghai"),
        ])
    func abbreviation(id: String, local: String, name: String) throws {
        let lines = ["DUE;TZID=\(id):20240501T090000"]
        let read = try ReadCalendar(calendar("VTODO", lines), zone: local)
        #expect(read.items.first?.deadline?.zoneName == name)
        #expect(read.problems.map { $0.reason.contains("‘\(name)’") } == [true])
    }

    @Test("every Windows name means a zone that the system has")
    func windows() throws {
        let machine = try Machine("UTC")
        #expect(WindowsZones.byName.count > 138)
        for name in WindowsZones.byName.values {
            #expect(throws: Never.self) { try machine.zone(named: name) }
        }
    }

    @Test("a VTIMEZONE is matched with a zone of the system, before or behind the item")
    func matched() throws {
        let expected = Deadline.zoned(try civil("2024-05-01T09:00:00"), zone: "Europe/Berlin")
        let definition = zone("Mine", centralEurope)
        #expect(try deadline("Mine", definition, time: "20240501T090000") == expected)
        let text =
            "BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:a\nDUE;TZID=Mine:20240501T090000\nEND:VTODO\n"
            + definition.joined(separator: "\n") + "\nEND:VCALENDAR\n"
        #expect(try ReadCalendar(text.utf8).items.map(\.deadline) == [expected])
    }

    @Test(
        "a name without an area means what the file says of it",
        arguments: [
            ("EST", "Europe/Berlin"), ("GMT", "Europe/Berlin"), ("Japan", "Europe/Berlin"),
            ("mine", "Europe/Berlin"), ("America/New_York", "America/New_York"),
            ("Eastern Standard Time", "America/New_York"),
        ])
    func loose(id: String, name: String) throws {
        let expected = Deadline.zoned(try civil("2024-05-01T09:00:00"), zone: name)
        let definition = zone(id == "mine" ? "MINE" : id, centralEurope)
        let lines = ["DUE;TZID=\(id):20240501T090000"]
        let item = try #require(
            ReadCalendar(calendar("VTODO", lines, before: definition)).items.first)
        #expect(item.deadline == expected)
        #expect(item.text.contains("DUE;TZID=\(name):20240501T090000"))
        // Also where the definition stands behind.
        let text =
            "BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:a\n\(lines[0])\nEND:VTODO\n"
            + definition.joined(separator: "\n") + "\nEND:VCALENDAR\n"
        #expect(try ReadCalendar(text.utf8).items.map(\.deadline) == [expected])
    }

    @Test(
        "universal time has several names",
        arguments: [
            "UTC", "GMT", "UT", "Greenwich Mean Time", "Coordinated Universal Time",
            "Microsoft/Utc",
        ])
    func universal(id: String) throws {
        let instant = try instant("2024-05-01T09:00:00Z")
        #expect(try deadline(id, time: "20240501T090000") == .absolute(instant))
    }

    @Test("a VTIMEZONE names its zone in X-LIC-LOCATION")
    func location() throws {
        let definition = zone("Mine", centralEurope, more: ["X-LIC-LOCATION:Europe/Vienna"])
        #expect(
            try deadline("Mine", definition, time: "20240501T090000")?.zoneName == "Europe/Vienna")
    }

    @Test("each calendar of a file has its own definitions")
    func scopes() throws {
        func part(_ uid: String, _ from: String, _ to: String) -> String {
            "BEGIN:VCALENDAR\nBEGIN:VTIMEZONE\nTZID:Here\nBEGIN:STANDARD\nDTSTART:19700101T000000\n"
                + "TZOFFSETFROM:\(from)\nTZOFFSETTO:\(to)\nEND:STANDARD\nEND:VTIMEZONE\n"
                + "BEGIN:VTODO\nUID:\(uid)\nDUE;TZID=Here:20240501T090000\nEND:VTODO\nEND:VCALENDAR\n"
        }
        let text = part("a", "+0100", "+0100") + part("b", "-0300", "-0300")
        #expect(
            try ReadCalendar(text.utf8).rings(now: "2024-01-01T00:00:00Z")
                == ["2024-05-01T08:00:00Z", "2024-05-01T12:00:00Z"])
    }

    @Test("a VTIMEZONE that fits no zone is taken at its word")
    func odd() throws {
        let yearly =
            part(
                "DAYLIGHT", "DTSTART:20000101T020000", "TZOFFSETFROM:+0120", "TZOFFSETTO:+0220",
                "RRULE:FREQ=YEARLY;BYMONTH=5;BYDAY=2SU")
            + part(
                "STANDARD", "DTSTART:20000101T030000", "TZOFFSETFROM:+0220", "TZOFFSETTO:+0120",
                "RRULE:FREQ=YEARLY;BYMONTH=9;BYDAY=-1SU")
        let fixed = part(
            "STANDARD", "DTSTART:19700101T000000", "TZOFFSETFROM:+0520", "TZOFFSETTO:+0520")
        let unsigned = part(
            "STANDARD", "DTSTART:19700101T000000", "TZOFFSETFROM:0520", "TZOFFSETTO:05:20")
        for (definition, time, expected) in [
            (yearly, "20240501T090000", "2024-05-01T07:40:00Z"),
            (yearly, "20240601T090000", "2024-06-01T06:40:00Z"),
            (fixed, "20240501T090000", "2024-05-01T03:40:00Z"),
            (unsigned, "20240501T090000", "2024-05-01T03:40:00Z"),
        ] {
            let read = try ReadCalendar(
                calendar("VTODO", ["DUE;TZID=Odd:\(time)"], before: zone("Odd", definition)))
            #expect(try read.rings(now: "2024-01-01T00:00:00Z") == [expected])
        }
    }

    @Test("a series in such a zone keeps its wall time through its clock changes")
    func oddSeries() throws {
        let yearly =
            part(
                "DAYLIGHT", "DTSTART:20000101T020000", "TZOFFSETFROM:+0120", "TZOFFSETTO:+0220",
                "RRULE:FREQ=YEARLY;BYMONTH=5;BYDAY=2SU")
            + part(
                "STANDARD", "DTSTART:20000101T030000", "TZOFFSETFROM:+0220", "TZOFFSETTO:+0120",
                "RRULE:FREQ=YEARLY;BYMONTH=9;BYDAY=-1SU")
        let read = try ReadCalendar(
            calendar(
                "VEVENT", ["DTSTART;TZID=Odd:20240511T090000", "RRULE:FREQ=DAILY;COUNT=3"],
                before: zone("Odd", yearly)))
        #expect(
            try read.rings(now: "2024-01-01T00:00:00Z")
                == ["2024-05-11T07:40:00Z", "2024-05-12T06:40:00Z", "2024-05-13T06:40:00Z"])
    }

    @Test("a zone that nothing tells of is the machine's, and said so")
    func unknown() throws {
        let read = try ReadCalendar(calendar("VTODO", ["DUE;TZID=Nowhere:20240501T090000"]))
        #expect(read.items.first?.deadline == .floating(try civil("2024-05-01T09:00:00")))
        #expect(read.problems.map(\.isRefusal) == [false])
        #expect(read.problems.first?.reason.contains("‘Nowhere’") == true)
    }

    @Test("a gap and an overlap by the file's definition are read by the rule")
    func changes() throws {
        let file = try FileZone(
            Component(
                name: "VTIMEZONE",
                lines: zone("X", centralEurope).enumerated().map {
                    ContentLines.Line(number: $0.offset, bytes: Array($0.element.utf8))
                }, note: { _, _ in }))
        let berlin = try Machine("Europe/Berlin").local
        for time in ["2024-03-31T02:30:00", "2024-10-27T02:30:00", "2024-07-01T00:00:00"] {
            #expect(try file.resolve(civil(time)) == berlin.resolve(civil(time)).instant)
        }
    }
}
