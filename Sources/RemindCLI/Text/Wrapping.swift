/// Long lines on a narrow terminal.
extension String {
    /// The text in lines of at most `columns` cells, broken between words; what follows the first
    /// line is two cells further in. A word that is wider than that stands alone, for the terminal
    /// to break. O(characters).
    /// - Parameter columns: `nil`: the text as it is.
    func wrapped(toCells columns: Int?) -> [String] {
        // Escapes take no cells, and a text in colour is made of short words.
        guard let columns, cells > columns, !contains("\u{1B}") else { return [self] }
        let blanks = prefix { $0 == " " }
        let further = blanks + "  "
        var (lines, line) = ([String](), String(blanks))
        var isBlank = true
        for word in split(separator: " ") {
            if !isBlank, line.cells + 1 + word.cells > columns {
                lines.append(line)
                (line, isBlank) = (String(further), true)
            }
            line += (isBlank ? "" : " ") + word
            isBlank = false
        }
        return lines + [line]
    }
}

extension Session {
    /// Writes lines, each wrapped to the terminal when the output is one.
    func write(lines: [String]) throws(Failure) {
        let columns = surroundings.terminal?.columns
        for line in lines.flatMap({ $0.wrapped(toCells: columns) }) {
            try output.write(line + "\n")
        }
    }
}
