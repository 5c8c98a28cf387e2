/// The commands about times, pauses and the past.
extension CommandTable {
    static let ruleOptions = [
        Option("every", .value(.rule), field: "every", "how it recurs", oneOf: "recurrence"),
        Option(
            "rrule", .value(.rrule), field: "rrule", "the same in RFC 5545", oneOf: "recurrence"),
    ]

    static let when = Command(
        name: "when", otherWords: ["what", "parse", "test"],
        summary: "Show what a phrase means, without storing anything",
        details: [
            "Says what WHEN, a rule or both were understood to mean, and the coming occurrences."
        ],
        operands: [Operand(kind: .when, count: .optionalWords)],
        options: ruleOptions + [
            Option("now", .value(.time), field: "now", "as if said then: an RFC 3339 time"),
            Option("tz", .value(.zone), field: "timeZone", "the time zone, not the machine's"),
            Option("past", .flag, field: "past", "accept a deadline that has gone by"),
            Option("count", .number(1...1000), field: "count", "that many occurrences, else 5"),
        ],
        examples: [
            "when tomorrow 9am", "when --every \"2 weeks on monday\" --count 3",
            "when 9:00 --now 2030-05-01T12:00:00+02:00 --tz Europe/Paris",
        ],
        run: Explaining.when)

    static let explain = Command(
        name: "explain", otherWords: ["why"],
        summary: "Say when tasks will ring, or why they did not",
        operands: [Operand(kind: .reference, count: .oneOrMore)],
        examples: ["explain 7", "explain last"], run: Explaining.explain)

    static let pause = Command(
        name: "pause", otherWords: ["quiet", "mute", "hold"],
        summary: "Hold all pop-ups back",
        details: [
            "Without a time: until remindctl resume. What would have been shown comes in one digest "
                + "afterwards."
        ],
        operands: [Operand(kind: .durationOrWhen, count: .optionalWords)],
        examples: ["pause", "pause 45m", "pause until 14:00"], run: Pausing.pause)

    static let resume = Command(
        name: "resume", otherWords: ["unpause", "unmute", "continue"],
        summary: "Show pop-ups again", examples: ["resume"], run: Pausing.resume)

    static let log = Command(
        name: "log", otherWords: ["history", "journal"],
        summary: "Show what rang and what was answered",
        details: ["The newest first, with how late each ring was and where its answer came from."],
        operands: [Operand(kind: .reference, count: .optional)],
        options: [Option("limit", .number(1...10_000), field: "limit", "that many, else 20")],
        examples: ["log", "log 7", "log --limit 100"], run: Logging.log)
}
