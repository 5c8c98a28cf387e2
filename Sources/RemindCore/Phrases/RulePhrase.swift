/// What a `RULE` in English says, before anything is known about the day it is said on.
package struct RulePhrase: Hashable, Sendable {
    /// How the occurrences are spaced.
    enum Cycle: Hashable, Sendable {
        /// Elapsed seconds, counted from the first occurrence.
        case elapsed(Int64)
        case days(Int), weeks(Int), months(Int), years(Int)
    }

    /// Which days of the cycle; without one, the day of the first occurrence.
    enum Place: Hashable, Sendable {
        /// Sorted from Monday, each once.
        case weekdays([Weekday])
        case ofMonth(MonthPlace)
        case ofYear(month: Int, MonthPlace)
    }

    enum MonthPlace: Hashable, Sendable {
        /// Days of the month, sorted; -1 is the last. One alone is moved to the month's end where
        /// the month is too short for it.
        case days([Int])
        /// The first (1) to fifth, or last (-1), of that weekday; each once, the last at the end.
        case weekday([Int], Weekday)
        /// That day of the month, when it is that weekday.
        case dated(Int, Weekday)
        /// The first (1) to fifth, or last (-1), of the days from Monday to Friday.
        case workday(Int)
    }

    struct Until: Hashable, Sendable {
        var day: DaySyntax?
        var time: TimeSyntax?
    }

    var cycle: Cycle
    var place: Place?
    var time: TimeSyntax?
    /// Those behind the first, and where all times stand.
    var moreTimes: [TimeSyntax] = []
    var timesPlace = 0..<0
    var zone: ZoneSyntax?
    var starting: DaySyntax?
    var until: Until?
    var count: Int?
    var basis = RecurrenceRule.Basis.schedule
    /// The text it was read from, for messages.
    package var text = ""

    /// Whether it says at which time of the day it happens.
    package var namesTime: Bool { time != nil }
}

/// A `RULE` as it is given to `--every` and `--rrule`: English, or iCalendar's own form.
package enum RuleText: Hashable, Sendable {
    case english(RulePhrase)
    /// An RRULE (RFC 5545 section 3.3.10), upper case, without its name; not checked further here.
    case rrule(String)

    /// Reads `every 2 weeks`, also without its `every`, or what begins like an RRULE.
    ///
    /// - Throws: `PhraseError` with suggestions that this function reads.
    package static func parse(_ text: String) throws(PhraseError) -> RuleText {
        do throws(PhraseError) {
            return try read(text)
        } catch {
            var helped = error.helped { (try? read($0)) != nil }
            if helped.suggestions.isEmpty {
                helped.suggestions = ["every day at 9:00", "every monday"].map { .init($0) }
            }
            throw helped
        }
    }

    /// The same, with suggestions that nobody has tried.
    fileprivate static func read(_ text: String) throws(PhraseError) -> RuleText {
        var parser = try PhraseParser(text)
        if let rrule = parser.rrule() { return .rrule(rrule) }
        guard !parser.isAtEnd else {
            throw parser.refuse("The rule is empty.", at: 0..<text.utf8.count)
        }
        return .english(try parser.rule(impliesEvery: true))
    }
}

extension PhraseContext {
    /// What an English rule means here: its first occurrence and the repetition from there.
    ///
    /// The first occurrence is the first match still ahead. `every 3 days` and the like count from
    /// today: today itself when the time is still ahead, else three days on; `every other tuesday`
    /// from the coming Tuesday; intervals of hours and less from now. The recurrence's `start` is
    /// exactly this first occurrence, so that COUNT and INTERVAL count from it.
    ///
    /// UNTIL has the form that RFC 5545 asks for: a date for date-only rules, local time for
    /// floating ones, UTC for zoned ones and elapsed intervals (whose `start` is absolute).
    ///
    /// - Parameter start: the deadline that was given beside the rule (`--at`, or that of the
    ///   task). The first occurrence is then the first match on or after it; the rule takes its
    ///   time of day and its zone from it when it has none of its own.
    /// - Throws: `PhraseError`, with suggestions that are understood here.
    package func understand(
        _ rule: RulePhrase, from start: Deadline? = nil
    ) throws(PhraseError) -> Understanding {
        do throws(PhraseError) {
            return try meaning(of: rule, from: start)
        } catch {
            throw error.helped { phrase in
                guard case .english(let rule) = try? RuleText.read(phrase) else { return false }
                return (try? meaning(of: rule, from: start)) != nil
            }
        }
    }

    /// The same, with suggestions that nobody has tried.
    private func meaning(
        of rule: RulePhrase, from start: Deadline?
    ) throws(PhraseError) -> Understanding {
        try Resolver(context: self, text: rule.text).understanding(of: rule, from: start)
    }
}
