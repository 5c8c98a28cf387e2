import RemindAPI
import RemindCore

extension ReminderRecord {
    /// `#7 Pay rent`, fit for a terminal.
    var heading: String { "#\(number) \(title.singleLine)" }
}

/// Everything about a task, as aligned fields.
enum ReminderText {
    private static let labelCells = 10
    /// Where the values of the fields begin.
    static let valueColumn = labelCells + 2

    /// In lines.
    /// - Parameter understood: when it is due in the daemon's words, if it gave them.
    static func full(
        _ record: ReminderRecord, understood: Understood?, rings: [RingRecord], now: Instant,
        style: Style
    ) -> [String] {
        var fields: [(String, [String])] = []
        fields.append(("due", dueLines(record, understood)))
        fields.append(("rings", rings.map { ringText($0, now: now) }))
        fields.append(("repeats", record.rule.map { [rule($0)] } ?? []))
        fields.append(("before", list(record.before.map(DurationWords.words))))
        fields.append(("nag", record.nag.map { ["every \(DurationWords.words(for: $0))"] } ?? []))
        fields.append(("state", [stateText(record)]))
        fields.append(("priority", [record.priority.rawValue]))
        fields.append(("list", [record.list.singleLine]))
        fields.append(("tags", list(record.tags.map(\.singleLine))))
        fields.append(("note", record.note?.safeLines ?? []))
        fields.append(("created", [time(record.created)]))
        fields.append(("modified", [time(record.modified)]))
        fields.append(("completed", record.completed.map { [time($0)] } ?? []))
        fields.append(("id", [record.id.singleLine]))
        var lines = [style.paint(record.heading, .heading)]
        for (label, values) in fields {
            for (index, value) in values.enumerated() {
                let name = (index == 0 ? label : "").padded(toCells: labelCells)
                lines.append("  \(style.paint(name, .faint))\(value)".withoutTrailingBlanks)
            }
        }
        return lines
    }

    private static func dueLines(_ record: ReminderRecord, _ understood: Understood?) -> [String] {
        guard let due = understood?.text.singleLine ?? record.dueText else { return [] }
        return [due] + (understood?.notes ?? []).map(\.singleLine)
    }

    private static func list(_ values: [String]) -> [String] {
        values.isEmpty ? [] : [values.joined(by: ", ")]
    }

    private static func ringText(_ ring: RingRecord, now: Instant) -> String {
        Moment(ring.at, dateOffset: 0)?.words(now: now) ?? ring.at.singleLine
    }

    /// A recurrence rule in words, with its text behind them.
    static func rule(_ rule: String) -> String {
        let words = RuleWords.words(for: rule)
        return words == rule.singleLine ? words : "\(words) (\(rule.singleLine))"
    }

    private static func stateText(_ record: ReminderRecord) -> String {
        var text = record.state.rawValue
        if record.alarm != .none { text += ", \(record.alarm.rawValue)" }
        if record.rings > 0 {
            text += ", has rung \(record.rings == 1 ? "once" : "\(record.rings) times")"
        }
        return text
    }

    /// A time in full; as it came when it is not understood.
    static func time(_ text: String) -> String {
        Moment(text, dateOffset: 0)?.full ?? text.singleLine
    }
}

extension String {
    var withoutTrailingBlanks: String {
        guard let last = lastIndex(where: { $0 != " " }) else { return "" }
        return String(self[...last])
    }
}
