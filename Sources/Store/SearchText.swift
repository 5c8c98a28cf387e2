import RemindCore
import TextForms

/// What a search can find a reminder by, folded.
///
/// Each text has a blank before it, so that a word's beginning can be told from its middle, and two
/// separators behind it, so that each of its characters begins a group of three.
struct SearchText: Hashable {
    let title: String
    /// The list, the tags and the note.
    let rest: String

    init(_ reminder: Reminder) {
        self.init(
            title: reminder.title, list: reminder.list, tags: reminder.tags, note: reminder.note)
    }

    init(title: String, list: String, tags: [String], note: String?) {
        self.title = Self.padded(title)
        var rest = Self.padded(list)
        for tag in tags { rest += Self.padded(tag) }
        if let note { rest += Self.padded(note) }
        self.rest = rest
    }

    /// As `search_text` has them.
    init(title: String, rest: String) { (self.title, self.rest) = (title, rest) }

    /// No text has it: control characters are refused.
    static let separator: Unicode.Scalar = "\u{1F}"
    private static let end = "\u{1F}\u{1F}"

    private static func padded(_ text: String) -> String {
        // A tag and a word of many lines begin like one after a blank.
        let folded = TextForm.folded(text)
        let line = folded.utf8.contains { $0 < 0x20 } ? oneLine(folded) : folded
        return " " + line + end
    }

    private static func oneLine(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { scalars.append(scalar.value < 0x20 ? " " : scalar) }
        return String(scalars)
    }
}

/// What somebody searches for: all of its words, each somewhere, in any order. Nothing in it is an
/// operator.
struct SearchWords: Hashable {
    /// Folded; none is empty.
    let words: [String]
    /// All of it, with one blank between two words.
    var whole: String { words.joined(separator: " ") }

    init(_ text: String) {
        words = TextForm.folded(text).unicodeScalars
            .split { $0.properties.isWhitespace || $0.value < 0x20 || $0.value == 0x7F }
            .map { String($0) }
    }

    /// Of these many groups of a word the index is asked; what is found is checked anyway.
    private static let groupsOfWord = 8

    /// The FTS5 query for the words of three or more characters; `nil` when there are none. Each
    /// group is a quoted string, in which `"` is doubled and nothing else means anything
    /// (<https://www.sqlite.org/fts5.html>, section 3.1).
    var match: String? {
        let groups = words.flatMap(Self.groups)
        guard !groups.isEmpty else { return nil }
        return groups.map { "\"" + $0.replacing("\"") + "\"" }.joined(separator: " AND ")
    }

    /// The words of one or two characters.
    var short: [String] { words.filter { $0.unicodeScalars.count < 3 } }

    private static func groups(of word: String) -> [String] {
        let scalars = Array(word.unicodeScalars)
        guard scalars.count >= 3 else { return [] }
        let last = scalars.count - 3
        let step = max(1, last / (groupsOfWord - 1))
        let starts = Array(stride(from: 0, through: last, by: step)) + [last]
        return starts.map { start in
            var group = String.UnicodeScalarView()
            group.append(contentsOf: scalars[start..<start + 3])
            return String(group)
        }
    }
}

extension String {
    /// With every `"` doubled.
    fileprivate func replacing(_ quote: Character) -> String {
        split(separator: quote, omittingEmptySubsequences: false).joined(separator: "\"\"")
    }
}
