extension Schema {
    /// Calendar items that came in: who they are, which version, and their text as it goes out.
    ///
    /// `task.plan` is `Reminder.plan`. `calendar_item.version` is LAST-MODIFIED or DTSTAMP,
    /// `content` a hash of the text as it came, `stored` the `task.modified` with which the text
    /// agrees. `calendar_file` says which file of a vdir folder holds a reminder, and a hash of its
    /// bytes.
    static let calendarItems = """
        ALTER TABLE task ADD COLUMN plan TEXT;

        CREATE TABLE calendar_item (
            task INTEGER PRIMARY KEY REFERENCES task (number) ON DELETE CASCADE,
            uid TEXT NOT NULL UNIQUE,
            sequence INTEGER NOT NULL,
            version INTEGER NOT NULL,
            content INTEGER NOT NULL,
            stored INTEGER NOT NULL,
            text TEXT NOT NULL
        ) STRICT;

        CREATE TABLE calendar_file (
            folder TEXT NOT NULL,
            name TEXT NOT NULL,
            task INTEGER NOT NULL REFERENCES task (number) ON DELETE CASCADE,
            content INTEGER NOT NULL,
            PRIMARY KEY (folder, name)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX calendar_file_by_task ON calendar_file (task, folder);
        """

    /// `calendar_file.agreed` is `task.modified` at the time when the file was last read or written:
    /// whether the task, the file or both were changed since.
    static let calendarAgreement = "ALTER TABLE calendar_file ADD COLUMN agreed INTEGER"
}
