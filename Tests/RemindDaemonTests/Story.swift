import Calendaring
import Popups
import RemindAPI
import RemindCore
import Testing

@testable import RemindDaemon

/// What happens to a user's reminders, step by step, and what is expected to have come of it.
struct Story: Sendable, CustomTestStringConvertible {
    enum Step: Sendable {
        /// Title, `--at`, and `--every`.
        case add(String, at: String? = nil, every: String? = nil)
        case addIn(String, String)
        case addBefore(String, at: String? = nil, every: String? = nil, before: String)
        case addZoned(String, at: String, zone: String)
        case addNag(String, at: String? = nil, every: String? = nil, nag: String)
        /// The time comes, or the machine wakes up then.
        case time(String)
        /// Somebody sets the clock.
        case clock(String)
        case zone(String)
        /// The daemon is off until then.
        case off(until: String)
        case done(String)
        case dismiss(String)
        case reopen(String)
        case remove(String)
        case undo
        case snooze(String, until: String)
        case pause(until: String?)
        case resume
        /// All that was shown since the daemon began, in order.
        case shown([String])
        /// What the newest pop-up says among other things.
        case says(String)
        case next(String, String?)
        case due(String, String)
        case alarm(String, Alarm.State)
        case state(String, Reminder.State)
    }

    var name: String
    var now: String
    var zone: String
    var steps: [Step]
    var testDescription: String { name }

    func perform() throws {
        let world = try World(now: now, zone: zone)
        for step in steps {
            if try !add(step, world), try !answer(step, world) { try check(step, world) }
        }
    }

    private func instant(_ text: String) throws -> Instant { try #require(Instant(rfc3339: text)) }

    private func add(_ step: Step, _ world: World) throws -> Bool {
        switch step {
        case .add(let title, let at, let every):
            try world.add(title, at: at) { $0.every = every }
        case .addIn(let title, let length): try world.add(title) { $0.in = length }
        case .addBefore(let title, let at, let every, let before):
            try world.add(title, at: at) { ($0.every, $0.before) = (every, [before]) }
        case .addZoned(let title, let at, let zone):
            try world.add(title, at: at) { $0.timeZone = zone }
        case .addNag(let title, let at, let every, let nag):
            try world.add(title, at: at) { ($0.every, $0.nag) = (every, nag) }
        case .time(let now): try world.advance(to: now)
        case .clock(let now):
            world.clock.now = try instant(now)
            world.isolated { $0.clockChanged() }
        case .zone(let name):
            world.isolated { $0.zoneChanged(SystemZones(environment: ["TZ": name])) }
        case .off(let now):
            world.end()
            world.clock.now = try instant(now)
            try world.begin()
        default: return false
        }
        return true
    }

    private func answer(_ step: Step, _ world: World) throws -> Bool {
        switch step {
        case .done(let number):
            try world.isolated {
                _ = try $0.complete(try $0.find(number), series: false, origin: .command)
            }
        case .dismiss(let number):
            try world.isolated { _ = try $0.dismiss(try $0.find(number), origin: .command) }
        case .reopen(let number):
            try world.isolated { _ = try $0.reopen(try $0.find(number)) }
        case .remove(let number):
            try world.isolated { _ = try $0.remove(try $0.find(number)) }
        case .undo: try world.isolated { _ = try $0.undo() }
        case .snooze(let number, let until):
            let until = try instant(until)
            try world.isolated {
                _ = try $0.snooze(try $0.find(number), until: until, origin: .command)
            }
        case .pause(let end):
            let end = try end.map(instant)
            try world.isolated { try $0.pause(until: end) }
        case .resume: try world.isolated { try $0.resume() }
        default: return false
        }
        return true
    }

    private func check(_ step: Step, _ world: World) throws {
        let found = { (number: String) in
            try #require(try world.isolated { try $0.find(number) }.first)
        }
        switch step {
        case .shown(let titles): #expect(world.shown == titles)
        case .says(let text):
            let body = try #require(world.popups.last?.body)
            #expect(body.contains(text), "\(body)")
        case .next(let number, let expected):
            let ring = try found(number).alarm.nextRing
            #expect(try ring == expected.map(instant), "\(String(describing: ring))")
        case .due(let number, let words):
            let deadline = try #require(try found(number).deadline)
            #expect(world.isolated { $0.timetable.words(deadline) } == words)
        case .alarm(let number, let state): #expect(try found(number).alarm.state == state)
        case .state(let number, let state): #expect(try found(number).state == state)
        default: Issue.record("not a step: \(step)")
        }
    }
}
