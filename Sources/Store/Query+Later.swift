/// The statements about searching and undoing.
extension Query {
    var searchSQL: String {
        switch self {
        case .textsAreEqual:
            """
            SELECT 1 FROM task WHERE number = ?1 AND title = ?2 AND list = ?3 AND note IS ?4
                AND (SELECT group_concat(tag, char(31)) FROM tag WHERE task = ?1) IS ?5
            """
        case .searchText: "SELECT title, rest FROM search_text WHERE task = ?"
        case .insertSearchText: "INSERT INTO search_text (task, title, rest) VALUES (?, ?, ?)"
        case .deleteSearchText: "DELETE FROM search_text WHERE task = ?"
        case .insertSearch: "INSERT INTO search (rowid, title, rest) VALUES (?, ?, ?)"
        case .deleteSearch:
            "INSERT INTO search (search, rowid, title, rest) VALUES ('delete', ?, ?, ?)"
        case .insertSearchRange:
            """
            INSERT INTO search (rowid, title, rest) SELECT task, title, rest FROM search_text
            WHERE task BETWEEN ? AND ?
            """
        case .deleteSearchRange:
            """
            INSERT INTO search (search, rowid, title, rest)
            SELECT 'delete', task, title, rest FROM search_text WHERE task BETWEEN ? AND ?
            """
        case .deleteSearchTextRange: "DELETE FROM search_text WHERE task BETWEEN ? AND ?"
        default:
            """
            SELECT count(*) FROM
                (SELECT 1 FROM search_group WHERE term >= ? AND term < ? LIMIT ?)
            """
        }
    }

    var undoSQL: String {
        switch self {
        case .insertUndo:
            """
            INSERT INTO undo (entry, step, what, at, number, title, tasks, wall_moved, images)
            SELECT entry, ifnull(?1, entry), ?2, ?3, ?4, ?5, ?6, 0, ?7
            FROM (SELECT ifnull(max(entry), 0) + 1 AS entry FROM undo)
            """
        case .undoSteps:
            """
            SELECT step, what, at, number, title, tasks FROM undo WHERE entry = step
            ORDER BY entry DESC LIMIT ?
            """
        case .undoEntries:
            """
            SELECT images, wall_moved, entry FROM undo WHERE entry >= ?1 AND step = ?1
            ORDER BY entry DESC LIMIT ?2
            """
        case .growUndoStep:
            // One that began with what is no task gets its first task here.
            """
            UPDATE undo SET tasks = tasks + ?2, number = iif(number = 0, ?3, number),
                title = iif(number = 0, ?4, title)
            WHERE entry = ?1
            """
        case .deleteUndoStep: "DELETE FROM undo WHERE entry >= ?2 AND step = ?1"
        case .deleteLogRange: "DELETE FROM log WHERE entry BETWEEN ? AND ? AND number = ?"
        case .undoSizes: "SELECT entry, length(images) FROM undo ORDER BY entry DESC"
        case .pruneUndo: "DELETE FROM undo WHERE step <= ? AND step <> ?"
        default: "UPDATE undo SET wall_moved = 1"
        }
    }
}
