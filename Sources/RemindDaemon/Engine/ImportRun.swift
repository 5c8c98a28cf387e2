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
    private var problems: [UInt8] = []
    /// What `undo` takes back, all parts of the import together.
    var step: Int64?

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

    /// Keeps problems, a JSON array, for the last reply.
    func keep(problems more: [UInt8]) {
        guard more.count > 2 else { return }
        if !problems.isEmpty { problems.append(UInt8(ascii: ",")) }
        problems += more.dropFirst().dropLast()
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
        counts = [:]
        outcomes.removeAll()
    }
}

/// What a task was and what it is.
private struct ImportChange {
    let before: Reminder?
    let after: Reminder
}

extension Engine {
    /// Tasks in one transaction of an import: so many that clients and rings wait no longer for it
    /// than for another change.
    static let importSlice = 64

    /// Stores some tasks of an import: to the disk, then to the wheel, then to the screen.
    func store(_ candidates: [ImportCandidate], in run: ImportRun) {
        guard run.failure == nil else { return }
        let context = ImportConversion(schedule: timetable.schedule, now: clock.now, list: run.list)
        do {
            let change = UserChange(.importing, at: context.now, step: run.step)
            let changes = try commit(change) {
                if run.step == nil { try markImport(begun: context.now) }
                return try candidates.compactMap { try take($0, run, context) }
            }
            run.step = store.lastStep ?? run.step
            carryOut(changes)
        } catch {
            run.failure = error as? APIError ?? APIError(error)
        }
    }

    private func carryOut(_ changes: [ImportChange]) {
        var closed: [Reminder] = []
        for change in changes {
            schedule(change.after)
            if let before = change.before, before.alarm.state == .ringing,
                change.after.alarm.state != .ringing
            {
                forget(change.after)
                closed.append(before)
            }
            tell(change.before == nil ? .added : .changed, change.after)
        }
        updateScreen(shown: [], closed: closed)
        ringWhatIsDue()
    }

    /// - Returns: `nil` when it is left alone.
    private func take(
        _ candidate: ImportCandidate, _ run: ImportRun, _ context: ImportConversion
    ) throws -> ImportChange? {
        if let (number, known) = try store.calendarItem(uid: candidate.uid) {
            try setFile(candidate, run, number)
            guard known.content != candidate.content,
                candidate.joins || !candidate.isOlder(than: known),
                let existing = try store.reminder(number: number)
            else {
                run.note(.unchanged, candidate, number: number)
                return nil
            }
            return try update(existing, known, candidate, run, context)
        }
        if let id = UUIDv7(uid: candidate.uid), let existing = try store.reminder(id: id) {
            try setFile(candidate, run, existing.number)
            guard candidate.version.seconds > existing.modified.seconds else {
                run.note(.unchanged, candidate, number: existing.number)
                return nil
            }
            return try update(existing, nil, candidate, run, context)
        }
        return try insert(candidate, run, context)
    }

    private func insert(
        _ candidate: ImportCandidate, _ run: ImportRun, _ context: ImportConversion
    ) throws -> ImportChange {
        let draft = candidate.draft(context, nil)
        var after = draft.reminder
        after.number = try store.insert(after, due: timetable.dueInstant(of: after))
        if !draft.isOwn {
            try store.setCalendarItem(
                candidate.record(draft.text, after.modified), of: after.number)
        }
        try setFile(candidate, run, after.number)
        run.note(.added, candidate, number: after.number)
        return ImportChange(before: nil, after: after)
    }

    private func update(
        _ existing: Reminder, _ known: CalendarItemRecord?, _ candidate: ImportCandidate,
        _ run: ImportRun, _ context: ImportConversion
    ) throws -> ImportChange? {
        let draft = candidate.draft(context, known)
        var after = draft.reminder.keeping(existing, of: candidate, list: run.list)
        var same = after
        same.modified = existing.modified
        let isSame = same == existing
        if isSame { after = existing }
        if !draft.isOwn || known != nil {
            // What was kept is not in the text: it is put together anew at the next export.
            let agrees = after.state == draft.reminder.state
            let record = candidate.record(draft.text, agrees ? after.modified : .earliest)
            try store.setCalendarItem(record, of: existing.number)
        }
        guard !isSame else {
            run.note(.unchanged, candidate, number: existing.number)
            return nil
        }
        try store.update(after, due: timetable.dueInstant(of: after))
        run.note(.changed, candidate, number: existing.number)
        return ImportChange(before: existing, after: after)
    }

    private func setFile(
        _ candidate: ImportCandidate, _ run: ImportRun, _ number: Int64
    ) throws {
        guard let folder = run.folder, let file = candidate.file else { return }
        if let known = try store.calendarFile(of: number, folder: folder), known.name == file.name,
            known.content == file.content
        {
            return
        }
        try store.setCalendarFile(
            folder: folder, name: file.name, of: number, content: file.content)
    }
}

extension ImportCandidate {
    fileprivate func isOlder(than known: CalendarItemRecord) -> Bool {
        (sequence, version) < (known.sequence, known.version)
    }

    fileprivate func record(_ text: String, _ stored: Instant) -> CalendarItemRecord {
        CalendarItemRecord(
            uid: uid, sequence: sequence, version: version, content: content, stored: stored,
            text: text)
    }
}

extension Reminder {
    /// A newer version of `existing`, with what belongs to this store alone and with what the user
    /// did here: a schedule that is the same goes on where it is.
    fileprivate func keeping(
        _ existing: Reminder, of candidate: ImportCandidate, list: String?
    ) -> Reminder {
        var after = self
        (after.number, after.id, after.created) = (existing.number, existing.id, existing.created)
        if list == nil { after.list = existing.list }
        after.nag = after.nag ?? existing.nag
        after.alarm.rings = existing.alarm.rings
        let isSame =
            plan == existing.plan && before == existing.before && recurrence == existing.recurrence
            && (recurrence != nil || deadline == existing.deadline)
        guard isSame, state == .open else { return after }
        if existing.state == .done {
            guard let completed = existing.completed, completed > candidate.version else {
                return after
            }
            (after.state, after.completed) = (.done, completed)
        }
        (after.deadline, after.scheduled) = (existing.deadline, existing.scheduled)
        after.alarm = existing.alarm
        return after
    }
}
