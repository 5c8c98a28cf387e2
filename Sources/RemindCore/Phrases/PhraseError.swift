/// Why a phrase was refused: where, what about it, and phrases that would have worked.
package struct PhraseError: Error, Hashable, Sendable {
    /// The phrase as it was given.
    package let phrase: String
    /// The offending place, in UTF-8 bytes of `phrase`; empty at its end when something is missing.
    package let range: Range<Int>
    /// One English sentence that names the offending value in ‘quotes’.
    package let reason: String
    /// Phrases that are understood, the likeliest first.
    package var suggestions: [Suggestion]
    /// True when the phrase was understood but lies in the past.
    package var isPast: Bool
    /// The offending place may be a misspelt word; what it was meant to be is looked up only when
    /// the error is shown.
    var isMisspelt = false

    /// A phrase to try instead.
    package struct Suggestion: Hashable, Sendable {
        package let phrase: String
        /// What it would mean: `Fri 3 May 2024, 17:00`. `nil` when nobody asked for it.
        package var meaning: String?

        package init(_ phrase: String, meaning: String? = nil) {
            (self.phrase, self.meaning) = (phrase, meaning)
        }
    }

    package init(
        phrase: String, range: Range<Int>, reason: String, suggestions: [Suggestion] = [],
        isPast: Bool = false
    ) {
        (self.phrase, self.range, self.reason) = (phrase, range, reason)
        (self.suggestions, self.isPast) = (suggestions, isPast)
    }

    /// The suggestions as one line: `Try ‘friday’ (Fri 3 May 2024) or ‘friday next week’ (…).`
    /// `nil` when there are none.
    package var hint: String? {
        let parts = suggestions.map { suggestion in
            "‘\(suggestion.phrase)’" + (suggestion.meaning.map { " (\($0))" } ?? "")
        }
        guard let last = parts.last else { return nil }
        let others = parts.dropLast().joined(separator: ", ")
        return "Try " + (others.isEmpty ? "" : others + " or ") + last + "."
    }

    /// How many Unicode scalars stand before the offending place, and how many it covers (at
    /// least one): what a caret line under the phrase needs.
    package var caret: (offset: Int, length: Int) {
        let scalars = phrase.unicodeScalars
        let start = phrase.utf8.index(
            phrase.startIndex, offsetBy: min(range.lowerBound, phrase.utf8.count))
        let end = phrase.utf8.index(
            phrase.startIndex, offsetBy: min(range.upperBound, phrase.utf8.count))
        return (
            scalars.distance(from: scalars.startIndex, to: start),
            max(1, scalars.distance(from: start, to: end))
        )
    }
}
