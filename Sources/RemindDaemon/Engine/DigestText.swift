import Popups
import RemindCore

/// What the one pop-up for many rings says.
struct DigestText {
    /// All that ring, in any order.
    let reminders: [Reminder]
    /// The user asked to see more of it.
    let expanded: Bool
    let timetable: Timetable
    let settings: Settings

    /// Lines of a digest, and of one that was asked for.
    private static let lines = 5
    private static let expandedLines = 25

    var popup: Popup {
        let top = reminders.map(\.priority).contains(.high) ? PopupUrgency.critical : .normal
        return Popup(
            key: Engine.digestKey, summary: summary, body: body, urgency: top, actions: actions,
            fallbackHint:
                "Answer: remindctl list --ringing, remindctl done all, remindctl snooze all",
            soundName: settings.sound ? PopupText.sound : nil, category: PopupText.category,
            icon: PopupText.desktopEntry, desktopEntry: PopupText.desktopEntry,
            timeout: settings.popupTimeout,
            passesInhibition: reminders.allSatisfy { $0.priority == .high })
    }

    private var summary: String {
        reminders.count == 1 ? "1 reminder" : "\(reminders.count) reminders"
    }

    private var actions: [PopupAction] {
        [
            PopupAction(key: PopupText.Action.dismiss.rawValue, label: "Show"),
            PopupAction(key: PopupText.Action.show.rawValue, label: "Show"),
            PopupAction(key: PopupText.Action.done.rawValue, label: "Done all"),
            PopupAction(
                key: PopupText.Action.snooze.rawValue,
                label: "Snooze all \(settings.snooze.label)"),
        ]
    }

    /// The first few by priority, then by deadline, and how many more there are.
    private var body: String {
        var lines = listed.map(line)
        if reminders.count > limit { lines.append("… and \(reminders.count - limit) more") }
        return lines.joined(separator: "\n")
    }

    /// Those that the body names.
    var listed: ArraySlice<Reminder> { first(limit) }

    private var limit: Int { expanded ? Self.expandedLines : Self.lines }

    private func first(_ limit: Int) -> ArraySlice<Reminder> {
        func rank(_ reminder: Reminder) -> (Int, Instant, Int64) {
            let priority =
                switch reminder.priority {
                case .high: 0
                case .normal: 1
                case .low: 2
                }
            return (priority, reminder.alarm.ring?.due ?? .latest, reminder.number)
        }
        return reminders.sorted { rank($0) < rank($1) }.prefix(limit)
    }

    private func due(_ reminder: Reminder) -> String {
        guard let ring = reminder.alarm.ring else { return "" }
        return timetable.words(reminder.deadline ?? .absolute(ring.due), at: ring.rangAt)
    }

    private func line(_ reminder: Reminder) -> String {
        // Titles from calendar files may have line ends.
        let line = String(reminder.title.map { $0.isNewline ? " " : $0 })
        let title = line.count > 60 ? line.prefix(59) + "…" : line[...]
        return "• \(title) — \(due(reminder))"
    }
}
