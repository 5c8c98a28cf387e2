/// A hierarchical timer wheel: holds payloads by tick and says which are due. Pure: it never reads
/// a clock, and nothing in it moves between calls.
///
/// One tick is one millisecond since the Unix epoch. There are six levels of 64 slots (widths and
/// spans: `WheelGeometry`), each level with a 64-bit map of its occupied slots, so the next slot is
/// found by a bit scan and an empty stretch, however long, costs O(levels).
///
/// | operation   | cost                                                                          |
/// |-------------|-------------------------------------------------------------------------------|
/// | `insert`    | O(1); no allocation but the amortised growth of the whole                     |
/// | `cancel`    | O(1); a later `insert` or `nextTick` sweeps when most entries are dead        |
/// | `nextTick`  | O(levels); O(size of one slot) once after its earliest tick was taken away    |
/// | `popDue`    | O(levels) a timer, amortised: a timer only ever moves down                    |
/// | `removeAll` | O(count)                                                                      |
/// | memory      | 24 bytes a timer, and up to as much again for those cancelled and not swept   |
///
/// Slots hold their timers side by side in chunks (`WheelChunks`), so that moving them down reads
/// and writes memory in a row. Whether a timer is still held is known by the generation of its
/// place alone (`WheelPlaces`): a cancellation is one write there, wherever the timer is listed.
package struct TimerWheel: ~Copyable, @unchecked Sendable {
    /// How far ahead of `now` a tick may lie, inclusive, in ticks (ms): 782 days 23 hours.
    package static let horizon = WheelGeometry.horizon

    /// So few cancelled timers are not worth sweeping.
    private static let sweepFloor = 64

    /// The tick up to which everything due has been popped; never goes back but by `removeAll`.
    /// While `popDue` still yields timers, it is the tick of the one popped last.
    package private(set) var now: UInt64

    /// How many timers are held.
    package private(set) var count = 0

    /// How many entries of cancelled timers the slots still list.
    private var dead = 0
    private var places: WheelPlaces
    private var chunks = WheelChunks()
    /// Copied to a constant before a slot is changed together with the chunks: with ThreadSanitizer,
    /// Swift 6.3 takes a slot for a part of the wheel ("overlapping accesses").
    private let slots: UnsafeMutablePointer<WheelSlot>
    /// A bit for each slot; written without `|=`, see `WheelPlaces`.
    private let occupied: UnsafeMutablePointer<UInt64>

    /// The timer that `nextTick` named last: the first in its slot with that tick. Nil when it must
    /// be looked for.
    private var earliest: Earliest?
    /// Changes whenever entries leave their positions.
    private var shape: UInt64 = 0

    /// - Parameters:
    ///   - now: the current tick, in ms since the Unix epoch.
    ///   - capacity: how many timers to make room for at once.
    package init(now: UInt64, capacity: Int = 0) {
        self.now = now
        places = WheelPlaces(capacity: capacity)
        slots = .allocate(capacity: WheelGeometry.slotCount)
        slots.initialize(repeating: WheelSlot(), count: WheelGeometry.slotCount)
        occupied = .allocate(capacity: WheelGeometry.levels)
        occupied.initialize(repeating: 0, count: WheelGeometry.levels)
    }

    deinit {
        slots.deallocate()
        occupied.deallocate()
    }

    // MARK: - Insert and cancel

    /// Holds `payload` until `tick`. A tick at or before `now` is due at once: the next `popDue`
    /// yields it before anything later; several such are yielded in the order of insertion.
    /// - Throws: `BeyondHorizon` when `tick` is more than `horizon` ahead of `now`.
    package mutating func insert(
        tick: UInt64, payload: Int64
    ) throws(BeyondHorizon) -> Handle {
        guard tick <= now || tick &- now <= Self.horizon else {
            throw BeyondHorizon(tick: tick, now: now)
        }
        sweepIfMostlyDead()
        let handle = places.take()
        let slot = list(WheelEntry(tick: tick, payload: payload, place: handle.place))
        count &+= 1
        // Whatever has become of the earliest, nothing that is left lies before it.
        if let earliest, tick < earliest.tick, let position = slots[slot].last {
            self.earliest = Earliest(
                tick: tick, handle: handle, slot: slot, position: position, shape: shape)
        }
        return handle
    }

    /// Forgets a timer. False when the handle is stale: popped, cancelled or removed before.
    package mutating func cancel(_ handle: Handle) -> Bool {
        guard places.holds(handle) else { return false }
        places.vacate(handle.place)
        count &-= 1
        dead &+= 1
        return true
    }

    /// Whether the timer is still to come: not popped, cancelled or removed. O(1).
    package func holds(_ handle: Handle) -> Bool { places.holds(handle) }

    /// How many places for timers there are, in use or not.
    var placeCount: Int { places.count }

    /// Forgets all timers and starts again at `now`, which may lie before the old one: the answer
    /// to a clock that was set back. All handles become stale. O(count).
    package mutating func removeAll(now: UInt64) {
        let slots = slots
        for slot in occupiedSlots() {
            while let entry = chunks.popFirst(of: &slots[slot]) {
                if places.isHeld(entry.place) { places.vacate(entry.place) }
                places.release(entry.place)
            }
            markEmpty(slot)
        }
        (count, dead) = (0, 0)
        earliest = nil
        self.now = now
    }

    /// Before anything is added or looked for, so that what was cancelled takes no more room and no
    /// more time than what is held. Cancelling itself leaves it: often all the rest goes too.
    @inline(__always)
    private mutating func sweepIfMostlyDead() {
        if dead > count &+ Self.sweepFloor { sweep() }
    }

    /// Takes the entries of cancelled timers out of all slots. O(entries), paid for by the
    /// cancellations since the last time.
    @inline(never)
    private mutating func sweep() {
        for slot in occupiedSlots() {
            var rest = slots[slot]
            var kept = WheelSlot()
            while let entry = chunks.popFirst(of: &rest) {
                chunks.append(entry, to: &kept, kept: places.releaseUnlessHeld(entry.place))
            }
            if kept.count == 0 { markEmpty(slot) }
            slots[slot] = kept.count > 0 ? kept : chunks.emptied(kept)
        }
        dead = 0
        shape &+= 1
    }

    // MARK: - What is due

    /// The earliest tick of all timers, exactly, whatever level it lies on; nil when there is none.
    /// It may lie at or before `now`. Arm one OS timer to it: nothing needs to happen before.
    package var nextTick: UInt64? {
        mutating get {
            if let earliest, places.holds(earliest.handle) { return earliest.tick }
            earliest = nextTied() ?? firstInEarliestSlot()
            return earliest?.tick
        }
    }

    /// The next timer with the tick of an earliest one that is gone: it can only be further back in
    /// the same slot. Spares the search when many share a tick and are cancelled one by one.
    private func nextTied() -> Earliest? {
        guard let earliest, earliest.shape == shape else { return nil }
        let rest = WheelPositions(after: earliest.position, in: slots[earliest.slot])
        for position in rest {
            let entry = position.entry
            if entry.tick == earliest.tick, places.isHeld(entry.place) {
                return found(entry, slot: earliest.slot, at: position)
            }
        }
        return nil
    }

    private mutating func firstInEarliestSlot() -> Earliest? {
        sweepIfMostlyDead()
        while let (_, slot, _) = earliestSlot() {
            if let earliest = firstHeld(in: slot) { return earliest }
            discardAll(in: slot)
        }
        return nil
    }

    /// The first timer with the smallest tick of those held in a slot; nil when all are cancelled.
    private func firstHeld(in slot: Int) -> Earliest? {
        var result: (entry: WheelEntry, position: WheelPosition)?
        for position in slots[slot].positions {
            let entry = position.entry
            if entry.tick < result?.entry.tick ?? .max, places.isHeld(entry.place) {
                result = (entry, position)
            }
        }
        return result.map { found($0.entry, slot: slot, at: $0.position) }
    }

    private func found(_ entry: WheelEntry, slot: Int, at position: WheelPosition) -> Earliest {
        Earliest(
            tick: entry.tick, handle: places.handle(of: entry.place), slot: slot,
            position: position, shape: shape)
    }

    /// Takes out the next timer due at or before `target` and moves `now` to its tick; when there
    /// is none left, moves `now` to `target` and returns nil. Ticks come in order, equal ticks in
    /// the order of insertion. Between two calls anything may be cancelled, also what is due at the
    /// very same tick, and inserted: what falls at or before `target` comes in its turn.
    ///
    /// A `target` before `now` counts as `now`; for a clock that was set back, see `removeAll`.
    package mutating func popDue(upTo target: UInt64) -> Due? {
        let target = max(target, now)
        while let (level, slot, start) = earliestSlot(), start <= target {
            if level == 0 {
                now = start
            } else if slots[slot].count > 1 || slots[slot].first.map(\.tick) ?? 0 > target {
                cascade(slot, target: target)
                continue
            }
            // At level 0, or alone in its slot and due: it comes before all others.
            if let due = popFirst(of: slot) { return due }
        }
        now = target
        return nil
    }

    /// The first occupied slot of the lowest occupied level, and the first tick it covers.
    @inline(__always)
    private func earliestSlot() -> (level: Int, slot: Int, start: UInt64)? {
        for level in 0..<WheelGeometry.levels where occupied[level] != 0 {
            let (slot, start) = WheelGeometry.earliest(
                level: level, occupied: occupied[level], now: now)
            return (level, slot, start)
        }
        return nil
    }

    /// Takes the first entry off a slot; nil when its timer was cancelled.
    @inline(__always)
    private mutating func popFirst(of slot: Int) -> Due? {
        let slots = slots
        guard let entry = chunks.popFirst(of: &slots[slot]) else { return nil }
        if slots[slot].count == 0 { markEmpty(slot) }
        shape &+= 1
        let isHeld = places.isHeld(entry.place)
        if isHeld {
            places.vacate(entry.place)
            count &-= 1
            now = max(now, entry.tick)
        } else {
            dead &-= 1
        }
        places.release(entry.place)
        return isHeld ? Due(payload: entry.payload, tick: entry.tick) : nil
    }

    /// Moves `now` to the first tick of the slot, at most to `target`, and the slot's timers down to
    /// where they belong then. Going to the tick itself, not to the slot's start, spares a sparse
    /// wheel the levels in between.
    private mutating func cascade(_ slot: Int, target: UInt64) {
        now = min(chunks.smallestTick(in: slots[slot]), target)
        var moving = slots[slot]
        slots[slot] = WheelSlot()
        markEmpty(slot)
        while let entry = chunks.popFirst(of: &moving) {
            let lower = list(entry)
            assert(
                lower >> 6 < slot >> 6,
                "tick \(entry.tick) does not leave slot \(slot) at \(now)")
        }
        shape &+= 1
    }

    // MARK: - Slots

    /// Puts an entry at the end of the slot where its tick belongs.
    /// - Returns: the slot.
    @inline(__always) @discardableResult
    private mutating func list(_ entry: WheelEntry) -> Int {
        let slot = WheelGeometry.slot(of: entry.tick, now: now)
        let slots = slots
        chunks.append(entry, to: &slots[slot])
        let word = slot &>> 6
        occupied[word] = occupied[word] | 1 &<< UInt64(slot & 63)
        return slot
    }

    /// Empties a slot whose timers are all cancelled.
    private mutating func discardAll(in slot: Int) {
        let slots = slots
        dead -= slots[slot].count
        while let entry = chunks.popFirst(of: &slots[slot]) { places.release(entry.place) }
        markEmpty(slot)
        shape &+= 1
    }

    @inline(__always)
    private func markEmpty(_ slot: Int) {
        let word = slot &>> 6
        occupied[word] = occupied[word] & ~(1 &<< UInt64(slot & 63))
    }

    private func occupiedSlots() -> [Int] {
        (0..<WheelGeometry.slotCount).filter { occupied[$0 &>> 6] &>> UInt64($0 & 63) & 1 == 1 }
    }
}
