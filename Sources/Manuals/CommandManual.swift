import RemindAPI
import RemindCLI

/// remindctl(1), from the table of commands.
enum CommandManual {
    static var text: String {
        var page = Roff(
            "remindctl", section: 1, volume: "User Commands",
            summary: "reminders that ring on the desktop until they are answered")
        synopsis(&page)
        page.section("Description")
        page.prose(
            "remindctl talks to remindd(8), the reminder daemon: it adds tasks, lists them, changes "
                + "them, and answers those that ring. Options may stand anywhere; -- ends them.")
        page.paragraph(
            "There are three answers to what rings, by command or on its pop-up: done completes it, "
                + "snooze silences it until later, dismiss says that it was seen and leaves it "
                + "open. Closing the pop-up dismisses. A pop-up that expires or that the desktop "
                + "takes away by itself is not answered: it comes back.")
        page.section("Commands")
        for command in CommandTable.commands { describe(command, &page) }
        page.section("Options")
        page.prose("Every command takes these.")
        for option in CommandTable.globalOptions { describe(option, &page) }
        words(&page)
        statuses(&page)
        surroundings(&page)
        page.seeAlso([
            ("remindd.conf", 5), ("org.remindd.Reminders", 7), ("remindd", 8), ("systemctl", 1),
        ])
        return page.text
    }

    private static func synopsis(_ page: inout Roff) {
        page.section("Synopsis")
        page.synopsis([
            Roff.bold("remindctl"), "[\(Roff.italic("OPTION")) ...]", Roff.italic("COMMAND"), "...",
        ])
    }

    private static func describe(_ command: Command, _ page: inout Roff) {
        page.subsection(command.name)
        let operands = command.operands.map { Roff.italic($0.usage) }
        let options = command.options.isEmpty ? [] : ["[\(Roff.italic("OPTION")) ...]"]
        page.synopsis([Roff.bold("remindctl"), Roff.bold(command.name)] + operands + options)
        page.paragraph(command.summary + ".")
        for detail in command.details { page.paragraph(detail) }
        for option in command.options { describe(option, &page) }
        page.paragraph(command.examples.count == 1 ? "For example:" : "Examples:")
        page.indented { $0.example(command.examples.map { "remindctl \($0)" }) }
    }

    private static func describe(_ option: Option, _ page: inout Roff) {
        let value = option.placeholder.map { " \(Roff.italic($0))" } ?? ""
        page.item(Roff.bold("--\(option.name)") + value, [sentence(option.summary)])
    }

    /// The table's summaries are parts of sentences.
    private static func sentence(_ summary: String) -> String {
        summary.prefix(1).uppercased() + summary.dropFirst() + "."
    }
}

extension CommandManual {
    private static func words(_ page: inout Roff) {
        page.section("Words")
        let words: [(ValueKind, String)] = [
            (
                .reference,
                "A task's number, its UUID, a unique beginning or ending of one (4 characters or "
                    + "more), last (the one that rang last) or, where several make sense, all "
                    + "(everything that rings now)."
            ),
            (
                .when,
                "When something is due: a day, a date, a time, both, or a length of time from now: "
                    + "tomorrow 9am, friday 17:00, 2030-05-01 09:00, end of month, in 10 minutes. "
                    + "A phrase is read whole or refused; remindctl when PHRASE says what it means."
            ),
            (.duration, "A length of time: 10m, 1h 30m, 2 days, 1 week, PT15M. m is minutes."),
            (
                .rule,
                "How a task recurs: day at 9:00, weekday, monday, 2 weeks on monday, last friday, "
                    + "month, 29 feb, 3 days after completion; with an end: until 2030-06-01, for 5 "
                    + "times."
            ),
            (.rrule, "A recurrence rule as RFC 5545 has it: FREQ=WEEKLY;BYDAY=MO."),
            (.zone, "A time zone's name in the IANA database: Europe/Paris."),
            (.time, "A time as RFC 3339 has it: 2030-05-01T12:00:00+02:00."),
        ]
        for (kind, meaning) in words { page.item(Roff.italic(kind.rawValue), [meaning]) }
    }

    private static func statuses(_ page: inout Roff) {
        page.section("Exit status")
        let statuses: [(ExitStatus, String)] = [
            (.done, "It is done; also when whoever reads the output has had enough."),
            (.partly, "Some of several failed."), (.usage, "The command line makes no sense."),
            (.data, "A phrase, a rule, a file or a text is not understood or not accepted."),
            (.noInput, "There is no such task, or several match."),
            (.unavailable, "The daemon cannot be reached."),
            (.software, "A defect: please report it."), (.cannotCreate, "A file cannot be made."),
            (.inputOutput, "Something cannot be read or written."),
            (.temporary, "The store is busy: try again."),
            (.configuration, "The surroundings are not right: no private runtime directory."),
        ]
        for (status, meaning) in statuses { page.item(Roff.bold("\(status.rawValue)"), [meaning]) }
        page.paragraph(
            "An error is a sentence on standard error that names what is wrong; of a phrase, it is "
                + "followed by the phrase and a caret under the place. A hint comes last. With --json "
                + "an error is one object.")
    }

    private static func surroundings(_ page: inout Roff) {
        page.section("Environment")
        let variables = [
            ("REMINDD_SOCKET", "The daemon's socket, when --socket does not say it."),
            ("XDG_RUNTIME_DIR", "The folder of the socket, else; it must be the user's alone."),
            (
                "VISUAL, EDITOR",
                "The editor in which edit without options opens a task: the first that is set, a "
                    + "program and its arguments, run without a shell. Else sensible-editor, nano "
                    + "or vi, whichever is on PATH."
            ),
            ("NO_COLOR", "Set and not empty: no colour, unless --color always says otherwise."),
            ("TERM", "A terminal that is dumb gets no colour."),
            (
                "LC_ALL, LC_CTYPE, LANG",
                "The first of them that is set: where it is C or POSIX, the output is ASCII; what "
                    + "is not in the text of a task is shown as ?. JSON is UTF-8 always."
            ),
        ]
        for (name, meaning) in variables { page.item(Roff.bold(name), [meaning]) }
        page.section("Files")
        page.item(Roff.italic("$XDG_RUNTIME_DIR/remindd.sock"), ["Where the daemon listens."])
    }
}
