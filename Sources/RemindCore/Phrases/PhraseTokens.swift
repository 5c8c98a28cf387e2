/// A word, a number or a sign of a phrase.
struct Token: Sendable {
    enum Kind: Hashable, Sendable {
        /// Its value, and with how many digits it was written; more than 15 count as `Int.max`.
        case number(Int, digits: Int)
        case word(Word)
        /// A word that the vocabulary does not have.
        case unknown
        case sign(Unicode.Scalar)
        case end
    }

    let kind: Kind
    /// Where it stands, in UTF-8 bytes of the phrase as given.
    let range: Range<Int>
    /// True when no blank stands before it.
    let isGlued: Bool
}

/// Cuts a phrase into tokens, in one pass.
struct Tokenizer {
    private let text: PhraseText
    private var position = 0
    private var tokens: [Token] = []
    private var glued = true

    static func tokens(of text: PhraseText) -> [Token] {
        var tokenizer = Tokenizer(text)
        tokenizer.run()
        return tokenizer.tokens
    }

    private init(_ text: PhraseText) {
        self.text = text
        tokens.reserveCapacity(text.bytes.count / 2 + 1)
    }

    private mutating func run() {
        let bytes = text.bytes
        while position < bytes.count {
            let start = position
            switch bytes[position] {
            case 0x20:
                position += 1
                glued = false
                continue
            case 0x30...0x39: number(from: start)
            case 0x61...0x7A, PhraseText.foreign: word(from: start)
            default:
                position += 1
                append(.sign(Unicode.Scalar(bytes[start])), from: start)
            }
        }
        append(.end, from: position)
    }

    private mutating func append(_ kind: Token.Kind, from start: Int) {
        tokens.append(
            Token(
                kind: kind, range: text.offsets[start]..<text.offsets[position], isGlued: glued))
        glued = true
    }

    private mutating func number(from start: Int) {
        var value = 0
        while position < text.bytes.count, (0x30...0x39).contains(text.bytes[position]) {
            if position - start < 15 { value = value * 10 + Int(text.bytes[position]) - 0x30 }
            position += 1
        }
        let digits = position - start
        append(.number(digits > 15 ? .max : value, digits: digits), from: start)
    }

    private mutating func word(from start: Int) {
        if takeDottedMeridiem() {
            append(.word(.meridiem(isPM: text.bytes[start] == UInt8(ascii: "p"))), from: start)
            return
        }
        while position < text.bytes.count, isLetter(at: position) { position += 1 }
        if let word = vocabulary(start..<position) {
            append(.word(word), from: start)
        } else if let word = vocabularyBeforeT(start) {
            position -= 1
            append(.word(word), from: start)
            position += 1
            append(.word(.t), from: position - 1)
        } else {
            append(.unknown, from: start)
        }
    }

    private func isLetter(at index: Int) -> Bool {
        switch text.bytes[index] {
        case 0x61...0x7A, PhraseText.foreign: true
        case UInt8(ascii: "'"): index + 1 < text.bytes.count && isLetter(at: index + 1)
        default: false
        }
    }

    private func vocabulary(_ range: Range<Int>) -> Word? {
        // The longest word has 11 letters: no need to build longer texts.
        guard range.count <= 12 else { return nil }
        return Vocabulary.meaning(of: String(decoding: text.bytes[range], as: UTF8.self))
    }

    /// `fridayT17:00`: the joiner is part of the run of letters.
    private func vocabularyBeforeT(_ start: Int) -> Word? {
        guard position < text.bytes.count, (0x30...0x39).contains(text.bytes[position]),
            text.bytes[position - 1] == UInt8(ascii: "t")
        else { return nil }
        return vocabulary(start..<position - 1)
    }

    /// `a.m.` and `p.m.`, with or without the last dot.
    private mutating func takeDottedMeridiem() -> Bool {
        let rest = text.bytes[position...].prefix(4)
        guard rest.count >= 3, rest.starts(with: "a.m".utf8) || rest.starts(with: "p.m".utf8),
            position + 3 == text.bytes.count || !isLetter(at: position + 3)
        else { return false }
        position += rest.last == UInt8(ascii: ".") ? 4 : 3
        return true
    }
}
