/// The scripts that complete command lines in shells, made from the table of commands. Each is one
/// text that needs no daemon; what changes it asks for while it runs.
package enum CompletionScript {
    package struct Shell: Sendable {
        package let name: String
        private let script: @Sendable () -> String

        /// What the shell reads.
        package var text: String { script() }

        init(_ name: String, _ script: @escaping @Sendable () -> String) {
            (self.name, self.script) = (name, script)
        }
    }

    package static let shells = [
        Shell("bash") { BashScript.text }, Shell("zsh") { ZshScript.text },
        Shell("fish") { FishScript.text },
    ]

    /// The sets of words that never change, by name, each once.
    static var wordSets: [(name: String, words: [Suggestion])] {
        var sets: [(name: String, words: [Suggestion])] = []
        for source in allSources {
            guard case .words(let name, let words) = source,
                !sets.contains(where: { $0.name == name })
            else { continue }
            sets.append((name, words))
        }
        return sets
    }

    private static var allSources: [SuggestionSource] {
        CommandTable.globalOptions.compactMap { SuggestionSource($0, of: "") }
            + CommandTable.commands.flatMap { command in
                command.options.compactMap { SuggestionSource($0, of: command.name) }
                    + command.operands.map { SuggestionSource($0.kind, of: command.name) }
            }
    }
}

extension SuggestionSource {
    /// How the scripts call it: a word, or two of which the first one is `ask`.
    var call: String {
        switch self {
        case .nothing: "nothing"
        case .files: "files"
        case .asked(let query): "ask \(query.rawValue)"
        case .words(let name, _): name
        }
    }
}

extension String {
    /// In single quotes, as bash and zsh read it.
    var quoted: String {
        "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
            + "'"
    }
}
