import RemindCore
import Testing

@testable import Calendaring

/// A table row: an item, and when it rings.
struct RingCase: CustomTestStringConvertible {
    let name: String
    let component: String
    let lines: [String]
    let now: String
    let zone: String
    let rings: [String]

    init(
        _ name: String, _ component: String, _ lines: [String],
        now: String = "2024-01-01T00:00:00Z", zone: String = "UTC", _ rings: [String]
    ) {
        (self.name, self.component, self.lines) = (name, component, lines)
        (self.now, self.zone, self.rings) = (now, zone, rings)
    }

    /// Of a to-do.
    init(
        _ name: String, _ lines: [String], now: String = "2024-01-01T00:00:00Z",
        zone: String = "UTC", _ rings: [String]
    ) {
        self.init(name, "VTODO", lines, now: now, zone: zone, rings)
    }

    var testDescription: String { name }
}

private let berlin = ";TZID=Europe/Berlin:"

@Suite("Rings of calendar items")
struct ICalendarRingTests {
    @Test("alarms", arguments: alarmRows)
    func alarms(row: RingCase) throws { try check(row) }

    @Test("series", arguments: seriesRows)
    func series(row: RingCase) throws { try check(row) }

    private func check(_ row: RingCase) throws {
        let read = try ReadCalendar(calendar(row.component, row.lines), zone: row.zone)
        #expect(read.refused.isEmpty)
        #expect(try read.rings(now: row.now, zone: row.zone, limit: 8) == row.rings)
    }

    private static let alarmRows: [RingCase] = [
        .init("no alarm: at DUE", ["DUE:20240501T090000Z"], ["2024-05-01T09:00:00Z"]),
        .init(
            "no alarm: at DTSTART and DURATION",
            ["DTSTART\(berlin)20240331T010000", "DURATION:PT2H"], ["2024-03-31T02:00:00Z"]),
        .init(
            "DURATION in days keeps the wall time",
            ["DTSTART\(berlin)20240330T120000", "DURATION:P1D"], ["2024-03-31T10:00:00Z"]),
        .init(
            "an event without alarm: at DTSTART", "VEVENT",
            ["DTSTART:20240501T090000Z", "DTEND:20240501T100000Z"], ["2024-05-01T09:00:00Z"]),
        .init(
            "alarms only, not the DUE", ["DUE:20240501T090000Z"] + alarm("TRIGGER:-PT15M"),
            ["2024-05-01T08:45:00Z"]),
        .init(
            "after the end", "VEVENT",
            ["DTSTART:20240501T090000Z", "DURATION:PT1H"] + alarm("TRIGGER;RELATED=END:PT5M"),
            ["2024-05-01T10:05:00Z"]),
        .init(
            "an absolute one",
            ["DUE:20240501T090000Z"]
                + alarm("TRIGGER;VALUE=DATE-TIME:20240430T120000Z"), ["2024-04-30T12:00:00Z"]),
        .init(
            "no date, an absolute one", alarm("TRIGGER;VALUE=DATE-TIME:20240430T120000Z"),
            ["2024-04-30T12:00:00Z"]),
        .init(
            "several at one instant are one",
            ["DUE:20240501T090000Z"] + alarm("TRIGGER:-PT15M") + alarm("TRIGGER:-PT900S")
                + ["BEGIN:VALARM", "ACTION:EMAIL", "TRIGGER:-P0DT0H15M0S", "END:VALARM"],
            ["2024-05-01T08:45:00Z"]),
        .init(
            "REPEAT without DURATION rings once",
            ["DUE:20240501T090000Z"] + alarm("TRIGGER:-PT15M", ["REPEAT:3"]),
            ["2024-05-01T08:45:00Z"]),
        .init(
            "repetitions that are still ahead",
            ["DUE:20240501T090000Z"] + alarm("TRIGGER:-PT15M", ["REPEAT:3", "DURATION:PT5M"]),
            now: "2024-05-01T08:50:00Z", ["2024-05-01T08:55:00Z", "2024-05-01T09:00:00Z"]),
        .init(
            "acknowledged: no repetitions",
            ["DUE:20240501T090000Z"]
                + alarm(
                    "TRIGGER:-PT15M",
                    ["REPEAT:3", "DURATION:PT5M", "ACKNOWLEDGED:20240501T084700Z"]), []),
        .init(
            "a snoozed alarm comes back",
            ["DUE:20240501T090000Z"]
                + alarm("TRIGGER:-PT15M", ["UID:x", "ACKNOWLEDGED:20240501T084700Z"])
                + alarm(
                    "TRIGGER;VALUE=DATE-TIME:20240501T085700Z", ["RELATED-TO;RELTYPE=SNOOZE:x"]),
            ["2024-05-01T08:57:00Z"]),
        .init(
            "ACTION:NONE and places do not ring",
            ["DUE:20240501T090000Z", "BEGIN:VALARM", "ACTION:NONE", "TRIGGER:-PT1H", "END:VALARM"]
                + alarm("TRIGGER:-PT15M", ["PROXIMITY:ARRIVE"]), []),
        .init(
            "a broken alarm leaves the others",
            ["DUE:20240501T090000Z"] + alarm("TRIGGER:soon") + alarm("TRIGGER:-PT15M"),
            ["2024-05-01T08:45:00Z"]),
        .init(
            "an all-day item counts from its midnight",
            ["DUE;VALUE=DATE:20240501"]
                + alarm("TRIGGER:-PT15H") + alarm("TRIGGER;RELATED=END:PT9H"),
            zone: "America/New_York", ["2024-04-30T13:00:00Z", "2024-05-01T13:00:00Z"]),
        .init(
            "an all-day event ends with its day", "VEVENT",
            ["DTSTART;VALUE=DATE:20240501"] + alarm("TRIGGER;RELATED=END:-PT1H"),
            zone: "Europe/Berlin", ["2024-05-01T21:00:00Z"]),
        .init(
            "a week before a time in UTC has seven times 24 hours",
            ["DUE:20240401T100000Z"] + alarm("TRIGGER:-P1W"), zone: "Europe/Berlin",
            ["2024-03-25T10:00:00Z"]),
        .init(
            "days and hours: days at the wall, hours elapsed",
            ["DUE\(berlin)20240331T120000"] + alarm("TRIGGER:-P1DT2H"),
            ["2024-03-30T09:00:00Z"]),
        .init(
            "cancelled", ["DUE:20240501T090000Z", "STATUS:CANCELLED"] + alarm("TRIGGER:-PT5M"), []),
    ]

    private static let seriesRows: [RingCase] = [
        .init(
            "a wall time on both sides of a change", "VEVENT",
            ["DTSTART\(berlin)20241024T090000", "RRULE:FREQ=WEEKLY;COUNT=2"]
                + alarm("TRIGGER:-PT1H"), ["2024-10-24T06:00:00Z", "2024-10-31T07:00:00Z"]),
        .init(
            "RDATE with TZID and PERIOD", "VEVENT",
            [
                "DTSTART\(berlin)20240501T090000",
                "RDATE;TZID=America/New_York:20240502T090000,20240503T090000",
                "RDATE;VALUE=PERIOD:20240504T070000Z/PT1H,20240505T070000Z/20240505T080000Z",
            ],
            [
                "2024-05-01T07:00:00Z", "2024-05-02T13:00:00Z", "2024-05-03T13:00:00Z",
                "2024-05-04T07:00:00Z", "2024-05-05T07:00:00Z",
            ]),
        .init(
            "EXDATE in UTC, with TZID and as a date", "VEVENT",
            [
                "DTSTART\(berlin)20240501T090000", "RRULE:FREQ=DAILY;COUNT=5;",
                "EXDATE:20240502T070000Z", "EXDATE;TZID=America/New_York:20240503T030000",
                "EXDATE;VALUE=DATE:20240504",
            ], ["2024-05-01T07:00:00Z", "2024-05-05T07:00:00Z"]),
        .init(
            "EXDATE in UTC of an occurrence in a gap", "VEVENT",
            [
                "DTSTART\(berlin)20240330T023000", "RRULE:FREQ=DAILY;COUNT=3",
                "EXDATE:20240331T013000Z",
            ], ["2024-03-30T01:30:00Z", "2024-04-01T00:30:00Z"]),
        .init(
            "the first occurrence taken out", "VEVENT",
            [
                "DTSTART\(berlin)20240501T090000", "RRULE:FREQ=DAILY;COUNT=2",
                "EXDATE\(berlin)20240501T090000",
            ], ["2024-05-02T07:00:00Z"]),
        .init(
            "a to-do with start and due rings at each due",
            ["DTSTART:20240501T090000Z", "DUE:20240501T170000Z", "RRULE:FREQ=DAILY;COUNT=2"],
            ["2024-05-01T17:00:00Z", "2024-05-02T17:00:00Z"]),
        .init(
            "a to-do with due alone repeats from it",
            ["DUE:20240501T170000Z", "RRULE:FREQ=DAILY;COUNT=2"] + alarm("TRIGGER:-PT1H"),
            ["2024-05-01T16:00:00Z", "2024-05-02T16:00:00Z"]),
        .init(
            "all-day series follow the machine's zone",
            ["DTSTART;VALUE=DATE:20240330", "RRULE:FREQ=DAILY;UNTIL=20240401"]
                + alarm("TRIGGER:PT9H"), zone: "Europe/Berlin",
            ["2024-03-30T08:00:00Z", "2024-03-31T08:00:00Z", "2024-04-01T07:00:00Z"]),
        .init(
            "all-day series without alarms ring at the same time on the day of a change",
            ["DUE;VALUE=DATE:20240330", "RRULE:FREQ=DAILY;COUNT=3"], zone: "Europe/Berlin",
            ["2024-03-30T08:00:00Z", "2024-03-31T07:00:00Z", "2024-04-01T07:00:00Z"]),
        .init(
            "hours are elapsed time", "VEVENT",
            ["DTSTART\(berlin)20240331T000000", "RRULE:FREQ=HOURLY;INTERVAL=2;COUNT=3"],
            ["2024-03-30T23:00:00Z", "2024-03-31T01:00:00Z", "2024-03-31T03:00:00Z"]),
        .init(
            "long after its start", "VEVENT",
            ["DTSTART:19700101T000000Z", "RRULE:FREQ=HOURLY"] + alarm("TRIGGER:-PT10M"),
            now: "2024-05-01T08:55:00Z",
            (9...16).map { "2024-05-01T\($0 < 10 ? "0" : "")\($0):50:00Z" }),
        .init(
            "a far lead time of a series", "VEVENT",
            ["DTSTART:20200101T000000Z", "RRULE:FREQ=YEARLY;COUNT=6"] + alarm("TRIGGER:-P400D")
                + alarm("TRIGGER:PT0S"), now: "2023-06-01T00:00:00Z",
            ["2023-11-28T00:00:00Z", "2024-01-01T00:00:00Z", "2025-01-01T00:00:00Z"]),
        .init(
            "each occurrence is acknowledged by its time", "VEVENT",
            ["DTSTART:20240501T090000Z", "RRULE:FREQ=DAILY;COUNT=3"]
                + alarm("TRIGGER:-PT15M", ["ACKNOWLEDGED:20240502T084501Z"]),
            ["2024-05-03T08:45:00Z"]),
    ]
}

@Suite("Changed occurrences of calendar items")
struct ICalendarOverrideTests {
    private static let start = "DTSTART;TZID=Europe/Berlin:20240328T090000\n"

    private func rings(_ changes: String..., masterFirst: Bool = true) throws -> [String] {
        let master =
            "BEGIN:VEVENT\nUID:a\nSUMMARY:Walk\n\(Self.start)RRULE:FREQ=DAILY;COUNT=5\nEND:VEVENT\n"
        let others = changes.map { "BEGIN:VEVENT\nUID:a\n\($0)\nEND:VEVENT\n" }.joined()
        let text = "BEGIN:VCALENDAR\n" + (masterFirst ? master + others : others + master)
        let read = try ReadCalendar(text.utf8)
        #expect(read.items.count == 1)
        return try read.rings(now: "2024-01-01T00:00:00Z")
    }

    private let all = [
        "2024-03-28T08:00:00Z", "2024-03-29T08:00:00Z", "2024-03-30T08:00:00Z",
        "2024-03-31T07:00:00Z", "2024-04-01T07:00:00Z",
    ]

    @Test("a moved one rings at its new time, in any order of the file", arguments: [true, false])
    func moved(masterFirst: Bool) throws {
        let change =
            "RECURRENCE-ID;TZID=Europe/Berlin:20240331T090000\nDTSTART;TZID=Europe/Berlin:"
            + "20240405T180000"
        #expect(
            try rings(change, masterFirst: masterFirst)
                == all.filter { $0 != "2024-03-31T07:00:00Z" } + ["2024-04-05T16:00:00Z"])
    }

    @Test(
        "a cancelled one does not ring, however its time is written",
        arguments: [
            ":20240331T070000Z", ";VALUE=DATE:20240331", ";TZID=America/New_York:20240331T030000",
        ])
    func cancelled(id: String) throws {
        #expect(
            try rings("RECURRENCE-ID\(id)\nSTATUS:CANCELLED")
                == all.filter { $0 != "2024-03-31T07:00:00Z" })
    }

    @Test("one and all that follow")
    func future() throws {
        let change =
            "RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Berlin:20240330T090000\n"
            + "DTSTART;TZID=Europe/Berlin:20240330T100000"
        #expect(
            try rings(change)
                == Array(all.prefix(2)) + [
                    "2024-03-30T09:00:00Z", "2024-03-31T08:00:00Z", "2024-04-01T08:00:00Z",
                ])
    }

    @Test("the newer of two changes of the same one counts")
    func newest() throws {
        let id = "RECURRENCE-ID;TZID=Europe/Berlin:20240331T090000\n"
        #expect(
            try rings(
                id + "SEQUENCE:2\nDTSTART:20240331T120000Z",
                id + "SEQUENCE:1\nDTSTART:20240331T130000Z")
                == Array(all.prefix(3)) + ["2024-03-31T12:00:00Z", all[4]])
    }

    @Test("changes without their series are items of their own")
    func alone() throws {
        let text =
            "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:a\nRECURRENCE-ID:20240331T090000Z\n"
            + "DTSTART:20240331T120000Z\nEND:VEVENT\n"
        let read = try ReadCalendar(text.utf8)
        #expect(try read.rings(now: "2024-01-01T00:00:00Z") == ["2024-03-31T12:00:00Z"])
    }
}
