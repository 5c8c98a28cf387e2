import RemindCore
import Testing

@testable import Calendaring

private let berlin = ";TZID=Europe/Berlin:"
private let newYork = ";TZID=America/New_York:"

@Suite("Rings of calendar items that were wrong once")
struct ICalendarTroubleTests {
    private let now = "2024-01-01T00:00:00Z"

    private func rings(_ component: String, _ lines: [String], zone: String = "UTC") throws
        -> [String]
    {
        let read = try ReadCalendar(calendar(component, lines), zone: zone)
        #expect(read.refused.isEmpty)
        return try read.rings(now: now, zone: zone)
    }

    /// Of a series with changes, all events with one UID.
    private func rings(of parts: [String]..., zone: String = "UTC") throws -> [String] {
        let events = parts.map { ["BEGIN:VEVENT", "UID:a"] + $0 + ["END:VEVENT"] }
        let lines = ["BEGIN:VCALENDAR"] + events.flatMap { $0 } + ["END:VCALENDAR"]
        return try ReadCalendar(lines.joined(separator: "\r\n").utf8, zone: zone)
            .rings(now: now, zone: zone)
    }

    @Test("an alarm that repeats each day or week came an hour off after a clock change")
    func repeatedByDays() throws {
        let days = alarm("TRIGGER:-P3D", ["REPEAT:3", "DURATION:P1D"])
        #expect(
            try rings("VEVENT", ["DTSTART\(berlin)20250331T120000"] + days) == [
                "2025-03-28T11:00:00Z", "2025-03-29T11:00:00Z", "2025-03-30T10:00:00Z",
                "2025-03-31T10:00:00Z",
            ])
        let weeks = alarm("TRIGGER:-P2W", ["REPEAT:2", "DURATION:P1W"])
        #expect(
            try rings("VTODO", ["DUE\(newYork)20251110T090000"] + weeks) == [
                "2025-10-27T13:00:00Z", "2025-11-03T14:00:00Z", "2025-11-10T14:00:00Z",
            ])
    }

    @Test("a repetition that a clock change has put off is found when the search begins behind it")
    func repetitionAfterChange() throws {
        let lines =
            ["DUE\(newYork)20251103T090000"]
            + alarm("TRIGGER:-P2D", ["REPEAT:2", "DURATION:P1D"])
        let read = try ReadCalendar(calendar("VTODO", lines))
        // Twenty-four hours after the one before it, which is an hour before it comes.
        #expect(
            try read.rings(now: "2025-11-02T13:30:00Z")
                == ["2025-11-02T14:00:00Z", "2025-11-03T14:00:00Z"])
    }

    @Test("repetitions beyond all time end the search", .timeLimit(.minutes(1)))
    func endlessRepetitions() throws {
        let lines =
            ["DTSTART\(berlin)20250331T120000", "RRULE:FREQ=DAILY"]
            + alarm("TRIGGER:PT0S", ["REPEAT:1000000", "DURATION:P9999W"])
        #expect(try rings("VEVENT", lines).count == 20)
    }

    @Test(
        "a period without a start ended the program",
        arguments: ["RDATE:/", "EXDATE://", "RDATE;VALUE=PERIOD:/PT1H", "RDATE;VALUE=PERIOD:\\/,/"])
    func periodWithoutStart(line: String) throws {
        let lines = ["DTSTART\(berlin)20240102T090000", "RRULE:FREQ=DAILY;COUNT=1", line]
        let read = try ReadCalendar(calendar("VEVENT", lines), zone: "UTC")
        #expect(try read.rings(now: now, zone: "UTC") == ["2024-01-02T08:00:00Z"])
        #expect(read.problems.count == 1)
    }

    @Test("occurrences that are due behind all time used up what may be looked at")
    func dueBehindAllTime() throws {
        let lines =
            ["DTSTART\(berlin)20230312T090000", "DUE:99991231", "RRULE:FREQ=DAILY"]
            + alarm("TRIGGER;RELATED=END:PT0S") + alarm("TRIGGER:PT0S")
        #expect(
            try rings("VTODO", lines).prefix(2) == ["2024-01-01T08:00:00Z", "2024-01-02T08:00:00Z"])
    }

    @Test("days before an end in another zone were counted where the item starts")
    func endInAnotherZone() throws {
        let lines = ["DTSTART;TZID=Asia/Tokyo:20250308T100000", "DTEND\(newYork)20250309T120000"]
        #expect(
            try rings("VEVENT", lines + alarm("TRIGGER;RELATED=END:-P1D"))
                == ["2025-03-08T17:00:00Z"])
    }

    @Test("added periods lost their ends: alarms came by the length of the others")
    func periods() throws {
        let times = "20250402T100000Z/PT3H,20250403T100000Z/20250403T123000Z"
        let lines = [
            "DTSTART:20250401T100000Z", "DTEND:20250401T110000Z", "RDATE;VALUE=PERIOD:" + times,
        ]
        #expect(
            try rings("VEVENT", lines + alarm("TRIGGER;RELATED=END:-PT10M")) == [
                "2025-04-01T10:50:00Z", "2025-04-02T12:50:00Z", "2025-04-03T12:20:00Z",
            ])
        let windows = "RDATE;VALUE=PERIOD;TZID=W. Europe Standard Time:20250402T120000/PT3H"
        let read = try ReadCalendar(calendar("VTODO", ["DTSTART:20250401T100000Z", windows]))
        #expect(
            try read.rings(now: now) == ["2025-04-01T10:00:00Z", "2025-04-02T13:00:00Z"])
        #expect(
            read.items.first?.text.contains(
                "RDATE;VALUE=PERIOD;TZID=Europe/Berlin:20250402T120000/PT3H") == true)
    }

    @Test(
        "what is stored of added dates is read as they were",
        arguments: [
            "RDATE;VALU\u{1}=PERIOD:20250402T100000Z/PT3H,20250403T100000Z/20250403T123000Z",
            "RDATE:20250402T100000Z/PT3H",
            "RDATE;VALUE=PERIOD:20250402T100000Z/PT3H,20250403T100000Z",
            "RDATE;VALUE=PERIOD:20250402/P1D", "RDATE;VALUE=PERIOD;X-A=b:20250402T100000/PT3H",
            "RDATE;VALUE=PERIOD\(berlin)20250402T100000Z/20250402T130000",
            "RDATE;VALUE=PERIOD;TZID=W. Europe Standard Time:20250402T100000Z/20250402T130000",
            "RDATE;TZID=W. Europe Standard Time;X-A=b:20250402T100000/20250402T130000",
            "EXDATE;VALUE=PERIOD:20250402T100000Z/PT3H",
        ])
    func storedDates(line: String) throws {
        let lines = [
            "DTSTART:20250401T100000Z", "DTEND:20250401T110000Z", line, "RDATE:20250404T100000Z",
        ]
        let read = try ReadCalendar(
            calendar("VEVENT", lines + alarm("TRIGGER;RELATED=END:-PT10M")))
        let item = try #require(read.items.first)
        let stored = try #require(
            ICalendarReader.item(
                stored: item.text.joined(separator: "\n"), zones: try Machine("UTC")))
        #expect(stored.recurrence == item.recurrence)
        #expect(stored.periods == item.periods)
    }

    @Test("of one and all that follow, only the first rang in the zone they were moved to")
    func futureInAnotherZone() throws {
        #expect(
            try rings(
                of: ["DTSTART\(berlin)20250327T090000", "RRULE:FREQ=DAILY;COUNT=5"],
                [
                    "RECURRENCE-ID;RANGE=THISANDFUTURE\(berlin)20250329T090000",
                    "DTSTART\(newYork)20250329T090000",
                ]) == [
                    "2025-03-27T08:00:00Z", "2025-03-28T08:00:00Z", "2025-03-29T13:00:00Z",
                    "2025-03-30T13:00:00Z", "2025-03-31T13:00:00Z",
                ])
        #expect(
            try rings(
                of: ["DTSTART:20250328T080000Z", "RRULE:FREQ=DAILY;COUNT=4"],
                [
                    "RECURRENCE-ID;RANGE=THISANDFUTURE:20250329T080000Z",
                    "DTSTART\(berlin)20250329T100000",
                ]) == [
                    "2025-03-28T08:00:00Z", "2025-03-29T09:00:00Z", "2025-03-30T08:00:00Z",
                    "2025-03-31T08:00:00Z",
                ])
    }

    @Test("an all-day series that is timed from some day on rang at midnight")
    func timedFromThenOn() throws {
        #expect(
            try rings(
                of: ["DTSTART;VALUE=DATE:20250328", "RRULE:FREQ=DAILY;COUNT=4"],
                [
                    "RECURRENCE-ID;VALUE=DATE;RANGE=THISANDFUTURE:20250330",
                    "DTSTART\(newYork)20250330T140000",
                ]) == [
                    "2025-03-28T09:00:00Z", "2025-03-29T09:00:00Z", "2025-03-30T18:00:00Z",
                    "2025-03-31T18:00:00Z",
                ])
    }

    @Test("a series of hours that is moved goes on in elapsed time")
    func movedHours() throws {
        #expect(
            try rings(
                of: ["DTSTART\(berlin)20250330T000000", "RRULE:FREQ=HOURLY;COUNT=4"],
                [
                    "RECURRENCE-ID;RANGE=THISANDFUTURE\(berlin)20250330T010000",
                    "DTSTART\(berlin)20250330T011000",
                ]) == [
                    "2025-03-29T23:00:00Z", "2025-03-30T00:10:00Z", "2025-03-30T01:10:00Z",
                    "2025-03-30T02:10:00Z",
                ])
    }

    @Test("midnight in UTC took out the day before of an all-day series, west of Greenwich")
    func midnightOfDay() throws {
        let days = ["DTSTART;VALUE=DATE:20250328", "RRULE:FREQ=DAILY;COUNT=3"]
        let left = ["2025-03-28T13:00:00Z", "2025-03-30T13:00:00Z"]
        let zone = "America/New_York"
        #expect(try rings(of: days + ["EXDATE:20250329T000000Z"], zone: zone) == left)
        #expect(
            try rings(
                of: days, ["RECURRENCE-ID:20250329T000000Z", "STATUS:CANCELLED"], zone: zone)
                == left)
        // Midnight of the machine is its day, as before.
        #expect(
            try rings(of: days + ["EXDATE:20250328T230000Z"], zone: "Europe/Berlin")
                == ["2025-03-28T08:00:00Z", "2025-03-30T07:00:00Z"])
    }

    @Test(
        "an occurrence in a gap rang twice when its change names it by the time behind the gap",
        arguments: [":20250330T033000", "\(berlin)20250330T033000", ":20250330T013000Z"])
    func namedBehindGap(id: String) throws {
        #expect(
            try rings(
                of: ["DTSTART\(berlin)20250329T023000", "RRULE:FREQ=DAILY;COUNT=3"],
                ["RECURRENCE-ID\(id)", "DTSTART\(berlin)20250330T120000"], zone: "Europe/Berlin")
                == ["2025-03-29T01:30:00Z", "2025-03-30T10:00:00Z", "2025-03-31T00:30:00Z"])
    }

    @Test("VALUE=DATE with a midnight was a time, and rang at night")
    func dateWithMidnight() throws {
        let read = try ReadCalendar(
            calendar("VTODO", ["DUE;VALUE=DATE:20250501T000000"]), zone: "Europe/Berlin")
        let day = try #require(CivilDate(iso8601: "2025-05-01"))
        #expect(read.items.map(\.deadline) == [.date(day)])
        #expect(read.items.first?.text.contains("DUE;VALUE=DATE:20250501") == true)
        // A time is one, whatever it is called.
        #expect(try rings("VTODO", ["DUE;VALUE=DATE:20250501T090000Z"]) == ["2025-05-01T09:00:00Z"])
    }

    @Test("a blank between date and time refused the item")
    func blankBeforeTime() throws {
        #expect(try rings("VTODO", ["DUE:2025-05-01 09:00:00Z"]) == ["2025-05-01T09:00:00Z"])
    }

    @Test("an empty time refused the item")
    func emptyTime() throws {
        let read = try ReadCalendar(
            calendar("VTODO", ["SUMMARY:Tea", "DTSTART: ", "DUE:20250501T090000Z"]))
        #expect(read.problems.map(\.reason) == ["‘DTSTART’ is empty: left out."])
        #expect(try read.rings(now: now) == ["2025-05-01T09:00:00Z"])
        #expect(read.items.first?.text.contains { $0.hasPrefix("DTSTART") } == false)
    }

    @Test("an empty time hid the one behind it, which what was stored did not")
    func emptyTimeBeforeAnother() throws {
        let times = ["DTSTART;TZID=Europe/Berlin:", "DTSTART:20250501T090000Z"]
        #expect(try rings("VEVENT", times) == ["2025-05-01T09:00:00Z"])
        let broken = try ReadCalendar(calendar("VEVENT", ["DTSTART:", "DTSTART:20220230321T02"]))
        #expect(broken.refused.count == 1)
    }
}
