import Glibc
import RemindCore
import Testing

@testable import Calendaring

/// Processor time of this thread: other work on the machine does not count.
func threadSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

private func all(_ count: Int) -> String { (0..<count).map(String.init).joined(separator: ",") }

@Suite("Rules: no rule spins the daemon")
struct RuleCostTests {
    private static let seconds = "BYMINUTE=\(all(60));BYSECOND=\(all(60))"
    private static let week = "BYDAY=MO,TU,WE,TH,FR,SA,SU"

    static let costly = [
        "FREQ=YEARLY;\(week);BYHOUR=\(all(24));\(seconds)",
        "FREQ=MONTHLY;\(week);BYHOUR=\(all(24));\(seconds)",
        "FREQ=DAILY;BYHOUR=\(all(24));\(seconds)",
        "FREQ=HOURLY;\(seconds)",
        "FREQ=YEARLY;\(week);BYHOUR=\(all(24));BYMINUTE=\(all(60))",
        "FREQ=YEARLY;\(week);BYHOUR=\(all(24));\(seconds);BYSETPOS=-1",
        "FREQ=YEARLY;BYDAY=MO;BYSETPOS=200",
        "FREQ=DAILY;BYDAY=MO;COUNT=99999",
        "FREQ=SECONDLY;BYDAY=MO;COUNT=99999",
        "FREQ=SECONDLY;INTERVAL=3;BYMONTHDAY=-20,-10;BYDAY=WE;BYHOUR=20;BYSETPOS=3",
        "FREQ=SECONDLY;INTERVAL=3;BYMONTHDAY=-20,-10;BYDAY=WE;BYHOUR=20",
        "FREQ=SECONDLY;INTERVAL=2;BYSECOND=1", "FREQ=HOURLY;INTERVAL=24;BYHOUR=3",
    ]

    @Test("a rule of many times a day costs what its days cost", arguments: costly)
    func manyTimes(rrule: String) throws {
        let before = threadSeconds()
        let schedule = try schedule("Europe/Berlin")
        var reminder = reminder(.floating(try civil("2025-03-29T08:00:00")), rrule: rrule)
        reminder.before = [CalendarDuration(days: 1)]
        let recurrence = try #require(reminder.recurrence)
        // Where the clock has just been set, places up to an hour back are looked at.
        let now = try instant("2025-03-30T04:10:00+02:00")
        let found = try schedule.occurrences(of: recurrence, after: now, limit: 5)
        #expect(found.count == 5 || ["INTERVAL", "POS"].contains(where: rrule.contains))
        _ = try schedule.plan(for: reminder, now: now)
        // Unoptimised; in release none takes more than 50 ms.
        #expect(threadSeconds() - before < 10)
    }

    @Test("a counted rule of weekdays ends where it would end when walked")
    func countedCycle() throws {
        for (rrule, last) in [
            ("FREQ=DAILY;BYDAY=MO,TH;COUNT=2001", "2043-07-02T09:00:00"),
            ("FREQ=WEEKLY;INTERVAL=3;BYDAY=SU,TU;BYHOUR=9,17;COUNT=7", "2024-06-11T09:00:00"),
        ] {
            let found = try expand(rrule, from: "2024-05-02T09:00:00", limit: 3000)
            #expect(found.last == last)
            #expect(found.count == (rrule.contains("2001") ? 2001 : 7))
        }
    }

    @Test("the elements of a set are found by arithmetic, in order")
    func sets() throws {
        let rule = try ParsedRule("FREQ=DAILY;BYHOUR=9,17;BYMINUTE=0,30;BYSECOND=5,60")
        let times = TimeGrid(rule: rule, start: .midnight)
        #expect((0..<times.count).map { times[$0] } == [32_405, 34_205, 61_205, 63_005])
        let set = RuleSet(days: [1, 3], times: times)
        #expect(set.count == 8 && set.last == 3 * 86_400 + 63_005)
        #expect(set.index(from: 86_400 + 34_206) == 2 && set.index(from: .max) == 8)
        let chosen = set.chosen(by: [-1, 1, 9])
        let positions: [Int64] = [118_805, 322_205]
        #expect((0..<chosen.count).map { chosen[$0] } == positions)
    }
}
