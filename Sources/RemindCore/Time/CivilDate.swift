/// A day of the proleptic Gregorian calendar (ISO 8601), without a zone.
package struct CivilDate: Hashable, Comparable, Sendable {
    package let year: Int
    package let month: Int
    package let day: Int

    /// The years that remindd keeps.
    package static let years = 1...9999
    package static let first = CivilDate(unchecked: 1, 1, 1)
    package static let last = CivilDate(unchecked: 9999, 12, 31)

    /// `nil` when there is no such day, or the year is outside `years`.
    package init?(year: Int, month: Int, day: Int) {
        guard Self.years.contains(year), (1...12).contains(month),
            day >= 1, day <= Self.length(ofMonth: month, year: year)
        else { return nil }
        self.init(unchecked: year, month, day)
    }

    private init(unchecked year: Int, _ month: Int, _ day: Int) {
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// The day that many days after 1970-01-01; the nearest kept day when that is outside `years`.
    ///
    /// Counts eras of 400 years (146,097 days) from 1 March, so that the leap day ends a year.
    package init(daysSinceEpoch: Int) {
        let limited = daysSinceEpoch.clamped(
            to: Self.first.daysSinceEpoch...Self.last.daysSinceEpoch)
        let shifted = limited + 719_468
        let era = shifted.floorDivided(by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        let day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        self.init(unchecked: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }

    /// Days since 1970-01-01, negative before it.
    package var daysSinceEpoch: Int {
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = shiftedYear.floorDivided(by: 400)
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    package var weekday: Weekday {
        // 1970-01-01 was a Thursday.
        Weekday(rawValue: (daysSinceEpoch + 3).floorModulo(7)) ?? .monday
    }

    package static func isLeap(year: Int) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }

    /// 28 to 31.
    package static func length(ofMonth month: Int, year: Int) -> Int {
        switch month {
        case 2: isLeap(year: year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// This day moved by whole days, kept within `first` and `last`.
    package func adding(days: Int) -> CivilDate {
        let (sum, overflow) = daysSinceEpoch.addingReportingOverflow(days)
        return CivilDate(daysSinceEpoch: overflow ? (days > 0 ? .max : .min) : sum)
    }

    /// This day moved by whole months; a day that the month does not have becomes its last
    /// (31 January + 1 month = 28 or 29 February). Kept within `first` and `last`.
    package func adding(months: Int) -> CivilDate {
        let (sum, overflow) = (year * 12 + month - 1).addingReportingOverflow(months)
        guard !overflow, sum >= 12, sum < 120_000 else {
            return months > 0 ? Self.last : Self.first
        }
        let (year, month) = (sum / 12, sum % 12 + 1)
        return CivilDate(unchecked: year, month, min(day, Self.length(ofMonth: month, year: year)))
    }

    package static func < (left: CivilDate, right: CivilDate) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }
}

/// A day of the week; Monday is 0, as in ISO 8601.
package enum Weekday: Int, CaseIterable, Sendable {
    case monday, tuesday, wednesday, thursday, friday, saturday, sunday
}
