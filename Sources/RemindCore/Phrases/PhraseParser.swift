/// Reads tokens from left to right. Its rules are in the extensions, one file a subject: each either
/// takes what it knows, or leaves the place where it was and returns `nil`, or throws when what it
/// began to read cannot be meant.
struct PhraseParser {
    let text: PhraseText
    let tokens: [Token]
    var index = 0

    init(_ phrase: String) throws(PhraseError) {
        text = try PhraseText(phrase)
        tokens = Tokenizer.tokens(of: text)
        try refuseWrongEnding()
    }

    /// `15nd`, `9rd`.
    private func refuseWrongEnding() throws(PhraseError) {
        for (number, ending) in zip(tokens, tokens.dropFirst()) {
            guard ending.kind == .word(.ordinalEnding), ending.isGlued,
                case .number(let value, _) = number.kind,
                !Self.ordinal(value).hasSuffix(typed(ending.range).lowercased())
            else { continue }
            let place = number.range.lowerBound..<ending.range.upperBound
            throw refuse(
                "‘\(typed(place))’ is misspelt.", at: place, instead: [Self.ordinal(value)])
        }
    }

    var current: Token { tokens[index] }
    var isAtEnd: Bool { current.kind == .end }

    /// The token `distance` places on, or back; the end when there is none.
    func peek(_ distance: Int = 1) -> Token {
        let place = index + distance
        return tokens[tokens.indices.contains(place) ? place : tokens.count - 1]
    }

    mutating func advance(_ count: Int = 1) { index = min(index + count, tokens.count - 1) }

    mutating func skip(_ word: Word) -> Bool {
        guard current.kind == .word(word) else { return false }
        advance()
        return true
    }

    mutating func skip(_ sign: Unicode.Scalar, glued: Bool = false) -> Bool {
        guard current.kind == .sign(sign), !glued || current.isGlued else { return false }
        advance()
        return true
    }

    func isWord(_ word: Word, at distance: Int = 0) -> Bool { peek(distance).kind == .word(word) }

    func isSign(_ sign: Unicode.Scalar, at distance: Int = 0, glued: Bool = true) -> Bool {
        let token = peek(distance)
        return token.kind == .sign(sign) && (!glued || token.isGlued)
    }

    /// A number that is glued to what stands before it.
    func gluedNumber(at distance: Int) -> (value: Int, digits: Int)? {
        guard case .number(let value, let digits) = peek(distance).kind, peek(distance).isGlued
        else { return nil }
        return (value, digits)
    }

    /// The place from a token on up to the current one.
    func range(from start: Int) -> Range<Int> {
        let last = max(start, index - 1)
        return tokens[start].range
            .lowerBound..<max(
                tokens[start].range.upperBound, tokens[last].range.upperBound)
    }

    /// An error about a place. `instead` are texts for that place; the phrase with each of them is
    /// a suggestion. `suggest` are whole phrases.
    func refuse(
        _ reason: String, at range: Range<Int>, instead: [String] = [], suggest: [String] = [],
        isMisspelt: Bool = false
    ) -> PhraseError {
        let replaced = instead.map { text.replacing(range, with: $0) }
        var error = PhraseError(
            phrase: text.original, range: range, reason: reason,
            suggestions: (replaced + suggest).map { PhraseError.Suggestion($0) })
        error.isMisspelt = isMisspelt
        return error
    }

    func typed(_ range: Range<Int>) -> String { text.typed(range) }

    /// The error for a place that no rule can read.
    func notUnderstood() -> PhraseError {
        let token = current
        if token.kind == .end {
            return refuse(
                "The phrase ‘\(text.original)’ ends too early.", at: token.range)
        }
        let run = runRange(from: index)
        let word = typed(run)
        if let decimals = Self.fractions[typed(token.range)] {
            return refuse("‘\(word)’ is not understood.", at: token.range, instead: [decimals])
        }
        if isSign(".", glued: false), gluedNumber(at: 1) != nil {
            return refuse("‘\(word)’ is not understood.", at: token.range, instead: ["0."])
        }
        return refuse(
            "‘\(word)’ is not understood.", at: run, isMisspelt: true)
    }

    private static func endsRun(_ token: Token) -> Bool {
        switch token.kind {
        case .end, .sign(","), .sign("@"): true
        default: false
        }
    }

    /// The unbroken run of characters that begins with a token, up to a joiner.
    func runRange(from start: Int) -> Range<Int> {
        var end = start
        while end + 1 < tokens.count, tokens[end + 1].isGlued, !Self.endsRun(tokens[end + 1]) {
            end += 1
        }
        return tokens[start].range.lowerBound..<tokens[end].range.upperBound
    }
}

extension PhraseError {
    /// Keeps the suggestions that are understood, each once and at most three. When there are
    /// none: the phrase without the offending place or up to it, else phrases that always are.
    func helped(by isUnderstood: (String) -> Bool) -> PhraseError {
        var copy = self
        let others = isPast ? (replaced: [], alone: []) : OtherWords.suggestions(for: phrase)
        copy.suggestions = Self.kept(others.replaced, isUnderstood)
        if copy.suggestions.isEmpty { copy.suggestions = Self.kept(others.alone, isUnderstood) }
        if copy.suggestions.isEmpty {
            copy.suggestions = Self.kept(respelt + suggestions.map(\.phrase), isUnderstood)
        }
        if copy.suggestions.isEmpty, !isPast { copy.suggestions = Self.kept(rules, isUnderstood) }
        if copy.suggestions.isEmpty, !isPast {
            copy.suggestions = Self.kept(remains, isUnderstood)
        }
        if copy.suggestions.isEmpty {
            copy.suggestions = Self.kept(examples, isUnderstood)
        }
        return copy
    }

    private static func kept(
        _ phrases: [String], _ isUnderstood: (String) -> Bool
    ) -> [Suggestion] {
        var kept: [Suggestion] = []
        // A long phrase is not repeated as a suggestion: nobody would read it.
        for phrase in phrases.filter({ $0.utf8.count <= 200 }).map(PhraseParser.tidied)
        where kept.count < 3 && !kept.contains(where: { $0.phrase == phrase })
            && isUnderstood(phrase)
        {
            kept.append(Suggestion(phrase))
        }
        return kept
    }

    private var respelt: [String] {
        let utf8 = Array(phrase.utf8)
        guard isMisspelt, range.upperBound <= utf8.count else { return [] }
        let before = String(decoding: utf8[..<range.lowerBound], as: UTF8.self)
        let after = String(decoding: utf8[range.upperBound...], as: UTF8.self)
        return Spelling.near(String(decoding: utf8[range], as: UTF8.self))
            .map { before + $0 + after }
    }

    /// The phrase as a rule: `mon-fri 9:00`, `day at 2:30`.
    private var rules: [String] {
        guard (try? PhraseParser(phrase))?.saysRule == false else { return [] }
        var said = PhraseParser.trimmed(phrase)
        for word in ["on ", "the "] where said.lowercased().hasPrefix(word) {
            said.removeFirst(word.count)
        }
        return ["every " + said]
    }

    private var remains: [String] {
        let utf8 = Array(phrase.utf8)
        guard range.upperBound <= utf8.count else { return [] }
        // Signs about words: `"tomorrow"`, `~9am`, `tomorrow;9am`.
        let bare = String(
            phrase.map { $0.isLetter || $0.isNumber || ":-+@/., '".contains($0) ? $0 : " " })
        guard range.lowerBound > 0 || range.upperBound < utf8.count else { return [bare] }
        let before = String(decoding: utf8[..<range.lowerBound], as: UTF8.self)
        let after = String(decoding: utf8[range.upperBound...], as: UTF8.self)
        let parted = before + " " + String(decoding: utf8[range].dropFirst(), as: UTF8.self)
        return [bare, parted + after, before + after, before]
    }

    private var examples: [String] {
        let saysRule = (try? PhraseParser(phrase))?.saysRule ?? false
        return saysRule
            ? ["every day at 9:00", "every monday"] : ["tomorrow 9:00", "in 10 minutes"]
    }
}

extension PhraseParser {
    /// A word of the phrase begins a rule.
    var saysRule: Bool {
        tokens.contains { token in
            switch token.kind {
            case .word(.every), .word(.head): true
            default: false
            }
        }
    }

    /// Without blanks and joiners at either end, and with single blanks between the words.
    static func tidied(_ text: String) -> String {
        var tidy = ""
        for character in trimmed(text) where character != " " || tidy.last != " " {
            tidy.append(character)
        }
        return tidy
    }
}
