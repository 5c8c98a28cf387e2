/// Taking back, and finding again.
extension CommandTable {
    static let undo = Command(
        name: "undo", otherWords: ["revert", "oops"],
        summary: "Take back the last change, again and again",
        details: [
            "Takes back whatever add, edit, done, reopen, rm, snooze, dismiss, import, pause, "
                + "resume or a button of a pop-up did last: the tasks, their alarms and their log are what they were. "
                + "What one command did to many tasks is one step. Rings by themselves are none, and "
                + "stay. The last 1,000 steps are kept, also when the daemon restarts.",
            "restore is no step: after it, undo takes back what was done last before the copy was "
                + "made; to take a restore itself back, restore the file that it names. What was taken "
                + "back cannot be redone.",
        ],
        options: [
            Option("list", .flag, field: nil, "show what would be taken back, the last first"),
            Option("limit", .number(1...1000), field: "limit", "that many of the list, else 20"),
        ],
        examples: ["undo", "undo --list"], run: Undoing.undo)

    static let search = Command(
        name: "search", otherWords: ["find", "grep"],
        summary: "Find tasks by words in their texts",
        details: [
            "Finds the tasks, open and done, that have all the words in their title, note, list or "
                + "tags: in any order, as parts of words too, without regard to case and accents. "
                + "Open ones come first, then the best match. Nothing in the text is an operator."
        ],
        operands: [Operand(kind: .text, count: .words)],
        options: [
            Option("limit", .number(1...1_000_000), field: "limit", "no more than that many")
        ],
        examples: ["search rent", "search garden water --limit 5"], run: Listing.search)

    static let lists = Command(
        name: "lists", otherWords: ["projects", "folders"],
        summary: "Show the lists, and how many tasks each has",
        examples: ["lists"], run: Overview.lists)

    static let tags = Command(
        name: "tags", otherWords: ["labels", "contexts"],
        summary: "Show the tags, and how many tasks have each",
        examples: ["tags"], run: Overview.tags)
}
