import Calendaring
import RemindCore
import Store

/// A task of a file meets the one in the store: which of the two says what is new, and what becomes
/// of both.
struct ImportMeeting {
    let candidate: ImportCandidate
    let existing: Reminder
    /// What came in before; `nil`: it was made here.
    let known: CalendarItemRecord?
    /// How the file of a vdir folder was when it was last read or written.
    let file: CalendarFileRecord?

    /// Whether the file of a vdir folder is as it was: then nobody has said anything in it.
    var isSameFile: Bool {
        file != nil && file?.content == candidate.file?.content
            && file?.name == candidate.file?.name
    }

    /// Whether the file of a vdir folder was changed by somebody, whatever times it bears: programs
    /// that write within the second in which we wrote, or whose clock is slow, say nothing newer.
    private var isEditedFile: Bool {
        guard let file, let now = candidate.file else { return false }
        return file.name == now.name && file.content != now.content
    }

    /// Whether the file may say something that the store does not.
    ///
    /// Of other files than those of a vdir folder, versions tell (RFC 5546 section 2.1.5); of two
    /// that are of the same version but say other things, the one that comes now counts.
    var isWanted: Bool {
        if isSameFile || known?.content == candidate.content || isPartOfKnown { return false }
        if isEditedFile || candidate.joins { return true }
        if let known { return !candidate.isOlder(than: known) }
        return candidate.base == existing.modified
            || candidate.version.seconds > existing.modified.seconds
    }

    /// Whether what is known was joined of this and of something else. The file of a folder is
    /// joined by itself, and says by what it lacks that something is gone.
    private var isPartOfKnown: Bool {
        guard candidate.joins || candidate.isSingle && candidate.file == nil, let known else {
            return false
        }
        let parts = ICalendarItem.partHashes(stored: known.text)
        if candidate.joins { return candidate.parts.allSatisfy(parts.contains) }
        return parts.count > 1 && parts.first == candidate.content
    }

    /// Whether the task was changed here since it and the file said the same.
    private var isChangedHere: Bool {
        if isEditedFile, let agreed = file?.agreed { return existing.modified != agreed }
        if let known { return existing.modified != known.stored }
        return candidate.base.map { $0 != existing.modified } ?? false
    }

    /// Whether the file counts where both say something else: of a vdir folder the later one, of
    /// other files the newer version.
    private var fileCounts: Bool {
        if isEditedFile { return candidate.version.seconds >= existing.modified.seconds }
        guard let known else { return true }
        return known.isOlder(than: candidate)
    }

    /// What became of the changes made here.
    struct Outcome {
        /// Something stays as it is here.
        var keepsOurs = false
        var conflict: ImportConflict?
    }

    /// - Parameter draft: what the file says.
    func merged(
        _ draft: Reminder, list: String?, _ context: ImportConversion
    ) -> (Reminder, Outcome) {
        let after = context.keeping(existing, candidate.version, draft, list: list)
        guard isChangedHere else { return (after, Outcome()) }
        var merge = ImportMerge(
            after: after, here: existing, base: context.base(of: known), fileCounts: fileCounts)
        merge.goesOn = context.continuation(of: existing, in: draft) != nil
        merge.run()
        var outcome = Outcome(keepsOurs: merge.keepsOurs)
        if !merge.fields.isEmpty {
            outcome.conflict = ImportConflict(fields: merge.fields, fileCounts: fileCounts)
        }
        return (merge.after, outcome)
    }
}

/// The same fields were changed here and in the file.
struct ImportConflict {
    let fields: [String]
    let fileCounts: Bool

    /// Says which counted, for the user.
    var message: String {
        let those = fields.joined(separator: fields.count == 2 ? " and " : ", ")
        let verb = fields.count == 1 ? "is" : "are"
        return "It was changed here and in the file: its \(those) \(verb) now as "
            + (fileCounts
                ? "the file says; ‘remindctl undo’ brings back what was here."
                : "it was here, which is later; what the file says of it was left out.")
    }
}

/// Puts together what was changed here and in a file, by what both were made from.
struct ImportMerge {
    /// The file's, then the outcome.
    private(set) var after: Reminder
    let here: Reminder
    /// `nil` when that is not known: then each difference is one that both have made.
    let base: Reminder?
    let fileCounts: Bool
    /// All was done here of a series that the file makes longer: it is not done any more.
    var goesOn = false
    /// What both have changed.
    private(set) var fields: [String] = []
    private(set) var keepsOurs = false

    init(after: Reminder, here: Reminder, base: Reminder?, fileCounts: Bool) {
        (self.after, self.here, self.base, self.fileCounts) = (after, here, base, fileCounts)
    }

    mutating func run() {
        decide("title", \.title)
        decide("note", \.note)
        decide("tags", \.tags)
        decide("priority", \.priority)
        decide("time", \.times)
        if !goesOn { decide("state", \.answer) }
        guard keepsOurs, after.times == here.times, after.state == here.state else { return }
        (after.deadline, after.scheduled, after.alarm) = (here.deadline, here.scheduled, here.alarm)
    }

    private mutating func decide<Value: Equatable>(
        _ name: String, _ field: WritableKeyPath<Reminder, Value>
    ) {
        let (theirs, ours) = (after[keyPath: field], here[keyPath: field])
        guard theirs != ours else { return }
        if let base {
            if base[keyPath: field] == ours { return }
            if base[keyPath: field] == theirs { return keepOurs(field) }
        }
        fields.append(name)
        if !fileCounts { keepOurs(field) }
    }

    private mutating func keepOurs<Value>(_ field: WritableKeyPath<Reminder, Value>) {
        after[keyPath: field] = here[keyPath: field]
        keepsOurs = true
    }
}

extension Reminder {
    /// When it is due, repeats and rings. Of a series, the occurrence that is current is not said
    /// by a file.
    fileprivate struct Times: Equatable {
        var deadline: Deadline?
        var recurrence: Recurrence?
        var before: [CalendarDuration]
        var plan: String?
        var scheduled: Instant?
        var alarm: Alarm

        static func == (left: Times, right: Times) -> Bool {
            left.recurrence == right.recurrence && left.before == right.before
                && left.plan == right.plan
                && (left.recurrence != nil || left.deadline == right.deadline)
        }
    }

    fileprivate var times: Times {
        get {
            Times(
                deadline: deadline, recurrence: recurrence, before: before, plan: plan,
                scheduled: scheduled, alarm: alarm)
        }
        set {
            (deadline, recurrence, before) = (
                newValue.deadline, newValue.recurrence, newValue.before
            )
            (plan, scheduled, alarm) = (newValue.plan, newValue.scheduled, newValue.alarm)
        }
    }

    /// Whether it is done, and since when.
    fileprivate struct Answer: Equatable {
        var state: State
        var completed: Instant?

        static func == (left: Answer, right: Answer) -> Bool { left.state == right.state }
    }

    fileprivate var answer: Answer {
        get { Answer(state: state, completed: completed) }
        set { (state, completed) = (newValue.state, newValue.completed) }
    }
}

extension ImportConversion {
    /// What came in before, as the reminder that it became.
    fileprivate func base(of known: CalendarItemRecord?) -> Reminder? {
        guard let known, !known.text.isEmpty,
            let item = ICalendarReader.item(stored: known.text, zones: schedule.zones)
        else { return nil }
        return draft(item).reminder
    }
}

extension ImportCandidate {
    fileprivate func isOlder(than known: CalendarItemRecord) -> Bool {
        (sequence, version) < (known.sequence, known.version)
    }
}

extension CalendarItemRecord {
    fileprivate func isOlder(than candidate: ImportCandidate) -> Bool {
        (sequence, version) < (candidate.sequence, candidate.version)
    }
}
