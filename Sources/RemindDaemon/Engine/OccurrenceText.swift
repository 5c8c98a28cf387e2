import Calendaring
import RemindCore
import Store

/// The words of one occurrence, where a calendar file has others for it than for its series.
extension Engine {
    /// The reminder as its pop-up is to tell of it: an occurrence that was changed by itself
    /// (RECURRENCE-ID) has its own SUMMARY and DESCRIPTION. What was changed here stays.
    func asRung(_ reminder: Reminder, _ ring: Ring) -> Reminder {
        guard reminder.plan?.contains("\nRECURRENCE-ID") == true,
            let record = try? store.calendarItem(of: reminder.number),
            let item = ICalendarReader.item(stored: record.text, zones: timetable.zones),
            let change = item.overrides.first(where: { isDue($0, at: ring.due) })
        else { return reminder }
        var shown = reminder
        if reminder.title == item.summary, !change.summary.isEmpty { shown.title = change.summary }
        if reminder.note == item.description { shown.note = change.description ?? shown.note }
        return shown
    }

    private func isDue(_ item: ICalendarItem, at instant: Instant) -> Bool {
        guard let deadline = item.deadline else { return false }
        return (try? timetable.schedule.instant(of: deadline).instant) == instant
    }
}
