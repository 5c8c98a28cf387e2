/// Times as they are spoken: `half past five`, `quarter to six`, `ten past noon`.
extension PhraseParser {
    /// What stands before the hour of such a time.
    private struct SpokenLead {
        var minutes: Int
        /// `to six` rather than `past five`.
        var isTo = false
        /// Tokens up to the hour.
        var length: Int
        /// Nothing else could be meant; `9 to 5` could be a stretch of time.
        var isPlain = true
    }

    /// The minutes before or after an hour begin here.
    var isSpokenTime: Bool { spokenLead() != nil }

    /// Reads a spoken time at this place; without am, pm or a part of the day the hour is that of a
    /// 24-hour clock, as in `at 6`.
    mutating func spokenTime() throws(PhraseError) -> TimeSyntax? {
        let start = index
        if let hour = halfWithoutPast() { throw ambiguousHalf(hour) }
        guard let lead = spokenLead() else { return nil }
        advance(lead.length)
        guard let hour = spokenHour(at: 0) else { return nil }
        let isNamed = isWord(.noon) || isWord(.midnight)
        advance()
        var (total, isExact) = (hour * 60, isNamed || hour > 12 || hour == 0)
        if !isNamed, case .word(.meridiem(let isPM)) = current.kind, (1...12).contains(hour) {
            advance()
            (total, isExact) = ((hour % 12 + (isPM ? 12 : 0)) * 60, true)
        }
        _ = skip(.oclock)
        total = (total + (lead.isTo ? -lead.minutes : lead.minutes)).floorModulo(24 * 60)
        guard let time = CivilTime(hour: total / 60, minute: total % 60) else { return nil }
        guard lead.isPlain else {
            throw refuse(
                "‘\(typed(range(from: start)))’ can be a time or a stretch of time.",
                at: range(from: start),
                instead: (lead.minutes % 5 == 0 ? [CivilText.time(time)] : [])
                    + ["at \(lead.minutes)"])
        }
        return .clock(TimeSyntax.Clock(time: time, isExact: isExact))
    }

    /// `half`, `a quarter`, `ten`, `25 minutes`, then `past` or `to`, then an hour.
    private func spokenLead() -> SpokenLead? {
        guard var lead = spokenMinutes(), (1...59).contains(lead.minutes) else { return nil }
        switch peek(lead.length).kind {
        case .word(.past), .word(.after): lead.isPlain = true
        case .word(.to), .word(.until), .word(.before): lead.isTo = true
        default: return nil
        }
        lead.length += 1
        guard spokenHour(at: lead.length) != nil, !lead.isTo || lead.minutes != 30 else {
            return nil
        }
        return lead
    }

    private func spokenMinutes() -> SpokenLead? {
        if isWord(.article), isWord(.quarter, at: 1) { return SpokenLead(minutes: 15, length: 2) }
        var lead: SpokenLead
        switch current.kind {
        case .word(.half): return SpokenLead(minutes: 30, length: 1)
        case .word(.quarter): return SpokenLead(minutes: 15, length: 1)
        case .word(.count(let value)):
            lead = SpokenLead(minutes: value, length: 1, isPlain: value % 5 == 0)
            let distance = isSign("-", at: 1) ? 2 : 1
            if value >= 20, case .word(.count(let ones)) = peek(distance).kind, ones < 10 {
                let minutes = value + ones
                lead = SpokenLead(
                    minutes: minutes, length: distance + 1, isPlain: minutes % 5 == 0)
            }
        case .number(let value, let digits) where digits <= 2:
            lead = SpokenLead(minutes: value, length: 1, isPlain: false)
        default: return nil
        }
        if unit(at: lead.length) == .minute {
            (lead.length, lead.isPlain) = (lead.length + 1, true)
        }
        return lead
    }

    /// The hour that such a time is told from.
    private func spokenHour(at distance: Int) -> Int? {
        switch peek(distance).kind {
        case .word(.noon): return 12
        case .word(.midnight): return 0
        case .word(.count(let hour)) where hour <= 12: return isBare(distance) ? hour : nil
        case .number(let hour, let digits) where digits <= 2 && hour < 24:
            return isBare(distance) ? hour : nil
        default: return nil
        }
    }

    /// Nothing behind the number makes it more than an hour.
    private func isBare(_ distance: Int) -> Bool {
        guard unit(at: distance + 1) == nil else { return false }
        let next = peek(distance + 1)
        switch next.kind {
        case .sign("-"), .sign("/"), .sign("."), .sign(":"): return !next.isGlued
        case .word(.month), .word(.ordinalEnding), .word(.of), .number: return false
        default: return true
        }
    }

    /// `thirty`, `forty-five` here, behind an hour.
    var minuteWords: (value: Int, length: Int)? {
        guard case .word(.count(let value)) = current.kind, (10..<60).contains(value) else {
            return nil
        }
        let distance = isSign("-", at: 1) ? 2 : 1
        if value >= 20, case .word(.count(let ones)) = peek(distance).kind, ones < 10 {
            return (value + ones, distance + 1)
        }
        return (value, 1)
    }

    /// `nine thirty pm`.
    var isSpokenClock: Bool {
        var ahead = self
        ahead.advance()
        guard let minute = ahead.minuteWords else { return false }
        return ahead.isHourEnding(at: minute.length)
    }

    /// `half 5`: the hour.
    private func halfWithoutPast() -> Int? {
        guard isWord(.half), let hour = spokenHour(at: 1), (1...12).contains(hour),
            !isWord(.noon, at: 1)
        else { return nil }
        return hour
    }

    private func ambiguousHalf(_ hour: Int) -> PhraseError {
        let place = current.range.lowerBound..<peek().range.upperBound
        return refuse(
            "‘\(typed(place))’ is half past \(hour) to some, and half an hour before \(hour) to "
                + "others.", at: place,
            instead: ["\(hour):30", "\(hour == 1 ? 12 : hour - 1):30"])
    }
}
