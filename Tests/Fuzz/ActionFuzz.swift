import Popups
import RemindAPI
import RemindCore
import Store

@testable import RemindDaemon

/// Well-formed calls with any values, among clock steps, answers on the screen and restarts, against
/// a model: what a call answers is what is stored, what it refuses changes nothing, and `undo` gives
/// back what was there.
enum ActionFuzz {
    /// Longer runs show nothing that short ones do not.
    private static let longest = 40

    static func run(_ bytes: [UInt8]) throws {
        var steering = Steering(bytes)
        let run = ActionRun(world: try FuzzWorld.empty())
        for _ in 0..<longest where !steering.isOver { try run.step(&steering) }
        try run.finish()
    }
}

/// A model, the engine beside it, and what is done to both.
private final class ActionRun {
    let world: FuzzWorld
    /// All that a client sees of the tasks, after the last change.
    private var known: [Int64: [String]] = [:]
    /// What was there before each change that can be undone, newest last.
    private var past: [[Int64: [String]]] = []

    init(world: FuzzWorld) { self.world = world }

    func step(_ steering: inout Steering) throws {
        switch steering.byte() % 20 {
        case 0, 1, 2, 3: try add(&steering)
        case 4, 5, 6: try edit(&steering)
        case 7: try snooze(&steering)
        case 8:
            try change(&steering) { engine, reference, isSet throws(APIError) in
                try engine.complete(engine.find(reference), series: isSet, origin: .command)
            }
        case 9:
            try change(&steering) { engine, reference, _ throws(APIError) in
                try engine.reopen(engine.find(reference))
            }
        case 10: try remove(&steering)
        case 11:
            try change(&steering) { engine, reference, _ throws(APIError) in
                try engine.dismiss(engine.find(reference), origin: .command)
            }
        case 12: try undo()
        case 13, 14: try moveClock(&steering)
        case 15: try pause(&steering)
        case 16: try restart()
        case 17: try answer(&steering)
        default: try ask(&steering)
        }
    }

    func finish() throws {
        try settle()
        try world.checkIntegrity()
        let before = known
        try world.restart()
        try settle()
        // What is due rings, which is seen at the alarms alone.
        try require(texts(before) == texts(known), "a restart changes tasks")
    }

    // MARK: Changes

    private func add(_ steering: inout Steering) throws {
        var parameters = Add.Parameters(title: steering.choice(Words.titles + [steering.text(20)]))
        parameters.at = steering.maybe(Words.times)
        parameters.in = steering.maybe(Words.durations)
        parameters.every = steering.maybe(["day", "2 weeks", "month on the 31st", "weekday at 9"])
        parameters.rrule = steering.maybe(Words.rules)
        parameters.note = steering.maybe(Words.notes)
        parameters.list = steering.maybe(Words.names)
        parameters.tags = steering.maybe([Words.names, ["hot", "green"], []])
        parameters.before = steering.maybe([Words.durations, ["15m"], []])
        parameters.nag = steering.maybe(Words.durations)
        parameters.timeZone = steering.maybe(Words.zones)
        parameters.priority = steering.maybe(Priority.allCases)
        parameters.past = steering.maybe([true])
        let reply = attempt { [parameters] engine throws(APIError) in [try engine.add(parameters).0]
        }
        try settle(reply)
    }

    private func edit(_ steering: inout Steering) throws {
        var parameters = Edit.Parameters(reference: reference(&steering))
        parameters.title = steering.maybe(Words.titles)
        parameters.at = steering.maybe(Words.times)
        parameters.in = steering.maybe(Words.durations)
        parameters.every = steering.maybe(["day", "2 weeks", "", "weekday at 9"])
        parameters.rrule = steering.maybe(Words.rules)
        parameters.note = steering.maybe(Words.notes)
        parameters.list = steering.maybe(Words.names)
        parameters.tags = steering.maybe([Words.names, ["hot", "green"], []])
        parameters.before = steering.maybe([Words.durations, ["15m"], []])
        parameters.nag = steering.maybe(Words.durations)
        parameters.timeZone = steering.maybe(Words.zones)
        parameters.past = steering.maybe([true])
        let reply = attempt { [parameters] engine throws(APIError) in
            [try engine.edit(parameters).0]
        }
        try settle(reply)
    }

    private func snooze(_ steering: inout Steering) throws {
        let until = steering.maybe(Words.durations + Words.times)
        let parameters = Snooze.Parameters(reference: reference(&steering), until: until)
        try settle(
            attempt { engine throws(APIError) in try engine.snooze(parameters).0 })
    }

    private func change(
        _ steering: inout Steering,
        _ body: @escaping @Sendable (isolated Engine, String, Bool) throws(APIError) -> [Reminder]
    ) throws {
        let (reference, isSet) = (reference(&steering), steering.byte() % 2 == 0)
        try settle(
            attempt { engine throws(APIError) in try body(engine, reference, isSet) })
    }

    private func remove(_ steering: inout Steering) throws {
        let reference = reference(&steering)
        let removed = attempt { engine throws(APIError) in
            try engine.remove(engine.find(reference))
        }
        try settle(removed, isRemoval: true)
    }

    private func undo() throws {
        let undone = attempt { engine throws(APIError) in try engine.undo().reminders }
        guard let before = past.last else { return try settle() }
        guard case .success = undone else { throw Finding("nothing to undo: \(undone)") }
        try settle()
        try require(
            known.mapValues { Array($0.prefix(9)) } == before.mapValues { Array($0.prefix(9)) },
            "undone: \(known)\nbefore: \(before)")
    }

    // MARK: What happens by itself

    private func moveClock(_ steering: inout Steering) throws {
        let steps: [Int64] = [1, 600, 3600, 86_400, 604_801, 31_536_000, -1, -3600, -604_800]
        if let instant = steering.maybe(Words.instants) {
            world.now = instant
        } else {
            let moved = world.now.advanced(bySeconds: steering.choice(steps))
            world.now = moved.clamped(to: Words.clocks)
        }
        let isStep = steering.byte() % 2 == 0
        world.isolated { isStep ? $0.clockChanged() : $0.timerFired() }
        try settle()
    }

    private func pause(_ steering: inout Steering) throws {
        let parameters = Pause.Parameters(until: steering.maybe(Words.durations + Words.times))
        let isPause = steering.byte() % 2 == 0
        _ = attempt { engine throws(APIError) in
            var json = JSONWriter()
            if isPause { try engine.pause(parameters, to: &json) } else { try engine.resume() }
            return []
        }
        try settle()
    }

    private func restart() throws {
        try world.restart()
        try settle()
    }

    private func answer(_ steering: inout Steering) throws {
        let keys = world.presenter.wanted.keys.sorted()
        let action = steering.choice(["done", "snooze", "snooze-long", "default", "show", "odd"])
        let index = Int(steering.byte())
        guard !keys.isEmpty else { return }
        let key = keys[index % keys.count]
        world.presenter.send(
            steering.byte() % 2 == 0
                ? .answered(key: key, action: action) : .dismissed(key: key))
        world.isolated { _ in }
        try settle()
    }

    // MARK: Questions

    private func ask(_ steering: inout Steering) throws {
        let question = Question(&steering, reference: reference(&steering))
        _ = attempt { engine throws(APIError) in
            try question.ask(engine)
            return []
        }
        try require(try seen() == known, "a question has changed something")
    }

    // MARK: The model

    private func reference(_ steering: inout Steering) -> String {
        let numbers = known.keys.sorted().map { "\($0)" }
        return steering.choice(
            numbers + ["last", "all", "0", "-1", "9223372036854775808", "", "abcd"])
    }

    private func attempt(
        _ body: @Sendable (isolated Engine) throws(APIError) -> [Reminder]
    ) -> Result<[Reminder], APIError> {
        world.isolated { engine in
            do throws(APIError) { return .success(try body(engine)) } catch {
                return .failure(error)
            }
        }
    }

    /// After a call that changes something: the reply is what is stored, a refusal changed nothing.
    private func settle(_ reply: Result<[Reminder], APIError>, isRemoval: Bool = false) throws {
        let before = known
        switch reply {
        case .success(let reminders):
            try settle()
            for reminder in reminders {
                let stored = known[reminder.number]
                if isRemoval {
                    try require(stored == nil, "removed, and there: \(reminder)")
                } else if reminder.alarm.state != .pending {
                    continue
                } else {
                    // What is due at once has rung by now, and the reply is of before that.
                    try require(
                        stored?.prefix(9) == Self.seen(reminder).prefix(9),
                        "answered: \(reminder)\nstored: \(stored ?? [])")
                }
            }
        case .failure(let error):
            try require(error.kind != .storeFailed, "the store: \(error)")
            try require(!error.message.isEmpty, "an error without a sentence")
            try settle()
            try require(known == before, "refused (\(error.message)), and changed")
        }
    }

    /// Looks at what is there now. What can be undone is told by the store: an edit may change what
    /// nobody sees.
    private func settle() throws {
        let before = known
        known = try seen()
        let steps = try world.isolated { try $0.store.undoSteps(limit: 1000).count }
        while past.count < steps { past.append(before) }
        past.removeLast(past.count - steps)
    }

    private func seen() throws -> [Int64: [String]] {
        Dictionary(
            try world.all().map { ($0.number, Self.seen($0)) }, uniquingKeysWith: { one, _ in one })
    }

    /// First what only people change, then what also time does.
    private static func seen(_ reminder: Reminder) -> [String] {
        [
            reminder.id.text, reminder.title, reminder.note ?? "", reminder.list,
            "\(reminder.tags)", "\(reminder.priority)", "\(reminder.before)",
            "\(reminder.nag ?? 0)", "\(reminder.state)",
            "\(String(describing: reminder.deadline))", "\(reminder.alarm)",
        ]
    }

    private func texts(_ seen: [Int64: [String]]) -> [Int64: [String]] {
        seen.mapValues { Array($0.prefix(8)) }
    }
}
