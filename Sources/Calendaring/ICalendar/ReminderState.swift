package import RemindCore

/// What a reminder is beyond what iCalendar can say, as one property of ours: `X-REMINDD:list=work
/// scheduled=1714550400000 …`. An export that is read again gives the same reminder.
package struct ReminderState: Hashable, Sendable {
    package static let name = "X-REMINDD"

    package var list: String?
    package var nag: Int64?
    package var scheduled: Instant?
    package var created: Instant?
    package var modified: Instant?
    package var completed: Instant?
    /// The current occurrence of a series.
    package var current: Deadline?
    /// The rule counts from each completion.
    package var countsFromCompletion = false
    package var rings: Int?
    package var rungThrough: Int64?
    /// What rings and has not been answered, or is snoozed.
    package var ring: Ring?
    /// Lead times, of a reminder that says all of itself.
    package var before: [CalendarDuration] = []
    /// The rule, where RRULE has to say it in another way.
    package var rule: String?
    /// It did not come from a calendar: the properties beside it are all that there is.
    package var isNative = false
    /// An event has no status that says so.
    package var isDone = false

    package init() {}

    /// Reads what `text` writes; what is not understood is passed over.
    package init(text: String) {
        for part in ICalendarText.decoded(text).split(separator: " ") {
            let pair = part.split(separator: "=", maxSplits: 1)
            guard pair.count == 2 else { continue }
            let (value, number) = (String(pair[1]), Int64(pair[1]))
            let instant = number.map(Instant.init(milliseconds:))
            switch pair[0] {
            case "list": list = value
            case "nag": nag = number
            case "scheduled": scheduled = instant
            case "created": created = instant
            case "modified": modified = instant
            case "completed": completed = instant
            case "current": current = Self.deadline(value)
            case "basis": countsFromCompletion = value == "completion"
            case "rings": rings = number.map { Int($0) }
            case "rung": rungThrough = number
            case "ring": ring = Self.ring(value)
            case "before":
                before = value.split(separator: "/").compactMap {
                    CalendarDuration(iso8601: String($0))
                }
            case "rule": rule = value
            case "form": isNative = value == "own"
            case "state": isDone = value == "done"
            default: continue
            }
        }
    }

    /// The property's value, escaped.
    package var text: String {
        var parts: [String] = []
        func add(_ name: String, _ value: Int64?) {
            if let value { parts.append("\(name)=\(value)") }
        }
        if isNative { parts.append("form=own") }
        if let list { parts.append("list=\(list)") }
        add("nag", nag)
        add("scheduled", scheduled?.milliseconds)
        add("created", created?.milliseconds)
        add("modified", modified?.milliseconds)
        add("completed", completed?.milliseconds)
        if let current { parts.append("current=" + Self.text(current)) }
        if !before.isEmpty {
            parts.append("before=" + before.map(\.iso8601).joined(separator: "/"))
        }
        if let rule { parts.append("rule=" + rule) }
        if countsFromCompletion { parts.append("basis=completion") }
        add("rings", rings.map { Int64($0) })
        add("rung", rungThrough)
        if let ring { parts.append("ring=" + Self.text(ring)) }
        if isDone { parts.append("state=done") }
        return ContentLineWriter.escaped(parts.joined(separator: " "))
    }

    private static func text(_ deadline: Deadline) -> String {
        switch deadline {
        case .absolute(let instant): "@\(instant.milliseconds)"
        case .date(let date): date.iso8601
        case .floating(let civil): civil.iso8601
        case .zoned(let civil, let zone): civil.iso8601 + "/" + zone
        }
    }

    private static func deadline(_ text: String) -> Deadline? {
        if text.hasPrefix("@") {
            return Int64(text.dropFirst()).map { .absolute(Instant(milliseconds: $0)) }
        }
        if let date = CivilDate(iso8601: text) { return .date(date) }
        let parts = text.split(separator: "/", maxSplits: 1)
        guard let civil = parts.first.flatMap({ CivilDateTime(iso8601: $0) }) else { return nil }
        return parts.count == 2 ? .zoned(civil, zone: String(parts[1])) : .floating(civil)
    }

    private static func text(_ ring: Ring) -> String {
        [ring.scheduled.milliseconds, ring.due.milliseconds, ring.rangAt.milliseconds]
            .map { String($0) }.joined(separator: "/") + "/\(ring.missed)"
    }

    private static func ring(_ text: String) -> Ring? {
        let numbers = text.split(separator: "/").compactMap { Int64($0) }
        guard numbers.count == 4, numbers[3] >= 0 else { return nil }
        let times = numbers.map(Instant.init(milliseconds:))
        return Ring(
            scheduled: times[0], due: times[1], rangAt: times[2], missed: Int(numbers[3]))
    }
}
