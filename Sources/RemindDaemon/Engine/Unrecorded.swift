import RemindAPI
import RemindCore
import Store

/// Rings that are on the screen and could not be written yet, as those who ask are told of them.
extension Engine {
    /// A reminder as it rings, be that in the store or not.
    func asItRings(_ reminder: Reminder) -> Reminder {
        unrecorded[reminder.number]?.reminder ?? reminder
    }

    /// What rings, in the order in which it rang.
    func whatRings() throws(StoreError) -> [Reminder] {
        let stored = try store.ringing()
        guard !unrecorded.isEmpty else { return stored }
        return stored.filter { unrecorded[$0.number] == nil } + unrecordedRings
    }

    private var unrecordedRings: [Reminder] {
        unrecorded.values.map(\.reminder).sorted { $0.number < $1.number }
    }

    /// The reminder that rang last.
    func lastRung() throws(StoreError) -> Reminder? {
        let newest = unrecordedRings.max { left, right in
            guard let first = left.alarm.ring, let second = right.alarm.ring else { return false }
            return first.rangAt < second.rangAt
        }
        if let newest { return newest }
        return try store.lastRung()
    }

    /// The numbers of a list with those that ring and that the store does not know to ring.
    func withUnrecorded(
        _ numbers: [Int64], _ filter: ListFilter, limit: Int?
    ) -> [Int64] {
        guard filter.scope == .ringing, !unrecorded.isEmpty else { return numbers }
        let known = Set(numbers)
        let others = unrecordedRings.filter { !known.contains($0.number) && filter.holds($0) }
        return Array((numbers + others.map(\.number)).prefix(limit ?? .max))
    }

    /// Within a transaction that changes the reminder in another way than by a transition.
    func writeUnrecorded(_ number: Int64) throws(StoreError) {
        for entry in unrecorded[number]?.log ?? [] { try store.append(entry) }
    }
}

extension ListFilter {
    /// Whether a reminder that rings is of this list. A search is the store's affair.
    fileprivate func holds(_ reminder: Reminder) -> Bool {
        if let list, list != reminder.list { return false }
        if let tag, !reminder.tags.contains(tag) { return false }
        if let priority, priority != reminder.priority { return false }
        return search == nil
    }
}
