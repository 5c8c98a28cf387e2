import RemindAPI
import RemindCore
import Store

/// The end of a snooze or of the pause that was counted anew, since the clock was put back behind its
/// beginning. Kept until the clock stands where it stood then: if it only jumped back for a while, the
/// end is what was asked for again.
struct MovedEnd {
    /// Of the reminder; 0 is the pause.
    let number: Int64
    /// When it began, by the clock of then.
    let begun: Instant
    /// What was asked for, by the clock of then.
    let until: Instant
    /// What it is now.
    let moved: Instant

    /// How long it was meant to last, in milliseconds.
    var length: Int64 { max(0, until.milliseconds - begun.milliseconds) }
}

/// As lines of numbers in the store.
extension MovedEnd {
    private static let key = "ends-counted-anew"

    private init?(_ line: Substring) {
        let numbers = line.split(separator: " ").compactMap { Int64($0) }
        guard numbers.count == 4 else { return nil }
        let instants = numbers[1...].map(Instant.init(milliseconds:))
        self.init(
            number: numbers[0], begun: instants[0], until: instants[1], moved: instants[2])
    }

    static func all(in store: Store) throws(StoreError) -> [MovedEnd] {
        (try store.meta(key) ?? "").split(separator: "\n").compactMap(MovedEnd.init)
    }

    /// In a transaction.
    static func keep(_ ends: [MovedEnd], in store: Store) throws(StoreError) {
        let lines = ends.map { end in
            [end.number, end.begun.milliseconds, end.until.milliseconds, end.moved.milliseconds]
                .map(String.init).joined(separator: " ")
        }
        try store.setMeta(key, lines.isEmpty ? nil : lines.joined(separator: "\n"))
    }

    /// This one in place of that of before.
    func keep(in store: Store) throws(StoreError) {
        try Self.keep(Self.all(in: store).filter { $0.number != number } + [self], in: store)
    }
}

extension Engine {
    /// Whether there are ends to be given back.
    var wasClockPutRight: Bool { firstMovedBegan.map { $0 <= clock.now } ?? false }

    /// After the end was stored.
    func note(_ end: MovedEnd) { firstMovedBegan = min(end.begun, firstMovedBegan ?? end.begun) }

    /// Ends that were counted anew while the clock stood behind are again what was asked for, where it
    /// does not any more. What has ended meanwhile is forgotten.
    func giveEndsBack(_ now: Instant) throws {
        let ends = try MovedEnd.all(in: store)
        let (over, rest) = (ends.filter { $0.begun <= now }, ends.filter { $0.begun > now })
        defer { firstMovedBegan = rest.map(\.begun).min() }
        guard !over.isEmpty else { return }
        let paused = over.first { $0.number == 0 && $0.moved == pause }
        var changed: [Reminder] = []
        try store.transaction {
            changed = try over.compactMap { try snoozedAgain($0, now) }
            if let paused { try storePause(paused.until, begun: paused.begun) }
            try MovedEnd.keep(rest, in: store)
        }
        if let paused { (pause, pauseBegan) = (paused.until, paused.begun) }
        for reminder in changed { tell(.changed, reminder) }
    }

    /// Stores the end of a snooze as it was asked for; `nil` when it has ended, or is a pause.
    private func snoozedAgain(_ end: MovedEnd, _ now: Instant) throws -> Reminder? {
        guard var reminder = try store.reminder(number: end.number),
            reminder.alarm.state == .snoozed, reminder.alarm.snoozedUntil == end.moved
        else { return nil }
        reminder.alarm.snoozedUntil = end.until
        let armed = reminder.rearmed(timetable.facts(for: reminder, now: now))
        try store.update(armed, due: timetable.dueInstant(of: armed))
        return armed
    }
}
