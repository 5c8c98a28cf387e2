/// Room for 32 entries, and the chunk after it in its chain. The entries lie in parallel rows:
/// as records of three words a sixth of them would be padding.
struct WheelChunk: Equatable, BitwiseCopyable {
    static let room = 32
    static let bytes = 8 + room * (8 + 8 + 4)

    private let start: UnsafeMutableRawPointer

    init(at start: UnsafeMutableRawPointer) { self.start = start }

    @inline(__always)
    var following: WheelChunk? {
        get { start.load(as: WheelChunk?.self) }
        nonmutating set { start.storeBytes(of: newValue, as: WheelChunk?.self) }
    }

    @inline(__always)
    private var ticks: UnsafeMutablePointer<UInt64> {
        (start + 8).assumingMemoryBound(to: UInt64.self)
    }

    @inline(__always)
    private var payloads: UnsafeMutablePointer<Int64> {
        (start + 8 + 8 * Self.room).assumingMemoryBound(to: Int64.self)
    }

    @inline(__always)
    private var places: UnsafeMutablePointer<Int32> {
        (start + 8 + 16 * Self.room).assumingMemoryBound(to: Int32.self)
    }

    @inline(__always)
    subscript(index: Int) -> WheelEntry {
        get {
            assert(index >= 0 && index < Self.room, "index \(index) is outside a chunk")
            return WheelEntry(tick: ticks[index], payload: payloads[index], place: places[index])
        }
        nonmutating set {
            assert(index >= 0 && index < Self.room, "index \(index) is outside a chunk")
            ticks[index] = newValue.tick
            payloads[index] = newValue.payload
            places[index] = newValue.place
        }
    }

    /// The smallest of some ticks.
    @inline(__always)
    func smallestTick(in range: Range<Int>) -> UInt64 {
        range.reduce(.max) { min($0, ticks[$1]) }
    }
}

/// The memory in which all slots keep their entries.
///
/// Entries of a slot lie side by side, so that moving a slot down a level reads and writes memory in
/// a row, whatever order the timers came in. Chunks given back are used again; memory follows the
/// largest number of entries listed at once.
struct WheelChunks: ~Copyable, @unchecked Sendable {
    /// Chunks are allocated so many at a time; what is not written is not in memory yet.
    private static let slabChunks = 1024

    private var slabs: [UnsafeMutableRawPointer] = []
    private var fresh = 0
    private var free: WheelChunk?

    deinit {
        for slab in slabs { slab.deallocate() }
    }

    /// Puts an entry at the end of a slot, if it is to be `kept`. O(1), without a branch on that.
    @inline(__always)
    mutating func append(_ entry: WheelEntry, to slot: inout WheelSlot, kept: Bool = true) {
        let tail: WheelChunk
        if let last = slot.tail, slot.end < WheelChunk.room {
            tail = last
        } else {
            tail = extend(&slot)
        }
        tail[slot.end] = entry
        slot.end &+= kept ? 1 : 0
        slot.count &+= kept ? 1 : 0
    }

    /// Takes the first entry off a slot; nil when it is empty. O(1).
    @inline(__always)
    mutating func popFirst(of slot: inout WheelSlot) -> WheelEntry? {
        guard let head = slot.head else { return nil }
        let first = head[slot.front]
        slot.front &+= 1
        slot.count &-= 1
        if slot.count == 0 {
            giveBack(head)
            slot = WheelSlot()
        } else if slot.front == WheelChunk.room {
            slot.front = 0
            slot.head = head.following
            giveBack(head)
        }
        return first
    }

    /// The smallest tick that a slot lists, cancelled timers included; `.max` of an empty one.
    func smallestTick(in slot: WheelSlot) -> UInt64 {
        var smallest = UInt64.max
        var (chunk, from) = (slot.head, slot.front)
        while let here = chunk {
            let isLast = here == slot.tail
            smallest = min(
                smallest, here.smallestTick(in: from..<(isLast ? slot.end : WheelChunk.room)))
            (chunk, from) = (isLast ? nil : here.following, 0)
        }
        return smallest
    }

    /// Gives back the room of a slot to which nothing was kept.
    mutating func emptied(_ slot: WheelSlot) -> WheelSlot {
        assert(slot.count == 0, "a slot with \(slot.count) entries is dropped")
        if let head = slot.head { giveBack(head) }
        return WheelSlot()
    }

    /// A new chunk at the end of a slot.
    @inline(never)
    private mutating func extend(_ slot: inout WheelSlot) -> WheelChunk {
        let chunk = take()
        if let tail = slot.tail {
            tail.following = chunk
        } else {
            slot.head = chunk
        }
        (slot.tail, slot.end) = (chunk, 0)
        return chunk
    }

    @inline(__always)
    private mutating func giveBack(_ chunk: WheelChunk) {
        chunk.following = free
        free = chunk
    }

    private mutating func take() -> WheelChunk {
        if let chunk = free {
            free = chunk.following
            return chunk
        }
        if slabs.isEmpty || fresh == Self.slabChunks {
            slabs.append(
                .allocate(byteCount: Self.slabChunks * WheelChunk.bytes, alignment: 64))
            fresh = 0
        }
        fresh += 1
        return WheelChunk(at: slabs[slabs.count - 1] + (fresh - 1) * WheelChunk.bytes)
    }
}
