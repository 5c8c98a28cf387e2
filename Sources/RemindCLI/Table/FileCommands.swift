/// The commands about files of other programs.
extension CommandTable {
    static let importFile = Command(
        name: "import", otherWords: ["load", "read", "ics"],
        summary: "Take in the tasks of a calendar file",
        details: [
            "Reads iCalendar (.ics): to-dos and events, with their alarms; or all .ics files of a "
                + "folder (a vdir). What is broken is reported with its line, and the rest comes in.",
            "Reading a file again changes nothing; a newer version of a task changes it, and what "
                + "was done here stays. It is one step for undo, also when some was refused.",
            "Each rings at its alarms; without one, when it is due or begins: what has a date only, "
                + "at AllDayTime of remindd.conf(5), else 9:00. What fell due before it came in does "
                + "not ring for that any more, and an event that is over comes in as done.",
            "With --from it reads what another tool writes: what task export prints, the folder or "
                + "a file of calcurse, the lines of atq with what at -c prints, or a todo.txt.",
        ],
        operands: [Operand(kind: .file, count: .one)],
        options: [
            Option(
                "from", .choice(["taskwarrior", "calcurse", "at", "todo.txt"]), field: "format",
                "a file of that tool"),
            Option("list", .value(.list), field: "list", "the list it goes into"),
            Option(
                "dry-run", .flag, field: "dryRun", "store nothing, show each item with its rings"),
            Option("now", .value(.time), field: "now", "rings after that: an RFC 3339 time"),
            Option("tz", .value(.zone), field: "timeZone", "as a machine in that zone sees it"),
            Option("count", .number(1...1000), field: "count", "that many rings, else 5"),
        ],
        examples: [
            "import tasks.ics", "import --list work tasks.ics",
            "import --dry-run --count 20 --tz Europe/Paris tasks.ics",
            "import --from todo.txt todo.txt",
        ],
        run: Importing.run)

    static let exportFile = Command(
        name: "export", otherWords: ["save", "write", "dump"],
        summary: "Write tasks as a calendar file",
        details: [
            "Writes iCalendar (.ics), to stdout without a FILE. With --vdir all tasks are written, "
                + "one a file, into a folder that vdirsyncer, khal and todoman read; files that "
                + "would not change are left alone."
        ],
        operands: [Operand(kind: .file, count: .optional)],
        options: [
            Option("list", .value(.list), field: "list", "those of one list"),
            Option("all", .flag, field: "all", "done tasks too"),
            Option("vdir", .value(.path), field: nil, "a folder, one task a file"),
        ],
        examples: ["export tasks.ics", "export --list work -", "export --vdir tasks"],
        run: Exporting.run)
}
