/// Changing a task.
extension CommandTable {
    static let edit = Command(
        name: "edit", otherWords: ["change", "modify", "move", "reschedule", "rename"],
        summary: "Change a task",
        details: [
            "Changes what is given, nothing else; an empty value clears: --at \"\", --note \"\". What is "
                + "given takes the place of what was there: --tag of all the tags, --before of all "
                + "the lead times, --note of the whole note.",
            "Without an option, on a terminal, the task opens as a form in an editor: $VISUAL, "
                + "$EDITOR, or else sensible-editor, nano or vi. What was changed there is stored "
                + "when the editor ends; where it is refused, you are asked and nothing typed is lost.",
        ],
        operands: [Operand(kind: .reference, count: .one)],
        options: [Option("title", .value(.title), field: "title", "another title")]
            + addOptions.map { $0.ofEdit(saying: summaries[$0.name]) },
        examples: [
            "edit 7 --at \"tomorrow 18:00\"", "edit 7 --title \"Pay the rent\" --note \"\"",
            "edit last --every \"2 weeks\" --priority high",
        ],
        run: Editing.edit)

    /// Of the options of `add`, what they do to a task that is there.
    private static let summaries = [
        "before": "its lead times; with commas for more", "note": "its note; - reads it from stdin",
        "priority": "another priority", "tag": "all its tags; again for more",
        "list": "another list",
    ]
}

extension Option {
    /// The same option with another summary, if there is one; an empty priority is the usual one.
    fileprivate func ofEdit(saying summary: String?) -> Option {
        var option = Option(name, kind, field: field, summary ?? self.summary, oneOf: oneOf)
        if name == "priority" { option.whenEmpty = "normal" }
        return option
    }
}
