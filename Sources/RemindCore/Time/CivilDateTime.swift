/// A time of day, 00:00:00 to 23:59:59, without a zone.
package struct CivilTime: Hashable, Comparable, Sendable {
    /// Seconds since midnight as a clock without changes would count them.
    package let secondOfDay: Int

    package static let midnight = CivilTime(unchecked: 0)
    package static let noon = CivilTime(unchecked: 43_200)

    /// `nil` when a part is outside 0–23, 0–59, 0–59.
    package init?(hour: Int, minute: Int = 0, second: Int = 0) {
        guard (0...23).contains(hour), (0...59).contains(minute), (0...59).contains(second) else {
            return nil
        }
        self.init(unchecked: hour * 3600 + minute * 60 + second)
    }

    fileprivate init(unchecked: Int) { secondOfDay = unchecked }

    package var hour: Int { secondOfDay / 3600 }
    package var minute: Int { secondOfDay / 60 % 60 }
    package var second: Int { secondOfDay % 60 }

    package static func < (left: CivilTime, right: CivilTime) -> Bool {
        left.secondOfDay < right.secondOfDay
    }
}

/// What a calendar and a clock on the wall show, without a zone.
package struct CivilDateTime: Hashable, Comparable, Sendable {
    package let date: CivilDate
    package let time: CivilTime

    package init(_ date: CivilDate, _ time: CivilTime) { (self.date, self.time) = (date, time) }

    /// What the wall shows that many seconds after 1970-01-01 00:00:00 on the same wall; the
    /// nearest kept time when that is outside the years 1 to 9999.
    package init(secondsSinceEpoch: Int64) {
        let limited = secondsSinceEpoch.clamped(
            to: Instant.earliest.seconds...Instant.latest.seconds)
        date = CivilDate(daysSinceEpoch: Int(limited.floorDivided(by: 86_400)))
        time = CivilTime(unchecked: Int(limited.floorModulo(86_400)))
    }

    /// Seconds since 1970-01-01 00:00:00 on the same wall: the instant, if the wall showed UTC.
    package var secondsSinceEpoch: Int64 {
        Int64(date.daysSinceEpoch) * 86_400 + Int64(time.secondOfDay)
    }

    /// The calendar part of `duration` first (months, then days, at the same wall time), then its
    /// seconds on the same wall. Clock changes are the caller's affair.
    package func adding(_ duration: CalendarDuration) -> CivilDateTime {
        let moved = date.adding(months: duration.months).adding(days: duration.days)
        let (sum, overflow) = CivilDateTime(moved, time).secondsSinceEpoch
            .addingReportingOverflow(duration.seconds)
        return CivilDateTime(
            secondsSinceEpoch: overflow ? (duration.seconds > 0 ? .max : .min) : sum)
    }

    package static func < (left: CivilDateTime, right: CivilDateTime) -> Bool {
        (left.date, left.time) < (right.date, right.time)
    }
}
