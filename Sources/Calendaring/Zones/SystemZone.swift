import CGLib
package import RemindCore

/// A zone of the system's tzdata, or one made from a POSIX `TZ` text, read by GLib (`GTimeZone`).
///
/// Only `g_time_zone_find_interval` with `G_TIME_TYPE_UNIVERSAL` is asked: GLib's own choices for
/// wall times move 02:30 in a spring gap to 03:00 and take the wrong side of an overlap in zones
/// with unusual rules (Lord Howe, Ireland). A look-up costs about 0.2 µs.
package struct SystemZone: ZoneRules {
    package let identifier: String
    private let stored: Handle
    /// What holds from some second on, where GLib misreads it (`ZoneFooter`).
    private let later: (second: Int64, handle: Handle)?

    /// Owns one reference. Unchecked: a `GTimeZone` never changes and counts its references
    /// atomically.
    private final class Handle: @unchecked Sendable {
        let pointer: OpaquePointer

        init?(_ source: String) {
            guard let pointer = g_time_zone_new_identifier(source) else { return nil }
            self.pointer = pointer
        }

        deinit { g_time_zone_unref(pointer) }

        func interval(atSecond second: Int64) -> Int32 {
            g_time_zone_find_interval(pointer, G_TIME_TYPE_UNIVERSAL, Int(second))
        }

        func offset(ofInterval interval: Int32) -> Int {
            Int(g_time_zone_get_offset(pointer, interval))
        }

        /// The second since the Unix epoch at which the wall shows `wall` in that interval.
        func second(_ wall: Int64, _ interval: Int32) -> Int64 {
            wall - Int64(offset(ofInterval: interval))
        }

        /// In a gap, the later offset points back before it and the earlier one beyond it.
        func intervalBeforeGap(_ wall: Int64, _ range: ClosedRange<Int32>) -> Int32 {
            range.dropLast().first {
                interval(atSecond: second(wall, $0 + 1)) <= $0
                    && interval(atSecond: second(wall, $0)) > $0
            } ?? range.lowerBound
        }
    }

    /// A zone from a TZif file. `nil` when GLib cannot make one of it.
    ///
    /// - Parameter path: an absolute path.
    init?(identifier: String, path: String) {
        guard let handle = Handle(path) else { return nil }
        (self.identifier, stored) = (identifier, handle)
        let footer = ZoneFiles.read(path).flatMap(ZoneFooter.init)
        let rule = footer.flatMap { PosixZone.swapped($0.text) }
        later = footer.flatMap { footer in
            rule.flatMap(Handle.init).map { (footer.lastTransition + Self.settled, $0) }
        }
    }

    /// A zone from a POSIX `TZ` text. `nil` when GLib cannot make one of it.
    init?(identifier: String, posix text: String) {
        guard let handle = Handle(PosixZone.swapped(text) ?? text) else { return nil }
        (self.identifier, stored, later) = (identifier, handle, nil)
    }

    /// Seconds after the last stored clock change at which no other one is near.
    private static let settled: Int64 = 30 * 86_400

    /// Whole cycles of the calendar, 400 years or 20,871 weeks each, after which a `TZ` rule gives
    /// the same days again: GLib computes clock changes up to the year 2999 only, so what lies
    /// after 2793 is asked about the same day of a cycle before. Seconds to take away.
    private static func cycles(_ second: Int64) -> Int64 {
        let (known, cycle): (Int64, Int64) = (26_000_000_000, 146_097 * 86_400)
        return second < known ? 0 : ((second - known) / cycle + 1) * cycle
    }

    private func handle(atSecond second: Int64) -> Handle {
        guard let later, second >= later.second else { return stored }
        return later.handle
    }

    package func offset(at instant: Instant) -> Int {
        let second = instant.seconds - Self.cycles(instant.seconds)
        let handle = handle(atSecond: second)
        return handle.offset(ofInterval: handle.interval(atSecond: second))
    }

    /// What the zone's time is called at `instant`: `CEST`, or `+0530` where it has no letters.
    package func abbreviation(at instant: Instant) -> String {
        let second = instant.seconds - Self.cycles(instant.seconds)
        let handle = handle(atSecond: second)
        let interval = handle.interval(atSecond: second)
        guard let text = g_time_zone_get_abbreviation(handle.pointer, interval) else {
            return identifier
        }
        return String(cString: text)
    }

    package func resolve(_ civil: CivilDateTime) -> ResolvedTime {
        let cycles = Self.cycles(civil.secondsSinceEpoch)
        let wall = civil.secondsSinceEpoch - cycles
        let handle = handle(atSecond: wall)
        func resolved(_ interval: Int32, _ kind: ResolvedTime.Kind) -> ResolvedTime {
            ResolvedTime(
                instant: Instant(seconds: handle.second(wall, interval) + cycles), kind: kind)
        }
        let first = handle.interval(atSecond: wall - Self.reach)
        let last = handle.interval(atSecond: wall + Self.reach)
        if first == last { return resolved(first, .unique) }
        let readings = (first...last).filter {
            handle.interval(atSecond: handle.second(wall, $0)) == $0
        }
        if let earliest = readings.min(by: { handle.second(wall, $0) < handle.second(wall, $1) }) {
            return resolved(earliest, readings.count > 1 ? .overlap : .unique)
        }
        return resolved(handle.intervalBeforeGap(wall, first...last), .gap)
    }

    /// No offset is larger, in seconds; so every reading of a wall time lies within this distance.
    private static let reach: Int64 = 93_600
}
