/// A task, with its deadline and its alarm. Everything that is stored about it.
package struct Reminder: Hashable, Sendable {
    /// The small number that a person types; never reused. 0 until the store has given one.
    package var number: Int64
    package var id: UUIDv7
    package var title: String
    package var note: String?
    package var list: String
    /// Sorted, without doubles.
    package var tags: [String]
    package var priority: Priority
    package var state: State
    /// When the current occurrence is due.
    package var deadline: Deadline?
    package var recurrence: Recurrence?
    /// Lead times: it rings that long before each deadline too. Negative ones ring after it.
    package var before: [CalendarDuration]
    /// Rings again this many seconds after each unanswered ring.
    package var nag: Int64?
    package var alarm: Alarm
    package var created: Instant
    package var modified: Instant
    package var completed: Instant?
    /// When the deadline was last set; a date-only deadline set after `AllDayTime` of its own day
    /// rings later that day.
    package var scheduled: Instant?
    /// The times and alarms of the calendar item that it came from, as iCalendar text that
    /// `Calendaring` reads, where the fields above cannot say them: it rings at those alarms.
    /// `nil`: it rings at its deadline and its lead times.
    package var plan: String?

    package enum State: String, CaseIterable, Sendable { case open, done }

    package enum Priority: String, CaseIterable, Sendable { case low, normal, high }

    package static let defaultList = "inbox"

    package init(id: UUIDv7, title: String, created: Instant) {
        (number, self.id, self.title) = (0, id, title)
        (note, list, tags, priority) = (nil, Self.defaultList, [], .normal)
        (state, deadline, recurrence, before, nag) = (.open, nil, nil, [], nil)
        (alarm, self.created, modified) = (.silent, created, created)
        (completed, scheduled, plan) = (nil, nil, nil)
    }
}

/// A row of the log: a ring, or what was answered to it.
package struct LogEntry: Hashable, Sendable {
    package enum Kind: String, CaseIterable, Sendable {
        /// It rang (committed before the pop-up is shown).
        case rang
        case done, dismissed, snoozed, reopened, deleted
        /// Replaced unanswered by the next occurrence.
        case superseded
    }

    /// Where an answer came from.
    package enum Origin: String, CaseIterable, Sendable {
        case daemon, popup, command
    }

    package var reminder: UUIDv7
    package var number: Int64
    /// The title as it was then.
    package var title: String
    package var kind: Kind
    package var at: Instant
    /// The deadline that rang or was answered.
    package var due: Instant?
    /// How late the ring was, in milliseconds; `nil` for answers.
    package var late: Int64?
    package var missed: Int
    package var origin: Origin
    /// Of a snooze: until when.
    package var until: Instant?

    package init(
        reminder: Reminder, kind: Kind, at: Instant, due: Instant? = nil, late: Int64? = nil,
        missed: Int = 0, origin: Origin, until: Instant? = nil
    ) {
        (self.reminder, number, title) = (reminder.id, reminder.number, reminder.title)
        (self.kind, self.at, self.due, self.late) = (kind, at, due, late)
        (self.missed, self.origin, self.until) = (missed, origin, until)
    }
}
