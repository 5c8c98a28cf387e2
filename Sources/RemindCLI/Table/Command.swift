import RemindAPI

/// A command, as data: the parser, the help and whatever else describes the command line read it
/// here. What it does is one function.
package struct Command: Sendable {
    package let name: String
    /// What people say instead; known only to suggest the name.
    var otherWords: [String] = []
    /// Imperative, without a full stop.
    package let summary: String
    /// Paragraphs that `help COMMAND` adds.
    package var details: [String] = []
    package var operands: [Operand] = []
    package var options: [Option] = []
    /// Command lines without the program's name; each works as it stands, and the first one is
    /// what an error hints at.
    package let examples: [String]
    let run: @Sendable (Session) throws(Failure) -> ExitStatus

    /// The option of that name, the program's own ones included.
    func option(named name: String) -> Option? {
        options.first { $0.name == name } ?? CommandTable.globalOptions.first { $0.name == name }
    }
}

/// What a value means; it says how the value is called, and later how it is completed.
package enum ValueKind: String, Sendable {
    case when = "WHEN"
    case duration = "DURATION"
    case durationOrWhen = "DURATION|WHEN"
    case rule = "RULE"
    case rrule = "RRULE"
    case time = "TIME"
    case title = "TITLE"
    /// A text; `-` reads it from stdin.
    case note = "TEXT|-"
    case text = "TEXT"
    case tag = "T"
    case list = "NAME"
    case zone = "ZONE"
    case reference = "REF"
    case path = "PATH"
    /// `-` is stdin.
    case file = "FILE|-"
    case number = "N"
    case command = "COMMAND"
    case shell = "bash|zsh|fish"
    case format = "FORMAT"
}

/// A word that is no option.
package struct Operand: Sendable {
    package enum Count: Sendable {
        case one
        case optional
        case oneOrMore
        /// Joined by blanks into one value.
        case words
        case optionalWords
    }

    package let kind: ValueKind
    package let count: Count

    var isRequired: Bool {
        switch count {
        case .one, .oneOrMore, .words: true
        case .optional, .optionalWords: false
        }
    }

    /// True when it takes all the words that are left.
    var takesRest: Bool {
        switch count {
        case .oneOrMore, .words, .optionalWords: true
        case .one, .optional: false
        }
    }

    /// As the help writes it: `TITLE...`, `[N]`.
    package var usage: String {
        switch count {
        case .one: kind.rawValue
        case .optional, .optionalWords: "[\(kind.rawValue)]"
        case .oneOrMore, .words: "\(kind.rawValue)..."
        }
    }
}

/// An option, and the field of the call that it sets.
package struct Option: Sendable {
    package enum Kind: Sendable {
        /// Sets the field to true.
        case flag
        /// Sets the field to this text.
        case constant(String)
        case value(ValueKind)
        /// A field that is an array: given again, or with commas, for more.
        case values(ValueKind)
        case choice([String])
        case number(ClosedRange<Int64>)
    }

    /// Without its dashes.
    package let name: String
    package let kind: Kind
    /// The parameter of the call; `nil` for what concerns the program alone.
    let field: StaticString?
    /// For the help; small letters, no full stop.
    package let summary: String
    /// Of the options with the same word here only one may be given.
    var oneOf: String?
    /// What an empty value stands for, where it is no value of its own.
    var whenEmpty: String?

    init(
        _ name: String, _ kind: Kind, field: StaticString?, _ summary: String, oneOf: String? = nil
    ) {
        (self.name, self.kind, self.field) = (name, kind, field)
        (self.summary, self.oneOf) = (summary, oneOf)
    }

    var takesValue: Bool { placeholder != nil }

    /// What stands for its value in the help.
    package var placeholder: String? {
        switch kind {
        case .flag, .constant: nil
        case .value(let kind), .values(let kind): kind.rawValue
        case .choice(let choices): choices.joined(separator: "|")
        case .number: ValueKind.number.rawValue
        }
    }

    /// `--at WHEN`
    package var usage: String { "--\(name)" + (placeholder.map { " \($0)" } ?? "") }

    package var repeats: Bool {
        if case .values = kind { true } else { false }
    }
}
