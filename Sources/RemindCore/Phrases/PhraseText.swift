/// A phrase as the parser reads it: lower-case ASCII, each byte with the place it came from.
///
/// Unicode digits, blanks, dashes and full-width signs are read as their ASCII forms. Letters of
/// other scripts stay as `foreign`, to be refused as a word. Case is folded for A–Z alone, so that
/// no locale changes what is understood.
struct PhraseText {
    let original: String
    private(set) var bytes: [UInt8] = []
    /// For each byte the UTF-8 offset in `original`; one more for the end.
    private(set) var offsets: [Int] = []

    /// Stands for a character that no phrase has a use for.
    static let foreign: UInt8 = 0xFF

    /// - Throws: when the text is too long, or has control or invisible characters.
    init(_ text: String) throws(PhraseError) {
        original = text
        let length = text.utf8.count
        guard length <= Limits.phrase else {
            throw PhraseError(
                phrase: text, range: 0..<length,
                reason: "A phrase has at most \(Limits.phrase) bytes; this one has \(length).")
        }
        bytes.reserveCapacity(length)
        offsets.reserveCapacity(length + 1)
        var offset = 0
        for scalar in text.unicodeScalars {
            let width = UTF8.width(scalar)
            guard let byte = Self.fold(scalar) else {
                throw PhraseError(
                    phrase: text, range: offset..<offset + width,
                    reason: "The phrase has the invisible character ‘\(Self.name(scalar))’ in it.")
            }
            bytes.append(byte)
            offsets.append(offset)
            offset += width
        }
        offsets.append(offset)
    }

    /// What is between two places, as it was typed.
    func typed(_ range: Range<Int>) -> String {
        String(decoding: Array(original.utf8)[range], as: UTF8.self)
    }

    /// The whole with one place replaced: how suggestions are made.
    func replacing(_ range: Range<Int>, with text: String) -> String {
        let utf8 = Array(original.utf8)
        return String(decoding: utf8[..<range.lowerBound], as: UTF8.self) + text
            + String(decoding: utf8[range.upperBound...], as: UTF8.self)
    }

    /// `nil` for characters that cannot be seen and would change what the eye reads.
    private static func fold(_ scalar: Unicode.Scalar) -> UInt8? {
        let value = scalar.value
        switch value {
        case 0x41...0x5A: return UInt8(value) + 0x20
        case 0x20...0x7E: return UInt8(value)
        case 0x09, 0x0A, 0x0D: return 0x20
        case 0..<0xA0: return nil
        case 0x2010...0x2013, 0x2212: return UInt8(ascii: "-")
        case 0x2018, 0x2019: return UInt8(ascii: "'")
        case 0xFF01...0xFF0F, 0xFF1A...0xFF20: return UInt8(value - 0xFEE0)
        default: return foldByProperties(scalar)
        }
    }

    private static func foldByProperties(_ scalar: Unicode.Scalar) -> UInt8? {
        let properties = scalar.properties
        if properties.isWhitespace { return 0x20 }
        if properties.isDefaultIgnorableCodePoint { return nil }
        if properties.numericType == .decimal, let value = properties.numericValue {
            return UInt8(ascii: "0") + UInt8(value)
        }
        return foreign
    }

    private static func name(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
    }
}
