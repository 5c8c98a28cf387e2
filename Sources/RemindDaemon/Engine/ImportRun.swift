import Calendaring
import RemindAPI
import RemindCore
import Store

/// An import on its way into the store. Unchecked: touched on the engine's queue alone.
final class ImportRun: @unchecked Sendable {
    /// What became of a task.
    enum Action: String {
        case added, changed, unchanged
    }

    /// The list that everything goes into; `nil`: what the file says.
    let list: String?
    /// The vdir folder whose files are read.
    let folder: String?
    /// Whether each task is told of, or only how many there were.
    let tellsAll: Bool
    /// Why it has ended before its end; nothing more is stored then.
    var failure: APIError?
    private var counts: [Action: Int64] = [:]
    private var outcomes = JSONWriter()
    /// Components that are no tasks.
    var kept = KeptComponents()
    private var problems: [UInt8] = []
    /// Most tasks of the last slice were not known: those that follow are worth drafting.
    private(set) var bringsNew = false
    /// The store has been made ready for many changes.
    var isBulk = false
    /// What `undo` takes back, all parts of the import together.
    var step: Int64?
    /// Into which store it goes (`storeAge`).
    var storeAge: Int?

    init(list: String?, folder: String? = nil, tellsAll: Bool) {
        (self.list, self.folder, self.tellsAll) = (list, folder, tellsAll)
    }

    func note(_ action: Action, _ candidate: ImportCandidate, number: Int64) {
        counts[action, default: 0] += 1
        guard tellsAll else { return }
        outcomes.object { json in
            json.field("action", action.rawValue)
            json.field("line", Int64(candidate.line))
            json.field("uid", candidate.uid)
            json.field("number", number)
        }
    }

    /// After a slice of so many tasks, of which so many were not known, has been stored.
    func noteNews(of slice: Int, _ added: Int) { bringsNew = added * 2 > slice }

    /// Keeps problems, a JSON array, for the last reply.
    func keep(problems more: [UInt8]) {
        guard more.count > 2 else { return }
        if !problems.isEmpty { problems.append(UInt8(ascii: ",")) }
        problems += more.dropFirst().dropLast()
    }

    /// A task that was changed here as well as in the file.
    func note(conflict: ImportConflict, _ candidate: ImportCandidate) {
        var json = JSONWriter()
        json.object { json in
            json.field("line", Int64(candidate.line))
            json.field("uid", candidate.uid)
            let place = candidate.file.map { "‘\($0.name)’: " } ?? ""
            json.field("message", place + conflict.message)
            json.field("refused", false)
            json.field("conflict", true)
        }
        keep(problems: [UInt8(ascii: "[")] + json.bytes + [UInt8(ascii: "]")])
    }

    /// Those, as a JSON array.
    var keptProblems: [UInt8] { [UInt8(ascii: "[")] + problems + [UInt8(ascii: "]")] }

    /// Writes what happened since the last call as fields of a reply.
    func write(to json: inout JSONWriter) {
        json.key("outcomes")
        json.raw([UInt8(ascii: "[")] + outcomes.bytes + [UInt8(ascii: "]")])
        json.field("added", counts[.added] ?? 0)
        json.field("changed", counts[.changed] ?? 0)
        json.field("unchanged", counts[.unchanged] ?? 0)
        kept.write(to: &json)
        counts = [:]
        outcomes.removeAll()
    }
}

/// What a task was and what it is.
struct ImportChange {
    let before: Reminder?
    let after: Reminder
}

extension Engine {
    /// Tasks in one transaction of an import: so many that clients and rings wait no longer for it
    /// than for another change.
    static let importSlice = 512

    /// Stores some tasks of an import: to the disk, then to the wheel, then to the screen.
    func store(_ candidates: [ImportCandidate], in run: ImportRun) {
        let changes = storing(in: run) { context in
            try candidates.compactMap { try take($0, run, context) }
        }
        guard let changes else { return }
        run.noteNews(of: candidates.count, changes.count { $0.before == nil })
        carryOut(changes)
    }

    /// Runs `body` as one transaction of an import, which is part of its one step for undo.
    /// - Returns: `nil` when it has failed; `run` says why.
    func storing<Result>(
        in run: ImportRun, _ body: (ImportConversion) throws -> Result
    ) -> Result? {
        guard run.failure == nil else { return nil }
        let context = ImportConversion(schedule: timetable.schedule, now: clock.now, list: run.list)
        do {
            run.storeAge = run.storeAge ?? storeAge
            guard run.storeAge == storeAge else {
                throw APIError.replacedStore(during: "the import")
            }
            if !run.isBulk {
                try takeBackImportLeftBehind()
                run.isBulk = true
                try store.beginBulk()
            }
            let change = UserChange(.importing, at: context.now, step: run.step)
            let result = try commit(change) {
                if run.step == nil { try markImport(begun: context.now) }
                return try store.together { try body(context) }
            }
            run.step = store.lastStep ?? run.step
            return result
        } catch {
            run.failure = error as? APIError ?? APIError(error)
            return nil
        }
    }

    private func carryOut(_ changes: [ImportChange]) {
        var (shown, closed) = ([Reminder](), [Reminder]())
        for change in changes {
            schedule(change.after)
            switch (change.before?.alarm.state == .ringing, change.after.alarm.state == .ringing) {
            case (true, false):
                forget(change.after)
                if let before = change.before { closed.append(before) }
            case (false, true):
                track(change.after)
                shown.append(change.after)
            // Its words may be others.
            case (true, true) where change.before != change.after: shown.append(change.after)
            case (true, true), (false, false): break
            }
            tell(change.before == nil ? .added : .changed, change.after)
        }
        updateScreen(shown: shown, closed: closed)
        ringWhatIsDue()
    }
}
