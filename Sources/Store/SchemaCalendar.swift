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

    /// Components of calendars that are no tasks, kept for the export: VJOURNAL, VFREEBUSY, X-….
    ///
    /// `recurrence` is RECURRENCE-ID as a content line, empty for none; the other columns are as in
    /// `calendar_item`. `calendar_component_file` says in which file of a vdir folder one stands, a
    /// hash of the file's bytes, and as `agreed` the `content` of the component as it says it.
    static let calendarComponents = """
        CREATE TABLE calendar_component (
            number INTEGER PRIMARY KEY,
            uid TEXT NOT NULL,
            name TEXT NOT NULL,
            recurrence TEXT NOT NULL,
            list TEXT NOT NULL,
            sequence INTEGER NOT NULL,
            version INTEGER NOT NULL,
            content INTEGER NOT NULL,
            text TEXT NOT NULL,
            UNIQUE (uid, name, recurrence)
        ) STRICT;

        CREATE TABLE calendar_component_file (
            folder TEXT NOT NULL,
            name TEXT NOT NULL,
            component INTEGER NOT NULL REFERENCES calendar_component (number) ON DELETE CASCADE,
            content INTEGER NOT NULL,
            agreed INTEGER NOT NULL,
            PRIMARY KEY (folder, name, component)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX calendar_component_file_by_component
            ON calendar_component_file (component, folder);
        """

    /// Each page of the export of a list asks for those of that list, by number: the rowid, which
    /// every index ends with.
    static let calendarComponentsOfList =
        "CREATE INDEX calendar_component_by_list ON calendar_component (list)"
}
