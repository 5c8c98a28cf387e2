/// What messages name in ‘quotes’, kept readable when it is long.
extension String {
    /// Characters of a value, of a path, which must be told whole, and of a whole message,
    /// however many values it names.
    private static let (longestValue, longestPath, longestMessage) = (60, 300, 1200)

    /// The text with each long value in ‘quotes’ cut, “…” at its end. O(characters).
    var withShortValues: String {
        if utf8.count <= Self.longestValue { return self }
        var (text, rest) = ("", self[...])
        while let open = rest.firstIndex(of: "‘") {
            let start = rest.index(after: open)
            let end = rest[start...].firstIndex(of: "’") ?? rest.endIndex
            let isPath = rest[start...].first == "/"
            text += rest[..<start]
            text += rest[start..<end].cut(to: isPath ? Self.longestPath : Self.longestValue)
            rest = rest[end...]
        }
        return (text + rest)[...].cut(to: Self.longestMessage)
    }
}

extension Substring {
    /// At most `limit` characters, the last of them “…” when some are left out.
    fileprivate func cut(to limit: Int) -> String {
        count <= limit ? String(self) : prefix(limit - 1) + "…"
    }
}
