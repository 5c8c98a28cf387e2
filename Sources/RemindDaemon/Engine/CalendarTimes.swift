import Calendaring
import RemindCore

/// When a reminder is due and how it repeats, as properties.
struct CalendarTimes {
    let lines: [String]
    /// The value of RRULE; `nil`: none.
    private(set) var rule: String?
    /// Whether the properties say the deadline whole: they have neither parts of a second nor a
    /// zone that is UTC by another name.
    let saysAll: Bool

    init(schedule: Schedule<SystemZones>, reminder: Reminder, isEvent: Bool) {
        guard let deadline = reminder.deadline else {
            (lines, saysAll) = ([], true)
            return
        }
        saysAll = Self.isPlain(deadline)
        guard let recurrence = reminder.recurrence else {
            lines = [ContentLineWriter.time(isEvent ? "DTSTART" : "DUE", deadline)]
            return
        }
        var lines = [ContentLineWriter.time("DTSTART", recurrence.start)]
        if !isEvent { lines.append(ContentLineWriter.time("DUE", recurrence.start)) }
        let rule = Self.strict(recurrence, schedule)
        self.rule = rule
        lines.append("RRULE:" + rule)
        lines += recurrence.additions.map { ContentLineWriter.time("RDATE", $0) }
        lines += recurrence.exceptions.map { ContentLineWriter.time("EXDATE", $0) }
        self.lines = lines
    }

    private static func isPlain(_ deadline: Deadline) -> Bool {
        switch deadline {
        case .absolute(let instant): instant.milliseconds.floorModulo(1000) == 0
        case .zoned(_, let zone): !["UTC", "GMT"].contains(zone) && !zone.hasPrefix("Etc/")
        case .floating, .date: true
        }
    }

    /// UNTIL is of the kind of DTSTART, and in UTC where that has a zone (RFC 5545 section 3.3.10).
    static func strict(
        _ recurrence: Recurrence, _ schedule: Schedule<SystemZones>
    ) -> String {
        recurrence.rule.rrule.split(separator: ";").map { part in
            guard part.hasPrefix("UNTIL=") else { return String(part) }
            let value = part.dropFirst(6)
            return "UNTIL=" + until(String(value), recurrence.start, schedule)
        }.joined(separator: ";")
    }

    private static func until(
        _ value: String, _ start: Deadline, _ schedule: Schedule<SystemZones>
    ) -> String {
        if case .date = start { return String(value.prefix(8)) }
        if value.hasSuffix("Z") { return value }
        let text = value.count == 8 ? value + "T235959" : value
        guard let civil = CivilDateTime(basic: text) else { return value }
        switch start {
        case .floating, .date: return text
        case .absolute: return text + "Z"
        case .zoned:
            guard let zone = try? schedule.zone(of: start) else { return text }
            return ContentLineWriter.utc(zone.resolve(civil).instant)
        }
    }
}

/// The alarms of a reminder, as VALARMs (RFC 5545 section 3.6.6, RFC 9074).
struct CalendarAlarms {
    let schedule: Schedule<SystemZones>
    let reminder: Reminder
    let uid: String
    let isEvent: Bool

    var lines: [String] {
        guard reminder.deadline != nil else { return [] }
        var lines: [String] = []
        for (index, trigger) in triggers.enumerated() {
            lines += alarm(
                "alarm-\(index + 1)", ["TRIGGER" + related + ":" + trigger], acknowledged)
        }
        return lines + snooze(of: triggers.isEmpty ? nil : uid + "-alarm-1")
    }

    /// A snoozed ring comes back as an alarm of its own (RFC 9074 section 7).
    func snooze(of alarm: String?) -> [String] {
        guard reminder.alarm.state == .snoozed, let until = reminder.alarm.snoozedUntil else {
            return []
        }
        let trigger = "TRIGGER;VALUE=DATE-TIME:" + ContentLineWriter.utc(until)
        let relation = "RELATED-TO;RELTYPE=SNOOZE:" + ContentLineWriter.escaped(alarm ?? uid)
        return self.alarm("snooze", [trigger, relation], nil)
    }

    private var related: String { isEvent ? "" : ";RELATED=END" }

    private var triggers: [String] {
        let leads = [CalendarDuration()] + reminder.before
        guard reminder.deadline?.isDateOnly == true else {
            return leads.map { ContentLineWriter.duration($0.withoutMonths.negated) }
        }
        if reminder.before.isEmpty { return [] }
        // A date is due at its midnight, and rings at the time of day that is set for dates.
        let time = Int64(schedule.settings.allDayTime.secondOfDay)
        return leads.map { lead in
            let days = lead.withoutMonths
            let seconds = time - days.seconds - Int64(days.days) * 86_400
            return ContentLineWriter.duration(CalendarDuration(seconds: seconds))
        }
    }

    private func alarm(_ name: String, _ more: [String], _ seen: Instant?) -> [String] {
        let seen = seen.map { ["ACKNOWLEDGED:" + ContentLineWriter.utc($0)] } ?? []
        return [
            "BEGIN:VALARM", "UID:" + ContentLineWriter.escaped(uid + "-" + name), "ACTION:DISPLAY",
            "DESCRIPTION:" + ContentLineWriter.escaped(reminder.title),
        ] + more + seen + ["END:VALARM"]
    }

    /// Up to when the rings have been seen; `nil` when none was, or one calls still.
    var acknowledged: Instant? {
        guard reminder.alarm.rings > 0, reminder.alarm.state != .ringing,
            let position = reminder.alarm.rungThrough, let deadline = reminder.deadline
        else { return nil }
        let rule = reminder.recurrence?.rule.rrule ?? ""
        let isElapsed = ["HOURLY", "MINUTELY", "SECONDLY"].contains { rule.contains("FREQ=" + $0) }
        let civil = CivilDateTime(secondsSinceEpoch: position)
        switch deadline {
        case .floating where !isElapsed, .date:
            return schedule.zones.local.resolve(civil).instant
        case .zoned where !isElapsed && reminder.plan == nil:
            return (try? schedule.zone(of: deadline))?.resolve(civil).instant
        default: return Instant(seconds: position)
        }
    }
}

extension CalendarDuration {
    /// iCalendar's durations have no months: 30 days for each.
    var withoutMonths: CalendarDuration {
        CalendarDuration(days: days + months * 30, seconds: seconds)
    }
}
