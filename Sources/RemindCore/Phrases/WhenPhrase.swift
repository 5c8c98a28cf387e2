/// What a `WHEN` says, before anything is known about the day it is said on. A pure value: the
/// same text always gives the same one.
package struct WhenPhrase: Hashable, Sendable {
    enum Syntax: Hashable, Sendable {
        case now
        /// `@1714550400`.
        case instant(Instant)
        /// Days and times, joined.
        case moment(Moment)
        /// `in 10 minutes`, `2 hours ago`.
        case relative(CalendarDuration)
        case rule(RulePhrase)
    }

    /// A day, a time, or both; at least one of them is there.
    struct Moment: Hashable, Sendable {
        var day: DaySyntax?
        var time: TimeSyntax?
        var zone: ZoneSyntax?
    }

    let syntax: Syntax
    /// The text it was read from, for messages.
    package let text: String

    /// True for `every …`, `daily` and the like.
    package var isRule: Bool {
        if case .rule = syntax { true } else { false }
    }

    /// Reads a whole phrase or refuses it. Linear in the length of the text.
    ///
    /// - Throws: `PhraseError` with suggestions that parse; what they mean is added by
    ///   `understand`, which knows the day.
    package static func parse(_ text: String) throws(PhraseError) -> WhenPhrase {
        do throws(PhraseError) {
            return try parseWithoutHelp(text)
        } catch {
            throw error.helped { (try? parseWithoutHelp($0)) != nil }
        }
    }

    /// The same, with suggestions that nobody has tried.
    static func parseWithoutHelp(_ text: String) throws(PhraseError) -> WhenPhrase {
        var parser = try PhraseParser(text)
        return WhenPhrase(syntax: try parser.when(), text: text)
    }

    init(syntax: Syntax, text: String) { (self.syntax, self.text) = (syntax, text) }
}

/// A day as a phrase names it.
enum DaySyntax: Hashable, Sendable {
    /// Today is 0, yesterday -1; `in 3 days`.
    case steps(CalendarDuration)
    /// The coming one.
    case weekday(Weekday)
    /// The one of this week (0) or the next (1), weeks as `WeekStart` has them.
    case weekdayOfWeek(Weekday, weeks: Int)
    /// A whole date, with the weekday that was given along with it.
    case date(CivilDate, Weekday?)
    /// Two numbers and a year, either of which may be the day.
    case numeric(first: Int, second: Int, year: Int, range: Range<Int>)
    /// Without a year: the coming one.
    case dayOfYear(month: Int, day: Int, Weekday?)
    /// `15th`: the coming one.
    case dayOfMonth(Int, Weekday?)
    /// The last or first day of this month (0) or the next (1); `nil`: the coming one.
    case edgeOfMonth(isEnd: Bool, months: Int?)
    case edgeOfNamedMonth(isEnd: Bool, month: Int)
    case endOfYear
    /// The first (1) to fifth, or last (-1), of that weekday; without a month, the coming one.
    case weekdayOfMonth(Int, Weekday, month: Int?)
    /// The same of workdays; of a month that is so many ahead also a day of it.
    case placeOfMonth(RulePhrase.MonthPlace, month: Int?, ahead: Int?)
    /// So long after another day.
    indirect case shifted(DaySyntax, by: CalendarDuration)
}

/// A time of day as a phrase names it.
enum TimeSyntax: Hashable, Sendable {
    case clock(Clock)
    /// As the settings have them.
    case morning, evening

    struct Clock: Hashable, Sendable {
        var time: CivilTime
        /// `24:00`: midnight of the day after.
        var endsDay = false
        /// A fraction of a second; only an instant keeps it.
        var milliseconds = 0
        /// Written with am or pm, or as a 24-hour time: no half of the day is left open.
        var isExact = true
        /// Said as the word: the answer tells which end of the day it is.
        var isMidnight = false
    }

    static func clock(_ time: CivilTime) -> TimeSyntax { .clock(Clock(time: time)) }
}

/// A zone as a phrase names it.
enum ZoneSyntax: Hashable, Sendable {
    /// Seconds east of Greenwich.
    case offset(Int)
    /// A name to be looked up, and where it stands.
    case named(String, range: Range<Int>)
}
