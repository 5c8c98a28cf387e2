/// A point on the time line: milliseconds since 1970-01-01T00:00:00Z, leap seconds not counted
/// (POSIX time). The wheel's tick, the store's column and the API's instant are all this number.
package struct Instant: Hashable, Comparable, Sendable {
    /// Milliseconds since the Unix epoch.
    package var milliseconds: Int64

    package init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// - Parameter seconds: seconds since the Unix epoch.
    package init(seconds: Int64) { milliseconds = seconds &* 1000 }

    /// Whole seconds since the Unix epoch, rounded down.
    package var seconds: Int64 { milliseconds.floorDivided(by: 1000) }

    /// The first and the last instant that remindd keeps: the years 0001 to 9999. Everything that
    /// is stored or computed stays inside, so that arithmetic on it cannot overflow.
    package static let earliest = Instant(seconds: -62_135_596_800)
    package static let latest = Instant(seconds: 253_402_300_799)

    /// This instant moved by `seconds`, kept within `earliest` and `latest`.
    package func advanced(bySeconds seconds: Int64) -> Instant {
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        return advanced(byMilliseconds: overflow ? (seconds > 0 ? .max : .min) : product)
    }

    /// This instant moved by `milliseconds`, kept within `earliest` and `latest`.
    package func advanced(byMilliseconds delta: Int64) -> Instant {
        let (sum, overflow) = milliseconds.addingReportingOverflow(delta)
        let value = overflow ? (delta > 0 ? Int64.max : .min) : sum
        return Instant(
            milliseconds: value.clamped(to: Self.earliest.milliseconds...Self.latest.milliseconds))
    }

    package static func < (left: Instant, right: Instant) -> Bool {
        left.milliseconds < right.milliseconds
    }
}

extension BinaryInteger {
    /// Division that rounds towards minus infinity, as calendars need it before their epoch.
    package func floorDivided(by divisor: Self) -> Self {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder != 0 && (remainder < 0) != (divisor < 0) ? quotient - 1 : quotient
    }

    /// The remainder that belongs to `floorDivided(by:)`: never negative for a positive divisor.
    package func floorModulo(_ divisor: Self) -> Self {
        self - floorDivided(by: divisor) * divisor
    }
}

extension Comparable {
    /// The value of `range` that is nearest.
    package func clamped(to range: ClosedRange<Self>) -> Self {
        min(max(self, range.lowerBound), range.upperBound)
    }
}
