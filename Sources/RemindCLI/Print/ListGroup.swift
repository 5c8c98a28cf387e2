import RemindCore

/// The heading that a task stands under in a list.
enum ListGroup: String {
    case overdue = "Overdue"
    case today = "Today"
    case tomorrow = "Tomorrow"
    /// Within the coming six days: where the name of the weekday says which day is meant.
    case thisWeek = "This week"
    case later = "Later"
    case undated = "No date"
    case done = "Done"

    init(_ state: Reminder.State, _ moment: Moment?, now: Instant) {
        guard state == .open else {
            self = .done
            return
        }
        guard let moment else {
            self = .undated
            return
        }
        if moment.isPast(at: now) {
            self = .overdue
            return
        }
        self.init(days: moment.days(from: now))
    }

    /// Of an open task that is due so many days from now, and not past.
    init(days: Int) {
        switch days {
        case ...0: self = .today
        case 1: self = .tomorrow
        case 2...6: self = .thisWeek
        default: self = .later
        }
    }
}
