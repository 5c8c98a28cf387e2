/// Words that other programs have for options of this one.
enum Synonyms {
    private static let options = [
        "due": "at", "on": "at", "date": "at", "time": "at", "when": "at", "deadline": "at",
        "scheduled": "at", "start": "at", "after": "in", "repeat": "every", "repeats": "every",
        "recur": "every", "recurring": "every", "recurrence": "every", "rule": "every",
        "remind": "before", "alarm": "before", "alert": "before", "lead": "before",
        "project": "list", "folder": "list", "category": "list", "label": "tag", "tags": "tag",
        "context": "tag", "annotate": "note", "notes": "note", "description": "note",
        "zone": "tz", "timezone": "tz", "completed": "done", "pending": "open", "find": "search",
    ]

    /// The option of `known` that such a word stands for.
    static func option(_ word: String, among known: [String]) -> String? {
        options[word.lowercased()].flatMap { known.contains($0) ? $0 : nil }
    }

    /// What `list` has in place of views of the next days.
    static func hint(forOption word: String, of command: String) -> String? {
        guard command == "list",
            ["within", "week", "days", "tomorrow", "due", "until", "next"].contains(word)
        else { return nil }
        return "remindctl list --upcoming --limit 20; remindctl next 20 shows the rings"
    }
}
