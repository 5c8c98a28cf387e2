/// What to say about a place that no part of a phrase can begin with.
extension PhraseParser {
    func refusedElement(_ parts: MomentParts) -> PhraseError {
        switch current.kind {
        case .number(let value, let digits): refusedNumber(value, digits)
        case .word(.weekdays(let weekday)):
            refuse(
                "‘\(typed(current.range))’ are several days.", at: current.range,
                instead: [Names.fullWeekdays[weekday.rawValue].lowercased()],
                suggest: ["every " + Names.fullWeekdays[weekday.rawValue].lowercased()])
        case .word(.utc),
            .unknown where isSign("/", at: 1):
            refuse(
                "The zone ‘\(typed(runRange(from: index)))’ must stand after a time.",
                at: runRange(from: index),
                instead: ["9:00 " + typed(runRange(from: index)), ""])
        default: notUnderstood()
        }
    }

    private func refusedNumber(_ value: Int, _ digits: Int) -> PhraseError {
        let next = peek()
        if case .word(.month) = next.kind, isYearLike(at: index) {
            return yearOrTime(current.range)
        }
        if case .unknown = next.kind {
            return refuse(
                "‘\(typed(next.range))’ is not a unit of time.", at: next.range,
                instead: [" minutes", " days"], isMisspelt: true)
        }
        if let afterHours = refusedMinutes(value, digits) { return afterHours }
        let place = runRange(from: index)
        let isHour = digits <= 2 && value < 24
        return refuse(
            "‘\(typed(place))’ is not clear: it could be an hour, a day or a length of time.",
            at: place,
            instead: isHour
                ? ["at \(value)", "\(padded(value, 2)):00"]
                    + (1...12).filter { $0 == value }.map { "\($0)pm" }
                : ["\(value) minutes", "@\(value)", "9:00"])
    }

    /// `9h30`: minutes without their unit.
    private func refusedMinutes(_ value: Int, _ digits: Int) -> PhraseError? {
        guard index >= 2, current.isGlued, digits <= 2, value < 60,
            peek(-1).kind == .word(.unit(.hour)), case .number(let hours, _) = peek(-2).kind
        else { return nil }
        let place = peek(-2).range.lowerBound..<current.range.upperBound
        return refuse(
            "‘\(typed(place))’ is not clear: it could be a time or a length of time.", at: place,
            instead: ["\(hours):\(padded(value, 2))", "\(hours)h \(value)m"])
    }
}
