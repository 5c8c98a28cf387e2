/// The later steps. Their order is in `Schema.migrations`.
extension Schema {
    /// `task.tags` has the tags of the table `tag` in a row's own place, for lists: to gather them
    /// from the table took half of what SQLite does for a row of a list. The table is what counts.
    static let tagsInRow = "ALTER TABLE task ADD COLUMN tags TEXT;\n\(gatherTags)"

    /// Makes `task.tags` agree with the table.
    static let gatherTags = """
        UPDATE task SET tags = (SELECT group_concat(tag, char(31)) FROM tag WHERE task = number)
        WHERE tags IS NOT (SELECT group_concat(tag, char(31)) FROM tag WHERE task = number)
        """

    /// What `remindctl undo` takes back. A row is what one transaction changed; rows with the same
    /// `step` are taken back together, and `step` is the `entry` that began it.
    ///
    /// `images` has the tasks as they were before (`StepImage`), in the row itself: an `add` costs
    /// one page, the last one of this table. `wall_moved` says that the machine's zone or the times
    /// of day have changed since: the instants in the images are to be computed anew.
    static let undo = """
        CREATE TABLE undo (
            entry INTEGER PRIMARY KEY,
            step INTEGER NOT NULL,
            what TEXT NOT NULL,
            at INTEGER NOT NULL,
            number INTEGER NOT NULL,
            title TEXT NOT NULL,
            tasks INTEGER NOT NULL,
            wall_moved INTEGER NOT NULL CHECK (wall_moved IN (0, 1)),
            images BLOB NOT NULL
        ) STRICT;
        """

    /// What a search looks into: the texts of a task, folded (`SearchText`), and the groups of three
    /// characters in them. `detail=none` and `columnsize=0`: only which task has which group, as
    /// what is found is checked against `search_text`. The folding is ours and complete, so that the
    /// tokenizer, which knows less of it, must not fold. `search_group` shows the groups themselves,
    /// in order: words of one or two characters are the beginnings of some.
    static let search = """
        CREATE TABLE search_text (
            task INTEGER PRIMARY KEY,
            title TEXT NOT NULL,
            rest TEXT NOT NULL
        ) STRICT;
        CREATE VIRTUAL TABLE search USING fts5 (
            title, rest, content = 'search_text', content_rowid = 'task',
            tokenize = 'trigram case_sensitive 1', detail = none, columnsize = 0
        );
        CREATE VIRTUAL TABLE search_group USING fts5vocab (search, instance);
        """
}
