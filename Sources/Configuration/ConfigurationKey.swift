import RemindCore

/// What is being read: the settings, and the halves of what only makes sense together.
struct Draft {
    var settings = Settings()
    var quietFrom: CivilTime?
    var quietUntil: CivilTime?
}

/// Why a value is not accepted: one sentence.
struct Refusal: Error {
    let reason: String
}

/// A key of `remindd.conf`. The one table of them all: reading, messages and documentation come
/// from it.
package struct ConfigurationKey: Sendable {
    package let group: String
    package let name: String
    /// What its value may be, in words.
    package let allowed: String
    package let manual: KeyManual
    let set: @Sendable (inout Draft, String) throws(Refusal) -> Void

    init(
        _ group: String, _ name: String, _ allowed: String, _ manual: KeyManual,
        _ set: @escaping @Sendable (inout Draft, String) throws(Refusal) -> Void
    ) {
        (self.group, self.name, self.allowed) = (group, name, allowed)
        (self.manual, self.set) = (manual, set)
    }

    package static let groups = ["Reminders", "Popups", "Quiet", "Hooks"]

    package static let all = reminders + popups + quiet + hooks

    static func named(_ name: String, in group: String) -> ConfigurationKey? {
        all.first { $0.group == group && $0.name == name }
    }

    private static let time = "a time of day, such as 09:00 or 7pm"
    private static let length = "a length of time, such as 10m or 1h 30m"

    private static let reminders: [ConfigurationKey] = [
        .init("Reminders", "AllDayTime", time, .allDayTime) { draft, value throws(Refusal) in
            draft.settings.allDayTime = try Value.time(value)
        },
        .init("Reminders", "Morning", time, .morning) { draft, value throws(Refusal) in
            draft.settings.morning = try Value.time(value)
        },
        .init("Reminders", "Evening", time, .evening) { draft, value throws(Refusal) in
            draft.settings.evening = try Value.time(value)
        },
        .init("Reminders", "Before", "lengths of time, such as 15m, 1d", .before) {
            draft, value throws(Refusal) in
            draft.settings.before = try Value.leadTimes(value)
        },
        .init("Reminders", "Nag", "a length of time of a minute or more, such as 5m", .nag) {
            draft, value throws(Refusal) in
            draft.settings.nag = try Value.nag(value)
        },
        .init(
            "Reminders", "WeekStart", "the name of a weekday, such as monday or sunday", .weekStart
        ) {
            draft, value throws(Refusal) in
            draft.settings.weekStart = try Value.weekday(value)
        },
        .init(
            "Reminders", "DateOrder", "dmy (10/05 is 10 May) or mdy (10/05 is 5 October)",
            .dateOrder
        ) {
            draft, value throws(Refusal) in
            draft.settings.dateOrder = try Value.dateOrder(value)
        },
    ]

    private static let popups: [ConfigurationKey] = [
        .init("Popups", "Snooze", length, .snooze) { draft, value throws(Refusal) in
            draft.settings.snooze = try Value.length(value)
        },
        .init("Popups", "LongSnooze", length, .longSnooze) { draft, value throws(Refusal) in
            draft.settings.longSnooze = try Value.length(value)
        },
        .init(
            "Popups", "Timeout", "never, or a length of time up to 24 days, such as 30s", .timeout
        ) {
            draft, value throws(Refusal) in
            draft.settings.popupTimeout = try Value.timeout(value)
        },
        .init("Popups", "DigestAbove", "a number from 0 to \(Value.digestLimit)", .digestAbove) {
            draft, value throws(Refusal) in
            draft.settings.digestAbove = try Value.number(value, upTo: Value.digestLimit)
        },
        .init("Popups", "Sound", "on or off", .sound) { draft, value throws(Refusal) in
            draft.settings.sound = try Value.onOff(value)
        },
    ]

    private static let quiet: [ConfigurationKey] = [
        .init("Quiet", "From", time, .from) { draft, value throws(Refusal) in
            draft.quietFrom = try Value.time(value)
        },
        .init("Quiet", "Until", time, .until) { draft, value throws(Refusal) in
            draft.quietUntil = try Value.time(value)
        },
    ]

    private static let hooks: [ConfigurationKey] = [
        .init("Hooks", "OnRing", "the path of a program from / on", .onRing) {
            draft, value throws(Refusal) in
            draft.settings.onRing = try Value.program(value)
        }
    ]
}
