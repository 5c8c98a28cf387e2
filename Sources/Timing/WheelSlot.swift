/// One slot of the wheel: the places of its timers in the order of insertion. Cancelled timers stay
/// listed until the slot is swept or moved, so that cancelling need not find them here.
struct WheelSlot: ~Copyable {
    /// Larger lists give their room back when they are emptied.
    private static let keptRoom = 64
    /// So few cancelled places are not worth sweeping.
    private static let sweepFloor = 32

    private(set) var places = Column<Int32>()
    /// Index of the first place that has not been popped.
    private var front = 0
    /// How many of the listed timers are not cancelled.
    private(set) var live = 0
    /// The smallest tick of the live timers, when `earliestCount` is not 0. Else the smallest is not
    /// known, only that it is larger: this one's timers are gone.
    var earliestTick: UInt64 = .max
    /// How many live timers have that tick.
    private(set) var earliestCount = 0

    /// The indices of all places that have not been popped.
    var listed: Range<Int> { front..<places.count }

    /// Whether sweeping now is paid for by the cancels since the last time, or nothing is left.
    var isMostlyCancelled: Bool {
        live == 0 || places.count &- front > 2 &* live &+ Self.sweepFloor
    }

    @inline(__always)
    mutating func add(_ place: Int32, tick: UInt64) {
        places.append(place)
        noteEarliest(tick)
        live &+= 1
    }

    @inline(__always)
    mutating func popFront() -> Int32 {
        front &+= 1
        return places[front &- 1]
    }

    /// Ends a sweep that has moved the places of all live timers to the front.
    mutating func keep(first kept: Int) {
        assert(kept == live, "\(kept) places kept for \(live) timers")
        places.truncate(to: kept)
        front = 0
    }

    /// Counts a tick in that joins the live ones. One later than the earliest says nothing new, also
    /// when the earliest is gone; one at or before it is the earliest, whatever else is there.
    @inline(__always)
    mutating func noteEarliest(_ tick: UInt64) {
        guard tick <= earliestTick else { return }
        earliestCount = tick == earliestTick ? earliestCount &+ 1 : 1
        earliestTick = tick
    }

    /// Takes one live timer out of the counts.
    @inline(__always)
    mutating func forget(tick: UInt64) {
        assert(live > 0, "a timer at tick \(tick) leaves an empty slot")
        live &-= 1
        if earliestCount > 0, tick == earliestTick { earliestCount &-= 1 }
    }

    @inline(__always)
    mutating func removeAll() {
        places.removeAll(keeping: Self.keptRoom)
        front = 0
        live = 0
        earliestTick = .max
        earliestCount = 0
    }
}
