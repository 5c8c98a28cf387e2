/// For fish 3 and newer.
enum FishScript {
    static var text: String {
        """
        # Completion of remindctl for fish; made by: remindctl completions fish

        # The words that complete a value, one a line, with what they mean after a tab.
        function __remindctl_words
            switch $argv[1]
        \(CompletionScript.wordSets.map(wordSet).joined())    end
        end

        # Whether an option takes a value: the command, the option.
        function __remindctl_takes_value
            switch "$argv[1] $argv[2]"
        \(valueCases)            return 0
            end
            return 1
        end
        \(machinery)
        complete -c remindctl -f
        complete -c remindctl -n 'not __remindctl_before >/dev/null' -a '(__remindctl_words command)'
        \(CommandTable.globalOptions.map { option($0, of: "", condition: nil) }.joined())\
        \(CommandTable.commands.map(lines).joined())
        """
    }

    private static func wordSet(name: String, words: [Suggestion]) -> String {
        "        case \(name)\n            printf '%s\\n' "
            + words.map { word in
                quoted(word.value) + (word.meaning.isEmpty ? "" : "\\t" + quoted(word.meaning))
            }.joined(separator: " ") + "\n"
    }

    /// Without a command, the option is that of whichever has it.
    private static var valueCases: String {
        var names = CommandTable.globalOptions.filter(\.takesValue).map { "'* --\($0.name)'" }
        for command in CommandTable.commands {
            for option in command.options where option.takesValue {
                names.append("'\(command.name) --\(option.name)'")
                if !names.contains("' --\(option.name)'") { names.append("' --\(option.name)'") }
            }
        }
        return "        case \(names.joined(separator: " "))\n"
    }

    private static func lines(_ command: Command) -> String {
        let options = command.options.map {
            option($0, of: command.name, condition: "__remindctl_is \(command.name)")
        }
        let operands = command.operands.enumerated().compactMap { index, operand -> String? in
            let source = SuggestionSource(operand.kind, of: command.name)
            guard source != .nothing else { return nil }
            let place = "__remindctl_is \(command.name) \(index)\(operand.takesRest ? " more" : "")"
            return "complete -c remindctl -n \(quoted(place)) \(values(source))\n"
        }
        return "\n" + options.joined() + operands.joined()
    }

    private static func option(_ option: Option, of command: String, condition: String?) -> String {
        var line = "complete -c remindctl"
        if let condition { line += " -n \(quoted(condition))" }
        line += " -l \(option.name) -d \(quoted(option.summary))"
        if let source = SuggestionSource(option, of: command) {
            line += source == .files ? " -r -F" : " -x \(values(source))"
        }
        return line.last == " " ? String(line.dropLast()) + "\n" : line + "\n"
    }

    private static func values(_ source: SuggestionSource) -> String {
        switch source {
        case .nothing: ""
        case .files: "-F"
        case .asked(let query): "-k -a '(__remindctl_ask \(query.rawValue))'"
        case .words(let name, _): "-k -a '(__remindctl_words \(name))'"
        }
    }

    private static func quoted(_ text: String) -> String {
        "'" + text.reduce(into: "") { $0 += "'\\".contains($1) ? "\\\($1)" : "\($1)" } + "'"
    }
}

extension FishScript {
    /// What is the same whatever the table holds.
    private static let machinery = #"""

        # The command and the words after it; nothing when there is none yet.
        function __remindctl_before
            set -l words (commandline -opc)
            set -l before
            set -l skip 0
            set -l ended 0
            for word in $words[2..-1]
                if test $skip = 1
                    set skip 0
                else if test $ended = 1
                    set -a before $word
                else
                    switch $word
                        case --
                            set ended 1
                        case '-*=*'
                        case '-*'
                            __remindctl_takes_value "$before[1]" $word; and set skip 1
                        case '*'
                            set -a before $word
                    end
                end
            end
            test (count $before) -gt 0; or return 1
            printf '%s\n' $before
        end

        # Whether it is that command, with that many words after it, or more.
        function __remindctl_is
            set -l before (__remindctl_before); or return 1
            test "$before[1]" = $argv[1]; or return 1
            set -q argv[2]; or return 0
            set -l count (math (count $before) - 1)
            test $count = $argv[2]; and return 0
            test "$argv[3]" = more; and test $count -gt $argv[2]
        end

        function __remindctl_ask
            set -l words (commandline -opc)
            set -l socket
            for index in (seq (count $words))
                switch $words[$index]
                    case '--socket=*'
                        set socket $words[$index]
                    case --socket
                        set socket --socket=$words[(math $index + 1)]
                end
            end
            remindctl $socket completions $argv[1] 2>/dev/null
        end

        """#
}
