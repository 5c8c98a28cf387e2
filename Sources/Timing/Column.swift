/// A growing row of plain values that has one owner.
///
/// An `Array` asks at every write whether it is shared; the wheel writes several of them per timer,
/// and cannot be copied, so nothing of it is ever shared. Indices are checked in debug builds; the
/// wheel takes them from its own lists or checks them first.
struct Column<Element: BitwiseCopyable & Sendable>: ~Copyable, @unchecked Sendable {
    private(set) var count = 0
    private(set) var capacity: Int
    private var base: UnsafeMutablePointer<Element>

    /// - Parameter capacity: how many values to make room for at once; at least 4 are.
    init(capacity: Int = 0) {
        self.capacity = max(capacity, 4)
        base = .allocate(capacity: self.capacity)
    }

    deinit { base.deallocate() }

    @inline(__always)
    subscript(index: Int) -> Element {
        get {
            assert(index >= 0 && index < count, "index \(index) is outside 0..<\(count)")
            return base[index]
        }
        nonmutating set {
            assert(index >= 0 && index < count, "index \(index) is outside 0..<\(count)")
            base[index] = newValue
        }
    }

    /// Amortised O(1): the room grows by half.
    @inline(__always)
    mutating func append(_ element: Element) {
        if count == capacity { resize(to: capacity &+ capacity / 2) }
        (base + count).initialize(to: element)
        count &+= 1
    }

    /// The value at the end, taken off; nil when there is none.
    @inline(__always)
    mutating func popLast() -> Element? {
        guard count > 0 else { return nil }
        count &-= 1
        return base[count]
    }

    /// Keeps the first values only, and their room.
    mutating func truncate(to count: Int) {
        assert(count <= self.count, "\(self.count) values cannot be cut to \(count)")
        self.count = count
    }

    /// Forgets the values, and the room too where it is larger than `keeping` values.
    @inline(__always)
    mutating func removeAll(keeping: Int) {
        count = 0
        if capacity > keeping { resize(to: keeping) }
    }

    @inline(never)
    private mutating func resize(to newCapacity: Int) {
        let larger = UnsafeMutablePointer<Element>.allocate(capacity: newCapacity)
        larger.moveInitialize(from: base, count: count)
        base.deallocate()
        base = larger
        capacity = newCapacity
    }
}
