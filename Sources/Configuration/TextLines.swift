/// The lines of a key file. `GKeyFile` does not tell in which line something stands, so they are
/// looked up here.
struct TextLines {
    /// Without their ends.
    var lines: [String]

    /// - Parameter bytes: UTF-8; a byte order mark is passed over.
    init(_ bytes: [UInt8]) {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let text = bytes.starts(with: mark) ? bytes[3...] : bytes[...]
        lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
    }

    /// A group's or a key's place.
    struct Place: Hashable {
        /// From 1.
        var line: Int
        var group: String
        /// `nil`: the line of the group itself.
        var key: String?
    }

    /// In their order; a key that stands twice is there twice.
    var places: [Place] {
        var (places, group) = ([Place](), "")
        for (index, line) in lines.enumerated() {
            if let name = Self.group(of: line) {
                group = name
                places.append(Place(line: index + 1, group: group, key: nil))
            } else if let key = Self.key(of: line) {
                places.append(Place(line: index + 1, group: group, key: key))
            }
        }
        return places
    }

    func joined(first count: Int = .max) -> String {
        lines.prefix(count).joined(separator: "\n")
    }

    /// The first line that makes the text one that cannot be parsed, from 1: what comes after a
    /// fault does not mend it, so it is found by halving.
    func firstFaultyLine(_ parses: (String) -> Bool) -> Int {
        var (good, bad) = (0, lines.count)
        while bad - good > 1 {
            let middle = (good + bad) / 2
            if parses(joined(first: middle)) { good = middle } else { bad = middle }
        }
        return bad
    }

    static func group(of line: String) -> String? {
        let line = trimmed(line)
        guard line.first == "[", line.last == "]" else { return nil }
        return String(line.dropFirst().dropLast())
    }

    static func key(of line: String) -> String? {
        let line = trimmed(line)
        guard line.first != "#", let equals = line.firstIndex(of: "=") else { return nil }
        return trimmed(String(line[..<equals]))
    }

    static func trimmed(_ text: String) -> String {
        var text = Substring(text)
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
