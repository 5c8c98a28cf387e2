import RemindAPI
import RemindCore

/// A task as the cells of a table's row.
struct ListRow: BitwiseCopyable {
    let number: Int64
    let group: ListGroup
    /// Due today, gone by or not.
    let isToday: Bool
    /// For the state: `*` ringing, `z` snoozed, `x` done.
    let state: UInt8
    /// For the priority: `!` high, `-` low.
    let priority: UInt8
    let meaning: Meaning?
    let title: TextCell
    /// The columns after the title.
    let when: TextCell
    let rule: TextCell
    let tags: TextCell
    /// The first line of the note, or its beginning.
    let note: TextCell

    /// Of its number: how many characters it has.
    var digits: Int {
        var (count, rest) = (number < 0 ? 2 : 1, number.magnitude)
        while rest >= 10 { (count, rest) = (count + 1, rest / 10) }
        return count
    }
}

/// Makes rows, and keeps what is the same in many of them. A copy shares the memory.
struct ListRows {
    let texts: ListTexts
    /// When the words of a row change although no task does: something gets overdue, or it is
    /// midnight where a task is.
    private(set) var nextChange = Instant.latest
    private let rows = GrowingBuffer<ListRow>()
    private var dues: DueWords
    private var rules: [String: TextCell] = [:]
    /// The tags of the row before, as JSON, and their cell.
    private var formerTags: (json: [UInt8], cell: TextCell) = ([], .empty)

    init(now: Instant, style: Style) {
        texts = ListTexts(style: style)
        dues = DueWords(now: now, texts: texts)
    }

    /// Adds the reminders of a reply.
    /// - Returns: false when the reply has no field of them.
    /// - Throws: `JSONReader.Fault`.
    mutating func read(_ reply: [UInt8]) throws(JSONReader.Fault) -> Bool {
        try ListedReminder.each(in: reply) { fields in add(fields) }
    }

    private mutating func add(_ fields: ListedReminder) {
        let due = dues.read(fields)
        let group = fields.state == .open ? due.group : .done
        if fields.state == .open { nextChange = Swift.min(nextChange, due.change) }
        let (state, priority) = Self.marks(fields)
        rows.append(
            ListRow(
                number: fields.number, group: group, isToday: due.isToday, state: state,
                priority: priority, meaning: Self.meaning(fields, group),
                title: texts.add(json: fields.title), when: due.cell,
                rule: fields.rule.isEmpty ? .empty : rule(fields.rule.string),
                tags: tags(fields), note: note(fields)))
    }

    private mutating func rule(_ text: String) -> TextCell {
        if let known = rules[text] { return known }
        let cell = texts.add(RuleWords.words(for: text))
        rules[text] = cell
        return cell
    }

    private mutating func tags(_ fields: ListedReminder) -> TextCell {
        if fields.tags.elementsEqual(formerTags.json) { return formerTags.cell }
        let words = fields.tags.strings.map { "#\($0)" }.joined(separator: " ").singleLine
        formerTags = (Array(fields.tags), words.isEmpty ? .empty : texts.add(words))
        return formerTags.cell
    }

    /// Cells that a note's preview takes at most.
    private static let noteCells = 40

    private func note(_ fields: ListedReminder) -> TextCell {
        if fields.note.isEmpty { return .empty }
        let text = fields.note.unquoted
        // What is cut needs no look at more than it shows and what stands behind that.
        let start = UnsafeBufferPointer(rebasing: text.prefix(Self.noteCells + 1))
        guard start.isPlainJSON else {
            return texts.add(fields.notePreview.singleLine, cutToCells: Self.noteCells)
        }
        return start.count > Self.noteCells
            ? texts.add(plain: start, cutToCells: Self.noteCells) : texts.add(plain: start)
    }

    private static func marks(_ fields: ListedReminder) -> (UInt8, UInt8) {
        let state: Unicode.Scalar =
            switch (fields.state, fields.alarm) {
            case (.done, _): "x"
            case (.open, .ringing): "*"
            case (.open, .snoozed): "z"
            case (.open, .none), (.open, .pending): " "
            }
        let priority: Unicode.Scalar =
            switch fields.priority {
            case .high: "!"
            case .normal: " "
            case .low: "-"
            }
        return (UInt8(ascii: state), UInt8(ascii: priority))
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

extension ListRows: RandomAccessCollection {
    var startIndex: Int { 0 }
    var endIndex: Int { rows.count }
    subscript(place: Int) -> ListRow { rows.elements[place] }
}
