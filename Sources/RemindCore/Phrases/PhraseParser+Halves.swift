/// Halves of hours and minutes in lengths of time, and lengths that look like times of day.
extension PhraseParser {
    /// `2 and a half hours`, `two and a half hours`, `2 1/2 hours`, `1/2 hour`.
    mutating func halfPart() throws(PhraseError) -> Part? {
        guard let (whole, length) = halfLead() else { return nil }
        let start = index
        advance(length)
        guard let unit = unit() else { throw notUnderstood() }
        advance()
        guard unit == .hour || unit == .minute else {
            throw refuse(
                "‘\(typed(range(from: start)))’ cannot be split: only hours and minutes have "
                    + "halves.", at: range(from: start),
                instead: unit == .day ? ["\(min(whole, 9999) * 24 + 12) hours"] : [])
        }
        guard whole < 1_000_000 else { throw notUnderstood() }
        let seconds = Self.seconds(of: unit)
        return (CalendarDuration(seconds: Int64(whole) * seconds + seconds / 2), unit)
    }

    /// The whole hours, and in how many tokens they and the half are said.
    private func halfLead() -> (whole: Int, length: Int)? {
        if isHalf(at: 0), unit(at: 3) != nil { return (0, 3) }
        let whole: Int
        switch current.kind {
        case .number(let value, _), .word(.count(let value)): whole = value
        default: return nil
        }
        if isWord(.and, at: 1), isWord(.article, at: 2), isWord(.half, at: 3), unit(at: 4) != nil {
            return (whole, 4)
        }
        return isHalf(at: 1) && !peek().isGlued && unit(at: 4) != nil ? (whole, 4) : nil
    }

    /// `1/2`.
    private func isHalf(at distance: Int) -> Bool {
        guard case .number(1, 1) = peek(distance).kind, isSign("/", at: distance + 1),
            case .number(2, 1) = peek(distance + 2).kind
        else { return false }
        return peek(distance + 2).isGlued
    }

    /// `1730h` and `17.30h`, which are times of day to many.
    func refuseClock(_ count: Int, _ digits: Int) throws(PhraseError) {
        let isFraction = isSign(".", at: 1)
        let place = isFraction ? 3 : 1
        guard peek(place).isGlued, typed(peek(place).range).lowercased() == "h" else { return }
        var time: CivilTime?
        if digits == 4, !isFraction { time = CivilTime(hour: count / 100, minute: count % 100) }
        if isFraction, case .number(let minute, 2) = peek(2).kind, count >= 6 {
            time = CivilTime(hour: count, minute: minute)
        }
        guard let time else { return }
        let range = current.range.lowerBound..<peek(place).range.upperBound
        let number = typed(current.range.lowerBound..<peek(place - 1).range.upperBound)
        throw refuse(
            "‘\(typed(range))’ is not clear: it could be a time or a length of time.", at: range,
            instead: [CivilText.time(time), "in \(number) hours", "\(number) hours"])
    }

    /// `1730 hours`, `0900 hrs`: times of day to many, unless it says that they are a length of time.
    func refuseClockHours() throws(PhraseError) {
        guard case .number(let count, 4) = current.kind, unit(at: 1) == .hour else { return }
        switch peek(2).kind {
        case .number, .word(.and), .word(.from), .word(.ago), .word(.after), .word(.before): return
        default: break
        }
        let time = CivilTime(hour: count / 100, minute: count % 100)
        guard time != nil || count == 2400 else { return }
        let place = current.range.lowerBound..<peek().range.upperBound
        throw refuse(
            "‘\(typed(place))’ is not clear: it could be a time or a length of time.", at: place,
            instead: [time.map(CivilText.time) ?? "24:00", "in \(typed(place))"])
    }

    /// `1,000 minutes`: the comma could stand between thousands, or before decimals.
    func refuseThousands(_ whole: Int, _ fraction: Int, places: Int) throws(PhraseError) {
        guard places == 3, isSign(",", at: 1) || fraction == 0, whole > 0 else { return }
        let place = current.range.lowerBound..<peek(3).range.upperBound
        let unit = typed(peek(3).range)
        let all = "\(whole)\(padded(fraction, 3)) \(unit)"
        throw refuse(
            "‘\(typed(place))’ is not clear: it could be a thousand or a fraction.", at: place,
            instead: [all, "in " + all, "\(whole).\(padded(fraction, 3)) \(unit)"])
    }
}
