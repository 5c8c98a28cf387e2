import RemindAPI

/// A manual page in the making, in the language of man(7).
struct Roff {
    private(set) var text: String

    /// When the pages were last read through.
    private static let revised = "2026-11-30"
    private static let columns = 76

    /// - Parameters:
    ///   - section: 1, 5, 7 or 8.
    ///   - volume: the name of that section.
    init(_ name: String, section: Int, volume: String, summary: String) {
        text = """
            .\\" Made from the sources of remindd; changes belong there.
            .TH \(name.uppercased()) \(section) \(Self.revised) "remindd \(Product.version)" "\(volume)"

            """
        self.section("Name")
        text += "\(Self.escaped(name)) \\- \(Self.escaped(summary))\n"
    }

    mutating func section(_ heading: String) {
        text += ".SH \"\(Self.escaped(heading.uppercased()))\"\n"
    }

    mutating func subsection(_ heading: String) { text += ".SS \"\(Self.escaped(heading))\"\n" }

    /// Text on lines of its own, filled by the formatter.
    mutating func prose(_ prose: String) { text += Self.filled(Self.escaped(prose)) }

    /// How something is called; its words are roff already.
    mutating func synopsis(_ words: [String]) {
        text += Self.filled(words.joined(separator: " "))
    }

    mutating func paragraph(_ prose: String) {
        text += ".PP\n"
        self.prose(prose)
    }

    /// What stands in a list: a tag that is roff already, and what it means in paragraphs.
    mutating func item(_ tag: String, _ paragraphs: [String]) {
        text += ".TP\n\(tag)\n"
        for (index, paragraph) in paragraphs.enumerated() {
            if index > 0 { text += ".IP\n" }
            prose(paragraph)
        }
    }

    /// Lines as they stand, in the place of a paragraph, or of an item's text.
    mutating func example(_ lines: [String], inItem: Bool = false) {
        let isFirst = text.split(separator: "\n").last?.hasPrefix(".S") ?? true
        text += (inItem ? ".IP\n" : isFirst ? "" : ".PP\n") + ".EX\n"
        for line in lines { text += Self.guarded(Self.escaped(line)) + "\n" }
        text += ".EE\n"
    }

    /// Moves what `body` writes to the right.
    mutating func indented(_ body: (inout Roff) -> Void) {
        text += ".RS\n"
        body(&self)
        text += ".RE\n"
    }

    mutating func seeAlso(_ pages: [(name: String, section: Int)]) {
        section("See also")
        for (index, page) in pages.enumerated() {
            let comma = index + 1 < pages.count ? "," : ""
            text += ".BR \(Self.escaped(page.name)) (\(page.section))\(comma)\n"
        }
    }
}

extension Roff {
    static func bold(_ text: String) -> String { "\\fB\(escaped(text))\\fR" }

    static func italic(_ text: String) -> String { "\\fI\(escaped(text))\\fR" }

    /// The text with everything that roff would read as its own, in ASCII.
    static func escaped(_ text: String) -> String {
        var roff = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": roff += "\\e"
            case "-": roff += "\\-"
            case "'": roff += "\\(aq"
            case "`": roff += "\\(ga"
            case "^": roff += "\\(ha"
            case "~": roff += "\\(ti"
            case "\"": roff += "\\(dq"
            case _ where scalar.isASCII: roff.unicodeScalars.append(scalar)
            default:
                let hex = String(scalar.value, radix: 16, uppercase: true)
                roff += "\\[u\(String(repeating: "0", count: max(4 - hex.count, 0)))\(hex)]"
            }
        }
        return roff
    }

    /// A line that begins with a dot would be a command.
    private static func guarded(_ line: String) -> String {
        line.hasPrefix(".") ? "\\&" + line : line
    }

    private static func filled(_ prose: String) -> String {
        var (text, line) = ("", "")
        for word in prose.split(whereSeparator: \.isWhitespace) {
            if !line.isEmpty, line.utf8.count + 1 + word.utf8.count > columns {
                text += guarded(line) + "\n"
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + word
        }
        return text + guarded(line) + "\n"
    }
}
