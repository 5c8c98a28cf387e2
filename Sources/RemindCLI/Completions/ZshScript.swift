/// For zsh with its completion system (compinit).
enum ZshScript {
    static var text: String {
        """
        #compdef remindctl
        # Completion of remindctl for zsh; made by: remindctl completions zsh

        # The words that complete a value, one a line, with what they mean after a tab.
        _remindctl_words() {
            case $1 in
        \(CompletionScript.wordSets.map(wordSet).joined())    esac
        }
        \(offer)
        _remindctl() {
            local curcontext="$curcontext" state line ret=1
            typeset -A opt_args
            local -a every
            every=(
        \(specifications(CommandTable.globalOptions, of: "", indent: 8)))
            _arguments -C -S $every \\
                '1:command: _remindctl_offer command' '*::argument:->arguments' && ret=0
            [[ $state == arguments ]] || return ret
            case $words[1] in
        \(CommandTable.commands.map(arguments).joined())    esac
            return ret
        }

        if [[ $funcstack[1] == _remindctl ]]; then
            _remindctl "$@"
        else
            compdef _remindctl remindctl
        fi

        """
    }

    private static func wordSet(name: String, words: [Suggestion]) -> String {
        let lines = words.map { word in
            word.line.quoted.split(separator: "\t").joined(separator: "'$'\\t''")
        }
        return "        \(name)) printf '%s\\n' \(lines.joined(separator: " ")) ;;\n"
    }

    private static func arguments(_ command: Command) -> String {
        let operands = command.operands.enumerated().map { index, operand in
            let source = SuggestionSource(operand.kind, of: command.name)
            let place = operand.takesRest ? "*" : "\(index + 1)"
            let colons = operand.isRequired || operand.takesRest ? ":" : "::"
            return "                \("\(place)\(colons)\(action(operand.usage, source))".quoted)\n"
        }
        let lines =
            specifications(command.options, of: command.name, indent: 16) + operands.joined()
        return """
                    \(command.name))
                        _arguments -S $every \\
            \(lines.split(separator: "\n").map { "\($0) \\\n" }.joined())\
                            && ret=0 ;;

            """
    }

    private static func specifications(
        _ options: [Option], of command: String, indent: Int
    ) -> String {
        options.map { option in
            String(repeating: " ", count: indent)
                + specification(option, of: command, among: options).quoted + "\n"
        }.joined()
    }

    private static func specification(
        _ option: Option, of command: String, among options: [Option]
    ) -> String {
        let others = options.filter { $0.oneOf != nil && $0.oneOf == option.oneOf }
        let excluded =
            others.isEmpty ? "" : "(\(others.map { "--\($0.name)" }.joined(separator: " ")))"
        let meaning = "[\(escaped(option.summary, "[]:\\"))]"
        guard let source = SuggestionSource(option, of: command) else {
            return "\(excluded)--\(option.name)\(meaning)"
        }
        let value = action(option.placeholder ?? "", source)
        return "\(option.repeats ? "*" : excluded)--\(option.name)=\(meaning):\(value)"
    }

    /// The value's name and what completes it.
    private static func action(_ name: String, _ source: SuggestionSource) -> String {
        "\(escaped(name, ":\\")):"
            + (source == .files
                ? "_files"
                : source == .nothing ? " _remindctl_nothing" : " _remindctl_offer \(source.call)")
    }

    private static func escaped(_ text: String, _ special: String) -> String {
        text.reduce(into: "") { $0 += special.contains($1) ? "\\\($1)" : "\($1)" }
    }
}

extension ZshScript {
    /// Offers the words of a set, or what remindctl answers.
    private static let offer = #"""

        # Not a blank action: beside its message zsh inserts no option.
        _remindctl_nothing() {
            return 1
        }

        _remindctl_offer() {
            local line value
            local -a lines found
            if [[ $1 == ask ]]; then
                local socket=${opt_args[--socket]}
                lines=(${(f)"$(remindctl ${socket:+--socket=$socket} completions $2 2>/dev/null)"})
            else
                lines=(${(f)"$(_remindctl_words $1)"})
            fi
            for line in $lines; do
                value=${${${line%%$'\t'*}//\\/\\\\}//:/\\:}
                [[ $line == *$'\t'* ]] && value+=":${line#*$'\t'}"
                found+=($value)
            done
            (( $#found )) || return 1
            _describe -V "${2:-$1}" found
        }

        """#
}
