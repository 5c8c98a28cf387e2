import Calendaring
import RemindCore
import Store

/// A task as a file of another program describes it: what the store decides by, and how to make the
/// reminder if it is wanted. Every importer hands these to ``ImportRun``.
struct ImportCandidate: Sendable {
    /// The identity in the other program.
    var uid: String
    /// Where it begins in its file, counted from 1.
    var line: Int
    /// Versions of one task are compared by the sequence first, then by the time.
    var sequence = 0
    var version = Instant.earliest
    /// Of an export of ours: which version of the task it was.
    var base: Instant?
    /// A hash of all that is said about it: two that are equal need not be looked at.
    var content: Int64
    /// True when it may be a part of what is known already: an occurrence of a series.
    var joins = false
    /// Of what joins: the hash of each of its components.
    var parts: [Int64] = []
    /// True for what does not repeat: in a long file it comes out before what may change it.
    var isSingle = false
    /// The file of a vdir folder that holds it.
    var file: ImportFile?
    /// The reminder, made before the engine took it up, and by which timetable.
    var ready: (draft: ImportDraft, by: Timetable.Mark)?
    /// Makes the reminder; `known` is what came in before.
    var draft: @Sendable (_ context: ImportConversion, _ known: CalendarItemRecord?) -> ImportDraft
}

/// A file of a vdir folder.
struct ImportFile: Hashable, Sendable {
    let name: String
    /// A hash of its bytes.
    let content: Int64
}

/// A reminder to be stored, without a number.
struct ImportDraft: Sendable {
    var reminder: Reminder
    /// The calendar components that go out again; empty: the reminder says it all.
    var text = ""
    /// True when nothing but the reminder's own fields need be kept: an export of ours.
    var isOwn = false
    /// Of what was joined to what is known: the hash of both.
    var content: Int64?
}

/// What the conversion of an item hangs on.
struct ImportConversion {
    let schedule: Schedule<SystemZones>
    let now: Instant
    /// The list it goes into; `nil`: the one that the file names, else the default one.
    let list: String?
}

extension ImportCandidate {
    init(_ item: ICalendarItem) {
        self.init(
            uid: item.uid, line: item.line, sequence: item.sequence,
            version: item.lastModified ?? item.stamp ?? .earliest, base: item.own?.modified,
            content: item.contentHash,
            joins: item.recurrenceID != nil, parts: item.recurrenceID != nil ? item.partHashes : [],
            isSingle: item.isSingle
        ) { context, known in
            guard item.recurrenceID != nil, let known, let all = context.joined(item, to: known)
            else { return context.draft(item) }
            var draft = context.draft(all)
            draft.content = all.contentHash
            return draft
        }
    }
}

extension ImportConversion {
    /// A change of one occurrence, put to the series that is known.
    fileprivate func joined(_ item: ICalendarItem, to known: CalendarItemRecord) -> ICalendarItem? {
        let parts = [item] + item.overrides
        let text = known.text + "\n" + parts.flatMap(\.text).joined(separator: "\n") + "\n"
        return ICalendarReader.item(stored: text, zones: schedule.zones)
    }

    /// The reminder that an item becomes.
    func draft(_ item: ICalendarItem) -> ImportDraft {
        let own = own(of: item)
        let created = own.created ?? item.created ?? item.stamp ?? now
        let id = UUIDv7(uid: item.uid) ?? UUIDv7(created: created)
        var reminder = Reminder(id: id, title: ImportedText.title(item.title), created: created)
        reminder.note = item.description.flatMap(ImportedText.note)
        reminder.tags = ImportedText.tags(item.categories)
        reminder.priority = item.priority
        reminder.list = list ?? own.list.map(ImportedText.name) ?? Reminder.defaultList
        if list != nil, item.source != nil, let project = own.list {
            reminder.tags = ImportedText.tags(item.categories + [project])
        }
        reminder.modified = modified(item, own) ?? created
        reminder.nag = own.nag
        reminder.state = own.isDone ? .done : item.state
        setSchedule(item, own, &reminder)
        if reminder.state == .done {
            reminder.completed = own.completed ?? item.completed ?? reminder.modified
        }
        let isOwn = own.isNative && UUIDv7(uid: item.uid) != nil && item.isOurs
        let text = isOwn ? "" : ([item] + item.overrides).flatMap(\.text).joined(separator: "\n")
        return ImportDraft(reminder: reminder, text: text, isOwn: isOwn)
    }

    /// Ours is exact to the millisecond, unless another program has changed the task since.
    private func modified(_ item: ICalendarItem, _ own: ReminderState) -> Instant? {
        guard let ours = own.modified, let theirs = item.lastModified,
            theirs.seconds > ours.seconds
        else { return own.modified ?? item.lastModified }
        return theirs
    }
}

extension UUIDv7 {
    /// An identity in calendars that can be a reminder's: one of version 7.
    init?(uid: String) {
        guard let id = UUIDv7(text: uid), id.high >> 12 & 0xF == 7 else { return nil }
        self = id
    }
}

extension ICalendarItem {
    fileprivate var isSingle: Bool {
        source == nil && recurrence == nil && recurrenceID == nil && overrides.isEmpty
    }

    /// True when it holds nothing but what an export of a reminder writes.
    fileprivate var isOurs: Bool {
        foreignComponents.isEmpty && overrides.isEmpty
            && foreignProperties.allSatisfy { $0.hasPrefix(ReminderState.name + ":") }
    }
}

/// Texts of other programs, as reminders may carry them.
enum ImportedText {
    static func title(_ text: String) -> String {
        if let title = try? TextRules.title(text) { return title }
        var tidy = String.UnicodeScalarView()
        for scalar in text.unicodeScalars.prefix(4 * Limits.title) {
            let isControl = scalar.properties.generalCategory == .control
            tidy.append(isControl || scalar.properties.isWhitespace ? " " : scalar)
        }
        let words = String(tidy).split(separator: " ").joined(separator: " ")
        let short = String(String.UnicodeScalarView(words.unicodeScalars.prefix(Limits.title)))
        return (try? TextRules.title(short)) ?? "Untitled"
    }

    static func note(_ text: String) -> String? {
        if let note = try? TextRules.note(text) { return note }
        let kept = text.unicodeScalars.lazy.filter {
            ["\n", "\r", "\t"].contains($0) || $0.properties.generalCategory != .control
        }.prefix(Limits.note)
        return (try? TextRules.note(String(String.UnicodeScalarView(kept)))) ?? nil
    }

    /// At most as many as a reminder may have.
    static func tags(_ texts: [String]) -> [String] {
        if texts.isEmpty { return [] }
        return Array(Set(texts.map(name)).sorted().prefix(Limits.tags))
    }

    /// Blanks and commas become hyphens.
    static func name(_ text: String) -> String {
        if let name = try? TextRules.name(text, of: "tag") { return name }
        let parts = text.unicodeScalars.split {
            $0.properties.isWhitespace || $0 == "," || $0.properties.generalCategory == .control
        }
        let joined = parts.map { String($0) }.joined(separator: "-")
        let short = String.UnicodeScalarView(joined.unicodeScalars.prefix(Limits.tag))
        return (try? TextRules.name(String(short), of: "tag")) ?? "untitled"
    }
}
