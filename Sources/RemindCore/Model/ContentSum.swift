/// FNV-1a with its bits mixed at the end, so that hashes can be added. Stable for ever: they are
/// kept in the store.
package struct ContentSum: Hashable, Sendable {
    private var value: UInt64 = 0xCBF2_9CE4_8422_2325

    package init() {}

    package mutating func add(_ bytes: [UInt8]) { bytes.withUnsafeBufferPointer { add($0) } }

    private mutating func add(_ bytes: UnsafeBufferPointer<UInt8>) {
        for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }

    /// Of all bytes so far.
    package var hash: UInt64 {
        let mixed = (value ^ (value >> 32)) &* 0x9E37_79B9_7F4A_7C15
        return mixed ^ (mixed >> 29)
    }

    package static func hash(_ text: String) -> UInt64 {
        var text = text
        return text.withUTF8 { bytes in
            var sum = ContentSum()
            sum.add(bytes)
            return sum.hash
        }
    }

    package static func hash(bytes: [UInt8]) -> UInt64 {
        var sum = ContentSum()
        sum.add(bytes)
        return sum.hash
    }
}
