/// Something that completes a word, and what it means.
struct Suggestion: Hashable, Sendable {
    let value: String
    var meaning = ""
}

/// Where the words come from that complete a value.
enum SuggestionSource: Hashable, Sendable {
    case nothing
    case files
    /// `remindctl completions WORD` says them: they change.
    case asked(Query)
    /// Always the same; scripts call the set by its name.
    case words(name: String, [Suggestion])

    /// What scripts ask for, with the word that asks.
    enum Query: String, CaseIterable, Sendable {
        /// References of tasks that are open, done, or either.
        case open, done, all
        case lists, tags, zones
    }
}

extension SuggestionSource {
    /// - Parameter command: whose value it is; a task to be opened again is one that is done.
    init(_ kind: ValueKind, of command: String) {
        switch kind {
        case .when: self = .words(name: "when", Self.moments)
        case .duration: self = .words(name: "duration", Self.durations)
        case .durationOrWhen: self = .words(name: "until", Self.durations + Self.moments)
        case .rule: self = .words(name: "rule", Self.rules)
        case .command: self = .words(name: "command", Self.commands)
        case .shell: self = .words(name: "shell", CompletionScript.shells.map { .init($0.name) })
        case .list: self = .asked(.lists)
        case .tag: self = .asked(.tags)
        case .zone: self = .asked(.zones)
        case .reference: self = .asked(Self.references[command] ?? .all)
        case .path, .file: self = .files
        default: self = .nothing
        }
    }

    /// Of the value of an option; `nil` for one that takes none.
    init?(_ option: Option, of command: String) {
        switch option.kind {
        case .flag, .constant: return nil
        case .value(let kind), .values(let kind): self.init(kind, of: command)
        case .choice(let choices): self = .words(name: option.name, choices.map { .init($0) })
        case .number: self = .nothing
        }
    }

    /// Which tasks a command is about; all when it is not here.
    private static let references: [String: Query] = [
        "done": .open, "snooze": .open, "dismiss": .open, "explain": .open, "reopen": .done,
    ]

    static var commands: [Suggestion] {
        CommandTable.commands.map { .init(value: $0.name, meaning: $0.summary) }
    }
}

/// Phrases that show what can be said; every one is read as it stands.
extension SuggestionSource {
    static let moments: [Suggestion] = [
        .init("today", "at the time for whole days, or this evening"),
        .init("tonight", "today evening"),
        .init("tomorrow", "the whole day"), .init("tomorrow 9am", "a day and a time"),
        .init("tomorrow evening", "a day and a part of it"), .init("monday 9am", "the coming one"),
        .init("monday", "the coming one"), .init("tuesday", "the coming one"),
        .init("wednesday", "the coming one"), .init("thursday", "the coming one"),
        .init("friday", "the coming one"), .init("friday 17:00", "the coming one"),
        .init("saturday", "the coming one"), .init("sunday", "the coming one"),
        .init("weekend", "the coming one"), .init("end of month", "its last day"),
        .init("in 10 minutes", "from now"), .init("in 2 hours", "from now"),
        .init("in 3 days", "from now"), .init("noon", "the next one"),
    ]

    static let durations: [Suggestion] = [
        .init("5m", "5 minutes"), .init("10m", "10 minutes"), .init("15m", "15 minutes"),
        .init("30m", "30 minutes"), .init("1h", "an hour"), .init("2h", "2 hours"),
        .init("1d", "a day"), .init("1w", "a week"),
    ]

    static let rules: [Suggestion] = [
        .init("day at 9:00", "daily"), .init("day at 9:00 and 18:00", "twice a day"),
        .init("weekday at 9:00", "Monday to Friday"),
        .init("monday at 9:00", "weekly"), .init("2 weeks on monday", "every other week"),
        .init("month", "monthly"), .init("last friday", "of each month"),
        .init("last day of the month", "monthly"), .init("year", "yearly"),
        .init("45 minutes", "elapsed time"), .init("3 days after completion", "after it was done"),
    ]
}

extension Suggestion {
    init(_ value: String, _ meaning: String = "") { (self.value, self.meaning) = (value, meaning) }

    /// As the queries and the scripts hand it on: the meaning after a tab.
    var line: String { meaning.isEmpty ? value : "\(value)\t\(meaning)" }
}
