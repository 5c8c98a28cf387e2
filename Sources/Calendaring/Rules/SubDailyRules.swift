import RemindCore

/// Hourly, minutely and secondly rules with BY parts: each part for longer units is a filter, each
/// for shorter ones expands.
extension RuleExpander {
    /// Seconds of one unit of FREQ.
    private var unit: Int64 {
        rule.frequency == .hourly ? 3600 : rule.frequency == .minutely ? 60 : 1
    }

    func forEachSubDaily(
        from position: Int64, through end: Int64, _ body: (RuleSet) -> Bool
    ) {
        guard !choose(RuleSet(at: 0, times: times)).isEmpty else { return }
        let step = unit * Int64(rule.interval)
        let anchor = start.secondsSinceEpoch.floorDivided(by: unit) * unit
        var at = aligned(position.floorDivided(by: unit) * unit, anchor, step)
        let last = min(end, Instant.latest.seconds)
        var (total, left) = (Self.budget * 10, Self.budget)
        while left > 0, at <= last {
            left -= 1
            if let later = skip(at) {
                at = aligned(later, anchor, step)
                continue
            }
            let set = choose(RuleSet(at: at, times: times))
            if !set.isEmpty {
                guard body(set) else { return }
                (total, left) = Self.renewed(total, left)
            }
            at += step
        }
    }

    private func aligned(_ second: Int64, _ anchor: Int64, _ step: Int64) -> Int64 {
        second <= anchor ? anchor : anchor + (second - anchor + step - 1) / step * step
    }

    /// `nil` when the filters admit the unit that begins at `at`; else where the next unit could
    /// begin that they admit.
    private func skip(_ at: Int64) -> Int64? {
        let day = at.floorDivided(by: 86_400)
        if !admits(dayNumber: Int(day)) { return (day + 1) * 86_400 }
        let second = Int(at - day * 86_400)
        let midnight = day * 86_400
        let (hour, minute) = (second / 3600, second / 60 % 60)
        if !rule.byHour.isEmpty, !rule.byHour.contains(hour) {
            return midnight + Int64(rule.byHour.first { $0 > hour } ?? 24) * 3600
        }
        let hourStart = midnight + Int64(hour) * 3600
        if unit <= 60, !rule.byMinute.isEmpty, !rule.byMinute.contains(minute) {
            return hourStart + Int64(rule.byMinute.first { $0 > minute } ?? 60) * 60
        }
        if unit == 1, !rule.bySecond.isEmpty, !rule.bySecond.contains(second % 60) {
            return at - Int64(second % 60)
                + Int64(rule.bySecond.first { $0 > second % 60 } ?? 60)
        }
        return nil
    }
}
