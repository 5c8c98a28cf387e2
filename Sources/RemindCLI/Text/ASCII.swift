/// Output for a locale whose letters are those of ASCII.
extension String {
    /// The text in ASCII: the program's own signs as what stands for them there, everything else as
    /// a `?` a cell, so that columns and carets stay where they are. O(bytes).
    var ascii: String {
        if utf8.allSatisfy({ $0 < 0x80 }) { return self }
        var text = ""
        for character in self {
            if character.unicodeScalars.allSatisfy(\.isASCII) {
                text.append(character)
            } else {
                text += Self.signs[character] ?? String(repeating: "?", count: character.cells)
            }
        }
        return text
    }

    private static let signs: [Character: String] = [
        "—": "-", "–": "-", "…": Self.asciiEllipsis, "‘": "'", "’": "'", "“": "\"", "”": "\"",
        "→": "->", "×": "x",
    ]

    static let asciiEllipsis = "..."
}

extension Surroundings {
    /// Whether the locale (setlocale(3), `LC_CTYPE`) asks for ASCII: it says so, as `C` and `POSIX`
    /// do, or it has a character set that is not UTF-8. Where no locale is set, as in a service,
    /// the text goes out as it is.
    var isASCII: Bool {
        let names = ["LC_ALL", "LC_CTYPE", "LANG"]
        guard let locale = names.lazy.compactMap({ variable($0) }).first else { return false }
        if locale == "C" || locale == "POSIX" { return true }
        guard let dot = locale.firstIndex(of: ".") else { return false }
        let set = locale[locale.index(after: dot)...].prefix { $0 != "@" }
        return set.lowercased().filter { $0 != "-" } != "utf8"
    }
}
