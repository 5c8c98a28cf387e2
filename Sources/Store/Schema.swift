import CSQLite

/// The schema, as the list of steps that made it. Steps are only ever added at the end: a file
/// that exists has run those before, and runs the rest once.
enum Schema {
    /// A step, run in one IMMEDIATE transaction with its mark.
    struct Migration {
        let name: String
        let sql: String
        /// What SQL cannot do, afterwards.
        var fill: (Connection) throws(StoreError) -> Void = { (_) throws(StoreError) in }
    }

    /// The `application_id` of our files: “Rmnd” (<https://www.sqlite.org/pragma.html>).
    static let applicationID: Int64 = 0x526D_6E64

    /// `user_version` of a file that has run all steps.
    static var version: Int { migrations.count }

    static var migrations: [Migration] {
        [
            Migration(name: "tasks, alarms, log", sql: first),
            Migration(name: "undo", sql: undo),
            Migration(name: "search", sql: search, fill: SearchIndex.fill),
            Migration(name: "calendar items", sql: calendarItems),
            Migration(name: "calendar agreement", sql: calendarAgreement),
            Migration(name: "tags in a row", sql: tagsInRow),
            Migration(name: "calendar components", sql: calendarComponents),
            Migration(name: "calendar components of a list", sql: calendarComponentsOfList),
        ]
    }

    /// Times are milliseconds since the Unix epoch; other forms are those of `Codec`.
    ///
    /// `task.due` is the deadline as an instant, in the machine's zone of the time it was written;
    /// it is only there to sort and to filter. Undated tasks have the greatest integer, so that one
    /// index gives the order of a list, undated last.
    ///
    /// Most reminders have the priority 1 (normal), and an index of the others costs them nothing.
    ///
    /// `alarm` has no row for a reminder that has nothing to ring and never rang. It is apart from
    /// `task` so that a ring writes a short row, not the note.
    ///
    /// `popup` outlives its reminder: one that was deleted may still be on the screen.
    ///
    /// Nothing writes `foreign_property`: `calendar_item` has the whole text of what came in.
    ///
    /// A check says no `IN` with more than two values, for which SQLite makes a table at each
    /// statement: a tenth of what an add takes. Files from before say it so, and mean the same.
    private static let first = """
        CREATE TABLE task (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
            done INTEGER NOT NULL CHECK (done IN (0, 1)),
            due INTEGER NOT NULL,
            follows_zone INTEGER NOT NULL CHECK (follows_zone IN (0, 1)),
            priority INTEGER NOT NULL CHECK (priority BETWEEN 0 AND 2),
            list TEXT NOT NULL,
            title TEXT NOT NULL,
            created INTEGER NOT NULL,
            modified INTEGER NOT NULL,
            completed INTEGER,
            scheduled INTEGER,
            deadline TEXT,
            rule TEXT,
            rule_start TEXT,
            rule_additions TEXT,
            rule_exceptions TEXT,
            lead_times TEXT,
            nag INTEGER,
            note TEXT
        ) STRICT;
        CREATE INDEX task_by_due ON task (done, due);
        CREATE INDEX task_by_list ON task (list, done, due);
        CREATE INDEX task_by_priority ON task (priority, done, due) WHERE priority <> 1;
        CREATE INDEX task_by_id_ending ON task (substr(id, 15));
        CREATE INDEX task_following_zone ON task (follows_zone, done) WHERE follows_zone = 1;

        CREATE TABLE alarm (
            task INTEGER PRIMARY KEY REFERENCES task (number) ON DELETE CASCADE,
            state TEXT NOT NULL CHECK (state = 'none' OR state = 'pending' OR state = 'ringing'
                OR state = 'snoozed'),
            next_ring INTEGER,
            rings INTEGER NOT NULL,
            rung_through INTEGER,
            ring_scheduled INTEGER,
            ring_due INTEGER,
            ring_rang_at INTEGER,
            ring_missed INTEGER,
            snoozed_until INTEGER
        ) STRICT;
        CREATE INDEX alarm_by_next_ring ON alarm (next_ring) WHERE next_ring IS NOT NULL;
        CREATE INDEX alarm_ringing ON alarm (ring_rang_at) WHERE state = 'ringing';

        CREATE TABLE tag (
            task INTEGER NOT NULL REFERENCES task (number) ON DELETE CASCADE,
            tag TEXT NOT NULL CHECK (instr(tag, char(31)) = 0),
            PRIMARY KEY (task, tag)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX tag_by_name ON tag (tag);

        CREATE TABLE log (
            entry INTEGER PRIMARY KEY,
            number INTEGER NOT NULL,
            id BLOB NOT NULL CHECK (length(id) = 16),
            title TEXT NOT NULL,
            kind TEXT NOT NULL,
            at INTEGER NOT NULL,
            due INTEGER,
            late INTEGER,
            missed INTEGER NOT NULL,
            origin TEXT NOT NULL,
            until INTEGER
        ) STRICT;
        CREATE INDEX log_by_number ON log (number);
        CREATE INDEX log_of_rings ON log (entry) WHERE kind = 'rang';

        CREATE TABLE popup (
            key TEXT PRIMARY KEY,
            server TEXT NOT NULL,
            id INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE foreign_property (
            task INTEGER NOT NULL REFERENCES task (number) ON DELETE CASCADE,
            position INTEGER NOT NULL,
            component TEXT NOT NULL,
            name TEXT NOT NULL,
            parameters TEXT NOT NULL,
            value TEXT NOT NULL,
            PRIMARY KEY (task, position)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
        """

    /// The names of the steps that a file has run.
    private static let ledger = """
        CREATE TABLE IF NOT EXISTS migration (
            number INTEGER PRIMARY KEY,
            name TEXT NOT NULL UNIQUE
        ) STRICT
        """

    /// Makes a database at `path` under another name first: a power cut, a full disk or a kill leaves
    /// none, not a part of one. The caller holds the lock of `path`.
    static func makeDatabase(_ path: String) throws(StoreError) {
        let part = try PartialFile(named: path + ".new", for: path)
        do throws(StoreError) {
            let connection = try Connection(path: part.path, flags: SQLITE_OPEN_READWRITE)
            try migrate(connection)
            try connection.close()
            try part.moveIntoPlace(path)
        } catch {
            throw error.naming(path, insteadOf: part.path)
        }
    }

    /// Runs the steps that the file has not run, up to `last`; each wholly or not at all.
    static func migrate(
        _ connection: Connection, through last: Int = Schema.version
    ) throws(StoreError) {
        let done = Int(try connection.integer("PRAGMA user_version") ?? 0)
        for (index, migration) in migrations.prefix(last).enumerated().dropFirst(done) {
            try connection.begin()
            do throws(StoreError) {
                try run(migration, number: index + 1, on: connection)
            } catch {
                connection.rollBack()
                throw error.asDamage
            }
            try connection.commit()
        }
    }

    private static func run(_ migration: Migration, number: Int, on connection: Connection)
        throws(StoreError)
    {
        try connection.execute(ledger)
        try connection.execute(migration.sql)
        try migration.fill(connection)
        let mark = try connection.statement(.insertMigration)
        defer { mark.reset() }
        try mark.bind(number).bind(migration.name).run()
        try connection.execute("PRAGMA application_id = \(applicationID)")
        try connection.execute("PRAGMA user_version = \(number)")
    }
}
