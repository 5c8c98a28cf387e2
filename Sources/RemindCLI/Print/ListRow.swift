import RemindAPI
import RemindCore

/// A text fit for a terminal, measured once.
struct Cell {
    let text: String
    let cells: Int

    init(_ text: String) { (self.text, cells) = (text, text.cells) }

    init(measured text: String, cells: Int) { (self.text, self.cells) = (text, cells) }

    static let empty = Cell("")
}

/// A task as the cells of a table's row.
struct ListRow {
    let group: ListGroup
    /// Due today, gone by or not.
    let isToday: Bool
    let number: String
    /// One character for the state (`*` ringing, `z` snoozed, `x` done), one for the priority (`!`
    /// high, `-` low).
    let mark: String
    let title: Cell
    /// The columns after the title.
    let when: Cell
    let rule: Cell
    let tags: Cell
    /// The first line of the note, or its beginning.
    let note: Cell
    let meaning: Meaning?
}

/// Makes rows, and keeps what is the same in many of them.
struct ListRows {
    let now: Instant
    let style: Style
    private(set) var rows: [ListRow] = []
    /// When the words of a row change although no task does: something gets overdue, or it is
    /// midnight where a task is.
    private(set) var nextChange = Instant.latest
    private var rules: [String: Cell] = [:]
    /// The tags of the row before, as JSON, and their cell.
    private var formerTags: (json: ArraySlice<UInt8>, cell: Cell) = ([], .empty)

    init(now: Instant, style: Style) { (self.now, self.style) = (now, style) }

    /// Text of users, measured as it will be written.
    private func cell(_ text: String) -> Cell { Cell(style.written(text.singleLine)) }

    /// Adds the reminders of a reply.
    /// - Returns: false when the reply has no field of them.
    /// - Throws: `JSONReader.Fault`.
    mutating func read(_ reply: [UInt8]) throws(JSONReader.Fault) -> Bool {
        var json = JSONReader(reply)
        var isWhole = false
        try json.object { name, json throws(JSONReader.Fault) in
            guard name == "reminders" else { return }
            isWhole = true
            try json.array { json throws(JSONReader.Fault) in
                try add(try ListedReminder(reading: &json))
            }
        }
        return isWhole
    }

    private mutating func add(_ fields: ListedReminder) throws(JSONReader.Fault) {
        let moment = fields.due.flatMap { Moment($0, dateOffset: fields.offset) }
        let group = ListGroup(fields.state, moment, now: now)
        if let moment, fields.state == .open {
            nextChange = min(nextChange, moment.change(after: now))
        }
        rows.append(
            ListRow(
                group: group, isToday: moment?.days(from: now) == 0, number: String(fields.number),
                mark: Self.mark(fields), title: cell(fields.title), when: when(fields, moment),
                rule: fields.rule.map { rule($0) } ?? .empty, tags: try tags(fields),
                note: note(fields.notePreview),
                meaning: Self.meaning(fields, group)))
    }

    /// When it is due in words, with the zone when it has one of its own.
    private func when(_ fields: ListedReminder, _ moment: Moment?) -> Cell {
        guard let moment else { return fields.due.map { cell($0) } ?? .empty }
        let words = moment.words(now: now)
        return Cell(fields.timeZone.map { "\(words) \($0.singleLine)" } ?? words)
    }

    private mutating func rule(_ text: String) -> Cell {
        if let known = rules[text] { return known }
        let cell = Cell(RuleWords.words(for: text))
        rules[text] = cell
        return cell
    }

    private mutating func tags(_ fields: ListedReminder) throws(JSONReader.Fault) -> Cell {
        if fields.tagsJSON == formerTags.json { return formerTags.cell }
        let tags = try fields.tags()
        let words = tags.isEmpty ? .empty : cell(tags.map { "#\($0)" }.joined(separator: " "))
        formerTags = (fields.tagsJSON, words)
        return words
    }

    /// Cells that a note's preview takes at most.
    private static let noteCells = 40

    private func note(_ preview: String) -> Cell {
        preview.isEmpty ? .empty : cell(preview).cut(toCells: Self.noteCells, style)
    }

    private static func mark(_ fields: ListedReminder) -> String {
        let state =
            switch (fields.state, fields.alarm) {
            case (.done, _): "x"
            case (.open, .ringing): "*"
            case (.open, .snoozed): "z"
            case (.open, .none), (.open, .pending): " "
            }
        return switch fields.priority {
        case .high: state + "!"
        case .normal: state + " "
        case .low: state + "-"
        }
    }

    private static func meaning(_ fields: ListedReminder, _ group: ListGroup) -> Meaning? {
        if group == .done { return .done }
        if fields.alarm == .ringing { return .ringing }
        if group == .overdue { return .late }
        return switch fields.priority {
        case .high: .important
        case .normal: nil
        case .low: .faint
        }
    }
}
