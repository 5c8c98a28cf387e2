/// What the alarm of a reminder is doing. The state and everything needed to go on with it after a
/// crash; stored with the reminder, in the same transaction.
package struct Alarm: Hashable, Sendable {
    /// The states of the field `alarm` that clients see.
    package enum State: String, CaseIterable, Sendable {
        /// Nothing will ring: no deadline, done, or everything has been answered.
        case none
        /// Waits for `nextRing`.
        case pending
        /// Rings and has not been answered; `ring` says what.
        case ringing
        /// Was silenced until `nextRing`; `ring` says what comes back then.
        case snoozed
    }

    package var state: State
    /// When the engine must act next: the next ring, the end of the snooze, the next nag or the
    /// next occurrence while this one rings unanswered. `nil`: never. Indexed in the store.
    package var nextRing: Instant?
    /// The ring that is unanswered or snoozed; `nil` in the states `none` and `pending`.
    package var ring: Ring?
    /// The end of the snooze; `nil` in every other state.
    package var snoozedUntil: Instant?
    /// How often this reminder has rung in its life; nags count, a pop-up shown again does not.
    package var rings: Int
    /// Everything scheduled up to here has rung, measured on the series' own wall
    /// (`RingPoint.position`): a clock stepped back or another zone does not ring it again.
    package var rungThrough: Int64?

    package init(
        state: State = .none, nextRing: Instant? = nil, ring: Ring? = nil,
        snoozedUntil: Instant? = nil, rings: Int = 0, rungThrough: Int64? = nil
    ) {
        (self.state, self.nextRing, self.ring) = (state, nextRing, ring)
        self.snoozedUntil = snoozedUntil
        (self.rings, self.rungThrough) = (rings, rungThrough)
    }

    package static let silent = Alarm()
}

/// One ring: what was due, and since when it calls.
package struct Ring: Hashable, Sendable {
    /// The instant at which it should have rung (deadline less lead time).
    package var scheduled: Instant
    /// The deadline it is about, as an instant.
    package var due: Instant
    /// When it rang; later than `scheduled` when the machine was off or asleep.
    package var rangAt: Instant
    /// Occurrences that were missed before this one and will not ring any more.
    package var missed: Int

    package init(scheduled: Instant, due: Instant, rangAt: Instant, missed: Int = 0) {
        (self.scheduled, self.due) = (scheduled, due)
        (self.rangAt, self.missed) = (rangAt, missed)
    }
}

/// A moment at which a reminder rings: one lead time of one occurrence.
package struct RingPoint: Hashable, Sendable {
    /// The occurrence it announces.
    package var occurrence: Deadline
    /// The occurrence's deadline as an instant (a date: when it rings by itself).
    package var due: Instant
    /// When it rings.
    package var instant: Instant
    /// Its place on the series' own wall, in seconds: civil seconds for floating, zoned and date
    /// deadlines, POSIX seconds for absolute ones. Grows along the series whatever zones and
    /// clocks do.
    package var position: Int64

    package init(occurrence: Deadline, due: Instant, instant: Instant, position: Int64) {
        (self.occurrence, self.due) = (occurrence, due)
        (self.instant, self.position) = (instant, position)
    }
}
