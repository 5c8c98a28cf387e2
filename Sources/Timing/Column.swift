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

    /// Puts an element at the end, if it is to be `kept`. Amortised O(1): the room grows by half.
    @inline(__always)
    mutating func append(_ element: Element, kept: Bool = true) {
        if count == capacity { resize(to: capacity &+ capacity / 2) }
        (base + count).initialize(to: element)
        count &+= kept ? 1 : 0
    }

    /// The value at the end, taken off; nil when there is none.
    @inline(__always)
    mutating func popLast() -> Element? {
        guard count > 0 else { return nil }
        count &-= 1
        return base[count]
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
