package import RemindAPI

/// Why a command did not do what it was asked: everything that is said about it, on stderr.
package struct Failure: Error, Equatable, Sendable {
    /// The error's name without its interface: `InvalidPhrase`; `Usage` and the like are our own.
    package var name: String
    /// An English sentence that names the value at fault in ‘quotes’.
    package var message: String
    /// What to do; a command line that works, where there is one.
    package var hint: String?
    /// The phrase with the place at fault.
    package var excerpt: Excerpt?
    /// The error's own fields as a JSON object, without message and hint.
    package var parameters: [UInt8]
    package var exit: ExitStatus

    package struct Excerpt: Equatable, Sendable {
        package var phrase: String
        /// The place at fault, in UTF-8 bytes of the phrase.
        package var position: Int
        package var length: Int
    }

    init(
        _ name: String, _ message: String, hint: String? = nil, excerpt: Excerpt? = nil,
        parameters: [UInt8] = Array("{}".utf8), exit: ExitStatus
    ) {
        (self.name, self.message, self.hint, self.excerpt) = (name, message, hint, excerpt)
        (self.parameters, self.exit) = (parameters, exit)
    }

    static func usage(_ message: String, hint: String?) -> Failure {
        Failure("Usage", message, hint: hint, exit: .usage)
    }

    static func input(_ message: String, hint: String?) -> Failure {
        Failure("InvalidArgument", message, hint: hint, exit: .data)
    }

    static func configuration(_ message: String, hint: String?) -> Failure {
        Failure("Configuration", message, hint: hint, exit: .configuration)
    }

    /// The reader of our output has had enough: the end, and no error.
    static let outputClosed = Failure("OutputClosed", "", exit: .done)

    static func output(_ reason: String) -> Failure {
        Failure("WriteFailed", "The output cannot be written: \(reason).", exit: .inputOutput)
    }

    /// Whatever else is to be done, its result could not be told.
    var concernsOutput: Bool { name == "OutputClosed" || name == "WriteFailed" }
}

extension Failure {
    /// What goes to stderr, with its line ends.
    ///
    /// - Parameter columns: of the terminal that stderr is; `nil`: nothing is broken.
    package func text(json: Bool, columns: Int? = nil) -> String {
        json ? String(decoding: jsonObject, as: UTF8.self) + "\n" : plainText(columns)
    }

    /// The message on one line, then the phrase with a caret line, then the hint.
    private func plainText(_ columns: Int?) -> String {
        func lines(_ text: String) -> String {
            text.wrapped(toCells: columns).joined(separator: "\n") + "\n"
        }
        var text = lines("remindctl: \(message.withShortValues.singleLine)")
        if let excerpt, let lines = excerpt.lines { text += lines }
        if let hint { text += lines("hint: \(hint.withShortValues.singleLine)") }
        return text
    }

    /// The one object on stderr that `--json` promises.
    private var jsonObject: [UInt8] {
        var json = JSONWriter(capacity: 256)
        json.object { json in
            json.field("error", name)
            json.field("message", message.withShortValues)
            json.field("hint", hint?.withShortValues)
            json.key("parameters")
            json.raw(parameters)
        }
        return json.bytes
    }
}

extension Failure.Excerpt {
    /// A longer phrase would fill the terminal, and the caret would stand lines below its place.
    private static let longestShown = 200

    /// The phrase, indented, and a caret under each cell at fault; `nil` for a phrase that is empty
    /// or too long to be shown.
    fileprivate var lines: String? {
        guard !phrase.isEmpty, phrase.count <= Self.longestShown else { return nil }
        let bytes = Array(phrase.utf8)
        let start = min(max(position, 0), bytes.count)
        let end = min(start + max(length, 0), bytes.count)
        let before = String(decoding: bytes[..<start], as: UTF8.self).singleLine.cells
        let marked = String(decoding: bytes[start..<end], as: UTF8.self).singleLine.cells
        let caret = "^" + String(repeating: "~", count: max(marked - 1, 0))
        return "  \(phrase.singleLine)\n  \(String(repeating: " ", count: before))\(caret)\n"
    }
}
