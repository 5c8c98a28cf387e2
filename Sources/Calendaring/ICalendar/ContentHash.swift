import RemindCore

extension ICalendarItem {
    /// A hash of all that is said about it, the order of its properties and DTSTAMP aside: servers
    /// write that one anew whenever they are asked. Stable for ever.
    package var contentHash: Int64 {
        if let source { return source }
        var sum = Self.hash(text)
        for part in overrides { sum &+= Self.hash(part.text) }
        return Int64(bitPattern: sum)
    }

    /// The same of each of its components: of itself, and of what replaces its occurrences. Their
    /// sum is `contentHash`.
    package var partHashes: [Int64] {
        ([self] + overrides).map { Int64(bitPattern: Self.hash($0.text)) }
    }

    /// The same of each component in a text that was written here.
    package static func partHashes(stored text: String) -> [Int64] {
        var (found, depth, lines) = ([Int64](), 0, [String]())
        for line in text.utf8.split(separator: 10) {
            lines.append(String(Substring(line)))
            if line.starts(with: "BEGIN:".utf8) { depth += 1 }
            guard line.starts(with: "END:".utf8) else { continue }
            depth -= 1
            if depth == 0 {
                found.append(Int64(bitPattern: hash(lines)))
                lines = []
            }
        }
        return found
    }

    /// The same of the lines of any component.
    static func contentHash(of lines: [String]) -> Int64 { Int64(bitPattern: hash(lines)) }

    private static func hash(_ lines: [String]) -> UInt64 {
        var sum: UInt64 = 0
        for line in lines where !line.utf8.starts(with: "DTSTAMP".utf8) {
            sum &+= ContentSum.hash(line)
        }
        return sum
    }
}
