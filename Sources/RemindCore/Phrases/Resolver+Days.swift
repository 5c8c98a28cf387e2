/// Days and times: which day is the coming one, and whether it still lies ahead.
extension Resolver {
    func understanding(of moment: WhenPhrase.Moment) throws(PhraseError) -> Understanding {
        let zone = try zone(moment.zone)
        guard let syntax = moment.time else {
            guard let day = moment.day else { throw beyondCalendar() }
            return try dateOnly(try date(of: day, at: nil, in: zone), day)
        }
        let clock = clock(of: syntax)
        let date = try date(of: moment.day, at: clock, in: zone)
        let wall = wall(date, clock)
        guard !clock.endsDay || date < .last else { throw beyondCalendar() }
        try refuseFraction(clock, wall, zone)
        return try understanding(
            of: wall, in: zone, milliseconds: clock.milliseconds,
            notes: notes(moment, clock, date, zone),
            sameTimeAhead: CivilText.time(clock.time))
    }

    func clock(of time: TimeSyntax) -> TimeSyntax.Clock {
        switch time {
        case .clock(let clock): clock
        case .morning: TimeSyntax.Clock(time: context.settings.morning)
        case .evening: TimeSyntax.Clock(time: context.settings.evening)
        }
    }

    func wall(_ date: CivilDate, _ clock: TimeSyntax.Clock) -> CivilDateTime {
        CivilDateTime(clock.endsDay ? date.adding(days: 1) : date, clock.time)
    }

    private func refuseFraction(
        _ clock: TimeSyntax.Clock, _ wall: CivilDateTime, _ zone: Zone
    ) throws(PhraseError) {
        guard clock.milliseconds > 0 else { return }
        if case .fixed = zone { return }
        throw PhraseError(
            phrase: text, range: 0..<text.utf8.count,
            reason: "‘\(text)’ has a fraction of a second; only a time with Z or an offset may.",
            suggestions: [PhraseError.Suggestion(CivilText.text(wall))])
    }

    private func dateOnly(_ date: CivilDate, _ day: DaySyntax) throws(PhraseError) -> Understanding
    {
        let today = context.zone.civil(at: context.now).date
        guard context.allowPast || date >= today else {
            let days = today.daysSinceEpoch - date.daysSinceEpoch
            var coming = "\(date.day) \(Names.months[date.month - 1].lowercased())"
            switch day {
            case .steps, .shifted: coming = "tomorrow"
            default: break
            }
            // A year that could have been meant as a time of four digits.
            let hasBareYear = (try? PhraseParser(text))?.hasBareYear ?? false
            let time =
                hasBareYear ? CivilTime(hour: date.year / 100, minute: date.year % 100) : nil
            // ‘yesterday’ itself needs no such news.
            var isCounted = false
            if case .steps = day { isCounted = true }
            throw past(
                days == 1
                    ? (isCounted ? "has gone by" : "was yesterday")
                    : "was \(RelativePhrase.days(days)) ago",
                (time.map { [coming + " " + CivilText.time($0)] } ?? []) + [coming])
        }
        return Understanding(deadline: .date(date), instant: context.ringTime(of: date))
    }

    private func notes(
        _ moment: WhenPhrase.Moment, _ clock: TimeSyntax.Clock, _ date: CivilDate, _ zone: Zone
    ) -> [String] {
        var notes: [String] = []
        if clock.isMidnight, !clock.endsDay, moment.day != nil {
            notes.append("‘midnight’ begins the day: it is \(CivilText.date(date)), 00:00.")
        }
        let there = zone.civil(at: context.now).date
        if moment.zone != nil, let day = moment.day, day.countsFromToday,
            there != context.zone.civil(at: context.now).date
        {
            notes.append(
                "In \(zone.identifier) today is \(CivilText.date(there)): the day is counted "
                    + "from there.")
        }
        return notes
    }

    // MARK: Days

    /// The day that is meant; of the coming ones the first whose time is still ahead. No day: the
    /// next such time.
    func date(
        of day: DaySyntax?, at clock: TimeSyntax.Clock?, in zone: Zone
    ) throws(PhraseError) -> CivilDate {
        let today = zone.civil(at: context.now).date
        let isAhead = { (date: CivilDate) in self.isAhead(date, clock, zone) }
        // `wed 1 may`, said on that day.
        let isToday = { (date: CivilDate, weekday: Weekday?) in
            clock == nil && date == today && date.weekday == weekday
        }
        switch day {
        case nil: return isAhead(today) ? today : today.adding(days: 1)
        case .steps(let duration): return try moved(today, by: duration)
        case .weekday(let weekday):
            let coming = today.coming(weekday)
            return isAhead(coming) ? coming : coming.adding(days: 7)
        case .weekdayOfWeek(let weekday, let weeks):
            return self.date(of: weekday, weeks, from: today)
        case .date(let date, let weekday):
            try refuseOther(weekday, than: date)
            return date
        case .numeric(let first, let second, let year, let range):
            return try numeric(first, second, year, range)
        case .dayOfYear(let month, let day, let weekday):
            return try coming(weekday, ahead: { isAhead($0) || isToday($0, weekday) }) { step in
                CivilDate(year: today.year + step, month: month, day: day)
            }
        case .dayOfMonth(let day, let weekday):
            return try coming(weekday, ahead: { isAhead($0) || isToday($0, weekday) }) { step in
                today.month(after: step).flatMap {
                    CivilDate(year: $0.year, month: $0.month, day: day)
                }
            }
        case .shifted(let day, let duration):
            return try moved(try self.date(of: day, at: clock, in: zone), by: duration)
        case .placeOfMonth(let place, let month, let ahead):
            return try self.date(of: place, month, ahead, today, ahead: isAhead)
        case .edgeOfMonth, .edgeOfNamedMonth, .endOfYear, .weekdayOfMonth:
            return try edge(of: day, today, ahead: isAhead)
        }
    }

    /// `friday next week`.
    private func date(of weekday: Weekday, _ weeks: Int, from today: CivilDate) -> CivilDate {
        let start = context.settings.weekStart
        let sinceStart = (today.weekday.rawValue - start.rawValue).floorModulo(7)
        let place = (weekday.rawValue - start.rawValue).floorModulo(7)
        return today.adding(days: weeks * 7 - sinceStart + place)
    }

    private func isAhead(_ date: CivilDate, _ clock: TimeSyntax.Clock?, _ zone: Zone) -> Bool {
        let clock = clock ?? TimeSyntax.Clock(time: context.settings.allDayTime)
        let instant = zone.resolve(wall(date, clock)).instant
            .advanced(byMilliseconds: Int64(clock.milliseconds))
        return instant > context.now
    }

    private func edge(
        of day: DaySyntax?, _ today: CivilDate, ahead isAhead: (CivilDate) -> Bool
    ) throws(PhraseError) -> CivilDate {
        func edge(_ month: CivilDate?, _ isEnd: Bool) -> CivilDate? {
            month.flatMap {
                let length = CivilDate.length(ofMonth: $0.month, year: $0.year)
                return CivilDate(year: $0.year, month: $0.month, day: isEnd ? length : 1)
            }
        }
        switch day {
        case .edgeOfMonth(let isEnd, let months?):
            guard let date = edge(today.month(after: months), isEnd) else {
                throw beyondCalendar()
            }
            return date
        case .edgeOfMonth(let isEnd, nil):
            return try coming(nil, ahead: isAhead) { edge(today.month(after: $0), isEnd) }
        case .edgeOfNamedMonth(let isEnd, let month):
            return try coming(nil, ahead: isAhead) { step in
                edge(CivilDate(year: today.year + step, month: month, day: 1), isEnd)
            }
        case .weekdayOfMonth(let nth, let weekday, let month):
            return try coming(nil, ahead: isAhead) { step in
                let year = CivilDate(year: today.year + step, month: month ?? 1, day: 1)
                let first = month == nil ? today.month(after: step) : year
                return first.flatMap {
                    RulePhrase.MonthPlace.weekday([nth], weekday)
                        .dates(year: $0.year, month: $0.month).first
                }
            }
        default:
            return try coming(nil, ahead: isAhead) { step in
                CivilDate(year: today.year + step, month: 12, day: 31)
            }
        }
    }

    private func date(
        of place: RulePhrase.MonthPlace, _ month: Int?, _ ahead: Int?, _ today: CivilDate,
        ahead isAhead: (CivilDate) -> Bool
    ) throws(PhraseError) -> CivilDate {
        guard let ahead else {
            return try coming(nil, ahead: isAhead) { step in
                let first =
                    month.map { CivilDate(year: today.year + step, month: $0, day: 1) }
                    ?? today.month(after: step)
                return first.flatMap { place.dates(year: $0.year, month: $0.month).first }
            }
        }
        guard let first = today.month(after: ahead) else { throw beyondCalendar() }
        let date = place.dates(year: first.year, month: first.month).first
        if let date {
            guard case .days(let days) = place, days != [date.day] else { return date }
        }
        throw PhraseError(
            phrase: text, range: 0..<text.utf8.count,
            reason: "‘\(text)’ is not a day of \(Names.fullMonths[first.month - 1]).",
            suggestions: [PhraseError.Suggestion(ahead == 0 ? "end of month" : "end of next month")]
        )
    }

    /// The first candidate that exists and is ahead; a fifth weekday of February can be 40 years
    /// away, every other day is nearer.
    private func coming(
        _ weekday: Weekday?, ahead isAhead: (CivilDate) -> Bool, _ candidate: (Int) -> CivilDate?
    ) throws(PhraseError) -> CivilDate {
        for step in 0...40 {
            guard let date = candidate(step), isAhead(date) else { continue }
            try refuseOther(weekday, than: date, or: (step...40).lazy.compactMap(candidate))
            return date
        }
        throw beyondCalendar()
    }

    /// - Parameter later: of `friday the 13th`, those of the months to come.
    private func refuseOther(
        _ weekday: Weekday?, than date: CivilDate, or later: some Sequence<CivilDate> = []
    ) throws(PhraseError) {
        guard let weekday, weekday != date.weekday else { return }
        let both = later.first { $0.weekday == weekday }
        throw PhraseError(
            phrase: text, range: 0..<text.utf8.count,
            reason: "‘\(text)’ contradicts itself: \(CivilText.date(date)) is a "
                + "\(Names.fullWeekdays[date.weekday.rawValue]).",
            suggestions: [
                PhraseError.Suggestion(date.iso8601),
                PhraseError.Suggestion(Names.fullWeekdays[weekday.rawValue].lowercased()),
            ] + (both.map { [PhraseError.Suggestion($0.iso8601)] } ?? []))
    }

    private func numeric(
        _ first: Int, _ second: Int, _ year: Int, _ range: Range<Int>
    ) throws(PhraseError) -> CivilDate {
        let dayFirst = CivilDate(year: year, month: second, day: first)
        let monthFirst = CivilDate(year: year, month: first, day: second)
        switch context.settings.dateOrder {
        case .dayFirst: if let dayFirst { return dayFirst }
        case .monthFirst: if let monthFirst { return monthFirst }
        case nil:
            switch (dayFirst, monthFirst) {
            case (let date?, nil), (nil, let date?): return date
            case (let one?, let other?) where one == other: return one
            default: break
            }
        }
        let typed = String(decoding: Array(text.utf8)[range], as: UTF8.self)
        let dates = [dayFirst, monthFirst].compactMap { $0?.iso8601 }
        throw PhraseError(
            phrase: text, range: range,
            reason: dates.count == 2
                ? "‘\(typed)’ can be two days; write the year first, or set DateOrder."
                : "‘\(typed)’ is not a date"
                    + (dates.isEmpty ? "." : " in the order of DateOrder."),
            suggestions: dates.map { PhraseError.Suggestion(replacing(range, with: $0)) })
    }
}

extension DaySyntax {
    /// Its meaning depends on which day today is.
    fileprivate var countsFromToday: Bool {
        switch self {
        case .date, .numeric: false
        default: true
        }
    }
}

extension CivilDate {
    /// This day or the first one after it on that weekday.
    func coming(_ weekday: Weekday) -> CivilDate {
        adding(days: (weekday.rawValue - self.weekday.rawValue).floorModulo(7))
    }

    /// The first of the month that many months on; `nil` beyond the calendar.
    func month(after months: Int) -> CivilDate? {
        let count = year * 12 + month - 1 + months
        return CivilDate(year: count / 12, month: count % 12 + 1, day: 1)
    }
}
