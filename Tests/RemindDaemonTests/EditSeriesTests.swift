import Calendaring
import RemindAPI
import RemindCore
import Testing

@testable import RemindDaemon

@Suite("Editing the time of a series")
struct EditSeriesTests {
    private func edit(
        _ world: World, _ change: (inout Edit.Parameters) -> Void
    ) throws -> String {
        var parameters = Edit.Parameters(reference: "1")
        change(&parameters)
        _ = try world.isolated { [parameters] in try $0.edit(parameters) }
        return try due(world)
    }

    /// As the daemon writes it, with the zone of the task.
    private func due(_ world: World) throws -> String {
        let deadline = try #require(try world.reminder(1).deadline)
        return try world.isolated { engine in
            let instant = try engine.timetable.schedule.instant(of: deadline).instant
            let text = instant.rfc3339(in: FixedZone.utc).prefix(19)
            return "\(text)Z \(deadline.zoneName ?? "here")"
        }
    }

    /// Completes the occurrence that is current; gives what is due then, `nil` after the last.
    private func done(_ world: World) throws -> String? {
        let reminder = try world.reminder(1)
        _ = try world.isolated {
            try $0.complete([reminder], series: false, origin: .command)
        }
        return try world.reminder(1).state == .open ? due(world) : nil
    }

    @Test("An empty zone clears it: the same time on the wall here")
    func emptyZoneClears() throws {
        let world = try World()
        try world.add("Call") { ($0.at, $0.every, $0.timeZone) = ("9:00", "day", "Asia/Tokyo") }
        #expect(try due(world) == "2024-05-02T00:00:00Z Asia/Tokyo")
        #expect(try edit(world) { $0.timeZone = "" } == "2024-05-02T07:00:00Z here")
        #expect(try done(world) == "2024-05-03T07:00:00Z here")
        #expect(try edit(world) { $0.timeZone = "" } == "2024-05-03T07:00:00Z here")
    }

    @Test("Another time keeps the zone, unless one is named with it")
    func zoneIsKept() throws {
        let world = try World()
        try world.add("Call", at: "tomorrow 9:00") { $0.timeZone = "Asia/Tokyo" }
        #expect(
            try edit(world) { $0.at = "tomorrow 10:00" } == "2024-05-02T01:00:00Z Asia/Tokyo")
        #expect(
            try edit(world) { $0.at = "tomorrow 10:00 Europe/Paris" }
                == "2024-05-02T08:00:00Z Europe/Paris")
        #expect(
            try edit(world) { ($0.at, $0.timeZone) = ("tomorrow 10:00", "") }
                == "2024-05-02T08:00:00Z here")
    }

    @Test(
        "COUNT goes on counting",
        arguments: [
            ("timeZone", "2024-05-04T13:00:00Z America/New_York"),
            ("at", "2024-05-04T08:00:00Z here"),
        ])
    func countGoesOn(change: String, last: String) throws {
        let world = try World()
        try world.add("Pills") { $0.every = "every day at 9:00 for 3 times" }
        #expect(try done(world) == "2024-05-03T07:00:00Z here")
        #expect(try done(world) == "2024-05-04T07:00:00Z here")
        let moved = try edit(world) {
            if change == "at" { $0.at = "2024-05-04 10:00" }
            if change == "timeZone" { $0.timeZone = "America/New_York" }
        }
        #expect(moved == last)
        let rule = try world.reminder(1).recurrence?.rule.rrule
        #expect(rule == "FREQ=DAILY;COUNT=1")
        #expect(try done(world) == nil)
    }

    @Test(
        "A series that ends at a time keeps its last day at another time or in another zone",
        arguments: [
            ("UNTIL=20240504T070000Z", "04"), ("UNTIL=20240504T060000Z", "03"),
            ("UNTIL=20240504T090000", "04"), ("UNTIL=20240504", "04"),
        ])
    func untilGoesAlong(until: String, lastDay: String) throws {
        for (at, zone) in [
            ("tomorrow 11:00", nil), ("tomorrow 7:00", nil), (nil, "America/New_York"),
        ] {
            let world = try World()
            try world.add("Pills") {
                ($0.at, $0.rrule) = ("tomorrow 9:00", "FREQ=DAILY;" + until)
            }
            _ = try edit(world) { [at, zone] in ($0.at, $0.timeZone) = (at, zone) }
            var last = try due(world)
            while let next = try done(world) { last = next }
            #expect(last.hasPrefix("2024-05-\(lastDay)T"), "\(at ?? "") \(zone ?? "")")
        }
    }

    @Test("The same time again changes nothing of a series")
    func sameTime() throws {
        let world = try World()
        try world.add("Pills") { ($0.at, $0.rrule) = ("tomorrow 9:00", "FREQ=DAILY;COUNT=3") }
        _ = try done(world)
        let before = try world.reminder(1)
        _ = try edit(world) { $0.at = "2024-05-03 9:00" }
        #expect(try world.reminder(1) == before)
    }

    @Test("A rule with another time of day than the task has takes its place")
    func ruleWithTime() throws {
        let world = try World()
        try world.add("Bins") { $0.every = "every monday at 9:00" }
        #expect(try due(world) == "2024-05-06T07:00:00Z here")
        #expect(
            try edit(world) { $0.every = "every monday at 10:00" } == "2024-05-06T08:00:00Z here")
        #expect(try edit(world) { $0.every = "day at 8:00" } == "2024-05-06T06:00:00Z here")
        // On the old day that time has gone by: the first match ahead.
        _ = try edit(world) { $0.at = "11:00" }
        #expect(try edit(world) { $0.every = "day at 10:00" } == "2024-05-02T08:00:00Z here")
    }

    @Test("A rule that counts from its completion goes on at the new time and in the new zone")
    func afterCompletion() throws {
        let world = try World()
        try world.add("Plants") { $0.every = "every 3 days at 9:00 after completion" }
        _ = try edit(world) { $0.at = "tomorrow 10:00" }
        #expect(try done(world) == "2024-05-04T08:00:00Z here")
        #expect(
            try edit(world) { $0.timeZone = "Asia/Tokyo" } == "2024-05-04T01:00:00Z Asia/Tokyo")
        #expect(try done(world) == "2024-05-04T01:00:00Z Asia/Tokyo")
    }

    @Test("Dates that were added and taken out go along")
    func datesGoAlong() throws {
        let world = try World()
        _ = try world.imports(
            """
            BEGIN:VCALENDAR
            BEGIN:VTODO
            UID:pills@example.org
            SUMMARY:Pills
            DTSTART;TZID=Europe/Berlin:20240510T090000
            DUE;TZID=Europe/Berlin:20240510T090000
            RRULE:FREQ=DAILY;COUNT=4
            EXDATE;TZID=Europe/Berlin:20240512T090000
            RDATE;TZID=Europe/Berlin:20240511T150000
            END:VTODO
            END:VCALENDAR

            """)
        #expect(
            try edit(world) { $0.at = "2024-05-10 10:00" } == "2024-05-10T08:00:00Z Europe/Berlin")
        #expect(
            try edit(world) { $0.timeZone = "UTC" } == "2024-05-10T10:00:00Z UTC")
        #expect(try done(world) == "2024-05-11T10:00:00Z UTC")
        #expect(try done(world) == "2024-05-11T15:00:00Z UTC")
        #expect(try done(world) == "2024-05-13T10:00:00Z UTC")
        #expect(try done(world) == nil)
    }

    @Test("A day with a rule whose time has gone by on it begins with the first one ahead")
    func dayThatHasGoneBy() throws {
        let world = try World()
        try world.add("Pills") { ($0.at, $0.every) = ("today", "every day at 8:00 and 18:00") }
        #expect(try due(world) == "2024-05-01T16:00:00Z here")
        let next = try World()
        try next.add("Pills") { ($0.at, $0.every) = ("today", "every day at 8:00") }
        #expect(try due(next) == "2024-05-02T06:00:00Z here")
    }
}
