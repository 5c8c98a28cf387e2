import RemindCore

/// An ISO 8601 duration in a few words.
enum DurationWords {
    /// `1 day 2 hours` for `P1DT2H`; the text itself when it is not understood.
    static func words(for text: String) -> String {
        guard let duration = CalendarDuration(iso8601: text) else { return text.singleLine }
        let seconds = duration.seconds.magnitude
        let parts: [(UInt64, String)] = [
            (UInt64(duration.months.magnitude), "month"), (UInt64(duration.days.magnitude), "day"),
            (seconds / 3600, "hour"), (seconds / 60 % 60, "minute"), (seconds % 60, "second"),
        ]
        let said = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)\($0.0 == 1 ? "" : "s")" }
        return said.isEmpty ? "0 seconds" : said.joined(by: " ")
    }
}
