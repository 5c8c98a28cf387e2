/// A time of day by itself, as the configuration gives it: `09:00`, `9am`, `21:30:15`, `noon`.
package enum TimePhrase {
    /// Reads a whole phrase or refuses it. `24:00` is midnight.
    ///
    /// - Throws: `PhraseError` with suggestions that this function reads.
    package static func parse(_ text: String) throws(PhraseError) -> CivilTime {
        do throws(PhraseError) {
            return try read(text)
        } catch {
            var helped = error.helped { (try? read($0)) != nil }
            if helped.suggestions.isEmpty {
                helped.suggestions = ["09:00", "9pm"].map { .init($0) }
            }
            throw helped
        }
    }

    private static func read(_ text: String) throws(PhraseError) -> CivilTime {
        let phrase = try WhenPhrase.parseWithoutHelp(text)
        guard case .moment(let moment) = phrase.syntax, moment.day == nil, moment.zone == nil,
            case .clock(let clock) = moment.time, clock.milliseconds == 0
        else {
            throw PhraseError(
                phrase: text, range: 0..<text.utf8.count, reason: "‘\(text)’ is no time of day.")
        }
        return clock.time
    }
}
