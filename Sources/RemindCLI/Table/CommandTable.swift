/// Every command and every option, in the order in which the help shows them. One more command is
/// one more entry.
package enum CommandTable {
    package static let commands: [Command] = entries.map { $0.command() }

    /// A command that is made when it is asked for: one run of the program needs one of them, and
    /// making all took a third of the time between its start and its call.
    struct Entry: Sendable {
        /// As in the command.
        let name: String
        let command: @Sendable () -> Command

        init(_ name: String, _ command: @autoclosure @escaping @Sendable () -> Command) {
            (self.name, self.command) = (name, command)
        }
    }

    static let entries = [
        Entry("add", add), Entry("list", list), Entry("show", show), Entry("edit", edit),
        Entry("done", done), Entry("reopen", reopen), Entry("rm", remove),
        Entry("snooze", snooze), Entry("dismiss", dismiss), Entry("undo", undo),
        Entry("search", search), Entry("lists", lists), Entry("tags", tags),
        Entry("next", next), Entry("log", log), Entry("explain", explain), Entry("when", when),
        Entry("watch", watch), Entry("import", importFile), Entry("export", exportFile),
        Entry("backup", backup), Entry("restore", restore), Entry("pause", pause),
        Entry("resume", resume), Entry("status", status), Entry("doctor", doctor),
        Entry("completions", completions), Entry("help", help),
    ]

    package static let globalOptions = [
        Option("socket", .value(.path), field: nil, "the daemon's socket"),
        Option("json", .flag, field: nil, "one JSON object a line; errors too"),
        Option(
            "color", .choice(["auto", "always", "never"]), field: nil,
            "colour; auto: on a terminal, unless NO_COLOR is set"),
        Option("help", .flag, field: nil, "show help"),
        Option("version", .flag, field: nil, "show the version"),
    ]

    static func command(named name: String) -> Command? {
        entries.first { $0.name == name }?.command()
    }

    /// The command that was probably meant.
    static func nearest(to word: String) -> Command? {
        let lowercased = word.lowercased()
        if let said = commands.first(where: { $0.otherWords.contains(lowercased) }) { return said }
        return Nearest.match(word, among: commands.map(\.name)).flatMap(command(named:))
    }

    /// Whether the option of that name takes a value, in whichever command it is; the same in all.
    static func takesValue(option name: String) -> Bool {
        option(named: name)?.takesValue ?? false
    }

    /// The first option of that name, the program's own ones before those of the commands.
    static func option(named name: String) -> Option? {
        if let option = globalOptions.first(where: { $0.name == name }) { return option }
        for command in commands {
            if let option = command.options.first(where: { $0.name == name }) { return option }
        }
        return nil
    }
}

extension CommandTable {
    private static let add = Command(
        name: "add", otherWords: ["new", "create", "remind"],
        summary: "Add a task; with a deadline it will ring",
        details: [
            "The title is the words joined by blanks; options may stand anywhere. A title is "
                + "never searched for dates."
        ],
        operands: [Operand(kind: .title, count: .words)], options: addOptions,
        examples: [
            "add --at \"2030-05-01 09:00\" Pay rent", "add Tea --in 10m",
            "add Call mum --at \"tomorrow 18:30\" --before 15m,1h --tag family",
            "add Water the plants --every \"monday at 9:00\"",
        ],
        run: Adding.add)

    static let addOptions: [Option] =
        [
            Option("at", .value(.when), field: "at", "when it is due", oneOf: "deadline"),
            Option("in", .value(.duration), field: "in", "due after that", oneOf: "deadline"),
        ] + ruleOptions + [
            Option("before", .values(.duration), field: "before", "rings that long before it too"),
            Option("nag", .value(.duration), field: "nag", "rings again until it is answered"),
            Option("note", .value(.note), field: "note", "a note; - reads it from stdin"),
            priorityOption("normal when not given"),
            Option("tag", .values(.tag), field: "tags", "a tag; again for more"),
            Option("list", .value(.list), field: "list", "the list it belongs to"),
            Option("tz", .value(.zone), field: "timeZone", "the time zone, not the machine's"),
            Option("past", .flag, field: "past", "accept a deadline that has gone by"),
        ]

    private static let list = Command(
        name: "list", otherWords: ["ls", "tasks"], summary: "List tasks, open ones by default",
        details: [
            "Overdue ones come first, then today, tomorrow, this week, later and those without a "
                + "date. Behind the number, * marks what rings now, z what is snoozed and x what is "
                + "done; ! is high priority, - low."
        ],
        options: listOptions,
        examples: ["list", "list --overdue", "list --all --tag family --sort created"],
        run: Listing.list)

    static let listOptions: [Option] =
        showOptions + [
            Option("list", .value(.list), field: "list", "those of one list"),
            Option("tag", .value(.tag), field: "tag", "those with a tag"),
            priorityOption("those of one priority"),
            Option("search", .value(.text), field: "search", "those that contain a text"),
            Option(
                "sort", .choice(["due", "created", "priority", "title"]), field: "sort",
                "the order; due when not given"),
            Option("reverse", .flag, field: "reverse", "the order turned round"),
            Option("limit", .number(1...1_000_000), field: "limit", "no more than that many"),
        ]

    private static let showOptions: [Option] = [
        ("open", "those not done"), ("done", "those done"), ("all", "open and done"),
        ("ringing", "those that ring now"), ("overdue", "open, and due in the past"),
        ("today", "open, and due today or before"),
        ("upcoming", "open, and due in the future"),
    ].map { Option($0, .constant($0), field: "show", $1, oneOf: "show") }

    private static func priorityOption(_ summary: String) -> Option {
        Option("priority", .choice(["low", "normal", "high"]), field: "priority", summary)
    }
}

extension CommandTable {
    static let references = [Operand(kind: .reference, count: .oneOrMore)]

    static let referenceDetails = [
        "REF is a task's number, its UUID, a unique beginning or ending of one (4 characters or "
            + "more), last (the one that rang last) or all (everything that rings now); - reads "
            + "them from stdin, one a line."
    ]

    private static let yes = Option(
        "yes", .flag, field: nil, "do not ask before many tasks change")

    private static let show = Command(
        name: "show", otherWords: ["info", "view", "cat"],
        summary: "Show everything about tasks, with their next rings",
        details: referenceDetails, operands: references, examples: ["show 7", "show last"],
        run: Showing.show)

    private static let done = Command(
        name: "done", otherWords: ["complete", "finish", "check", "do"],
        summary: "Complete tasks; a recurring one moves on",
        details: referenceDetails, operands: references,
        options: [Option("series", .flag, field: "series", "end a recurring task for good"), yes],
        examples: ["done 7", "done 7 9 12", "done 7 --series"], run: Answering.done)

    private static let reopen = Command(
        name: "reopen", otherWords: ["undone", "uncheck"], summary: "Open done tasks again",
        details: referenceDetails, operands: references, examples: ["reopen 7"],
        run: Answering.reopen)

    private static let remove = Command(
        name: "rm", otherWords: ["remove", "delete", "del"],
        summary: "Delete tasks, with their alarms and pop-ups",
        details: referenceDetails, operands: references, options: [yes],
        examples: ["rm 7", "rm 7 9"], run: Answering.remove)

    private static let snooze = Command(
        name: "snooze", otherWords: ["later", "postpone", "delay"],
        summary: "Silence a ring until later",
        details: referenceDetails
            + ["Without a time: for as long as the configuration says. The series never moves."],
        operands: [
            Operand(kind: .reference, count: .one),
            Operand(kind: .durationOrWhen, count: .optionalWords),
        ],
        examples: ["snooze 7", "snooze 7 10m", "snooze last tomorrow 9:00"], run: Answering.snooze)

    private static let dismiss = Command(
        name: "dismiss", otherWords: ["ack", "acknowledge", "silence", "stop"],
        summary: "Take note of rings; the tasks stay open",
        details: referenceDetails
            + [
                "What is dismissed is silent and leaves the screen; it stays on the list, and rings "
                    + "again at its next alarm or occurrence only. Closing a pop-up dismisses, too; "
                    + "one that the desktop takes away by itself is not answered, and comes back."
            ],
        operands: references, examples: ["dismiss 7", "dismiss all"],
        run: Answering.dismiss)

    private static let next = Command(
        name: "next", otherWords: ["upcoming", "agenda"], summary: "Show the next rings",
        operands: [Operand(kind: .number, count: .optional)], examples: ["next", "next 3"],
        run: Listing.next)

    private static let watch = Command(
        name: "watch", otherWords: ["follow", "monitor"],
        summary: "Show the list live, or one line an event",
        details: [
            "On a terminal: the list, redrawn whenever something changes; q leaves it. In a pipe "
                + "and with --json: one line an event, until interrupted."
        ],
        options: listOptions, examples: ["watch", "watch --json"], run: Watching.watch)

    private static let help = Command(
        name: "help", otherWords: ["man", "usage"], summary: "Show help, also for one command",
        operands: [Operand(kind: .command, count: .optional)], examples: ["help", "help add"],
        run: Help.run)
}
