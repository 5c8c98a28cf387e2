/// The settings of `remindd.conf` that decide what times mean and how a reminder rings. The room
/// `Configuration` reads them from the file; here are their meaning and their defaults.
package struct Settings: Hashable, Sendable {
    /// When a date-only deadline rings.
    package var allDayTime = CivilTime(hour: 9) ?? .noon
    package var morning = CivilTime(hour: 9) ?? .noon
    package var evening = CivilTime(hour: 19) ?? .noon
    /// Lead times of a new reminder that gives none.
    package var before: [CalendarDuration] = []
    /// Nag of a new reminder that gives none, in seconds.
    package var nag: Int64?
    package var weekStart = Weekday.monday
    /// How `10/05/2030` is read; unset: refused when both could be the day.
    package var dateOrder: DateOrder?
    /// The default snooze and the longer one of the pop-up's buttons.
    package var snooze = CalendarDuration(seconds: 600)
    package var longSnooze = CalendarDuration(seconds: 3600)
    /// More rings than this in one moment become one digest.
    package var digestAbove = 3
    package var sound = true
    /// How long a pop-up may stand before the server may take it away, in milliseconds; `nil`: for
    /// ever. The reminder rings on either way.
    package var popupTimeout: Int64?
    /// The path of the program that is run when a reminder rings.
    package var onRing: String?
    /// Pop-ups are held back between these, every day; across midnight when `from` is later.
    package var quiet: QuietHours?

    package struct QuietHours: Hashable, Sendable {
        package var from: CivilTime
        package var until: CivilTime

        package init(from: CivilTime, until: CivilTime) { (self.from, self.until) = (from, until) }

        /// Whether it is quiet at `time`.
        package func contains(_ time: CivilTime) -> Bool {
            from <= until ? from <= time && time < until : from <= time || time < until
        }
    }

    package enum DateOrder: String, CaseIterable, Sendable {
        case dayFirst = "dmy", monthFirst = "mdy"
    }

    package init() {}
}
