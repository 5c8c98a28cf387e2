/// A hierarchical timer wheel: holds payloads by tick and says which are due. Pure: it never reads
/// a clock, and nothing in it moves between calls.
///
/// One tick is one millisecond since the Unix epoch. There are six levels of 64 slots (widths and
/// spans: `WheelGeometry`), each level with a 64-bit map of its occupied slots, so the next slot is
/// found by a bit scan and an empty stretch, however long, costs O(levels).
///
/// | operation   | cost                                                                          |
/// |-------------|-------------------------------------------------------------------------------|
/// | `insert`    | O(1); no allocation but the columns' amortised growth                         |
/// | `cancel`    | O(1), amortised: a list more than half of which is cancelled is swept         |
/// | `nextTick`  | O(levels); O(size of one slot) once after its earliest tick was taken away    |
/// | `popDue`    | O(levels) a timer, amortised: a timer only ever moves down                    |
/// | `removeAll` | O(count)                                                                      |
/// | memory      | 24 to 28 bytes a timer, and 8 each for those cancelled and not yet swept      |
///
/// Timers lie in parallel columns; a slot is a list of their places in the order of insertion, read
/// from front to back, so that moving a slot waits for memory once and not at every link. Freed
/// places are used again: memory follows the largest number of timers held at once.
package struct TimerWheel: ~Copyable, @unchecked Sendable {
    /// How far ahead of `now` a tick may lie, inclusive, in ticks (ms): 782 days 23 hours.
    package static let horizon = WheelGeometry.horizon

    /// The tick up to which everything due has been popped; never goes back but by `removeAll`.
    /// While `popDue` still yields timers, it is the tick of the one popped last.
    package private(set) var now: UInt64

    /// How many timers are held.
    package private(set) var count = 0

    /// A timer on its way from one slot to another.
    private struct Move {
        let place: Int32
        let tick: UInt64
    }

    /// How many timers `cascade` takes in hand at a time.
    private static let batch = 64

    private var places: WheelPlaces
    private let moving: UnsafeMutablePointer<Move>
    private let slots: UnsafeMutablePointer<WheelSlot>
    private let occupied: UnsafeMutablePointer<UInt64>

    /// - Parameters:
    ///   - now: the current tick, in ms since the Unix epoch.
    ///   - capacity: how many timers to make room for at once.
    package init(now: UInt64, capacity: Int = 0) {
        self.now = now
        places = WheelPlaces(capacity: capacity)
        moving = .allocate(capacity: Self.batch)
        slots = .allocate(capacity: WheelGeometry.slotCount)
        for slot in 0..<WheelGeometry.slotCount {
            (slots + slot).initialize(to: WheelSlot())
        }
        occupied = .allocate(capacity: WheelGeometry.levels)
        occupied.initialize(repeating: 0, count: WheelGeometry.levels)
    }

    deinit {
        slots.deinitialize(count: WheelGeometry.slotCount)
        slots.deallocate()
        moving.deallocate()
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
        let handle = places.take(Due(payload: payload, tick: tick))
        list(handle.place, tick: tick)
        count &+= 1
        return handle
    }

    /// Forgets a timer. False when the handle is stale: popped, cancelled or removed before.
    package mutating func cancel(_ handle: Handle) -> Bool {
        guard places.holds(handle) else { return false }
        let tick = places[handle.place].tick
        let slot = WheelGeometry.slot(of: tick, now: now)
        places.vacate(handle.place)
        count &-= 1
        slots[slot].forget(tick: tick)
        if slots[slot].isMostlyCancelled { sweep(slot) }
        return true
    }

    /// The tick a timer was inserted with; nil when the handle is stale. O(1).
    package func tick(of handle: Handle) -> UInt64? {
        places.holds(handle) ? places[handle.place].tick : nil
    }

    /// How many places for timers there are, in use or not.
    var placeCount: Int { places.count }

    /// Forgets all timers and starts again at `now`, which may lie before the old one: the answer
    /// to a clock that was set back. All handles become stale. O(count).
    package mutating func removeAll(now: UInt64) {
        for level in 0..<WheelGeometry.levels {
            while occupied[level] != 0 {
                let digit = occupied[level].trailingZeroBitCount
                clear(level * WheelGeometry.slotsPerLevel + digit)
            }
        }
        count = 0
        self.now = now
    }

    // MARK: - What is due

    /// The earliest tick of all timers, exactly, whatever level it lies on; nil when there is none.
    /// It may lie at or before `now`. Arm one OS timer to it: nothing needs to happen before.
    package var nextTick: UInt64? {
        mutating get {
            guard let (_, slot, _) = earliestSlot() else { return nil }
            return earliestTick(in: slot)
        }
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
            guard level == 0 else {
                cascade(level: level, slot: slot, target: target)
                continue
            }
            now = start
            return popFirst(of: slot)
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

    /// The smallest tick in an occupied slot; looked for only when the last one that had it is gone.
    private func earliestTick(in slot: Int) -> UInt64 {
        assert(slots[slot].live > 0, "slot \(slot) is marked occupied and holds nothing")
        if slots[slot].earliestCount == 0 {
            slots[slot].earliestTick = .max
            for index in slots[slot].listed {
                let place = slots[slot].places[index]
                if places.isHeld(place) { slots[slot].noteEarliest(places[place].tick) }
            }
        }
        return slots[slot].earliestTick
    }

    private mutating func popFirst(of slot: Int) -> Due {
        var place = slots[slot].popFront()
        while !places.isHeld(place) {
            places.release(place)
            place = slots[slot].popFront()
        }
        let due = places[place]
        assert(due.tick <= now, "tick \(due.tick) popped at \(now), too early")
        places.vacate(place)
        places.release(place)
        count &-= 1
        slots[slot].forget(tick: due.tick)
        if slots[slot].live == 0 { clear(slot) }
        return due
    }

    /// Moves `now` to the first tick of the slot, at most to `target`, and the slot's timers down to
    /// where they belong then. Going to the tick itself, not to the slot's start, spares a sparse
    /// wheel the levels in between.
    private mutating func cascade(level: Int, slot: Int, target: UInt64) {
        now = min(earliestTick(in: slot), target)
        var rest = slots[slot].listed
        while !rest.isEmpty {
            let stretch = rest.prefix(Self.batch)
            rest = rest.dropFirst(Self.batch)
            for index in 0..<gather(stretch, of: slot) {
                let move = moving[index]
                assert(
                    WheelGeometry.slot(of: move.tick, now: now) < level
                        * WheelGeometry.slotsPerLevel,
                    "tick \(move.tick) does not leave level \(level) at \(now)")
                list(move.place, tick: move.tick)
            }
        }
        empty(slot)
    }

    /// Reads the timers of a stretch of a slot's list into `moving`, in one tight loop, so that the
    /// memory they lie scattered over is fetched for many at a time; frees the cancelled ones.
    /// - Returns: how many there are to move.
    @inline(__always)
    private mutating func gather(_ stretch: Range<Int>, of slot: Int) -> Int {
        var taken = 0
        for index in stretch {
            let place = slots[slot].places[index]
            if places.isHeld(place) {
                (moving + taken).initialize(to: Move(place: place, tick: places[place].tick))
                taken &+= 1
            } else {
                places.release(place)
            }
        }
        return taken
    }

    // MARK: - Slots

    /// Puts a place at the end of the slot where its tick belongs.
    @inline(__always)
    private func list(_ place: Int32, tick: UInt64) {
        let slot = WheelGeometry.slot(of: tick, now: now)
        slots[slot].add(place, tick: tick)
        occupied[slot &>> 6] |= 1 &<< UInt64(slot & 63)
    }

    /// Takes the cancelled places off a slot's list, and frees them.
    private mutating func sweep(_ slot: Int) {
        guard slots[slot].live > 0 else { return clear(slot) }
        var kept = 0
        for index in slots[slot].listed {
            let place = slots[slot].places[index]
            if places.isHeld(place) {
                slots[slot].places[kept] = place
                kept += 1
            } else {
                places.release(place)
            }
        }
        slots[slot].keep(first: kept)
    }

    /// Frees whatever a slot still lists, and empties it. Timers in it are forgotten.
    private mutating func clear(_ slot: Int) {
        for index in slots[slot].listed {
            let place = slots[slot].places[index]
            if places.isHeld(place) { places.vacate(place) }
            places.release(place)
        }
        empty(slot)
    }

    @inline(__always)
    private func empty(_ slot: Int) {
        slots[slot].removeAll()
        occupied[slot &>> 6] &= ~(1 &<< UInt64(slot & 63))
    }
}
