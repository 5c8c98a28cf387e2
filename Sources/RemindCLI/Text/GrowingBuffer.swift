import Glibc

/// Values in one block of memory that only grows. realloc(3) moves the pages of a large block, where
/// an array copies them and touches each twice: of a long list that was a quarter of the time.
final class GrowingBuffer<Element: BitwiseCopyable> {
    private(set) var start: UnsafeMutablePointer<Element>?
    private(set) var count = 0
    private var capacity = 0

    deinit { free(start) }

    var elements: UnsafeBufferPointer<Element> { UnsafeBufferPointer(start: start, count: count) }

    /// Room for that many more behind the last one.
    @inline(__always)
    func room(for more: Int) -> UnsafeMutablePointer<Element> {
        if let start, capacity - count >= more { return start + count }
        return grown(by: more)
    }

    private func grown(by more: Int) -> UnsafeMutablePointer<Element> {
        capacity = max(2 * capacity, count + more, 1024)
        let bytes = capacity * MemoryLayout<Element>.stride
        guard let moved = realloc(start, bytes) else {
            preconditionFailure("there is no memory for \(bytes) bytes")
        }
        let elements = moved.assumingMemoryBound(to: Element.self)
        start = elements
        return elements + count
    }

    /// Keeps what was written to the `room`.
    @inline(__always)
    func keep(_ more: Int) { count += more }

    @inline(__always)
    func append(_ element: Element) {
        room(for: 1).initialize(to: element)
        count += 1
    }

    @inline(__always)
    func append(_ elements: UnsafeBufferPointer<Element>) {
        guard let from = elements.baseAddress else { return }
        room(for: elements.count).update(from: from, count: elements.count)
        count += elements.count
    }

    /// Drops the first ones, and keeps the memory.
    func removeFirst(_ dropped: Int) {
        guard dropped > 0, let start else { return }
        count -= dropped
        start.update(from: start + dropped, count: count)
    }
}

extension GrowingBuffer<UInt8> {
    func append(_ text: String) {
        var text = text
        text.withUTF8 { append($0) }
    }

    func append(_ byte: Unicode.Scalar, times count: Int) {
        guard count > 0 else { return }
        room(for: count).update(repeating: UInt8(ascii: byte), count: count)
        keep(count)
    }
}
