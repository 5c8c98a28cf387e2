/// The whole of a `WHEN`: days, times and lengths of time with their joiners, or a rule.
extension PhraseParser {
    /// Reads the phrase to its end.
    mutating func when() throws(PhraseError) -> WhenPhrase.Syntax {
        guard !isAtEnd else {
            throw refuse("The phrase is empty.", at: 0..<text.original.utf8.count)
        }
        if saysRule { return .rule(try rule(impliesEvery: false)) }
        if let instant = try epochSeconds() { return .instant(instant) }
        if let relative = try nowAndOffset() { return relative }
        return try moment()
    }

    /// `@1714550400`, and nothing else in the phrase.
    private mutating func epochSeconds() throws(PhraseError) -> Instant? {
        guard index == 0, isSign("@", glued: false) else { return nil }
        let isNegative = isSign("-", at: 1)
        let distance = isNegative ? 2 : 1
        guard let (value, digits) = gluedNumber(at: distance), digits > 2 || isNegative,
            peek(distance + 1).kind == .end
        else { return nil }
        advance(distance + 1)
        guard value <= Instant.latest.seconds else {
            throw refuse(
                "‘\(typed(range(from: 0)))’ is beyond the year 9999; it must be in seconds.",
                at: range(from: 0),
                instead: digits > 15 ? [] : ["@\(value / 1000)", "@\(value / 1_000_000)"])
        }
        return Instant(seconds: Int64(isNegative ? -value : value))
    }

    /// `now`, `now + 10 minutes`.
    private mutating func nowAndOffset() throws(PhraseError) -> WhenPhrase.Syntax? {
        guard skip(.now) else { return nil }
        if isAtEnd { return .now }
        guard let duration = try signedDuration() else { throw notUnderstood() }
        guard isAtEnd else { throw notUnderstood() }
        return .relative(duration)
    }

    /// `+10m`, `-5m`.
    private mutating func signedDuration() throws(PhraseError) -> CalendarDuration? {
        guard isSign("+", glued: false) || isSign("-", glued: false) else { return nil }
        let isNegative = isSign("-", glued: false)
        let sign = current.range
        advance()
        guard let duration = try duration() else {
            throw refuse(
                "‘\(typed(sign))’ needs a length of time after it.", at: sign, instead: [" "])
        }
        return isNegative ? duration.negated : duration
    }

    // MARK: Days and times

    /// What has been read so far, and the place of each, for naming a second one.
    private struct Parts {
        var day: DaySyntax?
        var time: TimeSyntax?
        var zone: ZoneSyntax?
        var part: DayPart?
        var duration: CalendarDuration?
        var durationPlace = 0..<0
        var isTonight = false
    }

    private mutating func moment() throws(PhraseError) -> WhenPhrase.Syntax {
        var parts = Parts()
        while !isAtEnd { try takeElement(&parts) }
        if let duration = parts.duration { return try relative(duration, parts) }
        try applyPart(&parts)
        guard parts.day != nil || parts.time != nil else { throw notUnderstood() }
        return .moment(WhenPhrase.Moment(day: parts.day, time: parts.time, zone: parts.zone))
    }

    /// A joiner, then a time, a day or a length of time.
    private mutating func takeElement(_ parts: inout Parts) throws(PhraseError) {
        let isFirst = index == 0
        let joiner = try self.joiner(isFirst: isFirst)
        let start = index
        if let duration = try relativeDuration() {
            try setOnce(&parts.duration, duration, from: start)
            parts.durationPlace = range(from: start)
        } else if let time = try time(afterAt: joiner == .at, afterT: joiner == .t) {
            try setOnce(&parts.time, time, from: start)
            try takeZone(&parts)
        } else if let part = dayPart() {
            if tokens[start].kind == .word(.this) {
                try setOnce(&parts.day, .steps(CalendarDuration()), from: start)
            }
            try setOnce(&parts.part, part, from: start)
            try takeZone(&parts)
        } else if skip(.tonight) {
            try setOnce(&parts.day, .steps(CalendarDuration()), from: start)
            try setOnce(&parts.part, .night, from: start)
            parts.isTonight = true
            try takeZone(&parts)
        } else if let day = try day() {
            try setOnce(&parts.day, day, from: start)
        } else if parts.time != nil, parts.zone == nil, joiner == nil || joiner == .comma,
            startsZone
        {
            try takeZone(&parts)
        } else {
            throw refusedElement(parts)
        }
    }

    /// `9am tomorrow Europe/Paris`: a zone that stands apart from its time.
    private var startsZone: Bool { current.kind == .unknown || current.kind == .word(.utc) }

    private mutating func takeZone(_ parts: inout Parts) throws(PhraseError) {
        let start = index
        if let zone = try zone() { try setOnce(&parts.zone, zone, from: start) }
    }

    /// Fills a part of the phrase, or names the second one of its kind.
    func setOnce<Value>(
        _ slot: inout Value?, _ value: Value, from start: Int
    ) throws(PhraseError) {
        guard slot == nil else {
            let place = range(from: start)
            let before = tokens[start].range.lowerBound
            throw refuse(
                "‘\(typed(place))’ comes on top of what the phrase has said already.", at: place,
                suggest: [typed(0..<before), typed(place)].map(Self.trimmed))
        }
        slot = value
    }

    static func trimmed(_ text: String) -> String {
        var part = Substring(text)
        while let last = part.last, " ,@".contains(last) { part.removeLast() }
        while let first = part.first, " ,".contains(first) { part.removeFirst() }
        return String(part)
    }

    private enum Joiner { case at, on, t, comma }

    /// Reads what stands between two parts: a comma, then one of `at`, `@`, `on` and `T`.
    private mutating func joiner(isFirst: Bool) throws(PhraseError) -> Joiner? {
        let start = index
        var joiner: Joiner?
        if !isFirst, skip(",") { joiner = .comma }
        if skip(.at) || skip("@") {
            joiner = .at
        } else if skip(.on) {
            joiner = .on
        } else if isWord(.t), case .number = peek().kind, peek().isGlued {
            advance()
            joiner = .t
        }
        if joiner != nil, isAtEnd {
            throw refuse(
                "‘\(typed(tokens[start].range))’ needs something after it.",
                at: tokens[start].range, instead: [""])
        }
        return joiner
    }

    /// `morning`, `this evening`, `in the afternoon`.
    private mutating func dayPart() -> DayPart? {
        var distance = 0
        if isWord(.this) { distance = 1 }
        if isWord(.in), isWord(.the, at: 1) { distance = 2 }
        guard case .word(.part(let part)) = peek(distance).kind else { return nil }
        advance(distance + 1)
        return part
    }

    // MARK: Lengths of time

    /// `in 10 minutes`, `10m`, `+10m`, `10 minutes ago`, `2 days from now`.
    private mutating func relativeDuration() throws(PhraseError) -> CalendarDuration? {
        if let signed = try signedDuration() { return signed }
        let start = index
        let hasIn = isWord(.in) && !isWord(.the, at: 1)
        if hasIn { advance() }
        guard let duration = try duration() else {
            if hasIn { throw unitMissing(from: start) }
            return nil
        }
        if !hasIn, skip(.ago) { return duration.negated }
        if isWord(.from), isWord(.now, at: 1) || isWord(.today, at: 1) { advance(2) }
        return duration
    }

    private func unitMissing(from start: Int) -> PhraseError {
        let value: Int
        switch current.kind {
        case .number(let number, _), .word(.count(let number)): value = number
        case .sign("-"), .sign("+"):
            return refuse(
                "‘\(typed(current.range))’ is not understood after ‘in’.", at: current.range,
                instead: [""])
        default: return notUnderstood()
        }
        let isLast = peek().kind == .end
        let place = isLast ? current.range : runOfUnit
        return refuse(
            isLast
                ? "‘\(typed(tokens[start].range.lowerBound..<place.upperBound))’ needs a unit."
                : "‘\(typed(place))’ is not a unit of time.",
            at: place,
            instead: isLast ? ["\(value) minutes", "\(value) hours"] : ["minutes", "days"],
            isMisspelt: !isLast)
    }

    private var runOfUnit: Range<Int> {
        peek().range.lowerBound..<peek().range.upperBound
    }

    /// A length of time alone, or whole days with a time.
    private mutating func relative(
        _ duration: CalendarDuration, _ parts: Parts
    ) throws(PhraseError) -> WhenPhrase.Syntax {
        let place = parts.durationPlace
        guard parts.day == nil else {
            throw refuse(
                "‘\(text.original)’ counts from now and names a day as well.", at: place,
                suggest: [typed(place)])
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

    // MARK: Refusals

    private func refusedElement(_ parts: Parts) -> PhraseError {
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

/// Parts of a day: alone they are a time of the settings, with a time they say which half it is in.
extension PhraseParser {
    private mutating func applyPart(_ parts: inout Parts) throws(PhraseError) {
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

    private func timeOfPart(_ part: DayPart, _ parts: Parts) throws(PhraseError) -> TimeSyntax {
        switch part {
        case .morning: return .morning
        case .evening: return .evening
        case .night where parts.isTonight: return .evening
        case .afternoon, .night:
            throw refuse(
                "‘\(text.original)’ is not clear: that part of the day has no time of its own.",
                at: 0..<text.original.utf8.count,
                suggest: part == .night
                    ? ["tonight", "tomorrow evening", "22:00"] : ["15:00", "tomorrow 15:00"])
        }
    }

    /// The hours of a part: those of the 12-hour clock move into it.
    private func shifted(
        _ clock: TimeSyntax.Clock, into part: DayPart, _ parts: Parts
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
