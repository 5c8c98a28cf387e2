import RemindAPI
import RemindCore

/// Tasks as a table: number, mark, title, when, how often, tags.
struct ListTable {
    private let rows: [ListRow]
    private let widths: Widths
    /// Whether rows stand under headings; they do where the order is that of the deadlines.
    let isGrouped: Bool
    let style: Style
    /// Only a terminal needs letters that run from right to left kept apart.
    let isolates: Bool

    /// - Parameter columns: the terminal's cells; `nil`: nothing is cut.
    init(
        _ records: [ReminderRecord], now: Instant, columns: Int?, isGrouped: Bool, style: Style
    ) {
        rows = records.map { ListRow($0, now: now) }
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
            try output.write(line(row) + "\n")
        }
    }

    private func line(_ row: ListRow) -> String {
        let number = row.number.aligned(toCells: widths.number)
        let title = row.title.cut(toCells: widths.title)
        let shown = isolates ? title.isolated : title
        var line = "\(number) \(style.paint(row.mark, row.meaning == .done ? nil : row.meaning)) "
        line += style.paint(shown, row.meaning)
        var blanks = widths.title - title.cells
        for (text, width) in zip(row.columns, widths.columns) where width > 0 {
            let cell = text.cut(toCells: width)
            if !cell.isEmpty {
                line += String(repeating: " ", count: blanks + Widths.gap) + cell
                blanks = width - cell.cells
            } else {
                blanks += Widths.gap + width
            }
        }
        return line.withoutTrailingBlanks
    }
}

/// How wide the columns of a table are.
private struct Widths {
    let number: Int
    let title: Int
    /// Of the columns after the title; 0: left out.
    let columns: [Int]

    static let gap = 2
    /// Number and title have this much between them: a blank, the mark, a blank.
    private static let markCells = 4
    /// Columns are left out, the last one first, before a title gets narrower than this.
    private static let wantedTitle = 20
    /// No title is cut to less than this, however narrow the terminal.
    private static let leastTitle = 8

    init(_ rows: [ListRow], columns limit: Int?) {
        number = rows.map(\.number.utf8.count).max() ?? 1
        let natural = rows.map(\.title.cells).max() ?? 0
        var widths = (0..<3).map { column in rows.map { $0.columns[column].cells }.max() ?? 0 }
        if let limit {
            let room = limit - number - Self.markCells
            while let last = widths.lastIndex(where: { $0 > 0 }), last > 0,
                room - Self.total(widths) < min(natural, Self.wantedTitle)
            {
                widths[last] = 0
            }
            title = min(natural, max(room - Self.total(widths), Self.leastTitle))
            widths[0] = min(widths[0], max(room - title - Self.gap, 0))
        } else {
            title = natural
        }
        columns = widths
    }

    private static func total(_ widths: [Int]) -> Int {
        widths.reduce(0) { $0 + ($1 > 0 ? $1 + gap : 0) }
    }
}
