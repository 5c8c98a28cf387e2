import Calendaring
import Dispatch
import Glibc
import Popups
import RemindAPI
import RemindCore
import Store
import Testing
import Timing

@testable import RemindDaemon

/// Something that happens to a daemon in which a reminder rings, one nags, and one is to come.
enum Happening: String, CaseIterable, Sendable {
    case rings, pause, resume, quietHours, disturb, undisturb, digest, snooze, undo, imported
    case restored, clockBack, clockAhead, zone, done, dismissed, vanished, appeared, dropped,
        restart

    func happen(to world: World) throws {
        switch self {
        case .rings: world.isolated { $0.timerFired() }
        case .pause:
            let end = world.clock.now.advanced(bySeconds: 1800)
            try world.isolated { try $0.pause(until: end) }
        case .resume: try world.isolated { try $0.resume() }
        case .quietHours: try beginQuietHours(world)
        case .disturb: world.screen(.inhibitionChanged(true))
        case .undisturb: world.screen(.inhibitionChanged(false))
        case .digest:
            for title in ["One", "Two", "Three", "Four"] {
                try world.add(title, at: "2024-04-30 10:00") { $0.past = true }
            }
        case .imported:
            _ = try world.imports(Self.calendar("Imported anew", due: 50, modified: "0855"))
        case .restored: try restore(world)
        case .clockBack: setClock(world, by: -7200)
        case .clockAhead: setClock(world, by: 7200)
        case .zone:
            world.isolated { $0.zoneChanged(SystemZones(environment: ["TZ": "Asia/Tokyo"])) }
        case .restart: try world.restart()
        case .snooze, .undo, .done: try command(world)
        case .dismissed, .vanished, .appeared, .dropped: screen(world)
        }
    }

    private func command(_ world: World) throws {
        let until = world.clock.now.advanced(bySeconds: 600)
        try world.isolated { engine in
            do {
                switch self {
                case .snooze:
                    _ = try engine.snooze(engine.find("1"), until: until, origin: .command)
                case .undo: _ = try engine.undo()
                default: _ = try engine.complete(engine.find("2"), series: false, origin: .command)
                }
            } catch let error as APIError where error.kind == .wrongState {}
        }
    }

    private func screen(_ world: World) {
        let server = ServerInfo(busName: ":1.7@bus", name: "dunst", isInhibited: false)
        switch self {
        case .vanished: world.screen(.serverVanished)
        case .appeared: world.screen(.serverAppeared(server))
        default:
            for key in world.presenter.wanted.keys.sorted().prefix(1) {
                world.screen(
                    self == .dropped
                        ? .closedUnanswered(key: key, reason: 1) : .dismissed(key: key))
            }
        }
    }

    private func beginQuietHours(_ world: World) throws {
        let (from, until) = (CivilTime(hour: 8), CivilTime(hour: 12))
        world.settings.quiet = .init(from: try #require(from), until: try #require(until))
        world.isolated { [settings = world.settings] in $0.reconfigure(settings) }
    }

    private func setClock(_ world: World, by seconds: Int64) {
        world.clock.now = world.clock.now.advanced(bySeconds: seconds)
        world.isolated { $0.clockChanged() }
    }

    /// Nothing holds pop-ups back any more.
    static func settle(_ world: World) {
        world.settings.quiet = nil
        world.isolated { [settings = world.settings] in $0.reconfigure(settings) }
        world.screen(.inhibitionChanged(false))
    }

    static func backUp(_ world: World) throws {
        let (engine, path) = (world.engine, world.folder + "/backup.db")
        try engine.backups.executor.queue.sync {
            try engine.backups.assumeIsolated { _ = try $0.make(at: path) }
        }
    }

    private func restore(_ world: World) throws {
        let (engine, path) = (world.engine, world.folder + "/backup.db")
        let copy = try engine.backups.executor.queue.sync {
            try engine.backups.assumeIsolated { try $0.stage(path) }
        }
        _ = try world.isolated { try $0.restore(copy) }
    }

    /// A file with one task, which is due some minutes after 10:00 in Berlin.
    static func calendar(_ title: String, due minute: Int, modified: String) -> String {
        """
        BEGIN:VCALENDAR
        BEGIN:VTODO
        UID:a
        SUMMARY:\(title)
        LAST-MODIFIED:20240501T\(modified)00Z
        DUE:20240501T08\(minute)00Z
        END:VTODO
        END:VCALENDAR

        """
    }
}

@Suite("Two things in the same instant")
struct PairTests {
    /// Every seventh, so that a run takes seconds; all with `REMINDD_ALL_PAIRS=1`.
    private static let pairs = {
        let all = Happening.allCases.flatMap { first in Happening.allCases.map { (first, $0) } }
        let step = getenv("REMINDD_ALL_PAIRS") == nil ? 7 : 1
        return stride(from: 0, to: all.count, by: step).map { all[$0] }
    }()

    @Test("Store, memory, wheel and screen agree afterwards", arguments: pairs)
    func pair(first: Happening, second: Happening) throws {
        let world = try World()
        try world.add("Tea", at: "10:40")
        try world.add("Pills", at: "10:45") { ($0.every, $0.nag) = ("every hour", "15m") }
        try world.add("Bread", at: "11:00") { $0.priority = .high }
        try world.add("Call", at: "2024-05-09 09:00")
        _ = try world.imports(Happening.calendar("Imported", due: 35, modified: "0700"))
        try world.pass(to: "2024-05-01T10:46:00+02:00")
        try Happening.backUp(world)
        try world.pass(to: "2024-05-01T10:59:59+02:00")
        #expect(world.presenter.wanted.count == 3)
        var noted = Edit.Parameters(reference: "1")
        noted.note = "hot"
        try world.isolated { [noted] in _ = try $0.edit(noted) }
        world.clock.now = try #require(Instant(rfc3339: "2024-05-01T11:00:00+02:00"))
        try first.happen(to: world)
        try second.happen(to: world)
        world.isolated { $0.timerFired() }
        let place = "\(first) then \(second)"
        try agree(world, place)
        // A minute later, an hour later, a day later.
        for seconds: Int64 in [60, 3600, 86_400] {
            try world.pass(
                to: world.clock.now.advanced(bySeconds: seconds).rfc3339(in: FixedZone.utc))
            try agree(world, "\(place), +\(seconds)")
        }
        try Happening.resume.happen(to: world)
        Happening.settle(world)
        try agree(world, "\(place), settled")
        #expect(world.isolated { $0.held.isEmpty }, "\(place)")
    }

    private func agree(_ world: World, _ place: String) throws {
        let wanted = Set(world.presenter.wanted.keys)
        let trouble = try world.isolated { engine -> [String] in
            var trouble: [String] = []
            let stored = try engine.store.ringing()
            let now = engine.clock.now
            let hold = engine.hold(at: now)
            if Set(stored.map(\.number)) != engine.ringing { trouble.append("ringing") }
            if !engine.held.isSubset(of: stored.filter { hold?.holds($0) == true }.map(\.number)) {
                trouble.append("held \(engine.held)")
            }
            let visible = stored.filter { !engine.held.contains($0.number) }
            let keys = engine.digest == nil ? Set(visible.map(\.id.text)) : ["digest"]
            if engine.digest != nil, visible.isEmpty { trouble.append("empty digest") }
            // A nag in quiet hours is held back; the pop-up of before may stay until they end.
            let standing = stored.filter { engine.held.contains($0.number) }.map(\.id.text)
            if !keys.isSubset(of: wanted) || !wanted.isSubset(of: keys.union(standing)) {
                trouble.append("screen \(wanted.sorted()) \(keys.sorted())")
            }
            for reminder in try engine.store.list(.init(.all)) {
                let next = reminder.alarm.nextRing
                if let next, next <= now { trouble.append("#\(reminder.number) overdue") }
                let isNear = next.map { $0 <= engine.horizonEnd } ?? false
                if engine.timers.isSet(reminder.number) != isNear {
                    trouble.append("wheel \(reminder.number)")
                }
                if next != nil, !isNear, !engine.timers.isSet(Engine.refillKey) {
                    trouble.append("refill")
                }
            }
            if hold?.until != nil, !engine.held.isEmpty, !engine.timers.isSet(Engine.holdKey),
                !engine.timers.isSet(Engine.refillKey)
            {
                trouble.append("hold has no end")
            }
            return trouble
        }
        #expect(trouble == [], "\(place)")
    }
}
