/// When something is due, as the user meant it.
package enum Deadline: Hashable, Sendable {
    /// A wall time that follows the machine's zone.
    case floating(CivilDateTime)
    /// A wall time in a zone of its own; `zone` is an IANA name (or a POSIX `TZ` text).
    case zoned(CivilDateTime, zone: String)
    /// An instant.
    case absolute(Instant)
    /// A day; it rings at `AllDayTime`.
    case date(CivilDate)

    package var isDateOnly: Bool {
        if case .date = self { true } else { false }
    }

    /// The zone it carries itself; `nil` for all kinds but `zoned`.
    package var zoneName: String? {
        if case .zoned(_, let zone) = self { zone } else { nil }
    }
}

/// A repetition: the rule, where its count starts, and the dates that were added or taken out.
/// The reminder's own `deadline` is the occurrence that is current.
package struct Recurrence: Hashable, Sendable {
    package var rule: RecurrenceRule
    /// The first occurrence (DTSTART): intervals and counts are counted from here, for ever.
    package var start: Deadline
    /// Further occurrences (RDATE), of the same kind as `start` or instants.
    package var additions: [Deadline]
    /// Occurrences taken out (EXDATE, or moved by RECURRENCE-ID).
    package var exceptions: [Deadline]

    package init(
        rule: RecurrenceRule, start: Deadline, additions: [Deadline] = [],
        exceptions: [Deadline] = []
    ) {
        (self.rule, self.start) = (rule, start)
        (self.additions, self.exceptions) = (additions, exceptions)
    }
}

/// A recurrence rule (RFC 5545 section 3.3.10) with what the RFC has no word for.
package struct RecurrenceRule: Hashable, Sendable {
    /// From where the next occurrence is counted.
    package enum Basis: Sendable {
        /// From the start of the series: the ordinary meaning of an RRULE.
        case schedule
        /// From the moment the reminder was done (`every 3 days after completion`).
        case completion
    }

    /// The value of an RRULE property, upper case, without its name: `FREQ=DAILY;INTERVAL=2`.
    package var rrule: String
    package var basis: Basis

    package init(rrule: String, basis: Basis = .schedule) {
        (self.rrule, self.basis) = (rrule, basis)
    }

    private static let completionPart = ";X-BASIS=COMPLETION"

    /// One text for both, as it is stored and shown: the basis is an `X-` part at the end.
    package var text: String {
        basis == .completion ? rrule + Self.completionPart : rrule
    }

    /// Reads what `text` writes.
    package init(text: String) {
        let upper = text.uppercased()
        let completion = upper.hasSuffix(Self.completionPart)
        let rrule = completion ? String(upper.dropLast(Self.completionPart.count)) : upper
        self.init(rrule: rrule, basis: completion ? .completion : .schedule)
    }
}
