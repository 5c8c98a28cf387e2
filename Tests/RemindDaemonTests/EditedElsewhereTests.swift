import RemindAPI
import RemindCore
import Testing

@testable import RemindDaemon

@Suite("An export of ours that another program has changed, which keeps X-REMINDD as it was")
struct EditedElsewhereTests {
    private static let now = "2024-05-01T10:30:00.250+02:00"
    private let world: World

    init() throws { world = try World(now: Self.now) }

    /// The export, changed, as it comes in here and where nothing is known of it.
    private func change(_ changes: [(old: String, new: String)], at now: String = now) throws
        -> [World]
    {
        var text = Self.marked(try world.exports())
        for (old, new) in changes {
            try #require(text.contains(old), "\(old) in \(text)")
            text = text.replacing(old, with: new)
        }
        let worlds = [world, try World(now: now)]
        for world in worlds {
            let reply = try #require(try world.imports(text).last)
            #expect(reply.problems.allSatisfy { !$0.refused })
        }
        return worlds
    }

    /// With what other programs put in.
    private static func marked(_ text: String) -> String {
        text.split(separator: "\r\n").map {
            if $0.hasPrefix("LAST-MODIFIED:") { return "LAST-MODIFIED:20240501T120000Z" }
            return $0.hasPrefix("SUMMARY:") ? "X-ODD:1\r\n" + $0 : String($0)
        }.joined(separator: "\r\n") + "\r\n"
    }

    private static let moves: [(at: String, changes: [(old: String, new: String)], due: String)] = [
        ("every day at 11:00", [("T110000", "T123000")], "2024-05-01T12:30"),
        ("every day at 11:00", [("T110000", "T103500")], "2024-05-01T10:35"),
        ("every day at 11:00", [("20240501T11", "20240510T11")], "2024-05-10T11:00"),
        (
            "every wednesday at 11:00", [("20240501T11", "20240502T11"), ("BYDAY=WE", "BYDAY=TH")],
            "2024-05-02T11:00"
        ),
        (
            "every 3 days at 11:00 after completion", [("T110000", "T123000")],
            "2024-05-01T12:30"
        ),
        ("in 20m", [("T085000Z", "T095000Z")], "2024-05-01T11:50"),
        ("11:00", [("T110000", "T123000")], "2024-05-01T12:30"),
    ]

    @Test("A task that was moved rings at the new time, and only then", arguments: moves.indices)
    func moved(_ index: Int) throws {
        let (at, changes, due) = Self.moves[index]
        try world.add("Tea", at: at)
        for world in try change(changes) {
            try world.pass(to: due + ":00+02:00")
            #expect(world.shown == ["Tea"])
            let ring = try world.reminder(1).alarm.ring
            #expect(ring?.scheduled == Instant(rfc3339: due + ":00+02:00"))
        }
    }

    private static let alarms: [(before: [String], old: String, new: String, rings: [String])] = [
        (["30m"], "-PT30M", "-PT1H", ["11:00", "12:00"]),
        (["30m"], "RELATED=END:-PT30M", "RELATED=START:-PT20M", ["11:40", "12:00"]),
        (["30m"], "END:PT0S", "END:-PT10M", ["11:30", "11:50"]),
        (["1h", "30m"], "-PT1H", "-PT60M", ["11:00", "11:30", "12:00"]),
    ]

    @Test("It rings at the alarms that it was given there", arguments: alarms.indices)
    func alarmed(_ index: Int) throws {
        let (before, old, new, rings) = Self.alarms[index]
        try world.add("Tea", at: "12:00") { $0.before = before }
        for world in try change([(old, new)]) {
            for time in rings {
                let now = "2024-05-01T\(time):00+02:00"
                try world.pass(to: now)
                #expect(try world.reminder(1).alarm.ring?.scheduled == Instant(rfc3339: now))
                try world.isolated { _ = try $0.dismiss($0.find("1"), origin: .command) }
            }
            #expect(try world.reminder(1).alarm.rings == rings.count)
            #expect(try world.reminder(1).alarm.nextRing == nil)
        }
    }

    @Test("One that rang and was moved ahead is silent until then")
    func rang() throws {
        try world.add("Tea", at: "10:40") { $0.nag = "5m" }
        let now = "2024-05-01T10:41:00+02:00"
        try world.pass(to: now)
        #expect(try world.reminder(1).alarm.state == .ringing)
        for world in try change([("20240501T104000", "20240502T104000")], at: now) {
            #expect(try world.reminder(1).alarm.state == .pending)
            let next = try world.reminder(1).alarm.nextRing
            #expect(next == Instant(rfc3339: "2024-05-02T10:40:00+02:00"))
        }
    }

    @Test("What iCalendar cannot say outlives what other programs put in, however often it goes on")
    func kept() throws {
        try world.add("Water", at: "every 3 days at 11:00 after completion") { $0.before = ["1h"] }
        try world.add("Rent", at: "every day at 11:00")
        try world.isolated { engine in
            let all = try engine.find("1") + engine.find("2")
            _ = try engine.complete(all, series: false, origin: .command)
        }
        let mine = try world.all().sorted { $0.title > $1.title }
        let rings = ["2024-05-04T10:00:00+02:00", "2024-05-02T11:00:00+02:00"]
        #expect(mine.map(\.alarm.nextRing) == rings.map { Instant(rfc3339: $0) })
        var text = Self.marked(try world.exports())
        for _ in 0..<2 {
            let other = try World(now: Self.now)
            _ = try other.imports(text)
            for (one, its) in zip(mine, try other.all().sorted { $0.title > $1.title }) {
                #expect(its.deadline == one.deadline && its.before == one.before)
                #expect(its.recurrence?.rule == one.recurrence?.rule)
                #expect(its.alarm.nextRing == one.alarm.nextRing)
            }
            text = try other.exports()
            #expect(text.contains("X-ODD:1"))
        }
    }
}
