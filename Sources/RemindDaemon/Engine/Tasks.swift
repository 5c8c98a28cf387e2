import Calendaring
import RemindAPI
import RemindCore
import Store
import TextForms

/// Adding, and the phrases of the calls that take some.
extension Engine {
    /// - Returns: the reminder as it was stored, and all that was understood.
    func add(_ parameters: Add.Parameters) throws(APIError) -> (Reminder, Understood) {
        let now = clock.now
        var generator = SystemRandomNumberGenerator()
        var reminder = Reminder(
            id: UUIDv7(created: now, using: &generator), title: "", created: now)
        try fill(&reminder, with: Texts(parameters))
        let reading = PhraseReading(timetable: timetable, settings: settings, now: now)
        let meaning = try reading.meaning(of: PhraseReading.Deadline(parameters))
        if let meaning {
            (reminder.deadline, reminder.recurrence) = (meaning.deadline, meaning.recurrence)
            reminder.scheduled = now
        }
        reminder.before = try reading.leadTimes(parameters.before) ?? settings.before
        reminder.nag = try reading.nag(parameters.nag) ?? settings.nag
        let facts = timetable.facts(for: reminder, now: now)
        reminder = reminder.rearmed(facts)
        reminder.number = try storing {
            try commit(UserChange(.add, at: now)) {
                try store.insert(reminder, due: timetable.dueInstant(of: reminder))
            }
        }
        afterCommit(mayBeDue: true) { [reminder] engine in
            engine.schedule(reminder)
            engine.tell(.added, reminder)
        }
        let answer = AnswerText(reminder, timetable, now: now)
        let changes = answer.changes(given: Texts(parameters))
        return (reminder, answer.understood(changes, notes: meaning?.notes ?? []))
    }

    /// Sets what is given of the fields that are text; an empty one clears.
    func fill(_ reminder: inout Reminder, with texts: Texts) throws(APIError) {
        if let title = texts.title {
            reminder.title = try checked("title", title) { text throws(TextError) in
                try TextRules.title(text)
            }
        }
        if let note = texts.note {
            reminder.note = try checked("note", note) { text throws(TextError) in
                try TextRules.note(text)
            }
        }
        if let list = texts.list {
            reminder.list =
                try list.isEmpty
                ? Reminder.defaultList
                : checked("list", list) { text throws(TextError) in
                    try TextRules.name(text, of: "list")
                }
        }
        if let tags = texts.tags { reminder.tags = try checked(tags: tags) }
        if let priority = texts.priority { reminder.priority = priority }
    }

    struct Texts {
        var title, note, list: String?
        var tags: [String]?
        var priority: Reminder.Priority?
    }

    private func checked(tags: [String]) throws(APIError) -> [String] {
        guard tags.count <= Limits.tags else {
            throw .invalidArgument(
                "tags", value: "\(tags.count)", "A task has at most \(Limits.tags) tags.")
        }
        var names: Set<String> = []
        for tag in tags {
            names.insert(
                try checked("tags", tag) { text throws(TextError) in
                    try TextRules.name(text, of: "tag")
                })
        }
        return names.sorted()
    }

    private func checked<Value>(
        _ parameter: String, _ text: String, _ rule: (String) throws(TextError) -> Value
    ) throws(APIError) -> Value {
        do { return try rule(TextForm.canonical(text)) } catch {
            throw APIError(error, parameter: parameter, value: text)
        }
    }

    /// - Parameter parameters: `until` is a DURATION or a WHEN, `nil` the configured default.
    func snooze(
        _ parameters: Snooze.Parameters
    ) throws(APIError) -> ([Reminder], Understood) {
        let now = clock.now
        let reminders = try find(parameters.reference)
        let reading = PhraseReading(timetable: timetable, settings: settings, now: now)
        let until =
            try reading.instant(parameters.until, parameter: "until")
            ?? timetable.instant(settings.snooze, after: now)
        let changed = try snooze(reminders, until: until, origin: .command)
        return (changed, timetable.understood(.absolute(until), now: now))
    }
}

extension Engine.Texts {
    init(_ parameters: Add.Parameters) {
        self.init(
            title: parameters.title, note: parameters.note, list: parameters.list,
            tags: parameters.tags, priority: parameters.priority)
    }

    init(_ parameters: Edit.Parameters) {
        self.init(
            title: parameters.title, note: parameters.note, list: parameters.list,
            tags: parameters.tags, priority: parameters.priority)
    }
}
