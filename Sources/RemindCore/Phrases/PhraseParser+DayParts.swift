/// Parts of a day: alone they are a time of the settings, with a time they say which half it is in.
extension PhraseParser {
    /// `morning`, `this evening`, `in the afternoon`.
    mutating func dayPart() -> DayPart? {
        var distance = 0
        if isWord(.this) { distance = 1 }
        if isWord(.in), isWord(.the, at: 1) { distance = 2 }
        guard case .word(.part(let part)) = peek(distance).kind else { return nil }
        advance(distance + 1)
        return part
    }

    func applyPart(_ parts: inout MomentParts) throws(PhraseError) {
        guard let part = parts.part else { return }
        guard let time = parts.time else {
            parts.time = try timeOfPart(part, parts)
            return
        }
        guard case .clock(let clock) = time, let shifted = shifted(clock, into: part, parts) else {
            let place = 0..<text.original.utf8.count
            throw refuse(
                "‘\(text.original)’ names a time that is not in that part of the day.", at: place,
                suggest: ["today 20:00", "tomorrow 2:00", "tomorrow 9:00"])
        }
        parts.time = .clock(shifted)
    }

    private func timeOfPart(_ part: DayPart, _ parts: MomentParts) throws(PhraseError) -> TimeSyntax
    {
        switch part {
        case .morning: return .morning
        case .evening: return .evening
        case .night where parts.isTonight: return .evening
        case .afternoon, .night:
            throw refuse(
                "‘\(typed(parts.partPlace))’ has no time of its own: say which.",
                at: parts.partPlace, instead: part == .night ? ["22:00", "evening"] : ["15:00"],
                suggest: part == .night ? ["tonight"] : ["tomorrow 15:00"])
        }
    }

    /// The hours of a part: those of the 12-hour clock move into it.
    private func shifted(
        _ clock: TimeSyntax.Clock, into part: DayPart, _ parts: MomentParts
    ) -> TimeSyntax.Clock? {
        var clock = clock
        if part == .night, parts.isTonight, clock.time == .midnight || isTwelve(clock) {
            clock.time = .midnight
            clock.endsDay = true
            return clock
        }
        let hours: ClosedRange<Int> =
            switch part {
            case .morning: 0...11
            case .afternoon: 12...17
            case .evening: 16...23
            case .night: 17...23
            }
        if hours.contains(clock.time.hour), !clock.endsDay { return clock }
        guard !clock.isExact, hours.contains(clock.time.hour + 12), clock.time.hour < 12,
            let later = CivilTime(
                hour: clock.time.hour + 12, minute: clock.time.minute, second: clock.time.second)
        else { return nil }
        clock.time = later
        return clock
    }

    private func isTwelve(_ clock: TimeSyntax.Clock) -> Bool {
        !clock.isExact && clock.time == .noon
    }
}
