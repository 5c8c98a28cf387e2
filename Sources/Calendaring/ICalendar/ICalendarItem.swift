package import RemindCore

/// The limits on what a calendar file can make the reader hold.
package enum ICalendarLimits {
    /// Bytes of one unfolded line; the rest of a longer one is left out.
    package static let lineBytes = 1 << 20
    /// Bytes of one item with its alarms; a larger one is refused.
    package static let itemBytes = 4 << 20
    /// Alarms of one item; further ones are left out.
    package static let alarms = 100
    /// Components inside components; deeper ones are left out.
    package static let depth = 8
    /// Items in a file; further ones are refused.
    package static let items = 1_000_000
    /// Different VTIMEZONEs in a file; further ones are left out.
    package static let timeZones = 1000
    /// Dates added to or taken from one series, and changes of single occurrences.
    package static let dates = 10_000
    /// Rules of one series (RRULE), and as many that take occurrences out (EXRULE).
    package static let rules = 20
    /// Occurrences looked at in one search for the rings of an item.
    package static let occurrencesSearched = 20_000
    /// Occurrences that rules may take out one after the other (EXRULE) before a series counts as
    /// over: each minute of two weeks is 20,160.
    package static let excludedInARow = 21_000
}

/// A to-do or an event as it stands in a calendar file (RFC 5545 sections 3.6.1 and 3.6.2).
package struct ICalendarItem: Hashable, Sendable {
    package enum Component: String, Sendable { case todo = "VTODO", event = "VEVENT" }

    package var component: Component
    /// The identity of the item. An item without a UID gets one made of its content, so that
    /// reading it twice gives the same.
    package var uid: String
    /// The line of the file where it begins, counted from 1.
    package var line: Int
    /// SUMMARY as it is meant, line ends and all; empty when there is none.
    package var summary = ""
    package var description: String?
    package var priority = Reminder.Priority.normal
    package var categories: [String] = []
    /// Done: STATUS is COMPLETED or CANCELLED, COMPLETED is there, or PERCENT-COMPLETE is 100.
    package var state = Reminder.State.open
    /// STATUS:CANCELLED.
    package var isCancelled = false
    /// DTSTART.
    package var start: Deadline?
    /// DUE of a to-do, DTEND of an event.
    package var end: Deadline?
    /// DURATION, in the place of `end`.
    package var duration: CalendarDuration?
    /// When it is due: DUE, else the end that DURATION gives, else DTSTART; of an event DTSTART.
    package var deadline: Deadline?
    /// RRULE, RDATE and EXDATE, counted from DTSTART (from DUE where there is none). The
    /// occurrences that `overrides` replace are not among its exceptions.
    package var recurrence: Recurrence?
    /// Of the dates that are added to it those with an end of their own (RDATE;VALUE=PERIOD).
    package var periods: [ICalendarPeriod] = []
    /// What it repeats by besides, where it has several RRULEs: an occurrence of any of them is one.
    package var furtherRules: [RecurrenceRule] = []
    /// What they give is taken out (EXRULE, RFC 2445 section 4.8.5.2).
    package var excludedRules: [RecurrenceRule] = []
    /// The occurrence that this one replaces (RECURRENCE-ID).
    package var recurrenceID: Deadline?
    /// RANGE=THISANDFUTURE: it replaces all later occurrences too.
    package var replacesFuture = false
    /// The items with the same UID that replace single occurrences of this one.
    package var overrides: [ICalendarItem] = []
    package var alarms: [ICalendarAlarm] = []
    /// Alarms that fell due up to here have been seen (`X-MOZ-LASTACK`).
    package var acknowledged: Instant?
    package var sequence = 0
    package var lastModified: Instant?
    /// DTSTAMP.
    package var stamp: Instant?
    package var created: Instant?
    package var completed: Instant?
    /// What our own export says about it besides.
    package var own: ReminderState?
    /// The component as it goes out again: content lines without folds, strict where the standard
    /// is, everything else as it came. With one UID and without our own property.
    package var text: [String] = []
    /// The properties that have no field here, as content lines without folds.
    package var foreignProperties: [String] = []
    /// The components that have no field here, as content lines without folds.
    package var foreignComponents: [[String]] = []

    /// A hash of all that another tool says about it; `nil`: it comes from a calendar.
    package var source: Int64?

    init(component: Component, uid: String, line: Int) {
        (self.component, self.uid, self.line) = (component, uid, line)
    }

    /// From which its occurrences are counted: DTSTART, else DUE.
    package var base: Deadline? { start ?? end }

    /// Which of two versions of an item is the newer one (RFC 5546 section 2.1.5).
    var version: Version {
        Version(sequence: sequence, modified: lastModified ?? stamp ?? .earliest)
    }

    struct Version: Comparable {
        let sequence: Int
        let modified: Instant

        static func < (left: Version, right: Version) -> Bool {
            (left.sequence, left.modified) < (right.sequence, right.modified)
        }
    }
}

/// A PERIOD (RFC 5545 section 3.3.9).
package struct ICalendarPeriod: Hashable, Sendable {
    package enum End: Hashable, Sendable {
        case at(Deadline)
        case after(CalendarDuration)
    }

    let start: Deadline
    let end: End
}

/// A VALARM (RFC 5545 section 3.6.6, RFC 9074).
package struct ICalendarAlarm: Hashable, Sendable {
    package enum Trigger: Hashable, Sendable {
        /// Before (negative) or after the start of each occurrence.
        case start(CalendarDuration)
        /// Before (negative) or after the end of each occurrence: DUE of a to-do.
        case end(CalendarDuration)
        /// Once, whatever the occurrences are.
        case absolute(Instant)
    }

    package var trigger: Trigger
    /// Further rings after the first one (REPEAT), `interval` apart.
    package var repeats = 0
    package var interval = CalendarDuration()
    /// A ring that fell due up to here has been seen.
    package var acknowledged: Instant?
    package var uid: String?
    /// The alarm that this one brings back (RELATED-TO;RELTYPE=SNOOZE).
    package var snoozes: String?
    /// False: an alarm that is not ours to ring (ACTION:NONE, an unknown action, a place).
    package var rings = true
    /// ACTION:NONE: there is to be no ring, not even when the item is due.
    package var isSilence = false
    package var line: Int
    /// The component as content lines without folds.
    package var text: [String] = []

    init(trigger: Trigger, line: Int) { (self.trigger, self.line) = (trigger, line) }
}

/// What the reader could not take as it stands.
package struct ICalendarProblem: Error, Hashable, Sendable {
    /// The item concerned, where it is known.
    package var uid: String?
    /// The line of the file, counted from 1.
    package var line: Int
    /// A sentence that names the value.
    package var reason: String
    /// True: the item was left out. False: the item came in without the part in question.
    package var isRefusal: Bool

    init(uid: String? = nil, line: Int, reason: String, isRefusal: Bool = false) {
        (self.uid, self.line, self.reason, self.isRefusal) = (uid, line, reason, isRefusal)
    }

    /// An item that was left out.
    package init(refusedAt line: Int, reason: String) {
        self.init(line: line, reason: reason, isRefusal: true)
    }
}
