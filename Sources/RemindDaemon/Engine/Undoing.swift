import Calendaring
import RemindAPI
import RemindCore
import Store

/// What `undo` did.
struct Undone {
    /// A task of the step, before and after it was taken back; `nil`: there is none.
    struct Effect {
        let before: Reminder?
        let after: Reminder?
    }

    let step: UndoStep
    var tasks: [Effect] = []
    /// Nothing of the step is left.
    var isWhole = true

    var reminders: [Reminder] { tasks.compactMap(\.after) }
    var removed: [Reminder] { tasks.compactMap { $0.after == nil ? $0.before : nil } }
}

extension Engine {
    /// Rows of `Changes` in one answer, at most and by default.
    static let changesLimit = 1000
    static let changesDefault = 20

    /// Takes the last step back: in the store, then in the wheel, then on the screen.
    func undo() throws(APIError) -> Undone {
        lastGroup = nil
        let undone = try storing { try commit { try undoLastStep() } }
        carryOut(undone)
        carryOutPause(undone.step)
        return undone
    }

    private func undoLastStep() throws -> Undone {
        guard let step = try store.undoSteps(limit: 1).first else { throw APIError.nothingToUndo }
        return try undo(step)
    }

    /// Within a transaction; `carryOut` follows it.
    func undo(_ step: UndoStep, entries: Int = .max) throws -> Undone {
        var before: [Int64: Reminder] = [:]
        for number in try store.numbers(of: step, entries: entries) {
            before[number] = try store.reminder(number: number)
        }
        let outcome = try store.undo(step, entries: entries)
        try takeBackPause(step)
        var undone = Undone(step: step, isWhole: outcome.isWhole)
        for number in outcome.numbers {
            var after = try store.reminder(number: number)
            if outcome.wallMoved, let read = after { after = try movedToWall(read) }
            undone.tasks.append(Undone.Effect(before: before[number], after: after))
        }
        return undone
    }

    /// The machine's zone or the times of day were others when the step was made.
    private func movedToWall(_ reminder: Reminder) throws -> Reminder {
        let moved = reminder.rearmed(timetable.facts(for: reminder, now: clock.now))
        try store.update(moved, due: timetable.dueInstant(of: moved))
        return moved
    }

    func carryOut(_ undone: Undone) {
        let (rang, waiting) = (ringing, hookless)
        for task in undone.tasks {
            // What rang but could not be committed rings anew from the store.
            if let reminder = task.after ?? task.before { forget(reminder) }
            if let after = task.after {
                schedule(after)
                track(after)
            } else if let before = task.before {
                cancelTimer(before.number)
            }
        }
        updateScreen(
            shown: undone.reminders.filter { $0.alarm.state == .ringing },
            closed: undone.tasks.compactMap { task in
                guard task.after?.alarm.state != .ringing, let before = task.before else {
                    return nil
                }
                return rang.contains(before.number) ? before : nil
            })
        hookless.formUnion(waiting.intersection(ringing))
        runHooks(heldBackBefore: undone.reminders)
        for task in undone.tasks { tell(task) }
        ringWhatIsDue()
    }

    private func tell(_ task: Undone.Effect) {
        switch (task.before, task.after) {
        case (let before?, nil): tell(.removed, before)
        case (nil, let after?): tell(.added, after)
        case (let before?, let after?):
            let ringsAgain = after.alarm.state == .ringing && before.alarm.state != .ringing
            tell(ringsAgain ? .ringing : .changed, after)
        case (nil, nil): return
        }
    }
}

/// The replies.
extension Engine {
    /// Takes the last step back and writes what became of its tasks, `batch` of them in a reply.
    func undo(batch: Int, _ reply: ([UInt8], Bool) -> Void) throws(APIError) {
        write(try undo(), isFirst: true, batch: batch, reply)
    }

    /// - Parameter isFirst: the replies to a call begin with these.
    func write(
        _ undone: Undone, isFirst: Bool, batch: Int, _ reply: ([UInt8], Bool) -> Void
    ) {
        let tasks = undone.tasks
        var start = 0
        repeat {
            let end = tasks.count - start > batch ? start + batch : tasks.count
            let page = Undone(step: undone.step, tasks: Array(tasks[start..<end]))
            let begins = isFirst && start == 0
            var json = JSONWriter()
            json.object { json in
                json.key("change")
                begins ? write(undone.step, to: &json) : json.null()
                json.field("outcome", begins ? outcome(of: undone) : nil)
                json.field("reminders", page.reminders, timetable.writer)
                json.field("removed", page.removed, timetable.writer)
            }
            start = end
            reply(json.bytes, undone.isWhole && start == tasks.count)
        } while start < tasks.count
    }

    func changes(_ parameters: Changes.Parameters, to json: inout JSONWriter) throws(APIError) {
        let limit = try checked(
            "limit", parameters.limit, upTo: Self.changesLimit, default: Self.changesDefault)
        let steps = try storing { try store.undoSteps(limit: limit) }
        json.object { json in
            json.key("changes")
            json.array { json in for step in steps { write(step, to: &json) } }
        }
    }

    private func write(_ step: UndoStep, to json: inout JSONWriter) {
        json.object { json in
            json.field("what", step.what.rawValue)
            json.field("at", timetable.rfc3339(step.at))
            json.field("count", Int64(step.count))
            json.field("number", step.number)
            json.field("title", step.formerMeta == nil ? step.title : "")
        }
    }

    /// How the one task of a step now stands; `nil` for several.
    private func outcome(of undone: Undone) -> String? {
        if undone.step.formerMeta != nil { return pauseOutcome }
        guard undone.step.count == 1, undone.tasks.count == 1, let task = undone.tasks.first else {
            return nil
        }
        guard let reminder = task.after else { return "it is gone" }
        let now = clock.now
        if reminder.alarm.state == .ringing, let ring = reminder.alarm.ring {
            return "ringing since \(timetable.words(.absolute(ring.rangAt), at: now))"
        }
        if let until = reminder.alarm.snoozedUntil {
            return "silent until \(timetable.words(.absolute(until), at: now))"
        }
        if reminder.state == .done { return "done" }
        guard let deadline = reminder.deadline else { return "open" }
        return "open, due \(timetable.understood(deadline, now: now).text)"
    }
}
