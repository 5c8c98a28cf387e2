import CGLib

/// The forms of a text in which equal texts are equal: what Unicode calls canonical (NFC), and the
/// form in which a search compares.
package enum TextForm {
    /// Normalization Form C (UAX #15; `g_utf8_normalize`): `e` and a combining acute are one `é`.
    /// Texts are stored so.
    package static func canonical(_ text: String) -> String {
        text.isASCII ? text : normalized(text, G_NORMALIZE_DEFAULT_COMPOSE) ?? text
    }

    /// The text as a search compares it: without case, accents and width, and without what is not
    /// seen. `É`, `é` and `e` are the same, so are `ß` and `ss`, `ﬁ` and `fi`, `ς` and `σ`.
    ///
    /// Full case folding (Unicode, CaseFolding.txt; `g_utf8_casefold`) and compatibility
    /// decomposition, without the marks that stand for an accent, put together again: a Hangul
    /// syllable stays one character, and is found whole.
    package static func folded(_ text: String) -> String {
        if text.isASCII { return text.lowercased() }
        let taken = cased(text).flatMap { normalized($0, G_NORMALIZE_ALL) } ?? text
        var scalars = String.UnicodeScalarView()
        for scalar in taken.unicodeScalars where !isLeftOut(scalar) {
            if let letters = plain[scalar] {
                scalars.append(contentsOf: letters.unicodeScalars)
            } else {
                scalars.append(scalar)
            }
        }
        let folded = String(scalars)
        return normalized(folded, G_NORMALIZE_DEFAULT_COMPOSE) ?? folded
    }

    /// Accents, and what leaves no mark by itself. Other marks make another letter: the vowels of
    /// Devanagari or Thai, the voicing of kana. The numbers are canonical combining classes (UAX #44).
    private static func isLeftOut(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value >= 0xAD else { return false }
        let properties = scalar.properties
        switch properties.canonicalCombiningClass.rawValue {
        // Overlays; the points of Hebrew, Arabic and Syriac; marks above, below and around.
        case 1, 10...36, 200...240: return true
        case 0: return scalar == tatweel || properties.isDefaultIgnorableCodePoint
        default: return false
        }
    }

    /// Stretches an Arabic word and means nothing.
    private static let tatweel: Unicode.Scalar = "\u{640}"

    /// Letters with a stroke or joined, which Unicode does not take apart.
    private static let plain: [Unicode.Scalar: String] = [
        "ø": "o", "ł": "l", "đ": "d", "ħ": "h", "ŧ": "t", "ı": "i", "æ": "ae", "œ": "oe",
    ]

    private static func normalized(_ text: String, _ mode: GNormalizeMode) -> String? {
        made(from: text) { g_utf8_normalize($0, $1, mode) }
    }

    private static func cased(_ text: String) -> String? {
        made(from: text) { g_utf8_casefold($0, $1) }
    }

    /// - Returns: `nil` for a text with a NUL, where GLib's would end, and for an empty one.
    private static func made(
        from text: String,
        _ body: (UnsafePointer<CChar>, gssize) -> UnsafeMutablePointer<CChar>?
    ) -> String? {
        var copy = text
        return copy.withUTF8 { utf8 in
            guard let base = utf8.baseAddress, !utf8.isEmpty, !utf8.contains(0) else { return nil }
            return base.withMemoryRebound(to: CChar.self, capacity: utf8.count) {
                take(body($0, gssize(utf8.count)))
            }
        }
    }

    /// Takes over a string that GLib has made.
    private static func take(_ made: UnsafeMutablePointer<CChar>?) -> String? {
        guard let made else { return nil }
        defer { g_free(made) }
        return String(cString: made)
    }
}

extension String {
    /// Eight bytes at a time.
    fileprivate var isASCII: Bool {
        utf8.withContiguousStorageIfAvailable { text in
            let bytes = UnsafeRawBufferPointer(text)
            let whole = bytes.count & ~7
            var all: UInt64 = 0
            for place in stride(from: 0, to: whole, by: 8) {
                all |= bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
            }
            for place in whole..<bytes.count { all |= UInt64(bytes[place]) }
            return all & 0x8080_8080_8080_8080 == 0
        } ?? utf8.allSatisfy { $0 < 0x80 }
    }
}
