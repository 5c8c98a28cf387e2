/// Lengths of time from now: `in 10 minutes`, `+10m`, `3 days ago`, `in 3 days at 9am`.
extension PhraseParser {
    /// `+10m`, `-5m`.
    mutating func signedDuration() throws(PhraseError) -> CalendarDuration? {
        guard isSign("+", glued: false) || isSign("-", glued: false) else { return nil }
        let isNegative = isSign("-", glued: false)
        let sign = current.range
        advance()
        guard let duration = try duration() else {
            var instead = [" "]
            if case .number(let value, _) = current.kind, peek().kind == .end {
                instead.append("\(typed(sign))\(value) minutes ")
            }
            let isWhole = instead.count > 1
            throw refuse(
                "‘\(typed(sign))’ needs a length of time after it.",
                at: isWhole ? sign.lowerBound..<current.range.upperBound : sign,
                instead: isWhole ? Array(instead.dropFirst()) : instead)
        }
        return isNegative ? duration.negated : duration
    }

    /// `in 10 minutes`, `10m`, `+10m`, `10 minutes ago`, `2 days from now`.
    mutating func relativeDuration() throws(PhraseError) -> CalendarDuration? {
        if let signed = try signedDuration() { return signed }
        let start = index
        let hasIn = isWord(.in) && !isWord(.the, at: 1)
        if hasIn { advance() } else { try refuseClockHours() }
        guard let duration = try duration() else {
            if hasIn { throw unitMissing(from: start) }
            return nil
        }
        if !hasIn, skip(.ago) { return duration.negated }
        // `2 weeks from today` is a day, as `2 weeks from friday` is.
        let fromToday = isWord(.today, at: 1) && duration.seconds != 0
        if isWord(.from), isWord(.now, at: 1) || fromToday { advance(2) }
        return duration
    }

    /// `1 hour before 5pm`: the time that it is can be said.
    func refuseShiftedTime(_ duration: CalendarDuration, from start: Int) throws(PhraseError) {
        guard duration.isElapsed, duration.seconds > 0, isWord(.before) || isWord(.after) else {
            return
        }
        var ahead = self
        ahead.advance()
        guard case .clock(let clock)? = try? ahead.time(afterAt: true) else { return }
        // Before midnight is the evening.
        let isEnd = isWord(.before) && clock.time == .midnight
        let sum =
            Int64(isEnd ? 86_400 : clock.time.secondOfDay)
            + (isWord(.before) ? -duration.seconds : duration.seconds)
        let (hour, rest) = (Int(sum / 3600), Int(sum % 3600))
        let time = sum < 0 ? nil : CivilTime(hour: hour, minute: rest / 60, second: rest % 60)
        let place = ahead.range(from: start)
        throw refuse(
            "‘\(typed(place))’ counts from a time of day: say the time.", at: place,
            instead: time.map { ["at " + CivilText.time($0)] } ?? [])
    }

    private func unitMissing(from start: Int) -> PhraseError {
        let value: Int
        switch current.kind {
        case .number(let number, _), .word(.count(let number)): value = number
        case .sign("-"), .sign("+"):
            return refuse(
                "‘\(typed(current.range))’ is not understood after ‘in’.", at: current.range,
                instead: [""])
        case .word(.month):
            return refuse(
                "‘\(typed(current.range))’ needs a day: say which one of the month.",
                at: tokens[start].range.lowerBound..<current.range.upperBound,
                instead: ["1 ", "end of "].map { $0 + typed(current.range) })
        case .word(.weekday), .word(.today), .word(.tomorrow), .word(.noon), .word(.midnight):
            return refuse(
                "‘\(typed(tokens[start].range))’ takes a length of time.",
                at: tokens[start].range, instead: [""])
        default: return notUnderstood()
        }
        if isTimeAhead {
            let run = runRange(from: index)
            let parts = typed(run).split(separator: ":")
            return refuse(
                "‘\(typed(run))’ is a time of day; ‘in’ takes a length of time.",
                at: tokens[start].range.lowerBound..<run.upperBound,
                instead: ["at " + typed(run)]
                    + (parts.count == 2 ? ["in \(parts[0])h \(parts[1])m"] : []))
        }
        if let refusal = brokenNumber(value) { return refusal }
        let isLast = peek().kind == .end, place = isLast ? current.range : runOfUnit
        return refuse(
            isLast
                ? "‘\(typed(tokens[start].range.lowerBound..<place.upperBound))’ needs a unit."
                : "‘\(typed(place))’ is not a unit of time.",
            at: place,
            instead: isLast
                ? ["\(value) minutes", "\(value) hours"] : ["minutes", "days"],
            suggest: isYearLike(at: index) ? ["1 jan \(value)", "end of year \(value)"] : [],
            isMisspelt: !isLast)
    }

    /// `1e3`, `1/3`, `1 000`: what stands there is one number, no number and a unit.
    private func brokenNumber(_ value: Int) -> PhraseError? {
        guard let rest = numberBehind(peek().isGlued ? 2 : 1) else { return nil }
        let place = current.range.lowerBound..<rest.range.upperBound
        let isThousands = !peek().isGlued && rest.range.count == 3
        return refuse(
            "‘\(typed(place))’ is not a number that is understood.", at: place,
            instead: isThousands ? ["\(value)" + typed(rest.range)] : [],
            suggest: ["in 10 minutes"])
    }

    private func numberBehind(_ distance: Int) -> Token? {
        let token = peek(distance)
        guard case .number = token.kind, token.isGlued == (distance == 2) else { return nil }
        return token
    }

    private var runOfUnit: Range<Int> {
        peek().range.lowerBound..<peek().range.upperBound
    }

    /// `2024-05-10 9h`: beside a day that is the hour in many languages.
    private func hourSuggestion(_ duration: CalendarDuration, _ place: Range<Int>) -> String {
        let isHour =
            duration.isElapsed && duration.seconds % 3600 == 0 && duration.seconds < 86_400
            && typed(place).first?.isNumber == true
        return isHour ? text.replacing(place, with: "at \(duration.seconds / 3600)") : ""
    }

    /// A length of time alone, or whole days with a time.
    mutating func relative(
        _ duration: CalendarDuration, _ parts: MomentParts
    ) throws(PhraseError) -> WhenPhrase.Syntax {
        let place = parts.durationPlace
        guard parts.day == nil else {
            throw refuse(
                "‘\(text.original)’ counts from now and names a day as well.", at: place,
                suggest: [hourSuggestion(duration, place), shiftedSuggestion(place), typed(place)])
        }
        guard !duration.isZero else {
            throw refuse(
                "‘\(typed(place))’ is no time at all.", at: place, instead: ["1 minute", "now"])
        }
        var parts = parts
        parts.day = .steps(duration)
        try applyPart(&parts)
        guard let time = parts.time else { return .relative(duration) }
        guard duration.seconds == 0 else {
            throw refuse(
                "‘\(text.original)’ counts hours from now and names a time as well.", at: place,
                suggest: [typed(place)])
        }
        return .moment(WhenPhrase.Moment(day: parts.day, time: time, zone: parts.zone))
    }
}
