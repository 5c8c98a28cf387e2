/// Several times of day in a rule: `every day at 9:00 and 18:00`.
extension PhraseParser {
    /// The times that follow the first one, each behind a comma or `and`.
    mutating func takeMoreTimes(_ parts: inout RuleParts, from start: Int) throws(PhraseError) {
        while let time = try nextTime() { parts.moreTimes.append(time) }
        parts.timesPlace = range(from: start)
    }

    private mutating func nextTime() throws(PhraseError) -> TimeSyntax? {
        let start = index
        _ = skip(",")
        _ = skip(.and) || skip("&")
        guard index > start else { return nil }
        _ = skip(.at) || skip("@")
        switch current.kind {
        case .word(.part(.morning)):
            advance()
            return .morning
        case .word(.part(.evening)):
            advance()
            return .evening
        default: break
        }
        // `at 9:00, 5 times`
        if !isWord(.times, at: 1), let time = try time(afterAt: true) { return time }
        index = start
        return nil
    }
}

extension Resolver {
    /// The times of day of a rule in order, each once. An RRULE holds the hours and the minutes
    /// apart, so that each hour must go with each minute.
    func times(of rule: RulePhrase) throws(PhraseError) -> [CivilTime] {
        guard let first = rule.time else { return [] }
        let all = Set(([first] + rule.moreTimes).map { clock(of: $0).time })
        let times = all.sorted()
        guard RuleTimes(times).times.count == times.count, Set(times.map(\.second)).count == 1
        else {
            throw PhraseError(
                phrase: text, range: rule.timesPlace,
                reason: "‘\(typed(rule.timesPlace))’ does not fit into one rule, whose times share "
                    + "their minutes (9:00 and 18:00): add one reminder for each.",
                suggestions: times.map {
                    PhraseError.Suggestion(replacing(rule.timesPlace, with: CivilText.time($0)))
                })
        }
        return times
    }

    private func typed(_ range: Range<Int>) -> String {
        String(decoding: Array(text.utf8)[range], as: UTF8.self)
    }
}

/// The hours and minutes of an RRULE's BYHOUR and BYMINUTE.
struct RuleTimes {
    let hours: [Int]
    let minutes: [Int]

    init(_ times: [CivilTime]) {
        hours = Set(times.map(\.hour)).sorted()
        minutes = Set(times.map(\.minute)).sorted()
    }

    /// - Parameters: the values as they stand in a rule; `nil` when they are no times of day.
    init?(hours: String, minutes: String) {
        let lists = [hours, minutes].map { $0.split(separator: ",").map { Int($0) } }
        guard !lists.contains(where: { $0.contains(nil) || $0.isEmpty }) else { return nil }
        self.hours = Set(lists[0].compactMap(\.self)).sorted()
        self.minutes = Set(lists[1].compactMap(\.self)).sorted()
        guard times.count == self.hours.count * self.minutes.count else { return nil }
    }

    /// Each hour with each minute.
    var times: [CivilTime] {
        hours.flatMap { hour in minutes.compactMap { CivilTime(hour: hour, minute: $0) } }
    }

    /// `BYHOUR=9,18;BYMINUTE=0`.
    var parts: [String] {
        [
            "BYHOUR=" + hours.map(String.init).joined(separator: ","),
            "BYMINUTE=" + minutes.map(String.init).joined(separator: ","),
        ]
    }
}
