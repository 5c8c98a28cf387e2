import RemindCore
import Testing

@testable import Calendaring

@Suite("Alarms and rules of vCalendar 1.0")
struct OldFormTests {
    @Test(
        "the alarms ring, as often as they say",
        arguments: [
            ("DALARM:20240501T084500Z;;;Tea", ["2024-05-01T08:45:00Z"]),
            ("AALARM;TYPE=X-EPOCSOUND:20240501T084500Z", ["2024-05-01T08:45:00Z"]),
            ("MALARM:20240501T104500;;;a@example.invalid;Tea", ["2024-05-01T08:45:00Z"]),
            ("PALARM:20240501T084500Z;;;/bin/true", ["2024-05-01T08:45:00Z"]),
            (
                "DALARM:20240501T084500Z; PT5M ;1;Tea",
                ["2024-05-01T08:45:00Z", "2024-05-01T08:50:00Z"]
            ),
        ])
    func alarms(line: String, rings: [String]) throws {
        let read = try ReadCalendar(
            calendar("VTODO", ["DUE:20240501T090000Z", line]), zone: "Europe/Berlin")
        #expect(read.problems.isEmpty)
        let found = try read.rings(now: "2024-01-01T00:00:00Z", zone: "Europe/Berlin")
        #expect(found == rings)
        #expect(read.items[0].text.contains("BEGIN:VALARM"))
        #expect(!read.items[0].text.contains(line))
    }

    @Test("an alarm without a time is left out, and noted; an empty one is none")
    func noTime() throws {
        for (line, notes) in [("DALARM:soon;;;Tea", 1), ("DALARM:", 0)] {
            let read = try ReadCalendar(calendar("VTODO", ["DUE:20240501T090000Z", line]))
            #expect(try read.rings(now: "2024-01-01T00:00:00Z") == ["2024-05-01T09:00:00Z"])
            #expect(read.problems.map(\.isRefusal) == Array(repeating: false, count: notes))
        }
    }

    @Test("the alarm of a series rings before each occurrence")
    func series() throws {
        let lines = ["DTSTART:20240501T100000Z", "RRULE:D1 #3", "AALARM:20240501T095500Z;;;"]
        let read = try ReadCalendar(calendar("VEVENT", lines))
        #expect(
            try read.rings(now: "2024-01-01T00:00:00Z")
                == ["2024-05-01T09:55:00Z", "2024-05-02T09:55:00Z", "2024-05-03T09:55:00Z"])
        #expect(
            read.problems.map(\.reason) == [
                "‘RRULE’ has ‘D1 #3’: taken as ‘FREQ=DAILY;INTERVAL=1;COUNT=3’."
            ])
    }

    @Test(
        "a rule becomes one of iCalendar",
        arguments: [
            ("D2", "FREQ=DAILY;INTERVAL=2;COUNT=2"), ("D1 #0", "FREQ=DAILY;INTERVAL=1"),
            ("W2 MO TH #10", "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH;COUNT=10"),
            (
                "W1 TU 20241231T000000Z",
                "FREQ=WEEKLY;INTERVAL=1;BYDAY=TU;UNTIL=20241231T000000Z"
            ),
            ("MP1 1+ MO TU 2- FR #12", "FREQ=MONTHLY;INTERVAL=1;BYDAY=1MO,1TU,-2FR;COUNT=12"),
            ("MD1 7 LD #3", "FREQ=MONTHLY;INTERVAL=1;BYMONTHDAY=7,-1;COUNT=3"),
            ("YM1 6 #5", "FREQ=YEARLY;INTERVAL=1;BYMONTH=6;COUNT=5"),
            ("YD2 100 #5", "FREQ=YEARLY;INTERVAL=2;BYYEARDAY=100;COUNT=5"),
        ])
    func rules(old: String, new: String) { #expect(OldForms.rule(old) == new) }

    @Test(
        "what is no such rule stays as it is",
        arguments: [
            "FREQ=DAILY", "", "D", "D0", "X1 #2", "D1 #-1", "W1 XX", "MD1 0", "MP1 MO +", "D1 #x",
        ])
    func noRules(text: String) { #expect(OldForms.rule(text) == nil) }
}
