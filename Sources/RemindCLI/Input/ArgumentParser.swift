/// Words to arguments. Options may stand anywhere, `--name=value` is `--name value`, and `--` ends
/// them; every fault is named with what would be right.
struct ArgumentParser {
    private var arguments: Arguments
    private var rest: ArraySlice<String>

    /// - Parameter words: those after the program's name.
    /// - Throws: `Usage`.
    static func parse(_ words: [String]) throws(Failure) -> Arguments {
        var parser = ArgumentParser(
            arguments: Arguments(command: try command(in: words)), rest: words[...])
        try parser.readWords()
        // The first operand is the command itself, unless an option stood for it.
        if parser.arguments.operands.first == parser.arguments.command.name {
            parser.arguments.operands.removeFirst()
        }
        if !parser.arguments.has("help"), !parser.arguments.has("version") {
            try parser.checkOperands()
        }
        return parser.arguments
    }

    /// The first word that is neither an option nor an option's value.
    private static func command(in words: [String]) throws(Failure) -> Command {
        var rest = words[...]
        var asksForHelp = false
        var unknown: String?
        while let word = rest.popFirst() {
            guard word.isOption, word != "--" else {
                let name = word == "--" ? rest.first ?? "" : word
                if let command = CommandTable.command(named: name) { return command }
                throw unknownCommand(name, in: words)
            }
            asksForHelp = asksForHelp || ["--help", "-h", "--version"].contains(word)
            if word != "-h", CommandTable.option(named: word.optionName) == nil {
                unknown = unknown ?? word
            }
            if !word.contains("="), CommandTable.takesValue(option: word.optionName) {
                guard rest.popFirst() != nil else { throw missingValue(word.optionName) }
            }
        }
        if asksForHelp, let help = CommandTable.command(named: "help") { return help }
        let what = unknown.map { "‘\($0)’ is no option, and a command" } ?? "A command"
        throw .usage("\(what) is missing.", hint: "remindctl help")
    }

    /// Of an option that is the last word, before any command.
    private static func missingValue(_ name: String) -> Failure {
        let placeholder = CommandTable.option(named: name)?.placeholder ?? "VALUE"
        return .usage("‘--\(name)’ needs a value: \(placeholder).", hint: "remindctl help")
    }

    /// The hint is the whole line with the command that was probably meant.
    private static func unknownCommand(_ name: String, in words: [String]) -> Failure {
        let message = "There is no command ‘\(name)’."
        guard let nearest = CommandTable.nearest(to: name), let place = words.firstIndex(of: name)
        else { return .usage(message, hint: "remindctl help") }
        var line = words.map(\.inShell)
        line[place] = nearest.name
        let hint = "remindctl " + line.joined(separator: " ")
        return .usage(
            message, hint: hint.count <= 200 ? hint : "remindctl help \(nearest.name)")
    }

    private mutating func readWords() throws(Failure) {
        while let word = rest.popFirst() {
            if word == "--" {
                arguments.operands += rest
                return
            }
            if word.isOption { try readOption(word) } else { arguments.operands.append(word) }
        }
    }

    private mutating func readOption(_ word: String) throws(Failure) {
        let name = word == "-h" ? "help" : word.optionName
        guard word == "-h" || word.hasPrefix("--"),
            let option = arguments.command.option(named: name)
        else { throw unknownOption(word) }
        let attached = word.firstIndex(of: "=").map { String(word[word.index(after: $0)...]) }
        var value = try value(of: option, attached: attached)
        if value.isEmpty, let usual = option.whenEmpty { value = usual }
        try checkOnce(option)
        try Self.check(value, of: option)
        arguments.given.append(Arguments.Given(option: option, value: value))
    }

    private mutating func value(of option: Option, attached: String?) throws(Failure) -> String {
        guard let placeholder = option.placeholder else {
            guard attached == nil else {
                throw .usage("‘--\(option.name)’ takes no value.", hint: help)
            }
            return ""
        }
        if let attached { return attached }
        guard let next = rest.first, !next.hasPrefix("--") else {
            throw .usage("‘--\(option.name)’ needs a value: \(placeholder).", hint: help)
        }
        rest.removeFirst()
        return next
    }
}

extension ArgumentParser {
    private var help: String { "remindctl help \(arguments.command.name)" }

    private func unknownOption(_ word: String) -> Failure {
        let name = word.split(separator: "=").first.map(String.init) ?? word
        let known = (arguments.command.options + CommandTable.globalOptions).map(\.name)
        let message = "‘\(name)’ is not an option of ‘\(arguments.command.name)’."
        if let hint = Synonyms.hint(forOption: word.optionName, of: arguments.command.name) {
            return .usage(message, hint: hint)
        }
        if let nearest = Synonyms.option(word.optionName, among: known)
            ?? Nearest.match(word.optionName, among: known)
        {
            return .usage(message, hint: "Say --\(nearest); see \(help)")
        }
        return .usage(message, hint: "\(help), or -- before words that begin with a dash")
    }

    /// Refuses what was given before, and what contradicts it.
    private func checkOnce(_ option: Option) throws(Failure) {
        for earlier in arguments.given.map(\.option) {
            if earlier.name == option.name, option.takesValue, !option.repeats {
                throw .usage("‘--\(option.name)’ is given twice.", hint: help)
            }
            if let group = option.oneOf, earlier.oneOf == group, earlier.name != option.name {
                throw .usage(
                    "‘--\(earlier.name)’ and ‘--\(option.name)’ contradict each other.",
                    hint: "Give one of them.")
            }
        }
    }

    private static func check(_ value: String, of option: Option) throws(Failure) {
        switch option.kind {
        case .value(.path) where value.isEmpty:
            throw .usage(
                "‘--\(option.name)’ needs a value: it is empty.",
                hint: "Leave it out for the usual one.")
        case .choice(let choices) where !choices.contains(value):
            let nearest = Nearest.match(value, among: choices)
            throw .usage(
                "‘\(value)’ is not a value of ‘--\(option.name)’: \(choices.alternatives).",
                hint: "--\(option.name) \(nearest ?? choices[0])")
        case .number(let range):
            guard let number = Int64(value), range.contains(number) else {
                throw .usage(
                    "‘\(value)’ is not a number from \(range.lowerBound) to \(range.upperBound).",
                    hint: "--\(option.name) \(min(max(10, range.lowerBound), range.upperBound))")
            }
        default: return
        }
    }

    private func checkOperands() throws(Failure) {
        let command = arguments.command
        let count = arguments.operands.count
        let required = command.operands.filter(\.isRequired)
        let example = command.examples.first.map { "remindctl \($0)" }
        if count < required.count {
            let kind = required[count].kind
            throw .usage(
                "‘\(command.name)’ needs a \(kind == .shell ? "shell: " : "")\(kind.rawValue).",
                hint: example)
        }
        guard !command.operands.contains(where: \.takesRest), count > command.operands.count else {
            return
        }
        throw .usage(
            "‘\(arguments.operands[command.operands.count])’ is too much for ‘\(command.name)’.",
            hint: example)
    }
}

extension String {
    /// Begins with a dash; `-` alone stands for stdin.
    fileprivate var isOption: Bool { hasPrefix("-") && self != "-" }

    /// As a shell takes it for one word.
    fileprivate var inShell: String {
        let plain =
            !isEmpty && allSatisfy { $0.isLetter || $0.isNumber || "-_=,.:/@+".contains($0) }
        if plain { return self }
        return "'"
            + split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
            + "'"
    }

    /// `at` of `--at=tomorrow`.
    fileprivate var optionName: String {
        String(prefix { $0 != "=" }.drop { $0 == "-" })
    }
}

extension [String] {
    /// `low, normal or high`
    fileprivate var alternatives: String {
        guard let last, count > 1 else { return first ?? "" }
        return dropLast().joined(separator: ", ") + " or " + last
    }
}
