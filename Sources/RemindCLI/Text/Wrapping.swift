/// Long lines on a narrow terminal.
extension String {
    /// The text in lines of at most `columns` cells, broken between words; what follows the first
    /// line begins under the column `hanging`, or two cells further in than the first line. A word
    /// that is wider than that stands alone, for the terminal to break. O(characters).
    /// - Parameter columns: `nil`: the text as it is.
    func wrapped(toCells columns: Int?, hanging: Int? = nil) -> [String] {
        // Escapes take no cells.
        guard let columns, visible.cells > columns else { return [self] }
        let further = prefix { $0 == " " }.count + 2
        var (lines, line, width, gap) = ([String](), "", 0, 0)
        for word in split(separator: " ", omittingEmptySubsequences: false) {
            guard !word.isEmpty else {
                gap += 1
                continue
            }
            let cells = String(word).visible.cells
            if !line.isEmpty, width + gap + cells > columns {
                lines.append(line.withoutTrailingBlanks)
                // A wide word takes the room that the column would cost it.
                let column = hanging.map { $0 + cells <= columns ? $0 : further } ?? further
                (line, width, gap) = ("", 0, column)
            }
            line += String(repeating: " ", count: gap) + word
            (width, gap) = (width + gap + cells, 1)
        }
        return lines + [line]
    }

    /// Without what colours it (ECMA-48's SGR).
    private var visible: String {
        guard utf8.contains(0x1B) else { return self }
        var (text, isEscape) = ("", false)
        for scalar in unicodeScalars {
            if scalar == "\u{1B}" { isEscape = true }
            if !isEscape { text.unicodeScalars.append(scalar) }
            if scalar == "m" { isEscape = false }
        }
        return text
    }
}

extension Session {
    /// Writes lines, each wrapped to the terminal when the output is one.
    /// - Parameter hanging: the column under which a line goes on.
    func write(lines: [String], hanging: Int? = nil) throws(Failure) {
        let columns = surroundings.terminal?.columns
        // A column that takes more than half of the terminal would leave too little.
        let column = hanging.flatMap { hanging in columns.map { hanging * 2 <= $0 ? hanging : 8 } }
        for line in lines.flatMap({ $0.wrapped(toCells: columns, hanging: column) }) {
            try output.write(line + "\n")
        }
    }
}
