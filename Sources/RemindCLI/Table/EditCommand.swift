/// Changing a task.
extension CommandTable {
    static let edit = Command(
        name: "edit", otherWords: ["change", "modify", "move", "reschedule", "rename"],
        summary: "Change a task",
        details: [
            "Changes what is given, nothing else; an empty value clears: --at \"\", --note \"\"."
        ],
        operands: [Operand(kind: .reference, count: .one)],
        options: [Option("title", .value(.title), field: "title", "another title")] + addOptions,
        examples: [
            "edit 7 --at \"tomorrow 18:00\"", "edit 7 --title \"Pay the rent\" --note \"\"",
            "edit last --every \"2 weeks\" --priority high",
        ],
        run: Editing.edit)
}
