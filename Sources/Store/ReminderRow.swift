import RemindCore

/// A reminder as columns, in both directions. The order of the columns here is their order in
/// `Query`.
enum ReminderRow {
    /// What `read` reads.
    static let columns = """
        task.number, task.id, task.title, task.note, task.list, task.priority, task.done, \
        task.deadline, task.rule, task.rule_start, task.rule_additions, task.rule_exceptions, \
        task.lead_times, task.nag, task.created, task.modified, task.completed, task.scheduled, \
        alarm.state, alarm.next_ring, alarm.rings, alarm.rung_through, alarm.ring_scheduled, \
        alarm.ring_due, alarm.ring_rang_at, alarm.ring_missed, \
        (SELECT group_concat(tag, char(31)) FROM tag WHERE task = task.number), \
        alarm.snoozed_until, task.plan
        """

    /// How many columns that is.
    static let count: Int32 = 29

    /// - Throws: `corrupt`, naming the reminder and the column, for a value that is never written.
    static func read(_ row: Statement, path: String) throws(StoreError) -> Reminder {
        let number = row.integer(0)
        guard let id = row.id(1) else { throw damaged(number, "id", path) }
        var reminder = Reminder(id: id, title: row.text(2), created: row.instant(14))
        reminder.number = number
        reminder.note = row.optionalText(3)
        reminder.list = row.text(4)
        guard let priority = Codec.priority(row.integer(5)) else {
            throw damaged(number, "priority", path)
        }
        reminder.priority = priority
        reminder.state = row.integer(6) == 0 ? .open : .done
        reminder.deadline = try deadline(row, 7, number, "deadline", path)
        reminder.recurrence = try recurrence(row, number, path)
        guard let before = Codec.durations(row.optionalText(12)) else {
            throw damaged(number, "lead_times", path)
        }
        reminder.before = before
        reminder.nag = row.optionalInteger(13)
        reminder.modified = row.instant(15)
        reminder.completed = row.optionalInstant(16)
        reminder.scheduled = row.optionalInstant(17)
        reminder.alarm = try alarm(row, number, path)
        reminder.tags = Codec.tags(row.optionalText(26))
        reminder.plan = row.optionalText(28)
        return reminder
    }

    private static func deadline(
        _ row: Statement, _ column: Int32, _ number: Int64, _ name: String, _ path: String
    ) throws(StoreError) -> Deadline? {
        guard let text = row.optionalText(column) else { return nil }
        guard let deadline = Codec.deadline(text) else { throw damaged(number, name, path) }
        return deadline
    }

    private static func recurrence(_ row: Statement, _ number: Int64, _ path: String)
        throws(StoreError) -> Recurrence?
    {
        guard let rule = row.optionalText(8) else { return nil }
        guard let start = try deadline(row, 9, number, "rule_start", path) else {
            throw damaged(number, "rule_start", path)
        }
        guard let additions = Codec.deadlines(row.optionalText(10)) else {
            throw damaged(number, "rule_additions", path)
        }
        guard let exceptions = Codec.deadlines(row.optionalText(11)) else {
            throw damaged(number, "rule_exceptions", path)
        }
        return Recurrence(
            rule: RecurrenceRule(text: rule), start: start, additions: additions,
            exceptions: exceptions)
    }

    private static func alarm(_ row: Statement, _ number: Int64, _ path: String)
        throws(StoreError) -> Alarm
    {
        guard let name = row.optionalText(18) else { return .silent }
        guard let state = Alarm.State(rawValue: name) else {
            throw damaged(number, "state", path)
        }
        var ring: Ring?
        if let scheduled = row.optionalInstant(22) {
            ring = Ring(
                scheduled: scheduled, due: row.instant(23), rangAt: row.instant(24),
                missed: Int(row.integer(25)))
        }
        return Alarm(
            state: state, nextRing: row.optionalInstant(19), ring: ring,
            snoozedUntil: row.optionalInstant(27), rings: Int(row.integer(20)),
            rungThrough: row.optionalInteger(21))
    }

    private static func damaged(_ number: Int64, _ column: String, _ path: String) -> StoreError {
        StoreError(
            .corrupt, path: path, detail: "reminder \(number) has no valid value in ‘\(column)’")
    }

    /// Binds what `insertTask` and `updateTask` have in common.
    static func bind(_ reminder: Reminder, due: Instant?, to statement: Statement) -> Statement {
        let recurrence = reminder.recurrence
        return statement.bind(reminder.id).bind(reminder.state == .done).bind(Codec.due(due))
            .bind(Codec.followsZone(reminder.deadline)).bind(Codec.number(reminder.priority))
            .bind(reminder.list).bind(reminder.title)
            .bind(reminder.created).bind(reminder.modified).bind(reminder.completed)
            .bind(reminder.scheduled).bind(reminder.deadline.map { Codec.text($0) })
            .bind(recurrence?.rule.text).bind(recurrence.map { Codec.text($0.start) })
            .bind(recurrence.flatMap { Codec.text($0.additions) })
            .bind(recurrence.flatMap { Codec.text($0.exceptions) })
            .bind(Codec.text(reminder.before)).bind(reminder.nag).bind(reminder.note)
            .bind(reminder.plan).bind(Codec.text(tags: reminder.tags))
    }

    static func bind(_ alarm: Alarm, of number: Int64, to statement: Statement) -> Statement {
        let ring = alarm.ring
        return statement.bind(number).bind(alarm.state.rawValue).bind(alarm.nextRing)
            .bind(alarm.rings).bind(alarm.rungThrough).bind(ring?.scheduled).bind(ring?.due)
            .bind(ring?.rangAt).bind((ring?.missed).map { Int64($0) })
            .bind(alarm.snoozedUntil)
    }
}
