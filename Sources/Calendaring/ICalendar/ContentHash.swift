import RemindCore

extension ICalendarItem {
    /// A hash of all that is said about it, the order of its properties and DTSTAMP aside: servers
    /// write that one anew whenever they are asked. Stable for ever.
    package var contentHash: Int64 {
        if let source { return source }
        var sum: UInt64 = 0
        for part in [self] + overrides {
            for line in part.text where !line.utf8.starts(with: "DTSTAMP".utf8) {
                sum &+= ContentSum.hash(line)
            }
        }
        return Int64(bitPattern: sum)
    }
}
