/// One timer as a slot lists it.
struct WheelEntry: BitwiseCopyable, Sendable {
    let tick: UInt64
    let payload: Int64
    let place: Int32
}

/// One slot of the wheel: a queue of entries in the order of insertion, in a chain of chunks.
/// Cancelled timers stay listed until the slot is popped, moved or swept, so that a cancellation
/// need not find them here.
struct WheelSlot: BitwiseCopyable {
    /// The first and the last chunk; nil when the slot is empty.
    var head: WheelChunk?
    var tail: WheelChunk?
    /// Index of the first entry, in `head`.
    var front = 0
    /// Index after the last entry, in `tail`.
    var end = 0
    /// How many entries are listed, those of cancelled timers included.
    var count = 0

    /// The positions of the listed entries, front to back.
    var positions: WheelPositions { WheelPositions(slot: self) }

    /// The position of the last entry; nil when the slot is empty.
    var last: WheelPosition? { tail.map { WheelPosition(chunk: $0, index: end &- 1) } }

    /// The first entry; nil when the slot is empty.
    @inline(__always)
    var first: WheelEntry? { head.map { $0[front] } }
}

/// Where an entry lies.
struct WheelPosition: BitwiseCopyable {
    let chunk: WheelChunk
    let index: Int

    var entry: WheelEntry { chunk[index] }
}

/// Walks over a slot that is not changed meanwhile.
struct WheelPositions: Sequence, IteratorProtocol {
    private var upcoming: WheelPosition?
    private let slot: WheelSlot

    init(slot: WheelSlot) {
        self.slot = slot
        upcoming = slot.head.map { WheelPosition(chunk: $0, index: slot.front) }
    }

    /// Those after a position in the slot.
    init(after position: WheelPosition, in slot: WheelSlot) {
        self.slot = slot
        upcoming = position
        _ = next()
    }

    mutating func next() -> WheelPosition? {
        guard let here = upcoming else { return nil }
        let index = here.index &+ 1
        if here.chunk == slot.tail, index == slot.end {
            upcoming = nil
        } else if index == WheelChunk.room {
            upcoming = here.chunk.following.map { WheelPosition(chunk: $0, index: 0) }
        } else {
            upcoming = WheelPosition(chunk: here.chunk, index: index)
        }
        return here
    }
}
