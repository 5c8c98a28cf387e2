import Testing

@testable import Calendaring

/// Each property with values that begin or end where nobody expects it. One of them, `RDATE:/`, once
/// ended the program, which random files had not shown.
@Suite("Values at the edges of every property")
struct OddValueTests {
    private static let values = [
        "", " ", "/", "//", "\\", "\\\\", ",", ",,", ";", ":", "=", "-", "+", "\"", "\"\"", "%",
        "\u{7F}",
        "\u{E9}", "\u{2028}", "P", "-P", "PT", "P/P", "P1", "P1D/", "/P1D", "+P1D", "P-1D", "PT-1H",
        "P99999999999D", "PT9223372036854775807S", "-PT9223372036854775808S", "W", "1W", "D", "T",
        "Z",
        "T/T", "T090000", "0", "-1", "99999999999999999999", "-99999999999999999999", "00000000",
        "00010101", "20300230", "20300501/", "/20300501", "20300501T", "20300501T/",
        "20300501T240000",
        "20300501T090000/", "20300501T090000Z/", "20300501T090000Z/P", "20300501T090000Z/-PT1H",
        "99991231T235959Z", "NULL", "TRUE",
    ]

    private static let properties = [
        "DTSTART", "DTEND", "DUE", "DURATION", "RDATE", "EXDATE", "RRULE", "EXRULE",
        "RECURRENCE-ID",
        "RDATE;VALUE=PERIOD", "EXDATE;VALUE=DATE", "RECURRENCE-ID;RANGE=THISANDFUTURE",
        "DUE;TZID=", "DUE;TZID=/", "DUE;TZID=Nowhere/X", "DUE;VALUE=", "DUE;=", "SUMMARY",
        "DESCRIPTION",
        "PRIORITY", "STATUS", "CATEGORIES", "COMPLETED", "CREATED", "LAST-MODIFIED", "DTSTAMP",
        "SEQUENCE", "PERCENT-COMPLETE", "RELATED-TO", "X-MOZ-LASTACK", "X-MOZ-SNOOZE-TIME",
    ]

    private static let alarms = [
        "TRIGGER", "TRIGGER;RELATED=END", "TRIGGER;VALUE=DATE-TIME", "REPEAT", "DURATION", "ACTION",
        "ACKNOWLEDGED", "UID", "RELATED-TO",
    ]

    private static let ruleParts = [
        "FREQ", "INTERVAL", "COUNT", "UNTIL", "BYDAY", "BYMONTHDAY", "BYYEARDAY", "BYWEEKNO",
        "BYMONTH",
        "BYSETPOS", "BYHOUR", "BYMINUTE", "BYSECOND", "WKST",
    ]

    /// Reads an item for each value, each of which is there or refused, and asks each when it rings.
    private func read(_ item: (String) -> [String]) throws {
        for component in ["VTODO", "VEVENT"] {
            var lines = ["BEGIN:VCALENDAR"]
            for (index, value) in Self.values.enumerated() {
                lines += ["BEGIN:\(component)", "UID:u\(index)", "SUMMARY:x"]
                lines += ["DTSTART:20300501T090000Z"] + item(value) + ["END:\(component)"]
            }
            let text = (lines + ["END:VCALENDAR", ""]).joined(separator: "\r\n")
            let read = try ReadCalendar(text.utf8, zone: "Europe/Berlin")
            #expect(read.items.count + read.refused.count == Self.values.count)
            for now in ["1970-01-01T00:00:00Z", "2030-05-01T12:00:00Z"] {
                _ = try read.rings(now: now, zone: "Europe/Berlin")
            }
        }
    }

    @Test("A property of an item", arguments: properties)
    func ofItem(property: String) throws {
        try read { ["\(property):\($0)"] }
    }

    @Test("A property of an alarm", arguments: alarms)
    func ofAlarm(property: String) throws {
        try read {
            ["RRULE:FREQ=DAILY;COUNT=3"] + alarm("TRIGGER:-PT5M", ["\(property):\($0)"])
                + alarm("\(property):\($0)")
        }
    }

    @Test("A part of a rule", arguments: ruleParts)
    func ofRule(part: String) throws {
        try read { ["RRULE:FREQ=MONTHLY;\(part)=\($0)"] }
    }
}
