/// What a word of a phrase stands for.
enum Word: Hashable, Sendable {
    case weekday(Weekday)
    /// `mondays`: only a rule has several.
    case weekdays(Weekday)
    case month(Int)
    case unit(TimeUnit)
    /// `second`: the unit or the ordinal.
    case second
    /// `one`, `ten`, `forty`.
    case count(Int)
    /// `a`, `an`.
    case article
    /// `first`, `third`.
    case ordinal(Int)
    /// The ending of `1st`, `2nd`.
    case ordinalEnding
    case meridiem(isPM: Bool)
    case part(DayPart)
    case utc
    /// The first word of a rule other than `every`.
    case head(RuleHead)
    case today, tomorrow, yesterday, tonight, now, noon, midnight, weekend, workday
    case at, on, the, of, `in`, and, from, ago, after, before, next, this, last, end, start
    case past, half, quarter, every, other, until, through, `for`, times, completion, starting, to,
        t, p, pt,
        oclock
}

/// A unit of time; its raw value is its rank, the longer the higher.
enum TimeUnit: Int, Sendable { case second, minute, hour, day, week, fortnight, month, year }

enum DayPart: Sendable { case morning, afternoon, evening, night }

/// The words that are a rule by themselves.
enum RuleHead: Sendable {
    case hourly, daily, weekly, fortnightly, monthly, quarterly, yearly, weekdays, weekends
}

/// The English that phrases are made of; a table, so that a word more is a line more.
enum Vocabulary {
    static func meaning(of word: String) -> Word? { words[word] }

    /// Every word, for finding what a misspelt one was meant to be.
    static let all: [String] = words.keys.sorted()

    private static let words: [String: Word] = {
        var words = simple
        func add(_ spellings: String, _ word: Word) {
            for spelling in spellings.split(separator: " ") { words[String(spelling)] = word }
        }
        for (weekday, names) in zip(Weekday.allCases, weekdayNames) {
            add(names, .weekday(weekday))
            if let full = names.split(separator: " ").last { add(full + "s", .weekdays(weekday)) }
        }
        for (index, names) in monthNames.enumerated() { add(names, .month(index + 1)) }
        for (unit, names) in unitNames { add(names, .unit(unit)) }
        for (index, name) in ordinalNames.enumerated() { add(name, .ordinal(index + 6)) }
        add("thirtieth", .ordinal(30))
        for (index, name) in countNames.enumerated() { add(name, .count(index + 1)) }
        for (index, name) in tensNames.enumerated() {
            add(name, .count(index * 10 + 30))
        }
        return words
    }()

    private static let weekdayNames = [
        "mon monday", "tue tues tuesday", "wed weds wednesday", "thu thur thurs thursday",
        "fri friday", "sat saturday", "sun sunday",
    ]

    private static let monthNames = [
        "jan january", "feb february", "mar march", "apr april", "may", "jun june", "jul july",
        "aug august", "sep sept september", "oct october", "nov november", "dec december",
    ]

    private static let unitNames: [(TimeUnit, String)] = [
        (.second, "s sec secs seconds"), (.minute, "m min mins minute minutes"),
        (.hour, "h hr hrs hour hours"), (.day, "d day days"), (.week, "w wk wks week weeks"),
        (.fortnight, "fortnight fortnights"), (.month, "mo mos month months"),
        (.year, "y yr yrs year years"),
    ]

    private static let countNames = [
        "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
        "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen",
        "nineteen", "twenty",
    ]

    private static let tensNames = [
        "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
    ]

    private static let ordinalNames = [
        "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth", "thirteenth",
        "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth", "nineteenth",
        "twentieth",
    ]

    private static let simple: [String: Word] = [
        "second": .second, "a": .article, "an": .article, "first": .ordinal(1),
        "third": .ordinal(3), "fourth": .ordinal(4), "fifth": .ordinal(5),
        "st": .ordinalEnding, "nd": .ordinalEnding, "rd": .ordinalEnding, "th": .ordinalEnding,
        "am": .meridiem(isPM: false), "pm": .meridiem(isPM: true),
        "morning": .part(.morning), "afternoon": .part(.afternoon), "evening": .part(.evening),
        "night": .part(.night), "z": .utc, "utc": .utc, "gmt": .utc,
        "hourly": .head(.hourly), "daily": .head(.daily), "everyday": .head(.daily),
        "weekly": .head(.weekly),
        "fortnightly": .head(.fortnightly), "monthly": .head(.monthly),
        "quarterly": .head(.quarterly), "yearly": .head(.yearly),
        "annually": .head(.yearly), "weekdays": .head(.weekdays), "workdays": .head(.weekdays),
        "weekends": .head(.weekends),
        "today": .today, "tomorrow": .tomorrow, "yesterday": .yesterday, "tonight": .tonight,
        "now": .now, "noon": .noon, "midday": .noon, "midnight": .midnight, "weekend": .weekend,
        "weekday": .workday, "workday": .workday,
        "at": .at, "on": .on, "the": .the, "of": .of, "in": .in, "and": .and, "from": .from,
        "ago": .ago, "after": .after, "before": .before, "next": .next, "this": .this,
        "coming": .this, "last": .last, "end": .end, "start": .start, "beginning": .start,
        "half": .half, "quarter": .quarter, "every": .every, "each": .every, "other": .other,
        "until": .until, "till": .until, "til": .until, "through": .through,
        "thru": .through, "past": .past, "for": .for, "times": .times,
        "time": .times,
        "completion": .completion, "starting": .starting, "to": .to, "t": .t, "p": .p, "pt": .pt,
        "o'clock": .oclock, "oclock": .oclock,
    ]
}
