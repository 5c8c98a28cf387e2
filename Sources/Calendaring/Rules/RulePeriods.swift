import RemindCore

/// Years, months, weeks and days, numbered, and the days that a rule has in each.
extension RuleExpander {
    /// The number of the last period of the rule that begins at or before `date`; never before the
    /// one of the start. Periods of a rule are `interval` numbers apart.
    func period(holding date: CivilDate) -> Int {
        let first = number(of: start.date)
        return first + max(0, number(of: date) - first) / rule.interval * rule.interval
    }

    /// Years since 0, months since 0, weeks or days since 1970-01-01.
    private func number(of date: CivilDate) -> Int {
        switch rule.frequency {
        case .yearly: date.year
        case .monthly: date.year * 12 + date.month - 1
        case .weekly: (date.daysSinceEpoch - weekOrigin).floorDivided(by: 7)
        default: date.daysSinceEpoch
        }
    }

    /// A day on which a week begins (WKST); 1970-01-05 was a Monday.
    private var weekOrigin: Int { 4 + rule.weekStart.rawValue - 7 }

    /// The days of a period that the rule admits, sorted, as days since 1970-01-01; `nil` beyond
    /// the last year.
    func days(ofPeriod number: Int, budget: inout Int) -> [Int]? {
        switch rule.frequency {
        case .yearly: return days(ofYear: number, &budget)
        case .monthly: return days(ofMonth: number % 12 + 1, year: number / 12, &budget)
        case .weekly:
            let first = number * 7 + weekOrigin
            return days(in: first..<(first + 7), &budget)
        default:
            guard number <= CivilDate.last.daysSinceEpoch else { return nil }
            budget -= 1
            return admits(dayNumber: number) ? [number] : []
        }
    }

    private func days(ofYear year: Int, _ budget: inout Int) -> [Int]? {
        guard year <= CivilDate.last.year else { return nil }
        var months = rule.byMonth
        if months.isEmpty { months = namesDays ? Array(1...12) : [start.date.month] }
        return months.flatMap { days(ofMonth: $0, year: year, &budget) ?? [] }
    }

    /// True when a BY part says which days of a year or month are meant.
    private var namesDays: Bool {
        !rule.byDay.isEmpty || !rule.byMonthDay.isEmpty || !rule.byYearDay.isEmpty
            || !rule.byWeekNumber.isEmpty
    }

    private func days(ofMonth month: Int, year: Int, _ budget: inout Int) -> [Int]? {
        guard year <= CivilDate.last.year else { return nil }
        guard rule.byMonth.isEmpty || rule.byMonth.contains(month),
            let first = CivilDate(year: year, month: month, day: 1)
        else { return [] }
        let length = CivilDate.length(ofMonth: month, year: year)
        let place = Place(first: first, length: length)
        let numbers = monthDays(first, length)
        budget -= numbers.count
        return numbers.filter { admits(place.day($0)) }.map { first.daysSinceEpoch + $0 - 1 }
    }

    /// The days of a month to look at.
    private func monthDays(_ first: CivilDate, _ length: Int) -> [Int] {
        if !rule.byMonthDay.isEmpty {
            let days = rule.byMonthDay.compactMap {
                $0 > 0 ? monthDay($0, length) : monthDay(length + 1 + $0, length)
            }
            return Set(days).sorted()
        }
        if !rule.byDay.isEmpty {
            let intoWeek = first.weekday.rawValue
            let starts = Set(rule.byDay.map { ($0.weekday.rawValue - intoWeek).floorModulo(7) + 1 })
            return starts.flatMap { stride(from: $0, through: length, by: 7) }.sorted()
        }
        if namesDays { return Array(1...length) }
        return monthDay(start.date.day, length).map { [$0] } ?? []
    }

    /// The day of a month that takes the place of one that it may not have: SKIP.
    private func monthDay(_ day: Int, _ length: Int) -> Int? {
        if day <= length { return day > 0 ? day : nil }
        return switch rule.skip {
        case .omit: nil
        case .backward: length
        case .forward: length + 1
        }
    }

    private func days(in range: Range<Int>, _ budget: inout Int) -> [Int]? {
        let last = CivilDate.last.daysSinceEpoch
        guard range.lowerBound <= last else { return nil }
        budget -= range.count
        return range.filter { $0 <= last && admits(dayNumber: $0) }
    }

    /// Whether the BY parts for days admit a day; a weekly rule without BYDAY is on its start's.
    func admits(dayNumber: Int) -> Bool {
        let weekday = Self.weekday(dayNumber)
        if rule.frequency == .weekly, rule.byDay.isEmpty, weekday != start.date.weekday {
            return false
        }
        // The cheap question first: most rules for days name weekdays or nothing.
        if !rule.byDay.isEmpty, !rule.byDay.contains(where: { $0.weekday == weekday }) {
            return false
        }
        if rule.byMonth.isEmpty, rule.byMonthDay.isEmpty, rule.byYearDay.isEmpty { return true }
        let date = CivilDate(daysSinceEpoch: dayNumber)
        guard rule.byMonth.isEmpty || rule.byMonth.contains(date.month) else { return false }
        if rule.byMonthDay.isEmpty, rule.byYearDay.isEmpty { return true }
        guard let first = CivilDate(year: date.year, month: date.month, day: 1) else {
            return false
        }
        let length = CivilDate.length(ofMonth: date.month, year: date.year)
        let day = Place(first: first, length: length).day(date.day)
        return admits(day)
            && (rule.byMonthDay.isEmpty || rule.byMonthDay.contains(date.day)
                || rule.byMonthDay.contains(date.day - length - 1))
    }

    static func weekday(_ dayNumber: Int) -> Weekday {
        Weekday(rawValue: (dayNumber + 3).floorModulo(7)) ?? .monday
    }
}

/// A month, for questions about its days.
private struct Place {
    let first: CivilDate
    let length: Int

    func day(_ number: Int) -> PlacedDay {
        PlacedDay(month: self, day: number, number: first.daysSinceEpoch + number - 1)
    }
}

/// A day with what BYDAY, BYYEARDAY and BYWEEKNO ask about it.
private struct PlacedDay {
    let month: Place
    let day: Int
    /// Days since 1970-01-01.
    let number: Int

    var year: Int { month.first.year }
    var yearLength: Int { CivilDate.isLeap(year: year) ? 366 : 365 }
    /// 1 to 366.
    var yearDay: Int { number - newYear(year) + 1 }

    private func newYear(_ year: Int) -> Int {
        CivilDate(year: year, month: 1, day: 1)?.daysSinceEpoch
            ?? CivilDate.last.daysSinceEpoch + 1
    }

    /// The number of its week from the beginning and from the end (-1) of the year that the week
    /// belongs to: the one that has four days of it or more.
    func week(startingOn weekStart: Weekday) -> (number: Int, fromEnd: Int) {
        let intoWeek = (RuleExpander.weekday(number).rawValue - weekStart.rawValue).floorModulo(7)
        let middle = number - intoWeek + 3
        let year = CivilDate(daysSinceEpoch: middle).year
        let week = (middle - newYear(year)) / 7 + 1
        let fromEnd = (newYear(year + 1) - 1 - middle) / 7 + 1
        return (week, -fromEnd)
    }
}

extension RuleExpander {
    /// BYDAY, BYYEARDAY and BYWEEKNO.
    private func admits(_ day: PlacedDay) -> Bool {
        admitsWeekday(day) && admitsYearDay(day) && admitsWeek(day)
    }

    private func admitsWeekday(_ day: PlacedDay) -> Bool {
        if rule.byDay.isEmpty {
            // A week that is only numbered means the start's day of it.
            let onlyWeeks = rule.byMonthDay.isEmpty && rule.byYearDay.isEmpty
            return rule.byWeekNumber.isEmpty || !onlyWeeks
                || Self.weekday(day.number) == start.date.weekday
        }
        let weekday = Self.weekday(day.number)
        return rule.byDay.contains {
            $0.weekday == weekday && ($0.ordinal == 0 || isOrdinal($0.ordinal, day))
        }
    }

    /// Whether `day` is the `ordinal`th of its weekday in the month, or in the year where a yearly
    /// rule names no months.
    private func isOrdinal(_ ordinal: Int, _ day: PlacedDay) -> Bool {
        let inYear = rule.frequency == .yearly && rule.byMonth.isEmpty
        let place = inYear ? day.yearDay : day.day
        let length = inYear ? day.yearLength : day.month.length
        return ordinal > 0
            ? ordinal == (place - 1) / 7 + 1 : -ordinal == (length - place) / 7 + 1
    }

    private func admitsYearDay(_ day: PlacedDay) -> Bool {
        rule.byYearDay.isEmpty || rule.byYearDay.contains(day.yearDay)
            || rule.byYearDay.contains(day.yearDay - day.yearLength - 1)
    }

    private func admitsWeek(_ day: PlacedDay) -> Bool {
        guard !rule.byWeekNumber.isEmpty else { return true }
        let week = day.week(startingOn: rule.weekStart)
        return rule.byWeekNumber.contains(week.number) || rule.byWeekNumber.contains(week.fromEnd)
    }
}
