import RemindCore

/// Properties that have a field, or that are written anew (DTSTAMP).
private enum KnownProperties {
    static let names: Set<String> = [
        "UID", "DTSTAMP", "SUMMARY", "DESCRIPTION", "PRIORITY", "CATEGORIES", "STATUS",
        "COMPLETED", "PERCENT-COMPLETE", "DTSTART", "DUE", "DTEND", "DURATION", "RRULE",
        "RDATE", "EXDATE", "RECURRENCE-ID", "SEQUENCE", "LAST-MODIFIED", "CREATED",
    ]
}

/// Makes an item of a VTODO or a VEVENT.
struct ItemReader<Zones: ZoneDatabase> {
    let times: TimeReader<Zones>
    /// Is told the line and what was left out or read in another way.
    let note: (Int, String) -> Void

    /// - Throws: `ValueError` when the item cannot be used.
    func item(_ component: Component, kind: ICalendarItem.Component, uid: String)
        throws(ValueError) -> ICalendarItem
    {
        let component = withoutEmptyTimes(component)
        var item = ICalendarItem(component: kind, uid: uid, line: component.line)
        readTexts(component, &item)
        try readTimes(component, &item)
        readState(component, &item)
        try readRecurrence(component, &item)
        readAlarms(component, &item)
        item.foreignProperties = component.properties.filter {
            !KnownProperties.names.contains($0.name)
        }
        .map(\.text)
        item.foreignComponents = component.children.filter { $0.name != "VALARM" }.map(\.text)
        item.text = CanonicalText(zones: times.zones, calendar: times.calendar)
            .lines(component, uid: uid)
        return item
    }

    /// As if they were not there, which is how the item is stored, too.
    private func withoutEmptyTimes(_ component: Component) -> Component {
        let isEmpty = { (property: ICalendarProperty) in
            property.value.trimmedASCII.isEmpty
                && ["DTSTART", "DUE", "DTEND"].contains(property.name)
        }
        guard component.properties.contains(where: isEmpty) else { return component }
        var component = component
        for property in component.properties where isEmpty(property) {
            note(property.line, "‘\(property.name)’ is empty: left out.")
        }
        component.properties.removeAll(where: isEmpty)
        return component
    }

    private func readTexts(_ component: Component, _ item: inout ICalendarItem) {
        item.summary = component.first("SUMMARY").map(text)?.trimmingBlanks() ?? ""
        item.description = component.first("DESCRIPTION").map(text)
        fitTexts(component, &item)
        item.categories = component.all("CATEGORIES").flatMap { ICalendarText.list($0.value) }
        if let value = component.first("PRIORITY").flatMap({ Int($0.value.trimmedASCII) }) {
            // RFC 5545 section 3.8.1.9: 1 to 4 is high, 5 medium, 6 to 9 low, 0 undefined.
            item.priority =
                (1...4).contains(value) ? .high : (6...9).contains(value) ? .low : .normal
        }
    }

    /// What a title cannot hold goes to the note; what a note cannot hold is lost, and said so.
    private func fitTexts(_ component: Component, _ item: inout ICalendarItem) {
        let title = item.summary.unicodeScalars
        // Most are shorter even in bytes, whose count is known at once.
        if item.summary.utf8.count > Limits.title, title.count > Limits.title {
            let rest = String(String.UnicodeScalarView(title.dropFirst(Limits.title)))
            let description = item.description.map { "\n\n" + $0 } ?? ""
            note(
                component.first("SUMMARY")?.line ?? component.line,
                "‘SUMMARY’ has \(title.count) characters, a title at most \(Limits.title): the rest "
                    + "stands in the note.")
            item.summary = String(String.UnicodeScalarView(title.prefix(Limits.title)))
            item.description = rest + description
        }
        guard let text = item.description, text.utf8.count > Limits.note else { return }
        let description = text.unicodeScalars
        guard description.count > Limits.note else { return }
        note(
            (component.first("DESCRIPTION") ?? component.first("SUMMARY"))?.line ?? component.line,
            "The note has \(description.count) characters, at most \(Limits.note) are kept: the rest "
                + "was left out.")
        item.description = String(String.UnicodeScalarView(description.prefix(Limits.note)))
    }

    private func text(_ property: ICalendarProperty) -> String {
        ICalendarText.decoded(property.value)
    }

    private func readState(_ component: Component, _ item: inout ICalendarItem) {
        let status = component.first("STATUS")?.value.trimmedASCII.uppercased()
        let percent = component.first("PERCENT-COMPLETE").flatMap { Int($0.value.trimmedASCII) }
        item.completed = times.instant(component.first("COMPLETED"))
        item.isCancelled = ["CANCELLED", "CANCELED"].contains(status)
        let isDone =
            item.isCancelled
            || item.component == .todo
                && (status == "COMPLETED" || item.completed != nil || percent ?? 0 >= 100)
        item.state = isDone ? .done : .open
        item.created = times.instant(component.first("CREATED"))
        item.lastModified = times.instant(component.first("LAST-MODIFIED"))
        item.sequence = component.first("SEQUENCE").flatMap { Int($0.value.trimmedASCII) } ?? 0
        item.stamp = times.instant(component.first("DTSTAMP"))
        item.acknowledged = times.instant(component.first("X-MOZ-LASTACK"))
        item.own = component.first(ReminderState.name).map { ReminderState(text: $0.value) }
    }

    private func readTimes(_ component: Component, _ item: inout ICalendarItem)
        throws(ValueError)
    {
        item.start = try deadline("DTSTART", component)
        item.end = try deadline(item.component == .todo ? "DUE" : "DTEND", component)
        if let property = component.first("DURATION"), item.end == nil {
            item.duration = CalendarDuration(icalendar: property.value)
            if item.duration == nil {
                note(
                    property.line,
                    "‘DURATION’ has ‘\(property.value.prefix(40))’, which is no duration: left out."
                )
            }
        }
        if let property = component.first("RECURRENCE-ID") {
            item.recurrenceID = try times.deadline(property)
            item.replacesFuture = property.parameter("RANGE")?.uppercased() == "THISANDFUTURE"
            if item.base == nil { item.start = item.recurrenceID }
        }
        item.deadline = due(of: item)
    }

    private func deadline(_ name: String, _ component: Component) throws(ValueError) -> Deadline? {
        guard let property = component.first(name) else { return nil }
        return try times.deadline(property)
    }

    private func due(of item: ICalendarItem) -> Deadline? {
        guard item.component == .todo else { return item.start ?? item.end }
        if let end = item.end { return end }
        guard let start = item.start, let duration = item.duration else { return item.start }
        return times.deadline(start, plus: duration)
    }

    /// Where Thunderbird keeps when an alarm that was put off comes back; of a series with `-` and
    /// the occurrence behind it.
    private static var snoozeTime: String { "X-MOZ-SNOOZE-TIME" }

    private func readAlarms(_ component: Component, _ item: inout ICalendarItem) {
        let reader = AlarmReader(times: times, component: item.component)
        for property in component.properties where property.name.hasPrefix(Self.snoozeTime) {
            guard let instant = times.instant(property) else { continue }
            var alarm = ICalendarAlarm(trigger: .absolute(instant), line: property.line)
            alarm.snoozes = Self.snoozeTime
            item.alarms.append(alarm)
        }
        for child in component.children where child.name == "VALARM" {
            guard item.alarms.count < ICalendarLimits.alarms else {
                note(child.line, "It has more than \(ICalendarLimits.alarms) alarms.")
                break
            }
            do {
                item.alarms.append(try reader.alarm(child))
            } catch {
                note(error.line, "An alarm was left out: \(error.message)")
            }
        }
    }
}

extension TimeReader {
    /// `start` moved by days at the same wall time, then by elapsed seconds.
    func deadline(_ start: Deadline, plus duration: CalendarDuration) -> Deadline {
        var days = duration
        days.seconds = 0
        func moved(_ civil: CivilDateTime, _ zone: some ZoneRules) -> CivilDateTime {
            let day = civil.adding(days)
            if duration.seconds == 0 { return day }
            return zone.civil(at: zone.resolve(day).instant.advanced(bySeconds: duration.seconds))
        }
        let local = zones.database.local
        switch start {
        case .absolute(let instant):
            return .absolute(instant.advanced(bySeconds: duration.exactSeconds))
        case .date(let date):
            if duration.seconds == 0 { return .date(date.adding(days: duration.days)) }
            return .floating(moved(CivilDateTime(date, .midnight), local))
        case .floating(let civil): return .floating(moved(civil, local))
        case .zoned(let civil, let name):
            let zone = zones.database.knownZone(named: name)
            return .zoned(zone.map { moved(civil, $0) } ?? moved(civil, local), zone: name)
        }
    }
}

extension CalendarDuration {
    /// With days of 24 hours, as they are in UTC. DURATION has no months.
    package var exactSeconds: Int64 { Int64(days) * 86_400 + seconds }
}
