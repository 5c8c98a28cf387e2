/// How much room text takes on a terminal.
extension Unicode.Scalar {
    /// Cells: 0 for marks that combine and for format characters, 2 for wide ones, else 1.
    /// Binary search, O(log ranges).
    var cells: Int {
        if value < 0x300 { return value == 0xAD || value >= 0x20 && value != 0x7F ? 1 : 0 }
        // Vowels and final consonants of Hangul combine with the wide consonant before them.
        if (0x1160...0x11FF).contains(value) || (0xD7B0...0xD7FF).contains(value) { return 0 }
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .lineSeparator, .paragraphSeparator: return 0
        default: return isWide ? 2 : 1
        }
    }

    private var isWide: Bool {
        var (low, high) = (0, WideRanges.bounds.count / 2)
        while low < high {
            let middle = (low + high) / 2
            if WideRanges.bounds[middle * 2 + 1] < value { low = middle + 1 } else { high = middle }
        }
        return low < WideRanges.bounds.count / 2 && WideRanges.bounds[low * 2] <= value
    }
}

extension Character {
    /// Cells of what is drawn as one: a flag, a family joined by ZWJ or a letter with its marks is
    /// never wider than 2. A variation selector 16 asks for the wide picture of a narrow sign.
    var cells: Int {
        var sum = 0
        for scalar in unicodeScalars { sum += scalar.value == 0xFE0F ? 1 : scalar.cells }
        return Swift.min(sum, 2)
    }
}

extension StringProtocol {
    /// Cells of the text on a terminal. O(bytes).
    var cells: Int {
        if isPlain { return utf8.count }
        return reduce(0) { $0 + $1.cells }
    }
}

extension StringProtocol {
    /// Nothing but printable ASCII: what needs no care, one cell each. O(bytes).
    var isPlain: Bool {
        let quick = utf8.withContiguousStorageIfAvailable { bytes in
            // Without a way out of the loop: many bytes at a time.
            var others: UInt8 = 0
            for byte in bytes { others |= byte &- 0x20 < 0x5F ? 0 : 1 }
            return others == 0
        }
        return quick ?? utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
    }
}

extension String {
    /// The text, cut to `limit` cells with an ellipsis at its end when it is longer.
    /// - Parameter ascii: “...” in place of “…”.
    func cut(toCells limit: Int, ascii: Bool = false) -> String {
        if utf8.count <= limit || cells <= limit { return self }
        let ellipsis = (ascii ? Self.asciiEllipsis : "…").prefix(Swift.max(limit, 0))
        if isPlain {
            let kept = utf8.prefix(Swift.max(limit, 0) - ellipsis.count)
            return String(decoding: kept, as: UTF8.self) + ellipsis
        }
        var (kept, used) = ("", ellipsis.count)
        for character in self {
            used += character.cells
            if used > limit { break }
            kept.append(character)
        }
        return kept + ellipsis
    }

    /// The text with blanks behind it, at least `width` cells.
    func padded(toCells width: Int) -> String {
        self + String(repeating: " ", count: Swift.max(width - cells, 0))
    }
}
