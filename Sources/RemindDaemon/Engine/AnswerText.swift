import Calendaring
import RemindAPI
import RemindCore

/// What `add` and `edit` answer with: all that was understood, on one line.
///
/// `Mon 30 Nov 2026, 18:00 UTC (in 11 hours), every Mon and Fri; rings 15 min before, again every
/// 5 min; !high @home #gym`.
struct AnswerText {
    let reminder: Reminder
    /// As it was before the change; `nil`: it is new.
    let former: Reminder?
    let timetable: Timetable
    let now: Instant

    init(_ reminder: Reminder, was former: Reminder? = nil, _ timetable: Timetable, now: Instant) {
        (self.reminder, self.former, self.timetable, self.now) = (reminder, former, timetable, now)
    }

    /// - Parameter changes: the words of `changes(to:)`.
    func understood(_ changes: [String] = [], notes: [String] = []) -> Understood {
        let text = ([timing, rings].compactMap(\.self) + changes).joined(separator: "; ")
        return Understood(text: text, notes: notes + leadNotes)
    }

    // MARK: When

    private var timing: String {
        guard let deadline = reminder.deadline else {
            return reminder.alarm.nextRing == nil ? "no date, will not ring" : "no date"
        }
        let due = timetable.understood(deadline, now: now).text
        guard let rule = reminder.recurrence?.rule.text else { return due }
        return "\(due), \(RuleWords.phrase(for: rule) ?? rule)"
    }

    /// `rings 15 min before, again every 5 min`; `nil` when it rings once, at its deadline.
    private var rings: String? {
        var parts = reminder.before.map(Self.words)
        if let ring = unexpectedRing { parts.append(ring) }
        if let nag = reminder.nag {
            parts.append("again every \(CalendarDuration(seconds: nag).label)")
        }
        guard reminder.state == .open else { return isRetimed ? "done, will not ring" : nil }
        guard reminder.deadline != nil else {
            let isAsked = !parts.isEmpty && former.map(isSameAlarm) != true
            return isAsked ? "with a date, it rings " + parts.joined(separator: ", ") : nil
        }
        if reminder.alarm.state == .none { return "will not ring" }
        return parts.isEmpty ? nil : "rings " + parts.joined(separator: ", ")
    }

    /// Whether an edit says something about when it rings.
    private var isRetimed: Bool {
        guard let former, reminder.deadline != nil else { return false }
        return former.deadline != reminder.deadline || former.recurrence != reminder.recurrence
            || !isSameAlarm(former)
    }

    private func isSameAlarm(_ former: Reminder) -> Bool {
        (former.before, former.nag) == (reminder.before, reminder.nag)
    }

    private static func words(_ lead: CalendarDuration) -> String {
        let isAfter = lead.months < 0 || lead.days < 0 || lead.seconds < 0
        return isAfter ? "\(lead.label.dropFirst()) after" : "\(lead.label) before"
    }

    /// Lead times that were said, and at which it does not ring after all.
    private var leadNotes: [String] {
        let isSaid = former.map { ($0.before, $0.deadline) != (reminder.before, reminder.deadline) }
        guard isSaid ?? true, reminder.alarm.state == .pending else { return [] }
        return reminder.before.compactMap { lead in
            var single = reminder
            single.before = [lead]
            let rings = timetable.rings(of: single, now: now, limit: 4)
            guard let first = rings.first, first.instant == first.due, !lead.isZero else {
                return nil
            }
            if reminder.recurrence == nil || rings.contains(where: { $0.instant < $0.due }) {
                return "\(Self.words(lead)) has gone by: it does not ring then"
                    + (reminder.recurrence == nil ? "." : ", the first time.")
            }
            return "\(Self.words(lead)) is not after the occurrence before it: it never rings then."
        }
    }

    /// The first ring of a day when it is on another day, its hour having gone by.
    private var unexpectedRing: String? {
        guard case .date(let date) = reminder.deadline, let next = reminder.alarm.nextRing,
            reminder.before.isEmpty, reminder.alarm.state == .pending
        else { return nil }
        let civil = timetable.zones.local.civil(at: next)
        guard civil.date != date else { return nil }
        return timetable.words(.absolute(next))
    }
}

/// What else was given or changed.
extension AnswerText {
    /// `!high @home #gym, a note`, and what tags there were before an edit.
    ///
    /// - Parameter given: the texts of the call.
    func changes(given: Engine.Texts) -> [String] {
        var words: [String] = []
        if given.priority != nil, former?.priority != reminder.priority {
            words.append("!\(reminder.priority.rawValue)")
        }
        if given.list != nil, former?.list != reminder.list {
            words.append(reminder.list.contains(" ") ? "@‘\(reminder.list)’" : "@\(reminder.list)")
        }
        if given.tags != nil, former?.tags != reminder.tags { words.append(tags) }
        var parts = words.isEmpty ? [] : [words.joined(separator: " ")]
        if let note = given.note, former?.note != reminder.note {
            parts.append(
                note.isEmpty ? "without a note" : former?.note == nil ? "with a note" : "new note")
        }
        return parts
    }

    /// What an edit did to the alarm beyond what the line says of it anyway.
    var removals: [String] {
        guard let former else { return [] }
        var parts: [String] = []
        if former.recurrence != nil, reminder.recurrence == nil { parts.append("not repeated") }
        if !former.before.isEmpty, reminder.before.isEmpty { parts.append("no ring before") }
        if former.nag != nil, reminder.nag == nil { parts.append("rings once") }
        return parts
    }

    private var tags: String {
        let now = reminder.tags.map { "#\($0)" }.joined(separator: " ")
        let gone = former?.tags.filter { !reminder.tags.contains($0) } ?? []
        let text = now.isEmpty ? "no tags" : now
        guard !gone.isEmpty else { return text }
        return "\(text) (no more \(gone.map { "#\($0)" }.joined(separator: " ")))"
    }
}
