import RemindCore

/// The files of calcurse: `apts` and `todo`, told apart line by line, and what stands in `notes`,
/// which must come first.
struct CalcurseParser: LineParser {
    private var identities = MadeIdentities(.calcurse)
    private var notes: [Substring: String] = [:]
    private var noteBytes = 0
    /// The note whose lines follow.
    private var note: Substring?

    /// Bytes of all notes; later ones are left out.
    static let notesLimit = 64 << 20

    mutating func begin(file: String) {
        note = file.hasPrefix("notes/") ? file.dropFirst("notes/".count) : nil
    }

    mutating func take(_ line: String, number: Int, _ body: (ICalendarOutput) -> Void) {
        if let note {
            noteBytes += line.utf8.count + 1
            if noteBytes <= Self.notesLimit { notes[note, default: ""] += line + "\n" }
            return
        }
        if line.allSatisfy(\.isWhitespace) { return }
        var cursor = CalcurseCursor(line)
        guard let entry = CalcurseEntry(&cursor), !entry.title.isEmpty else {
            let reason = "‘\(line.prefix(60))’ is no appointment, event or to-do of calcurse."
            return body(.problem(.init(line: number, reason: reason, isRefusal: true)))
        }
        guard let uid = identities.next(entry.identity) else {
            return body(.problem(.tooMany(line: number)))
        }
        body(.item(item(entry, uid, line: (number, line))))
    }

    private func item(
        _ entry: CalcurseEntry, _ uid: String, line: (number: Int, text: String)
    ) -> ICalendarItem {
        let text = entry.note.flatMap { notes[$0] }
        var item = ICalendarItem(
            entry.start == nil ? .todo : .event, uid: uid, line: line.number, title: entry.title,
            source: [line.text, text ?? ""])
        item.description = text.map { $0.trimmingNewlines }
        item.priority = entry.priority
        if entry.isDone { item.state = .done }
        guard let start = entry.start else { return item }
        item.setDue(start, rule: entry.repetition?.rrule(start))
        item.end = entry.end
        for date in entry.repetition?.exceptions ?? [] {
            item.recurrence?.exceptions.append(start.on(date))
        }
        return item
    }
}

extension String {
    fileprivate var trimmingNewlines: String {
        var text = self[...]
        while text.last?.isNewline == true { text.removeLast() }
        return String(text)
    }
}

extension Deadline {
    fileprivate func on(_ date: CivilDate) -> Deadline {
        if case .floating(let civil) = self {
            .floating(CivilDateTime(date, civil.time))
        } else {
            .date(date)
        }
    }
}

/// A line of `apts` or `todo`.
struct CalcurseEntry: Hashable {
    var start: Deadline?
    var end: Deadline?
    var repetition: CalcurseRepetition?
    var priority = Reminder.Priority.normal
    var isDone = false
    /// The name of its file in `notes`.
    var note: Substring?
    var title = ""

    /// What makes it the same one when the rest changes.
    var identity: [String] {
        switch start {
        case .floating(let civil)?: [title, civil.iso8601]
        case let start?: [title, start.day.iso8601]
        case nil: [title]
        }
    }

    init?(_ cursor: inout CalcurseCursor) {
        guard cursor.isTodo ? takeTodo(&cursor) : takeDates(&cursor) else { return nil }
        if start != nil {
            cursor.blanks()
            if cursor.take("{") {
                guard let repetition = CalcurseRepetition(&cursor) else { return nil }
                self.repetition = repetition
            }
        }
        note = cursor.note()
        cursor.blanks()
        // What is flagged as important is announced even where others are not.
        if end != nil {
            if cursor.take("!") { priority = .high } else { _ = cursor.take("|") }
        }
        title = String(cursor.rest).trimmingBlanks()
    }

    /// `[3]`; `[-3]` is done.
    private mutating func takeTodo(_ cursor: inout CalcurseCursor) -> Bool {
        guard cursor.take("["), let number = cursor.integer(), cursor.take("]") else {
            return false
        }
        isDone = number < 0
        switch abs(number) {
        case 0, 5: priority = .normal
        case 1...4: priority = .high
        case 6...9: priority = .low
        default: return false
        }
        return true
    }

    /// `05/01/2030 @ 09:00 -> 05/01/2030 @ 10:00`, or `05/01/2030 [1]` for a whole day.
    private mutating func takeDates(_ cursor: inout CalcurseCursor) -> Bool {
        guard let first = cursor.date() else { return false }
        if cursor.take(" [") {
            start = .date(first)
            return cursor.integer() != nil && cursor.take("]")
        }
        guard cursor.take(" @ "), let from = cursor.time(), cursor.take(" -> "),
            let last = cursor.date(), cursor.take(" @ "), let to = cursor.time()
        else { return false }
        start = .floating(CivilDateTime(first, from))
        end = .floating(CivilDateTime(last, to))
        return true
    }
}

/// `{2W -> 07/08/2030 w1 w3 !06/05/2030}`.
struct CalcurseRepetition: Hashable {
    private var frequency = ""
    private var interval = 1
    private var until: CivilDate?
    private var weekdays: [Int] = []
    private var monthDays: [Int] = []
    private var months: [Int] = []
    private(set) var exceptions: [CivilDate] = []

    /// What follows the opening brace.
    init?(_ cursor: inout CalcurseCursor) {
        guard let interval = cursor.integer(), interval > 0,
            let frequency = cursor.letter().flatMap({ Self.frequencies[$0] })
        else { return nil }
        (self.interval, self.frequency) = (interval, frequency)
        if cursor.take(" -> ") {
            guard let date = cursor.date() else { return nil }
            until = date
        }
        while !cursor.take("}") {
            cursor.blanks()
            guard takePart(&cursor) else { return nil }
        }
    }

    private static let frequencies: [Character: String] = [
        "D": "DAILY", "W": "WEEKLY", "M": "MONTHLY", "Y": "YEARLY",
    ]

    private mutating func takePart(_ cursor: inout CalcurseCursor) -> Bool {
        if cursor.take("!") {
            guard let date = cursor.date(), exceptions.count < ICalendarLimits.dates else {
                return false
            }
            exceptions.append(date)
            return true
        }
        guard let letter = cursor.letter(), let number = cursor.integer() else { return false }
        switch letter {
        case "w" where (-41...41).contains(number): weekdays.append(number)
        case "d" where (-31...31).contains(number) && number != 0: monthDays.append(number)
        case "m" where (1...12).contains(number): months.append(number)
        default: return false
        }
        return true
    }

    func rrule(_ start: Deadline) -> String {
        var parts = ["FREQ=" + frequency]
        if interval > 1 { parts.append("INTERVAL=\(interval)") }
        if let until {
            let time = if case .floating = start { "T235959" } else { "" }
            parts.append("UNTIL=" + PlainRule.compact(until) + time)
        }
        let lists = [
            ("BYDAY", weekdays.map(Self.day)), ("BYMONTHDAY", monthDays.map(String.init)),
            ("BYMONTH", months.map(String.init)),
        ]
        for (name, values) in lists where !values.isEmpty {
            parts.append(name + "=" + values.joined(separator: ","))
        }
        return parts.joined(separator: ";")
    }

    /// 0 to 6 are all Sundays to Saturdays, 7 to 41 the first to the fifth ones, negative the last.
    private static func day(_ number: Int) -> String {
        let name = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"][abs(number) % 7]
        let nth = abs(number) / 7
        return nth == 0 ? name : "\(number < 0 ? -nth : nth)\(name)"
    }
}

/// A place in a line of calcurse.
struct CalcurseCursor {
    private(set) var rest: Substring

    init(_ line: String) { rest = line[...] }

    var isTodo: Bool { rest.hasPrefix("[") }

    mutating func take(_ text: String) -> Bool {
        guard rest.hasPrefix(text) else { return false }
        rest = rest.dropFirst(text.count)
        return true
    }

    mutating func blanks() { rest = rest.drop { $0 == " " } }

    mutating func letter() -> Character? {
        guard let first = rest.first, first.isLetter else { return nil }
        return rest.removeFirst()
    }

    mutating func integer() -> Int? {
        let sign = rest.hasPrefix("-") ? 1 : 0
        let digits = rest.dropFirst(sign).prefix { $0.isASCII && $0.isNumber }
        guard let value = Int(digits), digits.count <= 9 else { return nil }
        rest = rest[digits.endIndex...]
        return sign == 1 ? -value : value
    }

    /// `05/01/2030`: always in this order, whatever calcurse shows.
    mutating func date() -> CivilDate? {
        guard let month = integer(), take("/"), let day = integer(), take("/"),
            let year = integer()
        else { return nil }
        return CivilDate(year: year, month: month, day: day)
    }

    mutating func time() -> CivilTime? {
        guard let hour = integer(), take(":"), let minute = integer() else { return nil }
        return CivilTime(hour: hour, minute: minute)
    }

    /// `>` and the 40 digits of a hash.
    mutating func note() -> Substring? {
        let text = rest.drop { $0 == " " }
        let hash = text.dropFirst().prefix(40)
        guard text.hasPrefix(">"), hash.count == 40,
            hash.allSatisfy({ $0.isASCII && $0.isHexDigit })
        else { return nil }
        rest = rest[hash.endIndex...]
        return hash
    }
}
