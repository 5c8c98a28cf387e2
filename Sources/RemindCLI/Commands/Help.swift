import RemindAPI

/// `help`: short texts out of the table.
enum Help {
    /// Longer lines are hard to read, however wide the terminal.
    private static let columns = 80

    @Sendable static func run(_ session: Session) throws(Failure) -> ExitStatus {
        let command = session.arguments.command
        if command.name != "help" {
            try write(text(for: command, columns: width(session)), session)
        } else if let name = session.arguments.operands.first {
            guard let named = CommandTable.command(named: name) else {
                let nearest = CommandTable.nearest(to: name)?.name
                throw .usage(
                    "There is no command ‘\(name)’.",
                    hint: "remindctl help" + (nearest.map { " \($0)" } ?? ""))
            }
            try write(text(for: named, columns: width(session)), session)
        } else {
            try write(overview, session)
        }
        return .done
    }

    private static func width(_ session: Session) -> Int {
        min(session.surroundings.terminal?.columns ?? columns, columns)
    }

    /// Each line broken for a terminal that is narrower, the second column under itself.
    private static func write(_ text: String, _ session: Session) throws(Failure) {
        guard let terminal = session.surroundings.terminal, terminal.columns < columns else {
            return try session.output.write(text)
        }
        for line in text.dropLast().split(separator: "\n", omittingEmptySubsequences: false) {
            guard line.first == " ", let column = secondColumn(of: line) else {
                let hanging = line.hasPrefix("Usage: ") ? 7 : line.first == " " ? nil : 0
                try session.write(lines: [String(line)], hanging: hanging)
                continue
            }
            guard column * 2 > terminal.columns else {
                try session.write(lines: [String(line)], hanging: column)
                continue
            }
            // The second column has more room below the first.
            let first = String(line.prefix(column)).withoutTrailingBlanks
            let second = String(repeating: " ", count: 6) + line.dropFirst(column)
            try session.write(lines: [first, second], hanging: 6)
        }
    }

    /// Where text goes on after two or more blanks; `nil` when it does not.
    private static func secondColumn(of line: Substring) -> Int? {
        var (column, blanks, hasText) = (0, 0, false)
        for character in line {
            if character == " " {
                blanks += 1
            } else {
                if hasText, blanks > 1 { return column }
                (hasText, blanks) = (true, 0)
            }
            column += 1
        }
        return nil
    }

    /// All commands, one a line.
    static var overview: String {
        let commands = CommandTable.commands.map { (usage(of: $0), $0.summary) }
        let examples = CommandTable.commands.flatMap { $0.examples.prefix(1) }.prefix(3)
        return """
            Reminders that ring on the desktop until they are answered.

            Usage: remindctl [OPTION...] COMMAND ...

            \(table(commands))
            Options for every command:
            \(table(CommandTable.globalOptions.map { ($0.usage, $0.summary) }))
            Examples:
            \(lines(of: Array(examples)))
            More about a command: remindctl help COMMAND

            """
    }

    static func text(for command: Command, columns: Int = columns) -> String {
        var text = "\(command.summary).\n\nUsage: remindctl \(usage(of: command))"
        text += command.options.isEmpty ? "\n" : " [OPTION...]\n"
        for detail in command.details { text += "\n" + wrapped(detail, to: columns) }
        if !command.options.isEmpty {
            text += "\nOptions:\n" + table(command.options.map { ($0.usage, $0.summary) })
        }
        return text + "\nExamples:\n" + lines(of: command.examples)
    }

    private static func usage(of command: Command) -> String {
        ([command.name] + command.operands.map(\.usage)).joined(separator: " ")
    }

    private static func lines(of examples: [String]) -> String {
        examples.map { "  remindctl \($0)\n" }.joined()
    }

    /// Two columns; an entry that is too long for the first one has its summary on the next line.
    private static func table(_ rows: [(String, String)]) -> String {
        let width = rows.map(\.0.cells).filter { $0 <= 28 }.max() ?? 0
        return rows.map { name, summary in
            name.cells > width
                ? "  \(name)\n  \(String(repeating: " ", count: width))  \(summary)\n"
                : "  \(name.padded(toCells: width))  \(summary)\n"
        }.joined()
    }

    private static func wrapped(_ paragraph: String, to columns: Int) -> String {
        var (text, line) = ("", "")
        for word in paragraph.split(separator: " ") {
            if !line.isEmpty, line.cells + 1 + word.cells > columns {
                text += line + "\n"
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + word
        }
        return text + line + "\n"
    }
}
