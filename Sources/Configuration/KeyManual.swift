/// What the manual says of a key, beside what its value may be.
package struct KeyManual: Hashable, Sendable {
    /// The value that is taken without the key; empty: none.
    package let `default`: String
    /// In what its value is measured; `nil`: in nothing.
    package let unit: String?
    /// A value that people use.
    package let example: String
    /// One or more sentences.
    package let text: String

    private init(_ default: String, _ unit: String?, example: String, _ text: String) {
        (self.default, self.unit, self.example, self.text) = (`default`, unit, example, text)
    }
}

extension KeyManual {
    private static let clock = "time of day, in the machine's time zone"
    private static let length = "length of time: s, m, h, d, w, mo, y"

    static let allDayTime = KeyManual(
        "09:00", clock, example: "08:30",
        "When a deadline without a time rings, such as that of --at 2030-05-01.")
    static let morning = KeyManual(
        "09:00", clock, example: "7:30am", "What “tomorrow morning” means.")
    static let evening = KeyManual(
        "19:00", clock, example: "6pm",
        "What “tomorrow evening” means. A deadline for today without a time, set after AllDayTime, "
            + "rings in the evening.")
    static let before = KeyManual(
        "", length, example: "15m, 1d", "Lead times of tasks that are added without --before.")
    static let nag = KeyManual(
        "", length, example: "5m",
        "How often tasks that are added without --nag ring again until they are answered.")
    static let weekStart = KeyManual(
        "monday", nil, example: "sunday", "The first day of the week.")
    static let dateOrder = KeyManual(
        "", nil, example: "dmy",
        "How 10/05/2030 is read. Without it a date that could be two days is refused.")

    static let snooze = KeyManual(
        "10m", length, example: "5m",
        "What the first snooze button does, and remindctl snooze without a time.")
    static let longSnooze = KeyManual(
        "1h", length, example: "1d", "What the second snooze button does.")
    static let timeout = KeyManual(
        "never", length, example: "30s",
        "How long a pop-up stands before the desktop may take it away. The reminder rings on either "
            + "way, until it is answered.")
    static let digestAbove = KeyManual(
        "3", "number of reminders", example: "5",
        "More reminders than this in one moment come as one pop-up.")
    static let sound = KeyManual(
        "on", nil, example: "off",
        "Whether rings are heard. On desktops that play no sounds themselves, remindd plays one.")

    static let from = KeyManual(
        "", clock, example: "22:00",
        "From this time on pop-ups are held back, but for those of high priority. What was held "
            + "back comes as one pop-up afterwards. Needs Until.")
    static let until = KeyManual(
        "", clock, example: "07:00",
        "Until this time pop-ups are held back; across midnight when it is the earlier one of the "
            + "two. Needs From.")

    static let onRing = KeyManual(
        "", nil, example: "/usr/local/bin/to-my-phone",
        "A program that is run whenever a reminder rings, without a shell, for 30 seconds at most. "
            + "It gets the reminder as JSON on its standard input, and in the variables "
            + "REMIND_NUMBER, REMIND_ID, REMIND_TITLE, REMIND_NOTE, REMIND_DUE, REMIND_PRIORITY, "
            + "REMIND_LIST, REMIND_TAGS and REMIND_RINGS.")
}
