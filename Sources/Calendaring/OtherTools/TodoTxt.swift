import RemindCore

/// todo.txt (todotxt.org): a task a line, `x` and dates first, +projects, @contexts and `key:value`
/// anywhere in it; `due:`, `t:`, `rec:` and `pri:` are those that its programs agree on.
struct TodoTxtParser: LineParser {
    private var identities = MadeIdentities(.todoTxt)

    mutating func take(_ line: String, number: Int, _ body: (ICalendarOutput) -> Void) {
        let task = TodoTxtTask(line)
        guard let title = task.title else {
            if line.allSatisfy(\.isWhitespace) { return }
            let reason = "‘\(line.prefix(40))’ says nothing about what is to be done."
            return body(.problem(.init(line: number, reason: reason, isRefusal: true)))
        }
        guard let uid = identities.next([title, task.created?.iso8601 ?? ""]) else {
            return body(.problem(.tooMany(line: number)))
        }
        var item = ICalendarItem(uid: uid, line: number, title: title, source: [line])
        var problems = task.unread.map { "‘\($0)’ is not understood; it was left out." }
        item.priority = task.priority
        item.categories = Array(task.projects.dropFirst()) + task.contexts
        var own = ReminderState()
        own.list = task.projects.first
        if task.isDone { item.state = .done }
        item.created = task.created.map(Instant.init(noonOf:))
        item.completed = task.isDone ? task.completed.map(Instant.init(noonOf:)) : nil
        problems += task.setSchedule(&item, &own)
        item.own = own
        for reason in problems { body(.problem(.init(uid: uid, line: number, reason: reason))) }
        body(.item(item))
    }
}

extension Instant {
    /// A day of which nothing more is known: the same one in almost all zones.
    fileprivate init(noonOf date: CivilDate) {
        self.init(seconds: CivilDateTime(date, .noon).secondsSinceEpoch)
    }
}

/// A line of todo.txt.
struct TodoTxtTask: Hashable {
    var isDone = false
    var completed: CivilDate?
    var created: CivilDate?
    var priority = Reminder.Priority.normal
    var projects: [String] = []
    var contexts: [String] = []
    var due: Deadline?
    /// `t:`, the day before which it is hidden.
    var threshold: Deadline?
    var rec: String?
    /// Pairs of a known key and a value that is none.
    var unread: [String] = []
    /// `nil`: there is none.
    var title: String?

    init(_ line: String) {
        var words = line.split(whereSeparator: \.isWhitespace)[...]
        if words.first == "x" {
            isDone = true
            words.removeFirst()
        }
        if let word = words.first, word.utf8.count == 3, word.hasPrefix("("), word.hasSuffix(")") {
            let letter = word.dropFirst().prefix(1)
            if setPriority(letter) { words.removeFirst() }
        }
        var dates: [CivilDate] = []
        while dates.count < (isDone ? 2 : 1), let date = words.first.flatMap({ Self.date($0) }) {
            dates.append(date)
            words.removeFirst()
        }
        if isDone { (completed, created) = (dates.first, dates.dropFirst().first) }
        if !isDone { created = dates.first }
        let rest = words.filter { !takePair($0) }
        setText(rest)
    }

    /// Projects and contexts around the text are taken out of it; inside it they are words.
    private mutating func setText(_ words: [Substring]) {
        for word in words where word.utf8.count > 1 {
            if word.hasPrefix("+") { projects.append(String(word.dropFirst())) }
            if word.hasPrefix("@") { contexts.append(String(word.dropFirst())) }
        }
        func isMark(_ word: Substring) -> Bool {
            word.utf8.count > 1 && (word.hasPrefix("+") || word.hasPrefix("@"))
        }
        var text = words[...]
        text = text.drop(while: isMark)
        while let last = text.last, isMark(last) { text.removeLast() }
        let chosen = text.isEmpty ? words[...] : text
        title = chosen.isEmpty ? nil : chosen.joined(separator: " ")
    }

    /// - Returns: false when the word belongs to the text.
    private mutating func takePair(_ word: Substring) -> Bool {
        let pair = word.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard pair.count == 2, !pair[1].isEmpty else { return false }
        switch pair[0] {
        case "due": due = Self.deadline(pair[1])
        case "t": threshold = Self.deadline(pair[1])
        case "rec": rec = String(pair[1])
        case "pri": return setPriority(pair[1])
        default: return false
        }
        if pair[0] == "due" && due == nil || pair[0] == "t" && threshold == nil {
            unread.append(String(word))
        }
        return true
    }

    /// (A) is high, (B) and (C) are as usual, the others low.
    private mutating func setPriority(_ letter: Substring) -> Bool {
        guard letter.utf8.count == 1, let code = letter.utf8.first, (65...90).contains(code) else {
            return false
        }
        priority = code == 65 ? .high : code <= 67 ? .normal : .low
        return true
    }

    private static func date(_ text: Substring) -> CivilDate? {
        text.utf8.count == 10 ? CivilDate(iso8601: String(text)) : nil
    }

    private static func deadline(_ text: Substring) -> Deadline? {
        if let date = date(text) { return .date(date) }
        let full = text.utf8.count == 16 ? text + ":00" : text
        return CivilDateTime(iso8601: String(full)).map(Deadline.floating)
    }
}

extension TodoTxtTask {
    /// - Returns: what was left out.
    func setSchedule(_ item: inout ICalendarItem, _ own: inout ReminderState) -> [String] {
        guard let deadline = due ?? threshold else {
            return rec.map { ["‘rec:\($0)’ needs a date; give it as due:2030-05-01."] } ?? []
        }
        item.setDue(deadline)
        guard let rec else { return [] }
        guard let rule = rule(rec, first: deadline.day) else {
            return ["‘rec:\(rec)’ is not understood; rec:2w and rec:+1m are."]
        }
        item.setDue(deadline, rule: rule)
        own.current = deadline
        own.countsFromCompletion = !rec.hasPrefix("+")
        return []
    }

    /// `1d`, `5b` (working days), `2w`, `3m`, `1y`; with `+` counted from the due date.
    private func rule(_ rec: String, first: CivilDate) -> String? {
        let text = rec.hasPrefix("+") ? rec.dropFirst() : rec[...]
        guard let count = Int(text.dropLast()), (1...9999).contains(count) else { return nil }
        let step: CalendarDuration
        switch text.last {
        case "d": step = CalendarDuration(days: count)
        case "w": step = CalendarDuration(days: 7 * count)
        case "m": step = CalendarDuration(months: count)
        case "y": step = CalendarDuration(months: 12 * count)
        case "b" where count == 1: return "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"
        case "b" where count % 5 == 0: step = CalendarDuration(days: count / 5 * 7)
        default: return nil
        }
        if !rec.hasPrefix("+"), step.months > 0 {
            return step.months % 12 == 0
                ? "FREQ=YEARLY;INTERVAL=\(step.months / 12)"
                : "FREQ=MONTHLY;INTERVAL=\(step.months)"
        }
        return PlainRule.rrule(every: step, first: first)
    }
}

extension Deadline {
    /// The day it names; that of an instant in UTC.
    var day: CivilDate {
        switch self {
        case .floating(let civil), .zoned(let civil, _): civil.date
        case .date(let date): date
        case .absolute(let instant): CivilDateTime(secondsSinceEpoch: instant.seconds).date
        }
    }
}

extension ICalendarProblem {
    static func tooMany(line: Int) -> ICalendarProblem {
        let reason = "There are more than \(ICalendarLimits.items) tasks; this one was left out."
        return ICalendarProblem(line: line, reason: reason, isRefusal: true)
    }
}
