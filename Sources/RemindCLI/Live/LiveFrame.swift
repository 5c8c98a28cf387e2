import RemindCore

/// A list as the lines of a screen, of which a part is seen.
struct LiveFrame {
    private enum Line {
        case blank
        case heading(ListGroup)
        case row(ListRow)
    }

    private let table: ListTable
    private let lines: [Line]
    private let size: Terminal
    private let style: Style
    private let summary: String

    init(_ rows: ListRows, size: Terminal, isGrouped: Bool, style: Style) {
        table = ListTable(rows, columns: size.columns, isGrouped: isGrouped, style: style)
        lines = Self.lines(rows, isGrouped: isGrouped)
        (self.size, self.style) = (size, style)
        summary = Self.summary(rows)
    }

    private static func lines(_ rows: ListRows, isGrouped: Bool) -> [Line] {
        var lines: [Line] = []
        var group: ListGroup?
        for row in rows {
            if isGrouped, row.group != group {
                if group != nil { lines.append(.blank) }
                lines.append(.heading(row.group))
                group = row.group
            }
            lines.append(.row(row))
        }
        return lines
    }

    private static func summary(_ rows: ListRows) -> String {
        let ringing = rows.count { $0.meaning == .ringing }
        let overdue = rows.count { $0.group == .overdue }
        return "\(rows.count) task\(rows.count == 1 ? "" : "s")"
            + (overdue > 0 ? ", \(overdue) overdue" : "")
            + (ringing > 0 ? ", \(ringing) ringing" : "")
    }

    /// Lines above the one that says how many there are.
    private var height: Int { max(size.rows - 1, 1) }

    /// The first line to show when `wanted` was asked for.
    func top(wanted: Int) -> Int { max(min(wanted, lines.count - height), 0) }

    /// Every line begins by clearing its own: nothing of the frame before shines through.
    func add(to output: Output, from top: Int, notice: String?) {
        let shown = lines[top..<min(top + height, lines.count)]
        for line in shown {
            output.add("\u{1B}[K")
            switch line {
            case .blank: break
            case .heading(let group): output.add(style.paint(group.rawValue, .heading))
            case .row(let row): table.add(row, to: output)
            }
            output.add("\r\n")
        }
        if lines.isEmpty { output.add("\u{1B}[KNo reminders.\r\n") }
        for _ in max(shown.count, lines.isEmpty ? 1 : 0)..<height { output.add("\u{1B}[K\r\n") }
        output.add("\u{1B}[K")
        output.add(foot(shown.indices, notice: notice))
    }

    private func foot(_ shown: Range<Int>, notice: String?) -> String {
        if let notice { return style.paint(notice.cut(toCells: size.columns), .important) }
        let place =
            shown.count < lines.count
            ? "  (lines \(shown.lowerBound + 1)-\(shown.upperBound) of \(lines.count))" : ""
        return style.paint("\(summary)\(place)  q: leave".cut(toCells: size.columns), .faint)
    }
}
