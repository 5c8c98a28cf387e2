/// A length of time as people give it to `--in`, `--before`, `--nag`, `snooze` and `pause`:
/// `10m`, `1h 30m`, `PT15M`, `2 days`, `in half an hour`.
package enum DurationPhrase {
    /// Reads a whole phrase or refuses it. Never zero.
    ///
    /// - Parameter allowsNegative: `-10m` is read too; as a lead time it rings afterwards.
    /// - Throws: `PhraseError` with suggestions that this function reads.
    package static func parse(
        _ text: String, allowsNegative: Bool = false
    ) throws(PhraseError) -> CalendarDuration {
        do throws(PhraseError) {
            return try read(text, allowsNegative)
        } catch {
            var helped = error.helped { (try? read($0, allowsNegative)) != nil }
            if helped.suggestions.isEmpty {
                helped.suggestions = ["10m", "1h 30m", "2 days"].map { .init($0) }
            }
            throw helped
        }
    }

    private static func read(
        _ text: String, _ allowsNegative: Bool
    ) throws(PhraseError) -> CalendarDuration {
        var parser = try PhraseParser(text)
        return try parser.wholeDuration(allowsNegative: allowsNegative)
    }
}

extension PhraseParser {
    fileprivate mutating func wholeDuration(
        allowsNegative: Bool
    ) throws(PhraseError) -> CalendarDuration {
        guard !isAtEnd else {
            throw refuse("The length of time is empty.", at: 0..<text.original.utf8.count)
        }
        let isNegative = skip("-")
        if !isNegative { _ = skip("+") || skip(.in) }
        let start = index
        guard let duration = try duration() else { throw notADuration() }
        guard isAtEnd else { throw notADuration() }
        guard !duration.isZero else {
            throw refuse("‘\(text.original)’ is no time at all.", at: range(from: start))
        }
        guard !isNegative || allowsNegative else {
            throw refuse(
                "‘\(text.original)’ is negative; say how long.", at: range(from: 0),
                suggest: [typed(range(from: start))])
        }
        return isNegative ? duration.negated : duration
    }

    private func notADuration() -> PhraseError {
        guard case .number(let value, _) = current.kind else {
            let place = isAtEnd ? current.range : runRange(from: index)
            return refuse(
                isAtEnd
                    ? "‘\(text.original)’ is not a length of time."
                    : "‘\(typed(place))’ is not understood in a length of time.",
                at: place, isMisspelt: true)
        }
        let place = runRange(from: index)
        return refuse(
            "‘\(typed(place))’ is not a length of time with its unit.", at: place,
            instead: ["\(value)m", "\(value)h", "\(value)d"])
    }
}
