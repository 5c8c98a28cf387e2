import Foundation
import Glibc
import RemindCore
import Testing

@testable import Calendaring

/// A case with its file read and its rings computed at its clock.
private struct Case {
    let expect: [String: Any]
    let now: String
    let zone: String
    let read: ReadCalendar

    init(_ id: String) throws {
        let object = try Cases.object(id)
        expect = try #require(object["expect"] as? [String: Any])
        let clock = try #require(object["clock"] as? [String: Any])
        now = try #require(clock["now"] as? String)
        zone = try #require(clock["tz"] as? String)
        read = try ReadCalendar(try Cases.bytes(id), zone: zone)
    }

    func rings(limit: Int = 20) throws -> [String] {
        try read.rings(now: now, zone: zone, limit: limit)
    }

    func rings(of title: String) throws -> [String] {
        let schedule = try schedule(zone)
        return try schedule.rings(of: read.item(title), after: instant(now), limit: 20)
            .map { utc($0.instant) }
    }

    func due(of title: String) throws -> String {
        let deadline = try #require(try read.item(title).deadline)
        return try utc(schedule(zone).instant(of: deadline).instant)
    }
}

private func times(_ value: Any?) -> [String]? {
    (value as? [[String: Any]])?.compactMap { $0["utc"] as? String }
}

@Suite("Cases of calendar files")
struct ICalendarCaseTests {
    /// What every case says in the same words: `fires`, `next_5`, `count`, `never`, `items`.
    @Test(
        "rings as the case says",
        arguments: [
            "A-gap-01", "A-fold-01", "A-fold-02", "A-rec-01", "A-rec-02", "A-rec-03", "A-rec-05",
            "A-rec-07", "A-val-01", "A-val-02", "A-val-03", "A-val-04", "A-val-05", "A-ics-07",
        ])
    func rings(id: String) throws {
        let one = try Case(id)
        if let fires = times(one.expect["fires"]) { #expect(try one.rings() == fires) }
        if let next = times(one.expect["next_5"]) { #expect(try one.rings(limit: 5) == next) }
        if let count = one.expect["count"] as? Int { #expect(try one.rings().count == count) }
        #expect(one.expect["fires"] != nil || one.expect["next_5"] != nil)
        for wrong in one.expect["never"] as? [String] ?? [] where wrong.hasPrefix("20") {
            let start = String(wrong.prefix { $0 != " " })
            #expect(!(try one.rings().contains(start)), "never \(wrong)")
        }
        #expect(one.read.problems.isEmpty)
    }

    @Test("A-gap-02: a daily series crosses a gap and keeps its time")
    func gap02() throws {
        let one = try Case("A-gap-02")
        let fires = try #require(times(one.expect["fires"]))
        let found = try one.rings()
        #expect(found.filter { !$0.hasPrefix("2026-03-29") } == fires)
        #expect(found.filter { $0.hasPrefix("2026-03-29") } == ["2026-03-29T01:30:00Z"])
    }

    @Test("A-tz-01: a floating time follows the zone")
    func tz01() throws {
        let bytes = try Cases.bytes("A-tz-01")
        let now = "2024-07-03T07:00:00+09:00"
        for (zone, expected) in [
            ("Asia/Tokyo", "2024-07-03T01:00:00Z"), ("Asia/Singapore", "2024-07-03T02:00:00Z"),
        ] {
            let read = try ReadCalendar(bytes, zone: zone)
            #expect(try read.rings(now: now, zone: zone) == [expected])
        }
    }

    @Test("A-rec-04: WKST decides which days share a week")
    func rec04() throws {
        let one = try Case("A-rec-04")
        let byTitle = try #require(one.expect["fires_by_title"] as? [String: Any])
        for (title, fires) in byTitle {
            #expect(try one.rings(of: title) == times(fires))
        }
    }

    @Test(
        "A-rec-06: a rule that never matches ends, and the next item rings"
    )
    func rec06() throws {
        let one = try Case("A-rec-06")
        #expect(try one.rings(of: "Never again") == ["2024-02-01T09:00:00Z"])
        #expect(try one.rings(of: "Ordinary") == times(one.expect["fires_of_Ordinary"]))
    }

    /// The thread's own time (clock_gettime(2)), so that a busy machine does not count.
    private func seconds(_ body: () throws -> Void) rethrows -> Double {
        func now() -> Double {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        }
        let before = now()
        try body()
        return now() - before
    }

    @Test("A-rec-06, A-val-05: reading it and asking what comes next takes less than a second")
    func boundedTime() throws {
        for (id, limit) in [
            ("A-rec-06", "import_and_next_within_s"), ("A-val-05", "next_query_within_s"),
        ] {
            let allowed = try #require(try Case(id).expect[limit] as? Int)
            let taken = try seconds {
                let one = try Case(id)
                for item in one.read.items { _ = try one.rings(of: item.summary) }
            }
            #expect(taken < Double(allowed), "\(id)")
        }
        // After its last alarm too, a daemon looks for the next one.
        let val = try Case("A-val-05")
        for later in ["2022-02-02T16:30:00Z", "2023-01-01T00:00:00Z", "2099-01-01T00:00:00Z"] {
            var rings = ["none was asked for"]
            let taken = try seconds { rings = try val.read.rings(now: later, zone: "UTC") }
            #expect(rings == [])
            #expect(taken < 1)
        }
    }

    @Test("A-ics-01: folds inside a character are undone")
    func ics01() throws {
        let one = try Case("A-ics-01")
        #expect(one.read.items.map(\.summary) == [one.expect["title"] as? String])
        let hex = one.read.items[0].summary.utf8.map { String(format: "%02x", $0) }.joined()
        #expect(hex == one.expect["title_utf8_hex"] as? String)
    }

    @Test("A-ics-02: bare line feeds and folds with tabs are read")
    func ics02() throws {
        let one = try Case("A-ics-02")
        #expect(one.read.items.map(\.summary) == [one.expect["title"] as? String])
        #expect(try one.due(of: one.read.items[0].summary) == "2024-05-01T09:00:00Z")
    }

    @Test("A-ics-03: escapes are undone once")
    func ics03() throws {
        let one = try Case("A-ics-03")
        #expect(one.read.items.map(\.summary) == [one.expect["title_json"] as? String])
    }

    @Test("A-ics-04: Windows names mean zones with summer time")
    func ics04() throws {
        let one = try Case("A-ics-04")
        let byTitle = try #require(one.expect["due_by_title"] as? [String: [String: String]])
        for (title, due) in byTitle { #expect(try one.due(of: title) == due["utc"]) }
        #expect(one.read.items.allSatisfy { $0.deadline?.zoneName == "Europe/Berlin" })
    }

    @Test("A-ics-05: a date is the day of whoever looks at it")
    func ics05() throws {
        for zone in ["America/New_York", "Pacific/Auckland"] {
            let read = try ReadCalendar(try Cases.bytes("A-ics-05"), zone: zone)
            #expect(try read.items.map(\.deadline) == [date("2014-07-20")])
            let rings = try read.rings(now: "2014-07-18T12:00:00-04:00", zone: zone)
            #expect(
                rings == [zone.hasPrefix("A") ? "2014-07-20T13:00:00Z" : "2014-07-19T21:00:00Z"])
        }
    }

    @Test("A-ics-06: unknown properties and components are kept")
    func ics06() throws {
        let one = try Case("A-ics-06")
        #expect(one.read.items.count == 2)
        #expect(one.read.problems.isEmpty)
        #expect(one.read.items[0].foreignProperties.contains("X-APPLE-SORT-ORDER:3"))
        #expect(!one.read.components.isEmpty)
    }

    @Test("A-ics-07: one hundred percent is done")
    func ics07() throws {
        let one = try Case("A-ics-07")
        #expect(try one.read.item("Mow lawn").state == .done)
        #expect(try one.read.item("Trim hedge").state == .open)
    }

    @Test("A-ics-08: a rule without a date never rings, and the next item does")
    func ics08() throws {
        let one = try Case("A-ics-08")
        #expect(try one.rings(of: "Someday").isEmpty)
        #expect(try one.read.item("Someday").deadline == nil)
        #expect(try one.rings(of: "Buy stamps") == ["2024-06-01T08:00:00Z"])
        #expect(one.read.problems.map(\.uid) == ["a-ics-08-1@example.invalid"])
    }

    @Test("A-ics-09: twenty thousand items come out one by one")
    func ics09() throws {
        var text = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Acceptance//Big//EN\r\n"
        for i in 0..<20_000 {
            func two(_ value: Int) -> String { String(value + 100).suffix(2).description }
            let due = "2030\(two(1 + i % 12))\(two(1 + i % 28))T\(two(i % 24))\(two(i % 60))00Z"
            text += "BEGIN:VTODO\r\nUID:big-\(i)@example.invalid\r\nDTSTAMP:20240101T000000Z\r\n"
            text += "DUE:\(due)\r\nSUMMARY:Item \(i)\r\nEND:VTODO\r\n"
        }
        let read = try ReadCalendar((text + "END:VCALENDAR\r\n").utf8)
        #expect(read.items.count == 20_000)
        #expect(read.problems.isEmpty)
        let rings = try read.rings(now: "2024-05-01T00:00:00Z", limit: 1)
        #expect(rings.first == "2030-01-01T00:00:00Z")
    }

    @Test("A-text-02: a line end in a title is read as one")
    func text02() throws {
        let one = try Case("A-text-02")
        #expect(one.read.items.map(\.summary) == ["Call plumber\nask about boiler"])
    }

    @Test("A-text-03: bytes that are not UTF-8 become U+FFFD")
    func text03() throws {
        let one = try Case("A-text-03")
        #expect(one.read.items.map(\.summary) == ["Caf\u{FFFD} bill"])
        #expect(try one.rings() == ["2024-05-01T09:00:00Z"])
    }
}
