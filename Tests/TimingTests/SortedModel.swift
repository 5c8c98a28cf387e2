@testable import Timing

/// The wheel's meaning in the plainest form: an array sorted by tick, then by order of insertion.
struct SortedModel {
    struct Entry {
        /// Where it stands in the order: a tick already past is due with what is due now.
        let place: UInt64
        let serial: Int
        let tick: UInt64
        let payload: Int64
    }

    private(set) var now: UInt64
    private(set) var entries: [Entry] = []
    private var serial = 0

    init(now: UInt64) { self.now = now }

    var nextTick: UInt64? {
        guard let first = entries.first else { return nil }
        return entries.prefix { $0.place == first.place }.map(\.tick).min()
    }

    mutating func insert(tick: UInt64, payload: Int64) -> Int {
        serial += 1
        let entry = Entry(place: max(tick, now), serial: serial, tick: tick, payload: payload)
        entries.insert(entry, at: index(of: (entry.place, serial)))
        return serial
    }

    /// - Parameter place: the larger of the tick and `now` when it was inserted.
    mutating func cancel(place: UInt64, serial: Int) -> Bool {
        let index = index(of: (place, serial))
        guard index < entries.count, entries[index].serial == serial else { return false }
        entries.remove(at: index)
        return true
    }

    mutating func popDue(upTo target: UInt64) -> TimerWheel.Due? {
        let target = max(target, now)
        guard let first = entries.first, first.place <= target else {
            now = target
            return nil
        }
        now = first.place
        entries.removeFirst()
        return TimerWheel.Due(payload: first.payload, tick: first.tick)
    }

    mutating func removeAll(now: UInt64) {
        entries = []
        self.now = now
    }

    private func index(of key: (UInt64, Int)) -> Int {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if (entries[middle].place, entries[middle].serial) < key {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }
}

/// SplitMix64 (Steele, Lea, Flood 2014): the same numbers for the same seed.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }
}
