/// What has been read so far, and the place of each, for naming a second one.
struct MomentParts {
    var day: DaySyntax?
    var time: TimeSyntax?
    var zone: ZoneSyntax?
    var part: DayPart?
    var partPlace = 0..<0
    var duration: CalendarDuration?
    var durationPlace = 0..<0
    var isTonight = false
    /// The token of a time that could be a year: four digits, without `at`.
    var yearLike: Int?
}

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
        guard let (value, digits) = gluedNumber(at: distance),
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

    // MARK: Days and times

    private mutating func moment() throws(PhraseError) -> WhenPhrase.Syntax {
        var parts = MomentParts()
        while !isAtEnd {
            let start = index
            try takeElement(&parts)
            guard index > start else { throw notUnderstood() }
        }
        if let duration = parts.duration { return try relative(duration, parts) }
        try refuseYear(parts)
        try applyPart(&parts)
        guard parts.day != nil || parts.time != nil else { throw notUnderstood() }
        return .moment(WhenPhrase.Moment(day: parts.day, time: parts.time, zone: parts.zone))
    }

    /// A joiner, then a time, a day or a length of time.
    private mutating func takeElement(_ parts: inout MomentParts) throws(PhraseError) {
        let isFirst = index == 0
        let joiner = try self.joiner(isFirst: isFirst)
        let start = index
        if isWeekDate { throw weekDate() }
        if joiner == nil || joiner == .comma, try takeYearBehindTime(&parts) { return }
        if try takeLength(&parts) { return }
        if let time = try time(afterAt: joiner == .at, afterT: joiner == .t) {
            try setOnce(&parts.time, time, from: start)
            if joiner != .at, joiner != .t, index == start + 1, isYearLike(at: start) {
                parts.yearLike = start
            }
            try takeZone(&parts)
        } else if let part = dayPart() {
            if tokens[start].kind == .word(.this) {
                try setOnce(&parts.day, .steps(CalendarDuration()), from: start)
            }
            try setOnce(&parts.part, part, from: start)
            parts.partPlace = range(from: start)
            try takeZone(&parts)
        } else if skip(.tonight) {
            try setOnce(&parts.day, .steps(CalendarDuration()), from: start)
            try setOnce(&parts.part, .night, from: start)
            parts.isTonight = true
            try takeZone(&parts)
        } else if let day = try day() {
            try takeDay(day, &parts, from: start)
        } else if parts.time != nil, parts.zone == nil, joiner == nil || joiner == .comma,
            startsZone
        {
            try takeZone(&parts)
        } else {
            throw refusedElement(parts)
        }
    }

    /// `in 2 days`, `a week from friday`.
    private mutating func takeLength(_ parts: inout MomentParts) throws(PhraseError) -> Bool {
        let start = index
        guard !isSpokenTime, !isCompoundDay, !isTimeBeforeDayAfter,
            let duration = try relativeDuration()
        else {
            return false
        }
        try refuseShiftedTime(duration, from: start)
        if let day = try shifted(duration) {
            try setOnce(&parts.day, day, from: start)
        } else {
            try setOnce(&parts.duration, duration, from: start)
            parts.durationPlace = range(from: start)
        }
        return true
    }

    private func takeDay(
        _ day: DaySyntax, _ parts: inout MomentParts, from start: Int
    ) throws(PhraseError) {
        if case .weekday(let weekday) = day, let whole = parts.day?.adding(weekday) {
            parts.day = whole
        } else {
            try setOnce(&parts.day, day, from: start)
        }
    }

    /// `9am tomorrow Europe/Paris`: a zone that stands apart from its time.
    private var startsZone: Bool {
        current.kind == .unknown && !isExceptionAhead || current.kind == .word(.utc)
    }

    private mutating func takeZone(_ parts: inout MomentParts) throws(PhraseError) {
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
}
