/// The commands about copies of the store.
extension CommandTable {
    private static let file = [Operand(kind: .path, count: .one)]

    static let backup = Command(
        name: "backup", otherWords: ["dump", "save"],
        summary: "Copy the store to a file",
        details: [
            "The copy is consistent and is checked before it gets its name. A backup that stands "
                + "there is replaced, another file never. The daemon keeps daily copies of its own in "
                + "the folder backups beside the store, for seven days on which something changed."
        ],
        operands: file, examples: ["backup ~/reminders-backup.db"], run: BackingUp.backup)

    static let restore = Command(
        name: "restore", otherWords: ["recover"],
        summary: "Put a copy in the place of the store",
        details: [
            "The file is checked first. The store as it was is kept in the folder backups beside it: "
                + "restore that file to go back. It is no step for undo."
        ],
        operands: file, examples: ["restore ~/reminders-backup.db"], run: BackingUp.restore)
}
