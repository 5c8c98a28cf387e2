/// What the parts of a rule make together.
extension PhraseParser {
    /// Makes times of those that were said and the part of the day.
    func joinPart(_ parts: inout RuleParts) throws(PhraseError) {
        guard let part = parts.part else { return }
        guard parts.time != nil else {
            guard part != .afternoon, part != .night else {
                throw refuse(
                    "‘\(typed(parts.partPlace))’ has no time of its own: say which.",
                    at: parts.partPlace,
                    suggest: part == .night
                        ? ["every day at 22:00", "every evening"] : ["every day at 15:00"])
            }
            parts.time = part == .morning ? .morning : .evening
            return
        }
        parts.time = try shifted(parts.time, into: part)
        for index in parts.moreTimes.indices {
            parts.moreTimes[index] =
                try shifted(parts.moreTimes[index], into: part) ?? parts.moreTimes[index]
        }
    }

    private func shifted(_ time: TimeSyntax?, into part: DayPart) throws(PhraseError) -> TimeSyntax?
    {
        var moment = MomentParts()
        (moment.time, moment.part) = (time, part)
        do throws(PhraseError) {
            try applyPart(&moment)
        } catch {
            var refused = error
            refused.suggestions = ["every morning", "every evening at 7", "every day at 15:00"]
                .map { PhraseError.Suggestion($0) }
            throw refused
        }
        return moment.time
    }

    func rule(of parts: RuleParts) throws(PhraseError) -> RulePhrase {
        let whole = 0..<text.original.utf8.count
        let cycle = try cycle(of: parts)
        if case .elapsed = cycle, parts.starting == nil || parts.time == nil,
            parts.time != nil || parts.starting != nil || parts.zone != nil
        {
            throw refuse(
                "‘\(text.original)’ counts elapsed time from now: it takes no time of day, or both "
                    + "a day and a time to start from.", at: whole,
                suggest: ["every day at 9:00", "every 2 hours"])
        }
        guard parts.until == nil || parts.count == nil else {
            throw refuse(
                "‘\(text.original)’ has two ends: ‘until’ and ‘times’.", at: whole,
                suggest: ["every day for 3 times", "every day until end of month"])
        }
        try checkCompletion(parts)
        guard parts.moreTimes.isEmpty || !parts.isAfterCompletion && !isElapsed(parts) else {
            throw refuse(
                "‘\(typed(parts.timesPlace))’ are several times, which only days of the calendar "
                    + "can have.", at: parts.timesPlace, suggest: ["every day at 9:00 and 18:00"])
        }
        for case .clock(let clock)? in [parts.time] + parts.moreTimes
        where clock.endsDay || clock.milliseconds > 0 {
            throw refuse(
                "‘\(text.original)’ cannot repeat at that time: say one from 0:00 to 23:59:59.",
                at: whole, suggest: ["every day at 0:00"])
        }
        return RulePhrase(
            cycle: cycle, place: parts.place, time: parts.time, moreTimes: parts.moreTimes,
            timesPlace: parts.timesPlace, zone: parts.zone,
            starting: parts.starting, until: parts.until, count: parts.count,
            basis: parts.isAfterCompletion ? .completion : .schedule, text: text.original)
    }

    /// What can stand beside `after completion`.
    private func checkCompletion(_ parts: RuleParts) throws(PhraseError) {
        guard !parts.isAfterCompletion || parts.place == nil else {
            throw refuse(
                "‘\(text.original)’ names days of the calendar; after completion, only a length "
                    + "can be counted.", at: 0..<text.original.utf8.count,
                suggest: ["every 7 days after completion"])
        }
        // How often it was done is not kept.
        guard parts.count == nil || !parts.isAfterCompletion else {
            throw refuse(
                "‘\(typed(parts.countPlace))’ is not counted after completion: say until when.",
                at: parts.countPlace, instead: ["until end of next month", ""])
        }
    }

    /// The cycle that was given, or that of the days that were; both must fit.
    private func cycle(of parts: RuleParts) throws(PhraseError) -> RulePhrase.Cycle {
        guard let place = parts.place else {
            guard let cycle = parts.cycle else { throw everyWithoutCycle() }
            return cycle
        }
        switch (parts.cycle, place) {
        case (nil, .weekdays): return .weeks(parts.interval)
        case (nil, .ofMonth): return .months(parts.interval)
        case (nil, .ofYear): return .years(parts.interval)
        case (.weeks(let interval), .weekdays): return .weeks(interval)
        case (.months(let interval), .ofMonth): return .months(interval)
        case (.years(let interval), .ofYear): return .years(interval)
        default:
            throw refuse(
                "‘\(text.original)’ names days that do not fit its interval.",
                at: 0..<text.original.utf8.count,
                suggest: [
                    startingInstead, "every monday", "monthly on the 15th",
                    "monthly on the first friday",
                ])
        }
    }

    /// `every 6 months on 1 jan`: the day can be the one to start from.
    private var startingInstead: String {
        guard let place = tokens.first(where: { $0.kind == .word(.on) })?.range else { return "" }
        return text.replacing(place, with: "starting")
    }
}
