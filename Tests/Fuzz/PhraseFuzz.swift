import RemindCore

/// Everything that reads a phrase: any bytes must be understood or refused, with suggestions that
/// work, and what is understood must be understood again as it is printed.
enum PhraseFuzz {
    /// A database of one zone: what is fuzzed is the parser, not tzdata.
    private struct OneZone: ZoneDatabase {
        let local = FixedZone(identifier: "Europe/Berlin", seconds: 3600)

        func zone(named name: String) throws(UnknownZone) -> FixedZone {
            guard name == local.identifier else { throw UnknownZone(name: name, suggestions: []) }
            return local
        }
    }

    private static let context = PhraseContext(
        now: Instant(seconds: 1_714_552_200), zones: OneZone())

    static func run(_ bytes: [UInt8]) throws {
        let phrase = String(decoding: bytes, as: UTF8.self)
        try understand(phrase)
        try check { () throws(PhraseError) in _ = try RuleText.parse(phrase) }
        try check { () throws(PhraseError) in
            _ = try DurationPhrase.parse(phrase, allowsNegative: true)
        }
    }

    private static func understand(_ phrase: String) throws {
        do throws(PhraseError) {
            let understanding = try context.understand(phrase)
            let text = PhrasePrinter(zone: context.zone).text(understanding.deadline)
            guard (try? context.understand(text)) == nil else { return }
        } catch {
            try require(
                error.range.upperBound <= phrase.utf8.count && !error.suggestions.isEmpty,
                "‘\(phrase)’ is refused without a place or a suggestion")
            _ = error.caret
            for suggestion in error.suggestions {
                try require(
                    (try? context.understand(suggestion.phrase)) != nil,
                    "‘\(phrase)’: the suggestion ‘\(suggestion.phrase)’ does not work")
            }
            return
        }
        throw Finding("‘\(phrase)’ is printed as something that is not understood")
    }

    private static func check(_ parse: () throws(PhraseError) -> Void) throws {
        do throws(PhraseError) { try parse() } catch {
            try require(!error.suggestions.isEmpty, "refused without a suggestion")
        }
    }
}
