/// Tasks as a table: number, mark, title, when, how often, tags, the note's beginning.
struct ListTable {
    private let rows: ListRows
    private let widths: Widths
    /// Whether rows stand under headings; they do where the order is that of the deadlines.
    let isGrouped: Bool
    let style: Style
    /// Only a terminal needs letters that run from right to left kept apart.
    let isolates: Bool

    /// - Parameter columns: the terminal's cells; `nil`: nothing is cut.
    init(_ rows: ListRows, columns: Int?, isGrouped: Bool, style: Style) {
        self.rows = rows
        widths = Widths(rows, columns: columns)
        (self.isGrouped, self.style, isolates) = (isGrouped, style, columns != nil)
    }

    /// Hands on line after line, each with its line end.
    func write(to output: Output) throws(Failure) {
        var group: ListGroup?
        for row in rows {
            if isGrouped, row.group != group {
                let heading = style.paint(row.group.rawValue, .heading)
                try output.write((group == nil ? "" : "\n") + heading + "\n")
                group = row.group
            }
            add(row, to: output)
            try output.writeLineEnd()
        }
    }

    /// Adds one line, without its end, to what `output` writes next.
    func add(_ row: ListRow, to output: Output) {
        output.add(blanks: widths.number - row.digits)
        output.add(number: row.number, digits: row.digits)
        output.add(blanks: 1)
        let mark = row.meaning == .done ? nil : row.meaning
        output.add(style.begin(mark))
        output.add(bytes: row.state, row.priority)
        output.add(style.end(mark))
        output.add(blanks: 1)
        var waiting = widths.title
        waiting -= write(row.title, widths.title, row.meaning, isolates, output)
        // Blanks are written only before something: no line ends in them.
        func add(_ cell: TextCell, _ width: Int, _ meaning: Meaning? = nil) {
            guard width > 0 else { return }
            waiting += Widths.gap
            guard cell.cells > 0 else { return waiting += width }
            output.add(blanks: waiting)
            waiting = width - write(cell, width, meaning, false, output)
        }
        add(row.when, widths.when)
        add(row.rule, widths.rule)
        add(row.tags, widths.tags)
        add(row.note, widths.note, .faint)
    }

    /// Adds a cell, cut to `width` cells.
    /// - Returns: how many cells it takes.
    private func write(
        _ cell: TextCell, _ width: Int, _ meaning: Meaning?, _ isolates: Bool, _ output: Output
    ) -> Int {
        guard cell.isPlain, cell.cells <= width else {
            let text = rows.texts.text(cell)
            let cut = cell.cells <= width ? text : text.cut(toCells: width, ascii: style.isASCII)
            output.add(style.paint(isolates ? cut.isolated : cut, meaning))
            return cell.cells <= width ? cell.cells : cut.cells
        }
        if cell.cells == 0 { return 0 }
        output.add(style.begin(meaning))
        output.add(bytes: rows.texts.bytes(cell))
        output.add(style.end(meaning))
        return cell.cells
    }
}

/// How wide the columns of a table are.
private struct Widths {
    private(set) var number = 1
    private(set) var title = 0
    /// 0: left out.
    private(set) var when = 0
    private(set) var rule = 0
    private(set) var tags = 0
    private(set) var note = 0

    static let gap = 2
    /// Number and title have this much between them: a blank, the mark, a blank.
    private static let markCells = 4
    /// Columns are left out, the last one first, before a title gets narrower than this.
    private static let wantedTitle = 20
    /// No title is cut to less than this, however narrow the terminal.
    private static let leastTitle = 8
    /// A rule or tags are left out rather than cut to less.
    private static let leastCell = 10
    /// The preview of a note is left out rather than cut to less.
    private static let leastNote = 10

    init(_ rows: ListRows, columns limit: Int?) {
        for row in rows {
            number = max(number, row.digits)
            title = max(title, row.title.cells)
            when = max(when, row.when.cells)
            rule = max(rule, row.rule.cells)
            tags = max(tags, row.tags.cells)
            note = max(note, row.note.cells)
        }
        if let limit { fit(limit - number - Self.markCells) }
    }

    /// - Parameter room: cells for the title and what stands after it.
    private mutating func fit(_ room: Int) {
        let wanted = min(title, Self.wantedTitle)
        let spare = room - wanted - (when > 0 ? when + Self.gap : 0)
        // What is wide is cut where it stands; the others keep their words.
        let forTags = tags > 0 ? min(tags, Self.leastCell) + Self.gap : 0
        Self.shrink(&rule, to: spare - (spare - forTags > Self.leastCell ? forTags : 0))
        Self.shrink(&tags, to: spare - (rule > 0 ? rule + Self.gap : 0))
        // One date that is wide, with its zone perhaps, does not cost every title its words.
        title = min(title, max(room - others, min(wanted, room / 2), Self.leastTitle))
        // The preview gets what is left over.
        note = min(note, room - title - others - Self.gap)
        if note < Self.leastNote { note = 0 }
        when = min(when, max(room - title - Self.gap, 0))
    }

    /// - Parameter room: cells for the column and the gap before it.
    private static func shrink(_ column: inout Int, to room: Int) {
        let shown = min(column, room - gap)
        column = shown < min(column, leastCell) ? 0 : shown
    }

    private var others: Int {
        [when, rule, tags].reduce(0) { $0 + ($1 > 0 ? $1 + Self.gap : 0) }
    }
}
