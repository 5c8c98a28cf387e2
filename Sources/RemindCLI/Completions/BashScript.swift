/// For bash 4.4 and newer; needs nothing of the package bash-completion.
enum BashScript {
    static var text: String {
        """
        # Completion of remindctl for bash; made by: remindctl completions bash

        # The words that complete a value, one a line, with what they mean after a tab.
        _remindctl_words() {
            case $1 in
        \(CompletionScript.wordSets.map(wordSet).joined())    esac
        }

        # What the value of an option is: $1 the command, $2 the option.
        _remindctl_option() {
            case "$1 $2" in
        \(optionCases)        *) return 1 ;;
            esac
        }

        # What a word after the command is: $1 the command, $2 how many there are before it.
        _remindctl_operand() {
            case "$1 $2" in
        \(operandCases)        *) echo nothing ;;
            esac
        }

        # The options of a command.
        _remindctl_options() {
            case $1 in
        \(CommandTable.commands.map(optionNames).joined())    esac
            echo '\(names(CommandTable.globalOptions))'
        }
        \(machinery)
        complete -F _remindctl remindctl

        """
    }

    private static func wordSet(name: String, words: [Suggestion]) -> String {
        "        \(name)) printf '%s\\n' \(words.map { ansi($0.line) }.joined(separator: " ")) ;;\n"
    }

    /// In quotes, a tab as `\t`.
    private static func ansi(_ line: String) -> String {
        guard line.contains("\t") else { return line.quoted }
        let escaped = line.reduce(into: "") { text, character in
            switch character {
            case "\t": text += "\\t"
            case "'", "\\": text += "\\\(character)"
            default: text.append(character)
            }
        }
        return "$'\(escaped)'"
    }

    /// Options before the command are looked up without one.
    private static var optionCases: String {
        var cases: [(pattern: String, call: String)] = []
        for option in CommandTable.globalOptions {
            guard let source = SuggestionSource(option, of: "") else { continue }
            cases.append(("*' --\(option.name)'", source.call))
        }
        for command in CommandTable.commands {
            for option in command.options {
                guard let source = SuggestionSource(option, of: command.name) else { continue }
                cases.append(("'\(command.name) --\(option.name)'", source.call))
                let bare = "' --\(option.name)'"
                if !cases.contains(where: { $0.pattern == bare }) {
                    cases.append((bare, source.call))
                }
            }
        }
        return cases.map { "        \($0.pattern)) echo '\($0.call)' ;;\n" }.joined()
    }

    private static var operandCases: String {
        CommandTable.commands.flatMap { command in
            command.operands.enumerated().map { index, operand in
                let place = operand.takesRest ? "*" : "\(index)"
                let call = SuggestionSource(operand.kind, of: command.name).call
                return "        '\(command.name) '\(place)) echo '\(call)' ;;\n"
            }
        }.joined()
    }

    private static func optionNames(_ command: Command) -> String {
        "        \(command.name)) echo '\(names(command.options))' ;;\n"
    }

    private static func names(_ options: [Option]) -> String {
        options.map { "--\($0.name)" }.joined(separator: " ")
    }
}

extension BashScript {
    /// What is the same whatever the table holds.
    private static let machinery = #"""

        # Offers the lines of stdin that begin with what is typed. With several, those that only list
        # them get the meanings too.
        _remindctl_offer() {
            local value meaning values=() shown=() wide=0 i
            while IFS=$'\t' read -r value meaning; do
                [[ $value == "$cur"* ]] || continue
                values+=("$value")
                shown+=("$meaning")
                ((${#value} > wide)) && wide=${#value}
            done
            compopt -o nosort 2>/dev/null
            for i in "${!values[@]}"; do
                value=${values[i]}
                if [[ ! $quote ]]; then
                    # What stands before the last colon is not replaced.
                    value=${value#"${cur%"${cur##*[:=]}"}"}
                    printf -v value %q "$value"
                fi
                if ((${#values[@]} > 1)) && [[ ${shown[i]} && $COMP_TYPE != 3[07] && $COMP_TYPE != 42 ]]
                then
                    printf -v value '%-*s  (%s)' "$wide" "$value" "${shown[i]}"
                fi
                COMPREPLY+=("$value")
            done
        }

        _remindctl_complete() {
            case $1 in
                nothing) ;;
                files)
                    compopt -o filenames 2>/dev/null
                    mapfile -t COMPREPLY < <(compgen -f -- "$cur") ;;
                'ask '*)
                    _remindctl_offer < <(
                        remindctl ${socket:+"--socket=$socket"} completions "${1#ask }" 2>/dev/null) ;;
                *) _remindctl_offer < <(_remindctl_words "$1") ;;
            esac
        }

        _remindctl() {
            local words=() rest=$COMP_LINE stripped n=-1 i
            local cur quote='' command='' option='' ended='' socket='' operands=0
            COMPREPLY=()
            # What bash cuts at = and : belongs together again.
            for ((i = 0; i <= COMP_CWORD; i++)); do
                stripped=${rest#"${rest%%[![:space:]]*}"}
                if ((i == 0)) || [[ $stripped != "$rest" ]]; then
                    n=$((n + 1))
                    words[n]=''
                fi
                words[n]+=${COMP_WORDS[i]}
                rest=${stripped#"${COMP_WORDS[i]}"}
            done
            for ((i = 1; i < n; i++)); do
                option=''
                if [[ $ended ]]; then
                    operands=$((operands + 1))
                    continue
                fi
                case ${words[i]} in
                    --) ended=1 ;;
                    --socket=*) socket=${words[i]#*=} ;;
                    -*=*) ;;
                    --*)
                        if _remindctl_option "$command" "${words[i]}" >/dev/null; then
                            option=${words[i]}
                            i=$((i + 1))
                            if ((i < n)); then
                                [[ $option == --socket ]] && socket=${words[i]}
                                option=''
                            fi
                        fi ;;
                    *)
                        if [[ $command ]]; then operands=$((operands + 1)); else command=${words[i]}; fi ;;
                esac
            done
            cur=${words[n]}
            if [[ ! $option && ! $ended && $cur == --*=* ]]; then
                option=${cur%%=*}
                cur=${cur#*=}
            fi
            case $cur in
                [\"\']*)
                    quote=${cur:0:1}
                    cur=${cur:1} ;;
                *) cur=${cur//\\/} ;;
            esac
            if [[ $option ]]; then
                _remindctl_complete "$(_remindctl_option "$command" "$option")"
            elif [[ $cur == -* && ! $ended ]]; then
                mapfile -t COMPREPLY < <(compgen -W "$(_remindctl_options "$command")" -- "$cur")
            elif [[ ! $command ]]; then
                _remindctl_complete command
            else
                _remindctl_complete "$(_remindctl_operand "$command" "$operands")"
            fi
        }

        """#
}
