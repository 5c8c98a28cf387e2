/// What to say about a place that no part of a phrase can begin with.
extension PhraseParser {
    func refusedElement(_ parts: MomentParts) -> PhraseError {
        switch current.kind {
        case .number(let value, let digits): refusedNumber(value, digits)
        case .word(.weekdays(let weekday)): severalDays(weekday)
        case .word(.count(let value)):
            refuse(
                "‘\(typed(current.range))’ is not clear: it could be an hour or a length of time.",
                at: current.range, instead: ["at \(value)", "\(value) minutes"],
                suggest: ["the " + text.original], isMisspelt: true)
        case .word(.unit)
        where isWord(.from, at: 1) || isWord(.after, at: 1) || isWord(.before, at: 1):
            refuse(
                "‘\(typed(current.range))’ needs a number.", at: current.range,
                instead: ["a " + typed(current.range)])
        case .word(.unit(.week)) where parts.day != nil:
            refuse(
                "‘\(typed(current.range))’ is not understood here.", at: current.range,
                suggest: ["a week from " + Self.trimmed(typed(0..<current.range.lowerBound))])
        case .word(.the) where weekday(at: 1) != nil:
            refuse(
                "‘\(typed(current.range))’ is not understood here.", at: current.range,
                instead: [""])
        case .word(.utc),
            .unknown where isSign("/", at: 1):
            zoneWithoutTime()
        default: notUnderstood()
        }
    }

    private func zoneWithoutTime() -> PhraseError {
        let place = runRange(from: index)
        return refuse(
            "The zone ‘\(typed(place))’ must stand after a time.", at: place,
            instead: ["9:00 " + typed(place)],
            suggest: [" " + typed(place), ""].map { text.replacing(place, with: "") + $0 })
    }

    /// `fridays at 5`: one of them, or a rule.
    private func severalDays(_ weekday: Weekday) -> PhraseError {
        let day = Names.fullWeekdays[weekday.rawValue].lowercased()
        let one = Self.trimmed(text.replacing(current.range, with: day))
        let rule = one.lowercased().hasPrefix("on ") ? String(one.dropFirst(3)) : one
        return refuse(
            "‘\(typed(current.range))’ are several days.", at: current.range,
            suggest: ["every " + rule, one, "every " + day])
    }

    private func refusedNumber(_ value: Int, _ digits: Int) -> PhraseError {
        let next = peek()
        if case .word(.month) = next.kind, isYearLike(at: index) {
            return yearOrTime(current.range)
        }
        if next.kind == .word(.p) || typed(next.range).lowercased() == "a", digits <= 2 {
            let place = current.range.lowerBound..<next.range.upperBound
            return refuse(
                "‘\(typed(place))’ is not a time of day.", at: place,
                instead: ["\(value)\(next.kind == .word(.p) ? "pm" : "am")"])
        }
        if let decimals = Self.fractions[typed(next.range)], next.isGlued {
            return refuse(
                "‘\(typed(next.range))’ is not understood.", at: next.range,
                instead: [String(decimals.dropFirst())])
        }
        if next.isGlued, peek(2).isGlued, case .number = peek(2).kind {
            return refuse(
                "‘\(typed(runRange(from: index)))’ is not understood.", at: runRange(from: index))
        }
        if case .unknown = next.kind {
            return refuse(
                "‘\(typed(next.range))’ is not a unit of time.", at: next.range,
                instead: [" minutes", " days"], isMisspelt: true)
        }
        if let afterHours = refusedMinutes(value, digits) { return afterHours }
        if let refusal = spacedDate() { return refusal }
        if isSign(".", at: 1), peek(2).kind == .unknown {
            let word = runRange(from: index + 2)
            return refuse("‘\(typed(word))’ is not a month.", at: word, isMisspelt: true)
        }
        return bareNumber(value, digits)
    }

    private func bareNumber(_ value: Int, _ digits: Int) -> PhraseError {
        let place = runRange(from: index)
        let isHour = digits <= 2 && value < 24
        return refuse(
            "‘\(typed(place))’ is not clear: it could be an hour, a day or a length of time.",
            at: place,
            instead: isHour
                ? ["at \(value)", "\(padded(value, 2)):00"]
                    + (1...12).filter { $0 == value }.map { "\($0)pm" }
                : digits > 4
                    ? basicTime(typed(place)) + ["@\(value)", "\(value) minutes"]
                    : (value < 100 ? [] : ["\(value / 100):\(padded(value % 100, 2))"])
                        + ["\(value) minutes", "9:00"])
    }

    /// `202405011400`, as touch(1) has it: a date and a time.
    private func basicTime(_ digits: String) -> [String] {
        guard digits.utf8.count == 12 || digits.utf8.count == 14 else { return [] }
        var rest = digits.dropFirst(8)
        var pairs: [Substring] = []
        while !rest.isEmpty {
            pairs.append(rest.prefix(2))
            rest = rest.dropFirst(2)
        }
        return ["\(digits.prefix(8)) " + pairs.joined(separator: ":")]
    }

    /// Fractions of one character, as decimals.
    static let fractions = ["½": "0.5", "¼": "0.25", "¾": "0.75"]

    /// `9h30`: minutes without their unit.
    func refusedMinutes(_ value: Int, _ digits: Int) -> PhraseError? {
        guard index >= 2, current.isGlued, digits <= 2, value < 60,
            peek(-1).kind == .word(.unit(.hour)), case .number(let hours, _) = peek(-2).kind
        else { return nil }
        let place = peek(-2).range.lowerBound..<current.range.upperBound
        return refuse(
            "‘\(typed(place))’ is not clear: it could be a time or a length of time.", at: place,
            instead: ["\(hours):\(padded(value, 2))", "\(hours)h \(value)m"])
    }
}
