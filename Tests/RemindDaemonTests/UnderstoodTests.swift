import RemindAPI
import RemindCore
import Testing

@testable import RemindDaemon

@Suite("The answers of add and edit")
struct UnderstoodTests {
    private func added(
        _ world: World, _ fill: (inout Add.Parameters) -> Void
    ) throws -> String {
        var parameters = Add.Parameters(title: "Gym")
        fill(&parameters)
        return try world.isolated { [parameters] in try $0.add(parameters).1.text }
    }

    private func edited(
        _ world: World, _ change: (inout Edit.Parameters) -> Void
    ) throws -> String {
        var parameters = Edit.Parameters(reference: "1")
        change(&parameters)
        return try world.isolated { [parameters] in try $0.edit(parameters).1.text }
    }

    @Test("A plain deadline is all that is said of it")
    func plain() throws {
        let text = try added(try World()) { $0.at = "2030-05-01 09:00" }
        #expect(text.hasPrefix("Wed 1 May 2030, 09:00 "))
        #expect(text.hasSuffix(")"))
    }

    @Test("Another time for a task that is done does not ring, and says so")
    func done() throws {
        let world = try World()
        _ = try added(world) { $0.at = "tomorrow 9:00" }
        try world.isolated { engine in
            _ = try engine.complete([try engine.findOne("1")], series: false, origin: .command)
        }
        #expect(try edited(world) { $0.at = "friday 9:00" }.hasSuffix("; done, will not ring"))
        #expect(try !edited(world) { $0.title = "Walk" }.contains("ring"))
    }

    @Test("All that was given is said on one line")
    func everything() throws {
        let text = try added(try World()) {
            ($0.every, $0.before, $0.nag) = ("mon,wed,fri 18:00", ["15m"], "5m")
            ($0.priority, $0.list, $0.tags, $0.note) = (.high, "home", ["am"], "Shoes")
        }
        let end =
            ", every Mon, Wed and Fri; rings 15 min before, again every 5 min; !high @home #am"
        #expect(text.hasSuffix(end + "; with a note"))
    }

    @Test("Without a date it says that it will not ring, and what it would do with one")
    func undated() throws {
        #expect(try added(try World()) { _ in } == "no date, will not ring")
        let text = try added(try World()) { $0.before = ["1h"] }
        #expect(text == "no date, will not ring; with a date, it rings 1 h before")
    }

    @Test("A day whose hour has gone by rings on another, and says so")
    func tooLateToday() throws {
        let world = try World()
        try world.advance(to: "2024-05-01T20:30:00Z")
        let text = try added(world) { $0.at = "today" }
        #expect(text.contains("(today); rings "), "\(text)")
    }

    @Test(
        "A lead time that had gone by was promised",
        arguments: [
            ("11:00", ["1h", "10m"], "1 h before has gone by: it does not ring then."),
            (
                "every day 11:00", ["1h"],
                "1 h before has gone by: it does not ring then, the first time."
            ),
            (
                "every day 11:00", ["2d"],
                "2 days before is not after the occurrence before it: it never rings then."
            ),
            ("tomorrow 9:00", ["1h"], nil), ("tomorrow", ["12h"], nil), ("11:00", [], nil),
        ] as [(String, [String], String?)])
    func leadGoneBy(_ at: String, _ before: [String], _ note: String?) throws {
        var parameters = Add.Parameters(title: "Gym")
        (parameters.at, parameters.before) = (at, before)
        let notes = try World().isolated { [parameters] in try $0.add(parameters).1.notes }
        #expect(notes == [note].compactMap(\.self))
    }

    @Test("A deadline that has gone by, and was asked for, rings at once")
    func gone() throws {
        let text = try added(try World()) { ($0.at, $0.past) = ("2020-05-01 09:00", true) }
        #expect(text.hasSuffix("ago)"), "\(text)")
    }

    @Test("An edit says what changed, and which tags are gone")
    func edit() throws {
        let world = try World()
        try world.add("Tea", at: "2030-05-01") { ($0.tags, $0.nag) = (["am", "meds"], "5m") }
        #expect(try edited(world) { $0.tags = ["extra"] }.hasSuffix("; #extra (no more #am #meds)"))
        #expect(try edited(world) { $0.tags = [] }.hasSuffix("; no tags (no more #extra)"))
        #expect(try edited(world) { $0.before = ["1d"] }.contains("; rings 1 day before, again"))
        #expect(try edited(world) { $0.every = "day" }.contains(", every day; rings 1 day"))
        #expect(try edited(world) { $0.every = "" }.hasSuffix("; not repeated"))
        #expect(try edited(world) { $0.nag = "" }.hasSuffix("; rings once"))
        #expect(try edited(world) { $0.note = "Green" }.hasSuffix("; with a note"))
        #expect(try edited(world) { $0.title = "Tea" }.hasSuffix("; nothing changed"))
    }

    @Test(
        "A nag of days or more was a second short, and an hour before a clock change",
        arguments: [("1d", 86_400), ("1d12h", 129_600), ("1w", 604_800), ("1mo", 31 * 86_400)])
    func nagOfDays(_ text: String, _ seconds: Int64) throws {
        let world = try World(now: "2024-03-30T20:00:00.500+01:00")
        let task = try world.add("Tea", at: "tomorrow 9:00") { $0.nag = text }
        #expect(task.nag == seconds)
    }

    @Test(
        "A zone named by an abbreviation was taken, or got abbreviations as hints",
        arguments: [
            ("EST", "America/New_York"), ("cet", "Europe/Berlin"), ("CST", "Asia/Shanghai"),
        ])
    func abbreviatedZone(_ zone: String, _ hint: String) throws {
        let world = try World()
        let error = try #require(throws: APIError.self) {
            try world.add("Tea", at: "2030-07-01 9:00") { $0.timeZone = zone }
        }
        #expect(error.message.contains("‘\(zone)’"))
        #expect(error.hint?.contains("--tz \(hint)") == true)
    }

    @Test("A zone that does not exist, with no deadline, had a hint that was refused again")
    func unknownZoneOfNothing() throws {
        let world = try World()
        func error(_ zone: String) throws -> APIError {
            try #require(throws: APIError.self) {
                try added(world) { $0.timeZone = zone }
            }
        }
        let unknown = try error("Mars/X")
        #expect(unknown.message.contains("no time zone"))
        #expect(unknown.hint?.contains("Mars") == false)
        #expect(try error("Europe/Paris").hint == "Say when: --at \"9:00\" --tz Europe/Paris")
    }

    @Test(
        "Each zone that an abbreviation could mean is one that the system knows",
        arguments: [
            "AFT", "AMT", "AZT", "BDT", "BRST", "CHST", "CLST", "CLT", "HDT", "ICT", "IRST", "MYT",
            "NPT", "SST", "VET", "VLAT", "WIT", "WITA", "YEKT", "EST", "IST", "CST",
        ])
    func abbreviations(_ name: String) throws {
        let world = try World()
        let error = try #require(throws: APIError.self) {
            try world.add("Tea", at: "2030-07-01 9:00 \(name)")
        }
        #expect(error.message.contains("‘\(name)’"))
        let zones = try #require(ZoneAbbreviations.meanings(of: name))
        #expect(error.hint?.contains(zones[0]) == true)
        for zone in zones { try world.add("Tea", at: "2030-07-01 9:00 \(zone)") }
    }

    @Test("Next told a ring by the clock of the task's zone without naming it")
    func nextRingIsHere() throws {
        let world = try World()
        try world.add("Tea", at: "2024-05-02 9:00") {
            ($0.timeZone, $0.before) = ("Asia/Tokyo", ["1h"])
        }
        let bytes = try world.isolated { engine in
            var json = JSONWriter()
            try engine.next(limit: 1, to: &json)
            return json.bytes
        }
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.contains(#""at":"2024-05-02T01:00:00+02:00""#))
        #expect(text.contains(#""due":"2024-05-02T09:00:00+09:00""#))
    }
}
