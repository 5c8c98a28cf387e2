import Glibc
import RemindAPI

/// `completions`.
enum Completing {
    /// A script, or what a script asks for: one suggestion a line, its meaning after a tab. Whoever
    /// presses the tabulator key waits, and wants no messages: there is no answer then.
    @Sendable static func run(_ session: Session) throws(Failure) -> ExitStatus {
        let word = session.arguments.operands[0]
        if let shell = CompletionScript.shells.first(where: { $0.name == word }) {
            try session.output.write(bytes: shell.text.utf8)
            return .done
        }
        guard let query = SuggestionSource.Query(rawValue: word) else {
            let names = CompletionScript.shells.map(\.name)
            throw .usage(
                "‘\(word)’ is no shell that can complete: \(names.joined(separator: ", ")).",
                hint: "remindctl completions \(Nearest.match(word, among: names) ?? names[0])")
        }
        for suggestion in try answer(query, session) {
            try session.output.write(bytes: (suggestion.line + "\n").utf8)
        }
        return .done
    }

    /// Milliseconds that somebody waits for suggestions.
    private static let patience = 500
    /// More tasks than anyone looks through.
    private static let tasksLimit: Int64 = 1000

    private static func answer(
        _ query: SuggestionSource.Query, _ session: Session
    ) throws(Failure) -> [Suggestion] {
        switch query {
        case .open, .done, .all: try references(query.rawValue, session)
        case .lists: try words(in: session) { [$0.list] }
        case .tags: try words(in: session, \.tags)
        case .zones: Zones.names.map { Suggestion($0) }
        }
    }

    private static func references(
        _ show: String, _ session: Session
    ) throws(Failure) -> [Suggestion] {
        guard let tasks = try tasks(show, session, limit: tasksLimit) else { return [] }
        let words = [
            Suggestion("last", "the one that rang last"),
            Suggestion("all", "everything that rings now"),
        ]
        return tasks.map { Suggestion("\($0.number)", $0.title.singleLine) }
            + (show == "done" ? [] : words)
    }

    /// What the tasks have in a field, each once.
    private static func words(
        in session: Session, _ field: (ReminderRecord) -> [String]
    ) throws(Failure) -> [Suggestion] {
        Set(try tasks("all", session, limit: nil)?.flatMap(field) ?? []).sorted()
            .map { Suggestion($0.singleLine) }
    }

    /// `nil`: the daemon does not answer.
    private static func tasks(
        _ show: String, _ session: Session, limit: Int64?
    ) throws(Failure) -> [ReminderRecord]? {
        var surroundings = session.surroundings
        surroundings.patienceMilliseconds = patience
        let quick = Session(
            session.arguments, surroundings, output: session.output, errors: session.errors)
        var records: [ReminderRecord] = []
        do {
            try quick.callMore(List.self, patient: false) { json throws(Failure) in
                json.field("show", show)
                if let limit { json.field("limit", limit) }
            } each: { bytes throws(Failure) in
                records += try Reply(bytes, with: ["reminders"]).records()
            }
        } catch {
            if error.concernsOutput { throw error }
            return nil
        }
        return records
    }
}
