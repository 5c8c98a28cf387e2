/// Text of users made fit for a terminal: it can neither move the cursor nor turn other text round.
extension String {
    /// On one line: line ends and tabs become blanks, what steers a terminal becomes “�”.
    var singleLine: String {
        if isPlain || !unicodeScalars.contains(where: \.needsCare) { return self }
        var safe = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            switch scalar.value {
            case 0x09...0x0D, 0x85, 0x2028, 0x2029: safe.append(" ")
            case _ where scalar.turnsText: continue
            case _ where scalar.steersTerminal: safe.append("\u{FFFD}")
            default: safe.append(scalar)
            }
        }
        return String(safe)
    }

    /// The lines of a note, each fit for a terminal.
    var safeLines: [String] {
        split(separator: "\n", omittingEmptySubsequences: false).map { String($0).singleLine }
    }

    /// Between FIRST STRONG ISOLATE and POP DIRECTIONAL ISOLATE (Unicode Standard Annex #9) when it
    /// has letters that run from right to left, so that the columns beside it stay where they are.
    var isolated: String {
        !isPlain && unicodeScalars.contains(where: \.runsFromRight)
            ? "\u{2068}\(self)\u{2069}" : self
    }
}

extension Unicode.Scalar {
    fileprivate var needsCare: Bool {
        steersTerminal || turnsText || value == 0x2028 || value == 0x2029
    }

    /// The control characters of ASCII and of ISO 8859 (U+0080 to U+009F).
    fileprivate var steersTerminal: Bool { value < 0x20 || (0x7F...0x9F).contains(value) }

    /// Embeddings, overrides and isolates, which could be left open.
    fileprivate var turnsText: Bool {
        (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value)
    }

    /// The blocks of scripts written from right to left.
    fileprivate var runsFromRight: Bool {
        (0x0590...0x08FF).contains(value) || (0xFB1D...0xFDFF).contains(value)
            || (0xFE70...0xFEFF).contains(value) || (0x10800...0x10FFF).contains(value)
            || (0x1E800...0x1EFFF).contains(value)
    }
}

extension String {
    /// Whether another text stands in it. The standard `contains` would link an engine for regular
    /// expressions, which costs the program a third of its start. O(bytes × bytes of the part).
    func holds(_ part: String) -> Bool {
        let (bytes, sought) = (Array(utf8), Array(part.utf8))
        guard bytes.count >= sought.count else { return false }
        return (0...(bytes.count - sought.count)).contains {
            bytes[$0..<($0 + sought.count)].elementsEqual(sought)
        }
    }
}
