import RemindAPI
import RemindCore

/// A task as the cells of a table's row, fit for a terminal.
struct ListRow {
    let group: ListGroup
    let number: String
    /// One character for the state (`*` ringing, `z` snoozed, `x` done), one for high priority (`!`).
    let mark: String
    let title: String
    /// When, how often, tags: the columns after the title.
    let columns: [String]
    let meaning: Meaning?

    init(_ record: ReminderRecord, now: Instant) {
        let moment = record.moment
        group = ListGroup(of: record, moment, now: now)
        number = String(record.number)
        mark = Self.stateMark(record) + (record.priority == .high ? "!" : " ")
        title = record.title.singleLine
        columns = [
            record.dueWords(now: now), record.rule.map(RuleWords.words) ?? "",
            record.tags.map { "#\($0.singleLine)" }.joined(separator: " "),
        ]
        meaning = Self.meaning(record, group)
    }

    private static func stateMark(_ record: ReminderRecord) -> String {
        if record.state == .done { return "x" }
        switch record.alarm {
        case .ringing: return "*"
        case .snoozed: return "z"
        case .none, .pending: return " "
        }
    }

    private static func meaning(_ record: ReminderRecord, _ group: ListGroup) -> Meaning? {
        if group == .done { return .done }
        if record.alarm == .ringing { return .ringing }
        if group == .overdue { return .late }
        return record.priority == .high ? .important : nil
    }
}
