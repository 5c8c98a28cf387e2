/// Every statement that stays prepared. What each reads is a golden test (`query-plans.txt`).
enum Query: Int, CaseIterable {
    case begin, beginReading, savepoint, commit, release, insertMigration
    case insertTask, updateTask, deleteTask
    case insertAlarm, upsertAlarm, deleteAlarm, insertTag, deleteTags, tags
    case byNumber, listRows, byID, byIDRange, byIDEnding, lastRung, ringing, nextRings
    case alarms, nextAlarm, alarmsAhead, newestOfLog, followingZone
    case countOpen, countRinging, countPending
    case insertLog, log, logOfNumber
    case upsertPopup, popup, popups, deletePopup
    case meta, upsertMeta, deleteMeta
    case textsAreEqual, searchText, insertSearchText, deleteSearchText, insertSearch, deleteSearch
    case insertSearchRange, deleteSearchRange, deleteSearchTextRange, countSearchGroups
    case insertUndo, undoSteps, undoEntries, growUndoStep, deleteUndoStep, deleteLogRange
    case undoSizes, pruneUndo, markUndoMoved
    case calendarItem, calendarItemByUID, calendarContent, upsertCalendarItem, calendarPage
    case calendarFile, upsertCalendarFile
    case component, componentByIdentity, componentSize, upsertComponent, deleteComponent
    case componentPage, componentPageOfList, firstComponents, firstComponentsOfList
    case componentsOfUID, componentsOfFile
    case componentFile, insertComponentFile, deleteComponentFile, taskOfFile
    case componentSizeOfFile

    var sql: String {
        switch self {
        case .begin: "BEGIN IMMEDIATE"
        case .beginReading: "BEGIN"
        case .savepoint: "SAVEPOINT change"
        case .commit: "COMMIT"
        case .release: "RELEASE change"
        case .insertMigration: "INSERT INTO migration (number, name) VALUES (?, ?)"
        case .insertTask, .updateTask, .deleteTask, .insertAlarm, .upsertAlarm,
            .deleteAlarm, .insertTag, .deleteTags, .tags:
            changeSQL
        case .byNumber, .byID, .byIDRange, .byIDEnding, .lastRung, .ringing, .nextRings:
            Self.select + lookupSQL
        case .listRows:
            // The numbers come in the order of the list, which CROSS JOIN keeps (lang_select.html).
            """
            SELECT \(ListRow.columns) FROM json_each(?) AS wanted
            CROSS JOIN task ON task.number = wanted.value
            LEFT JOIN alarm ON alarm.task = task.number
            """
        case .alarms, .nextAlarm, .alarmsAhead, .newestOfLog, .followingZone, .countOpen,
            .countRinging, .countPending:
            numberSQL
        case .textsAreEqual, .searchText, .insertSearchText, .deleteSearchText, .insertSearch,
            .deleteSearch, .insertSearchRange, .deleteSearchRange, .deleteSearchTextRange,
            .countSearchGroups:
            searchSQL
        case .insertUndo, .undoSteps, .undoEntries, .growUndoStep, .deleteUndoStep,
            .deleteLogRange, .undoSizes, .pruneUndo, .markUndoMoved:
            undoSQL
        case .calendarItem, .calendarItemByUID, .calendarContent, .upsertCalendarItem,
            .calendarPage, .calendarFile, .upsertCalendarFile:
            calendarSQL
        case .component, .componentByIdentity, .componentSize, .upsertComponent,
            .deleteComponent, .componentPage, .componentPageOfList, .firstComponents,
            .firstComponentsOfList, .componentsOfUID, .componentsOfFile, .componentFile,
            .insertComponentFile, .deleteComponentFile, .taskOfFile, .componentSizeOfFile:
            componentSQL
        default: sideSQL
        }
    }

    /// Whole reminders.
    static let select = """
        SELECT \(ReminderRow.columns) FROM task LEFT JOIN alarm ON alarm.task = task.number
        """ + " "

    private var changeSQL: String {
        switch self {
        case .insertTask:
            """
            INSERT INTO task (id, done, due, follows_zone, priority, list, title, created, modified,
                completed, scheduled, deadline, rule, rule_start, rule_additions, rule_exceptions,
                lead_times, nag, note, plan, tags, number)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        case .updateTask:
            """
            UPDATE task SET (id, done, due, follows_zone, priority, list, title, created, modified,
                completed, scheduled, deadline, rule, rule_start, rule_additions, rule_exceptions,
                lead_times, nag, note, plan, tags)
                = (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            WHERE number = ?
            """
        case .deleteTask: "DELETE FROM task WHERE number = ?"
        case .insertAlarm: "INSERT " + Self.alarmColumns
        case .upsertAlarm: "INSERT OR REPLACE " + Self.alarmColumns
        case .deleteAlarm: "DELETE FROM alarm WHERE task = ?"
        case .insertTag: "INSERT INTO tag (task, tag) VALUES (?, ?) ON CONFLICT DO NOTHING"
        case .deleteTags: "DELETE FROM tag WHERE task = ?"
        default: "SELECT tag FROM tag WHERE task = ? ORDER BY tag"
        }
    }

    private static let alarmColumns = """
        INTO alarm (task, state, next_ring, rings, rung_through, ring_scheduled, ring_due,
            ring_rang_at, ring_missed, snoozed_until)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """

    private var lookupSQL: String {
        switch self {
        case .byNumber: "WHERE task.number = ?"
        case .byID: "WHERE task.id = ?"
        case .byIDRange: "WHERE task.id BETWEEN ? AND ? ORDER BY task.id LIMIT ?"
        case .byIDEnding:
            """
            WHERE substr(task.id, 15) = ?1 AND substr(hex(task.id), -length(?2)) = ?2
            ORDER BY task.number LIMIT ?3
            """
        case .lastRung:
            """
            WHERE task.number = (SELECT log.number FROM log JOIN task ON task.number = log.number
                WHERE log.kind = 'rang' ORDER BY log.entry DESC LIMIT 1)
            """
        case .ringing:
            """
            WHERE alarm.state = 'ringing' ORDER BY alarm.ring_rang_at, alarm.task
            """
        default:
            """
            WHERE alarm.next_ring IS NOT NULL
            ORDER BY alarm.next_ring, alarm.task LIMIT ?
            """
        }
    }

    private var numberSQL: String {
        switch self {
        case .alarms:
            """
            SELECT task, next_ring FROM alarm WHERE next_ring > ? AND next_ring <= ?
            ORDER BY next_ring, task
            """
        case .nextAlarm:
            """
            SELECT task, next_ring FROM alarm WHERE next_ring > ? ORDER BY next_ring, task LIMIT 1
            """
        case .alarmsAhead:
            """
            SELECT task FROM alarm
            WHERE rung_through > ?1 OR ring_rang_at > ?2 OR state = 'snoozed'
            """
        case .newestOfLog:
            "SELECT max(at) FROM (SELECT at FROM log ORDER BY entry DESC LIMIT 1000)"
        case .followingZone: "SELECT number FROM task WHERE follows_zone = 1 AND done = 0"
        case .countOpen: "SELECT count(*) FROM task WHERE done = 0"
        case .countRinging: "SELECT count(*) FROM alarm WHERE state = 'ringing'"
        default: "SELECT count(*) FROM alarm WHERE next_ring IS NOT NULL"
        }
    }

    private var sideSQL: String {
        switch self {
        case .insertLog:
            """
            INSERT INTO log (number, id, title, kind, at, due, late, missed, origin, until)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        case .log: Self.selectLog + "ORDER BY entry DESC LIMIT ?"
        case .logOfNumber: Self.selectLog + "WHERE number = ? ORDER BY entry DESC LIMIT ?"
        case .upsertPopup: "INSERT OR REPLACE INTO popup (key, server, id) VALUES (?, ?, ?)"
        case .popup: "SELECT key, server, id FROM popup WHERE key = ?"
        case .popups: "SELECT key, server, id FROM popup ORDER BY key"
        case .deletePopup: "DELETE FROM popup WHERE key = ?"
        case .meta: "SELECT value FROM meta WHERE key = ?"
        case .upsertMeta: "INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)"
        default: "DELETE FROM meta WHERE key = ?"
        }
    }

    private static let selectLog = """
        SELECT number, id, title, kind, at, due, late, missed, origin, until FROM log
        """ + " "
}
