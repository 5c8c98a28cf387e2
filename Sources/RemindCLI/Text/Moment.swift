import RemindAPI
import RemindCore

/// When something is due, as the daemon wrote it: the wall time with its offset, or a plain date.
struct Moment {
    let date: CivilDate
    /// `nil`: the whole day.
    let time: CivilTime?
    /// `nil`: the whole day.
    let instant: Instant?
    /// Seconds east of Greenwich: where `date` is meant.
    let offset: Int

    /// - Parameter dateOffset: the offset by which “today” is told when `text` is a plain date.
    init?(_ text: String, dateOffset: @autoclosure () -> Int) {
        if let parsed = OffsetDateTime(rfc3339: text) {
            let civil = parsed.civil
            (date, time) = (civil.date, civil.time)
            (instant, offset) = (parsed.instant, parsed.offset)
        } else if let day = CivilDate(iso8601: text) {
            (date, time, instant, offset) = (day, nil, nil, dateOffset())
        } else {
            return nil
        }
    }

    /// Whole days from today, on the wall where it is due.
    func days(from now: Instant) -> Int {
        date.daysSinceEpoch - today(now).daysSinceEpoch
    }

    func isPast(at now: Instant) -> Bool {
        if let instant { return instant < now }
        return date < today(now)
    }

    /// When `isPast` or the words change next: as it goes by, or at midnight where it is.
    func change(after now: Instant) -> Instant {
        let day = midnight(after: now)
        guard let instant, instant >= now else { return day }
        // It is past only after its own millisecond.
        return min(day, Instant(milliseconds: instant.milliseconds + 1))
    }

    /// The next midnight where it is.
    func midnight(after now: Instant) -> Instant {
        Instant(seconds: Int64((today(now).daysSinceEpoch + 1) * 86_400 - offset))
    }

    private func today(_ now: Instant) -> CivilDate {
        CivilDateTime(secondsSinceEpoch: now.seconds + Int64(offset)).date
    }
}

extension Moment {
    /// `today 09:00`, `Fri 18:30`, `Wed 1 May 2030, 09:00`: near days in words, each a phrase that
    /// `--at` reads.
    func words(now: Instant) -> String {
        let days = days(from: now)
        switch days {
        case -1, 0, 1:
            let day = days == 0 ? "today" : days > 0 ? "tomorrow" : "yesterday"
            return clock.map { "\(day) \($0)" } ?? day
        case 2...6: return clock.map { "\(weekdayName) \($0)" } ?? weekdayName
        default: return full
        }
    }

    /// `Wed 1 May 2030, 09:00`.
    var full: String {
        ASCIIText.make(capacity: 40) { text in
            text.add(word: Self.weekdays[date.weekday.rawValue])
            text.add(" ")
            text.add(date.day)
            text.add(" ")
            text.add(word: Self.months[date.month - 1])
            text.add(" ")
            text.add(date.year)
            guard let time else { return }
            text.add(word: ", ")
            Self.add(time, to: &text)
        }
    }

    /// `09:00`, with seconds only when there are any.
    private var clock: String? {
        guard let time else { return nil }
        return ASCIIText.make(capacity: 8) { Self.add(time, to: &$0) }
    }

    private static func add(_ time: CivilTime, to text: inout ASCIIText) {
        text.add(time.hour, digits: 2)
        text.add(":")
        text.add(time.minute, digits: 2)
        guard time.second != 0 else { return }
        text.add(":")
        text.add(time.second, digits: 2)
    }

    private var weekdayName: String { "\(Self.weekdays[date.weekday.rawValue])" }

    private static let weekdays: [StaticString] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    private static let months: [StaticString] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}

extension ReminderRecord {
    /// When it is due; `nil` without a deadline.
    var moment: Moment? { due.flatMap { Moment($0, dateOffset: offset) } }

    /// The offset of its place: that of its next ring, else that of its last change.
    private var offset: Int {
        for text in [nextRing, modified].compactMap(\.self) {
            if let parsed = OffsetDateTime(rfc3339: text) { return parsed.offset }
        }
        return 0
    }

    /// When it is due in full.
    var dueText: String? {
        guard let moment else { return due }
        return moment.full + (timeZone.map { " \($0)" } ?? "")
    }
}
