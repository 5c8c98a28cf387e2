import Popups
import RemindCore

/// What the pop-up of a ring says.
struct PopupText {
    /// The keys of the buttons, promised to notification servers; labels are free to change.
    enum Action: String {
        case done
        case snooze
        case snoozeLong = "snooze-long"
        /// The pop-up itself was clicked, or closed.
        case dismiss = "default"
        /// Of a digest: list more of it.
        case show
    }

    static let sound = "alarm-clock-elapsed"
    static let category = "x-remindd.reminder"
    /// The name of the desktop file, and of the icon.
    static let desktopEntry = "remindd"

    let reminder: Reminder
    let ring: Ring
    let timetable: Timetable
    let settings: Settings
    /// When it comes onto the screen, where that is not when it rang: no server was there.
    var shownAt: Instant?

    /// The characters of a title and a note that a body has room for, besides its other lines.
    private static let noteRoom = 900

    /// Rings later than this many seconds say so.
    private static let lateAfter: Int64 = 5

    var popup: Popup {
        Popup(
            key: reminder.id.text, summary: reminder.title, body: body, urgency: urgency,
            actions: actions, fallbackHint: fallbackHint,
            soundName: settings.sound ? Self.sound : nil,
            category: Self.category, icon: Self.desktopEntry, desktopEntry: Self.desktopEntry,
            timeout: settings.popupTimeout, passesInhibition: reminder.priority == .high)
    }

    private var urgency: PopupUrgency {
        switch reminder.priority {
        case .low: .low
        case .normal: .normal
        case .high: .critical
        }
    }

    private var actions: [PopupAction] {
        [
            PopupAction(key: Action.dismiss.rawValue, label: "Dismiss"),
            PopupAction(key: Action.done.rawValue, label: "Done"),
            PopupAction(
                key: Action.snooze.rawValue, label: "Snooze \(settings.snooze.label)"),
            PopupAction(
                key: Action.snoozeLong.rawValue,
                label: "Snooze \(settings.longSnooze.label)"),
        ]
    }

    private var fallbackHint: String {
        "Answer: remindctl done \(reminder.number), or remindctl snooze \(reminder.number)"
    }

    private var body: String {
        [shortNote, dueLine, missedLine].compactMap { $0 }.joined(separator: "\n")
    }

    /// The note, cut where what follows it, or a title that stands in the body too, would be cut off.
    private var shortNote: String? {
        guard let note = reminder.note else { return nil }
        let room = max(0, Self.noteRoom - reminder.title.count)
        let start = note.prefix(room)
        return start.endIndex == note.endIndex ? note : start + "…"
    }

    /// “Due Wed 1 May 2030, 09:00 · 12 minutes late”.
    private var dueLine: String {
        let seen = shownAt ?? ring.rangAt
        let due = "Due " + timetable.words(reminder.deadline ?? .absolute(ring.due), at: seen)
        let late = (seen.milliseconds - ring.scheduled.milliseconds) / 1000
        guard late >= Self.lateAfter else { return due }
        return due + " · " + CalendarDuration.rounded(seconds: late).label + " late"
    }

    private var missedLine: String? {
        switch ring.missed {
        case 0: nil
        case 1: "1 earlier occurrence was missed"
        default: "\(ring.missed) earlier occurrences were missed"
        }
    }
}
