/// The commands about files of other programs.
extension CommandTable {
    static let importFile = Command(
        name: "import", otherWords: ["load", "read", "ics"],
        summary: "Show a calendar file with the next rings",
        details: [
            "Reads iCalendar (.ics): to-dos and events, with their alarms. What is broken is "
                + "reported with its line, and the rest comes in."
        ],
        operands: [Operand(kind: .file, count: .one)],
        options: [
            Option("list", .value(.list), field: "list", "the list it goes into"),
            Option("dry-run", .flag, field: "dryRun", "store nothing, show what would be stored"),
            Option("now", .value(.time), field: "now", "rings after that: an RFC 3339 time"),
            Option("tz", .value(.zone), field: "timeZone", "as a machine in that zone sees it"),
            Option("count", .number(1...1000), field: "count", "that many rings, else 5"),
        ],
        examples: [
            "import --dry-run tasks.ics",
            "import --dry-run --count 20 --tz Europe/Paris tasks.ics",
        ],
        run: Importing.run)
}
