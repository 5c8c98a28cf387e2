/// What has been read of a rule so far.
struct RuleParts {
    var cycle: RulePhrase.Cycle?
    var cycleStart = 0
    var place: RulePhrase.Place?
    var time: TimeSyntax?
    /// Those behind the first, and the place of all.
    var moreTimes: [TimeSyntax] = []
    var timesPlace = 0..<0
    /// The part of the day, which is a time or says which half of the day the time is in.
    var part: DayPart?
    var partPlace = 0..<0
    var zone: ZoneSyntax?
    var starting: DaySyntax?
    var until: RulePhrase.Until?
    var count: Int?
    var countPlace = 0..<0
    var isAfterCompletion = false
    /// 2 for `every other`.
    var interval = 1
    var sawEvery = false
}

/// Rules: `every mon,wed,fri 09:00`, `monthly on the 31st`, `every 3 days after completion`.
extension PhraseParser {
    /// An RRULE with or without its name, upper case; `nil` when the text does not begin like one.
    func rrule() -> String? {
        let upper = Self.trimmed(text.original).uppercased()
        var value = Self.trimmed(upper.hasPrefix("RRULE:") ? String(upper.dropFirst(6)) : upper)
        while let last = value.last, "; ".contains(last) { value.removeLast() }
        let names = ["FREQ=", "INTERVAL=", "COUNT=", "UNTIL=", "WKST=", "BY"]
        return names.contains(where: value.hasPrefix) && value.utf8.contains(UInt8(ascii: "="))
            ? value : nil
    }

    /// Reads a rule to the end of the phrase.
    mutating func rule(impliesEvery: Bool) throws(PhraseError) -> RulePhrase {
        var parts = RuleParts()
        if impliesEvery, !saysRule { try takeEvery(&parts) }
        while !isAtEnd {
            let start = index
            try takeRulePart(&parts)
            guard index > start else { throw notUnderstood() }
        }
        try joinPart(&parts)
        return try rule(of: parts)
    }

    private mutating func takeRulePart(_ parts: inout RuleParts) throws(PhraseError) {
        let start = index
        if index > 0 { _ = skip(",") }
        if try takeEnd(&parts) { return }
        if skip(.every) { return try takeEvery(&parts) }
        if case .word(.head(let head)) = current.kind { return try takeHead(head, &parts) }
        let isAt = skip(.at) || skip("@")
        let isOn = !isAt && skip(.on)
        if !isOn, try takePart(&parts) { return }
        if !isOn, let time = try time(afterAt: isAt) {
            try setOnce(&parts.time, time, from: start)
            try takeMoreTimes(&parts, from: isAt ? start + 1 : start)
            if let zone = try zone() { try setOnce(&parts.zone, zone, from: start) }
        } else if !isAt, let place = try place() {
            try setOnce(&parts.place, place, from: start)
        } else {
            throw isAtEnd && index > start
                ? refuse(
                    "‘\(typed(tokens[start].range))’ needs something after it.",
                    at: tokens[start].range, instead: [""]) : refusedRulePart(parts)
        }
    }

    private func refusedRulePart(_ parts: RuleParts) -> PhraseError {
        if let exception = refusedException(parts) { return exception }
        if isWord(.the) || unit() == .day, case .number(let value, 1...2) = peek().kind {
            let place = current.range.lowerBound..<peek().range.upperBound
            return refuse(
                "‘\(typed(place))’ is not a day of a month.", at: place,
                instead: ["the " + Self.ordinal(value)])
        }
        guard case .number(let value, let digits) = current.kind, digits <= 2 else {
            return notUnderstood()
        }
        if var minutes = refusedMinutes(value, digits) {
            minutes.suggestions.reverse()
            return minutes
        }
        return refuse(
            "‘\(typed(current.range))’ is not clear here: it could be an hour or a day.",
            at: current.range,
            instead: [
                "at \(value)", "the " + Self.ordinal(value), "on the " + Self.ordinal(value),
            ])
    }

    static func ordinal(_ value: Int) -> String {
        let ending =
            (11...13).contains(value % 100)
            ? "th" : value % 10 == 1 ? "st" : value % 10 == 2 ? "nd" : value % 10 == 3 ? "rd" : "th"
        return "\(value)\(ending)"
    }

    /// `in the morning`, `evening`.
    private mutating func takePart(_ parts: inout RuleParts) throws(PhraseError) -> Bool {
        let start = index
        guard !isWord(.this), let part = dayPart() else { return false }
        try setOnce(&parts.part, part, from: start)
        parts.partPlace = range(from: start)
        if parts.time == nil { try takeMoreTimes(&parts, from: start) }
        if let zone = try zone() { try setOnce(&parts.zone, zone, from: start) }
        return true
    }

    // MARK: The cycle

    private mutating func takeHead(_ head: RuleHead, _ parts: inout RuleParts) throws(PhraseError) {
        let start = index
        advance()
        parts.sawEvery = true
        let cycle: RulePhrase.Cycle
        switch head {
        case .hourly: cycle = .elapsed(3600)
        case .daily: cycle = .days(1)
        case .weekly: cycle = .weeks(1)
        case .fortnightly: cycle = .weeks(2)
        case .monthly: cycle = .months(1)
        case .quarterly: cycle = .months(3)
        case .yearly: cycle = .years(1)
        case .weekdays, .weekends:
            index = start
            return try setOnce(&parts.place, try daysOfWeek(from: start), from: start)
        }
        try setOnce(&parts.cycle, cycle, from: start)
        parts.cycleStart = start
    }

    static let workdays: [Weekday] = [.monday, .tuesday, .wednesday, .thursday, .friday]

    /// What stands behind `every`: an interval, or the days themselves.
    private mutating func takeEvery(_ parts: inout RuleParts) throws(PhraseError) {
        let start = index
        guard !parts.sawEvery else { throw notUnderstood() }
        parts.sawEvery = true
        if skip(.other) { parts.interval = 2 }
        if let cycle = try cycle(interval: parts.interval) {
            try setOnce(&parts.cycle, cycle, from: start)
            parts.cycleStart = start
        } else if let place = try place() {
            if parts.interval == 2 { try refuseOtherWorkday(place, from: start) }
            try setOnce(&parts.place, place, from: start)
        } else if parts.interval == 1, try takePart(&parts) {
            try setOnce(&parts.cycle, .days(1), from: start)
        } else if parts.interval == 1, let time = try time(afterAt: false) {
            // `every noon`, `every morning`: a time alone is every day's.
            try setOnce(&parts.time, time, from: start)
            try setOnce(&parts.cycle, .days(1), from: start)
            try takeMoreTimes(&parts, from: start)
            if let zone = try zone() { parts.zone = zone }
        } else {
            throw everyWithoutCycle()
        }
    }

    /// `every other weekday`: every second one, or all of every second week.
    private func refuseOtherWorkday(
        _ days: RulePhrase.Place, from start: Int
    ) throws(PhraseError) {
        guard case .weekdays = days, tokens[start..<index].contains(where: { $0.isWorkdays })
        else { return }
        throw refuse(
            "‘\(typed(range(from: start)))’ can mean every second one, or those of every second "
                + "week.", at: range(from: start),
            instead: ["mon,wed,fri", "2 weeks on weekdays"])
    }

    func everyWithoutCycle() -> PhraseError {
        let examples = ["every day", "every monday", "every 2 weeks"]
        guard !isAtEnd else {
            return refuse(
                "‘\(Self.trimmed(text.original))’ does not say how often.", at: current.range,
                suggest: examples)
        }
        var place = runRange(from: index)
        var instead: [String] = []
        if isSign("!"), isWord(.every, at: -1) {
            let rest = Self.trimmed(typed(current.range.upperBound..<text.original.utf8.count))
            return refuse(
                "‘every!’ is not understood.", at: current.range,
                suggest: ["every \(rest) after completion"])
        }
        if case .number = current.kind, !peek().isGlued, peek().kind != .end {
            place = place.lowerBound..<peek().range.upperBound
            if case .word(.weekdays(let day)) = peek().kind {
                instead = ["other " + Names.fullWeekdays[day.rawValue].lowercased()]
            }
        }
        return refuse(
            "‘\(typed(place))’ is not something that repeats.", at: place, instead: instead,
            suggest: examples, isMisspelt: true)
    }

    private mutating func cycle(interval: Int) throws(PhraseError) -> RulePhrase.Cycle? {
        let start = index
        if skip(.quarter) {
            guard !isAtEnd, isWord(.of) || isWord(.unit(.hour)) else {
                return .months(3 * interval)
            }
            index = start
        }
        if let unit = unit(), !isOrdinalSecond {
            advance()
            return try hourAndMore(unit, interval) ?? cycle(interval, unit)
        }
        if isWord(.half), unit(at: 1) == .hour {
            advance(2)
            return .elapsed(1800)
        }
        guard interval == 1 else { return nil }
        // `every 2 weeks` counts weeks, `every 2 weeks 3 days` counts days.
        let first = firstUnit
        guard let duration = try duration() else { return nil }
        let place = range(from: start)
        guard !duration.isZero else {
            throw refuse(
                "‘\(typed(place))’ is no time at all: it must be at least 1.", at: place,
                instead: ["day", "2 days"])
        }
        if duration.isElapsed { return .elapsed(duration.seconds) }
        guard duration.seconds == 0, duration.months == 0 || duration.days == 0 else {
            throw refuse(
                "‘\(typed(place))’ mixes units that have no common step.", at: place,
                instead: ["day", "36 hours"])
        }
        if duration.months > 0 {
            return first == .year && duration.months % 12 == 0
                ? .years(duration.months / 12) : .months(duration.months)
        }
        return (first == .week || first == .fortnight) && duration.days % 7 == 0
            ? .weeks(duration.days / 7) : .days(duration.days)
    }

    /// `every hour and a half`, `every hour and 15 minutes`.
    private mutating func hourAndMore(
        _ unit: TimeUnit, _ interval: Int
    ) throws(PhraseError) -> RulePhrase.Cycle? {
        guard unit == .hour, interval == 1 else { return nil }
        if let length = andHalf {
            advance(length)
            return .elapsed(5400)
        }
        let start = index
        guard skip(.and), let more = try duration(), more.isElapsed, more.seconds < 3600 else {
            index = start
            return nil
        }
        return .elapsed(3600 + more.seconds)
    }

    /// The unit of the first part of a duration; its number may stand behind a `P`.
    private var firstUnit: TimeUnit? { unit(at: 1) ?? unit(at: 2) }

    /// `second tuesday`: the word is no unit here.
    private var isOrdinalSecond: Bool {
        guard isWord(.second) else { return false }
        switch peek().kind {
        case .word(.weekday), .word(.unit), .word(.workday), .word(.of): return true
        default: return false
        }
    }

    private func cycle(_ interval: Int, _ unit: TimeUnit) -> RulePhrase.Cycle {
        switch unit {
        case .second, .minute, .hour: .elapsed(Int64(interval) * Self.seconds(of: unit))
        case .day: .days(interval)
        case .week: .weeks(interval)
        case .fortnight: .weeks(2 * interval)
        case .month: .months(interval)
        case .year: .years(interval)
        }
    }
}
