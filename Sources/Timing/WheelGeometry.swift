/// Where a tick belongs on the wheel: six levels of 64 slots, one tick = 1 ms.
///
/// | level | a slot is   | the level spans        |
/// |-------|-------------|------------------------|
/// | 0     | 1 ms        | 64 ms                  |
/// | 1     | 64 ms       | 4.1 s                  |
/// | 2     | 4.096 s     | 4 min 22 s             |
/// | 3     | 4 min 22 s  | 4 h 39 min 37 s        |
/// | 4     | 4 h 40 min  | 12 d 10 h 15 min       |
/// | 5     | 12.43 days  | 795 days (2.18 years)  |
///
/// A tick is read as digits of base 64. It belongs on the level of the highest digit in which it
/// differs from `now`, in the slot that this digit names. So everything on a level comes before
/// everything on the levels above it, and equal ticks always share a slot.
///
/// Level 5 turns: its digit may be smaller than that of `now` and then means the next turn. To keep
/// one turn from meeting the next, 63 of its 64 slots may lie ahead: that is the horizon.
enum WheelGeometry {
    static let levels = 6
    static let slotsPerLevel = 64
    static let slotCount = levels * slotsPerLevel

    /// How far ahead of `now` a tick may lie, inclusive: 63 × 64⁵ ms = 782 days 23 h.
    static let horizon: UInt64 = 63 << 30

    /// The slot, counted over all levels, of a tick within the horizon. A tick before `now` shares
    /// the slot of `now`.
    @inline(__always)
    static func slot(of tick: UInt64, now: UInt64) -> Int {
        let tick = max(tick, now)
        let highestBit = 63 &- ((tick ^ now) | 63).leadingZeroBitCount
        let level = min(highestBit / 6, levels &- 1)
        let digit = Int(truncatingIfNeeded: tick &>> UInt64(6 &* level)) & 63
        return level &* slotsPerLevel &+ digit
    }

    /// The earliest occupied slot of a level and the first tick it covers. O(1): one bit scan.
    /// - Parameter occupied: the level's occupancy map, bit = digit; not 0.
    @inline(__always)
    static func earliest(
        level: Int, occupied: UInt64, now: UInt64
    ) -> (slot: Int, start: UInt64) {
        let shift = UInt64(6 &* level)
        let position = now &>> shift
        let turn = position & 63
        let turned = occupied &>> turn | occupied &<< (64 &- turn)
        let start = position &+ UInt64(turned.trailingZeroBitCount)
        return (level &* slotsPerLevel &+ Int(start & 63), start &<< shift)
    }
}
