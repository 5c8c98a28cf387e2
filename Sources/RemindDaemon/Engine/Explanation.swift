import Calendaring
import RemindAPI
import RemindCore

/// Says when a reminder will ring and why, or why it did not: one sentence a line.
struct Explanation {
    let reminder: Reminder
    /// Its rows of the log, the newest first.
    let log: [LogEntry]
    let timetable: Timetable
    let settings: Settings
    let now: Instant
    /// What holds its pop-up back at an instant.
    let hold: (Instant) -> Hold?
    /// Whether a notification server is there.
    let hasServer: Bool
    /// Whether its ring is in the store.
    var isWritten = true
    /// Of a ring that came while no notification server was there: whether its pop-up has come since.
    var seen: Seen?

    enum Seen {
        case notYet
        case late(Instant)
    }

    var lines: [String] {
        var lines = stateLines
        if reminder.state == .open, reminder.deadline != nil { lines += deadlineLines }
        lines += holdLines
        return lines + historyLines
    }

    // MARK: What the alarm does

    private var stateLines: [String] {
        guard reminder.state == .open else { return [doneLine] }
        guard reminder.deadline != nil || reminder.alarm.state != .none else {
            return ["It has no deadline, so it never rings."]
        }
        switch reminder.alarm.state {
        case .none: return [silentLine]
        case .pending: return pendingLines
        case .ringing: return ringingLines
        case .snoozed: return snoozedLines
        }
    }

    private var doneLine: String {
        let since = reminder.completed.map { " since \(moment($0))" } ?? ""
        return "It is done\(since), so it does not ring any more."
    }

    private var silentLine: String {
        switch log.first(where: { $0.kind != .superseded })?.kind {
        case nil:
            "It has never rung and will not: its deadline had gone by when it was set."
        case .dismissed: "It has rung and was dismissed; nothing is left to ring."
        default: "Everything it had to ring for has rung; nothing is left to ring."
        }
    }

    private var pendingLines: [String] {
        guard let next = reminder.alarm.nextRing else { return [] }
        return ["It will ring \(momentAndDistance(next))\(reason(of: next))."]
    }

    private var ringingLines: [String] {
        guard let ring = reminder.alarm.ring else { return [] }
        var lines = [
            "It rings since \(moment(ring.rangAt))\(lateness(of: ring)); nobody has answered."
        ]
        switch seen {
        case nil: break
        case .notYet:
            lines.append("Nobody has seen it: no notification server was there to show it.")
        case .late(let shown):
            lines.append(
                "No notification server was there: its pop-up came \(moment(shown)).")
        }
        if !isWritten {
            lines.append("That is not on the disk yet: it is written when the store can be.")
        }
        guard let next = reminder.alarm.nextRing else { return lines }
        let nags = reminder.nag.map { ring.rangAt.advanced(bySeconds: $0) == next } ?? false
        lines.append(
            "Unanswered, it rings again \(momentAndDistance(next))"
                + (nags ? " (nag: \(nagLabel))." : "\(reason(of: next))."))
        return lines
    }

    private var snoozedLines: [String] {
        guard let until = reminder.alarm.snoozedUntil else { return [] }
        var lines = ["It is snoozed: it rings again \(momentAndDistance(until))."]
        if let next = reminder.alarm.nextRing, next < until {
            lines.append(
                "Before that, it rings \(momentAndDistance(next)) for its next occurrence.")
        }
        return lines
    }

    private var nagLabel: String {
        "every " + CalendarDuration(seconds: reminder.nag ?? 0).label + " until it is answered"
    }

    /// “, 15 min before the deadline Wed 1 May 2030, 09:00”.
    private func reason(of instant: Instant) -> String {
        let rings = timetable.rings(
            of: reminder, now: instant.advanced(byMilliseconds: -1), limit: 1)
        guard let point = rings.first, point.instant == instant else { return "" }
        let deadline = timetable.words(point.occurrence)
        let difference = (point.due.milliseconds - point.instant.milliseconds) / 1000
        guard difference != 0 else { return ": the deadline is \(deadline)" }
        let length = CalendarDuration(seconds: abs(difference)).label
        return ", \(length) \(difference > 0 ? "before" : "after") the deadline \(deadline)"
    }

    // MARK: What the deadline hangs on

    private var deadlineLines: [String] {
        guard let deadline = reminder.deadline else { return [] }
        var lines = [kindLine(deadline)] + clockChangeLines(deadline)
        if let rule = reminder.recurrence?.rule.text {
            lines.append("It repeats: \(RuleWords.phrase(for: rule) ?? rule).")
        }
        let following = timetable.rings(of: reminder, now: reminder.alarm.nextRing ?? now, limit: 3)
        if reminder.alarm.nextRing != nil, !following.isEmpty {
            lines.append(
                "After that: \(following.map { moment($0.instant) }.joined(separator: "; ")).")
        }
        if let nag = reminder.nag, reminder.alarm.state != .ringing {
            let every = CalendarDuration(seconds: nag).label
            lines.append("Unanswered, it rings again every \(every).")
        }
        return lines
    }

    private func kindLine(_ deadline: Deadline) -> String {
        switch deadline {
        case .date:
            "The deadline is a day; days ring at \(CivilText.time(settings.allDayTime)) "
                + "(AllDayTime), in the zone \(timetable.zoneName)."
        case .floating:
            "The deadline is a wall time: it follows the machine's zone, now \(timetable.zoneName)."
        case .zoned(_, let zone): "The deadline is a wall time in \(zone)."
        case .absolute: "The deadline is an instant: it does not move with the zone."
        }
    }

    private func clockChangeLines(_ deadline: Deadline) -> [String] {
        guard let resolved = try? timetable.schedule.instant(of: deadline) else {
            return ["Its zone is not known to the system any more: the machine's is used."]
        }
        return switch resolved.kind {
        case .unique: []
        case .gap:
            [
                "That time does not exist that day (the clock is set forward): it is read as "
                    + "\(moment(resolved.instant))."
            ]
        case .overlap:
            [
                "That time comes twice that day (the clock is set back): the first is meant, "
                    + "\(moment(resolved.instant))."
            ]
        }
    }

    // MARK: What holds it back

    private var holdLines: [String] {
        guard let ring = reminder.alarm.state == .ringing ? now : reminder.alarm.nextRing else {
            return []
        }
        var lines: [String] = []
        if let hold = hold(max(ring, now)), hold.holds(reminder) {
            lines.append(line(hold))
        }
        if !hasServer {
            lines.append("No notification server is on the bus: its pop-up waits for one.")
        }
        return lines
    }

    private func line(_ hold: Hold) -> String {
        let until = hold.until.map { "until \(moment($0))" }
        return switch hold.cause {
        case .pause: "A pause holds its pop-up back \(until ?? "until somebody resumes")."
        case .quietHours: "Quiet hours hold its pop-up back \(until ?? "")."
        case .doNotDisturb:
            "The desktop's “do not disturb” holds its pop-up back until it is switched off."
        }
    }

    // MARK: What has been

    /// Rows of the log that are told.
    static let historyLimit = 5

    private var historyLines: [String] { log.prefix(Self.historyLimit).map(line) }

    private func line(_ entry: LogEntry) -> String {
        let at = moment(entry.at)
        switch entry.kind {
        case .rang:
            let late = entry.late ?? 0
            return "It rang \(at)\(late >= 1000 ? ", \(label(milliseconds: late)) late" : "")."
        case .superseded:
            return "\(at), the next occurrence took the place of an unanswered ring."
        case .snoozed:
            let until = entry.until.map { " until \(moment($0))" } ?? ""
            return "It was snoozed \(at)\(until) by \(place(entry.origin))."
        case .done, .dismissed, .reopened, .deleted:
            return "It was \(entry.kind.rawValue) \(at) by \(place(entry.origin))."
        }
    }

    private func place(_ origin: LogEntry.Origin) -> String {
        switch origin {
        case .popup: "its pop-up"
        case .command: "a command"
        case .daemon: "the daemon"
        }
    }

    private func lateness(of ring: Ring) -> String {
        let late = ring.rangAt.milliseconds - ring.scheduled.milliseconds
        return late >= 1000 ? ", \(label(milliseconds: late)) late" : ""
    }

    private func label(milliseconds: Int64) -> String {
        CalendarDuration.rounded(seconds: milliseconds / 1000).label
    }

    // MARK: Times in words

    /// `Wed 1 May 2030, 09:00` on the wall of the deadline's zone.
    private func moment(_ instant: Instant) -> String {
        let zone = timetable.writer.zone(of: reminder)
        return PhrasePrinter(zone: zone).textWithZone(.absolute(instant), at: instant)
    }

    private func momentAndDistance(_ instant: Instant) -> String {
        "\(moment(instant)) (\(RelativePhrase.text(from: now, to: instant)))"
    }
}
