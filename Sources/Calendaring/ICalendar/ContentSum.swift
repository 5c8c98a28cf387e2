extension ICalendarItem {
    /// A hash of all that is said about it, the order of its properties and DTSTAMP aside: servers
    /// write that one anew whenever they are asked. Stable for ever.
    package var contentHash: Int64 {
        if let source { return source }
        var sum: UInt64 = 0
        for part in [self] + overrides {
            for line in part.text where !line.hasPrefix("DTSTAMP") {
                sum &+= ContentSum.hash(line)
            }
        }
        return Int64(bitPattern: sum)
    }
}

/// FNV-1a with its bits mixed at the end, so that hashes can be added.
package enum ContentSum {
    package static func hash(_ text: String) -> UInt64 {
        var text = text
        return text.withUTF8 { hash(bytes: $0) }
    }

    package static func hash(bytes: some Sequence<UInt8>) -> UInt64 {
        var value: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
        value = (value ^ (value >> 32)) &* 0x9E37_79B9_7F4A_7C15
        return value ^ (value >> 29)
    }
}
