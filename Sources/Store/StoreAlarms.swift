package import RemindCore

/// When a reminder's alarm must be acted on.
package struct PendingAlarm: Hashable, Sendable {
    package let number: Int64
    /// Its `Alarm.nextRing`.
    package let at: Instant

    package init(number: Int64, at: Instant) { (self.number, self.at) = (number, at) }
}

/// How much there is.
package struct StoreCounts: Hashable, Sendable {
    package let open: Int
    package let ringing: Int
    /// Alarms with a `nextRing`.
    package let pending: Int
}

/// What the wheel is filled from.
extension Store {
    /// The alarms after `start` and up to and including `end`, the earliest first. Reads no others.
    package func alarms(after start: Instant? = nil, through end: Instant) throws(StoreError)
        -> [PendingAlarm]
    {
        let statement = try connection.statement(.alarms)
        return try pendingAlarms(statement.bind(start?.milliseconds ?? .min).bind(end))
    }

    /// The first alarm after `instant`: when the wheel must be filled again.
    package func nextAlarm(after instant: Instant) throws(StoreError) -> PendingAlarm? {
        let statement = try connection.statement(.nextAlarm)
        return try pendingAlarms(statement.bind(instant)).first
    }

    /// The open reminders whose deadline is floating or a date: those to be computed anew when the
    /// machine's zone, or the time of day of date-only deadlines, has changed.
    package func followingZone() throws(StoreError) -> [Int64] {
        let statement = try connection.statement(.followingZone)
        defer { statement.reset() }
        var numbers: [Int64] = []
        while try statement.step() { numbers.append(statement.integer(0)) }
        return numbers
    }

    /// Counts by walking an index: its cost grows with the numbers it gives (about 10 ns each).
    package func counts() throws(StoreError) -> StoreCounts {
        StoreCounts(
            open: try count(.countOpen), ringing: try count(.countRinging),
            pending: try count(.countPending))
    }

    private func count(_ query: Query) throws(StoreError) -> Int {
        let statement = try connection.statement(query)
        defer { statement.reset() }
        return try statement.step() ? Int(statement.integer(0)) : 0
    }

    /// The reminders with a ring or a snooze that may lie ahead of `now`, as it does when the clock was
    /// put back. Walks the table of alarms (about 50 ns each).
    package func alarmsAhead(of now: Instant) throws(StoreError) -> [Int64] {
        let statement = try connection.statement(.alarmsAhead)
        defer { statement.reset() }
        // Positions are civil seconds, at most 14 hours off.
        statement.bind(now.seconds - 14 * 3600).bind(now)
        var numbers: [Int64] = []
        while try statement.step() { numbers.append(statement.integer(0)) }
        return numbers
    }

    /// The latest time of the last thousand rows of the log.
    package func newestOfLog() throws(StoreError) -> Instant? {
        let statement = try connection.statement(.newestOfLog)
        defer { statement.reset() }
        return try statement.step() ? statement.optionalInstant(0) : nil
    }

    private func pendingAlarms(_ statement: Statement) throws(StoreError) -> [PendingAlarm] {
        defer { statement.reset() }
        var result: [PendingAlarm] = []
        while try statement.step() {
            result.append(PendingAlarm(number: statement.integer(0), at: statement.instant(1)))
        }
        return result
    }
}
