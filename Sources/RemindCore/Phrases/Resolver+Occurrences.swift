/// The first occurrence of an English rule: the first match still ahead.
extension Resolver {
    func firstDate(of rule: RulePhrase, _ series: Series) throws(PhraseError) -> CivilDate {
        switch (rule.cycle, rule.place) {
        case (.weeks, .weekdays(let days)?):
            // Two weeks hold each weekday twice: today's, gone by, and the next one.
            for step in 0...14 {
                let date = series.base.adding(days: step)
                if days.contains(date.weekday), isFirst(date, series) { return date }
            }
        case (.months, .ofMonth(let place)?):
            // A fifth weekday can be months away, a Friday the 31st years.
            for step in 0...96 {
                guard let month = series.base.month(after: step) else { break }
                if let date = first(place, in: month, series) { return date }
            }
        case (.years(let count), .ofYear(let number, let place)?):
            // `every 4 years on 29 feb` keeps to leap years.
            let isLeapDay = number == 2 && place == .days([29]) && count % 4 == 0
            // A fifth weekday of a short month can be 40 years away.
            for step in 0...40 {
                let year = series.base.year + step
                guard let month = CivilDate(year: year, month: number, day: 1) else { break }
                if isLeapDay, CivilDate(year: year, month: 2, day: 29) == nil { continue }
                if let date = first(place, in: month, series) { return date }
            }
        default: return try firstStep(rule.cycle, series)
        }
        throw beyondCalendar()
    }

    /// The base itself when it is still ahead, else the base and one interval.
    private func firstStep(
        _ cycle: RulePhrase.Cycle, _ series: Series
    ) throws(PhraseError) -> CivilDate {
        if isFirst(series.base, series) { return series.base }
        let step: CalendarDuration =
            switch cycle {
            case .days(let count): CalendarDuration(days: count)
            case .weeks(let count): CalendarDuration(days: count * 7)
            case .months(let count): CalendarDuration(months: count)
            case .years(let count): CalendarDuration(months: count * 12)
            case .elapsed: CalendarDuration()
            }
        return try moved(series.base, by: step)
    }

    /// On or after the deadline beside the rule; without one, or on one that is a day, ahead of now.
    private func isFirst(_ date: CivilDate, _ series: Series) -> Bool {
        guard date >= series.base else { return false }
        if context.allowPast && (series.isStarted || series.isDay) { return true }
        if series.anchor != nil, !series.isDay { return true }
        return series.instant(of: date, self) > context.now
    }

    private func first(
        _ place: RulePhrase.MonthPlace, in month: CivilDate, _ series: Series
    ) -> CivilDate? {
        place.dates(year: month.year, month: month.month).first { isFirst($0, series) }
    }
}

extension RulePhrase.MonthPlace {
    /// The days of a month that it names, in order.
    func dates(year: Int, month: Int) -> [CivilDate] {
        let length = CivilDate.length(ofMonth: month, year: year)
        switch self {
        case .days(let days):
            return days.compactMap { day in
                CivilDate(year: year, month: month, day: day < 0 ? length : min(day, length))
            }
        case .weekday(let nths, let weekday):
            let all = Self.dates(year, month, length) { $0.weekday == weekday }
            return nths.flatMap { Self.pick($0, of: all) }
        case .dated(let day, let weekday):
            return Self.dates(year, month, length) { $0.day == day && $0.weekday == weekday }
        case .workday(let nth):
            let all = Self.dates(year, month, length) { $0.weekday.rawValue < 5 }
            return Self.pick(nth, of: all)
        }
    }

    private static func dates(
        _ year: Int, _ month: Int, _ length: Int, where isMatch: (CivilDate) -> Bool
    ) -> [CivilDate] {
        (1...length).compactMap { CivilDate(year: year, month: month, day: $0) }.filter(isMatch)
    }

    private static func pick(_ nth: Int, of dates: [CivilDate]) -> [CivilDate] {
        if nth < 0 { return dates.suffix(1) }
        return dates.count >= nth ? [dates[nth - 1]] : []
    }
}
