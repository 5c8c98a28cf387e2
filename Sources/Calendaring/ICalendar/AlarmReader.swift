import RemindCore

/// Makes an alarm of a VALARM.
struct AlarmReader<Zones: ZoneDatabase> {
    let times: TimeReader<Zones>
    let component: ICalendarItem.Component

    /// - Throws: `ValueError` when it has no trigger that can be read.
    func alarm(_ valarm: Component) throws(ValueError) -> ICalendarAlarm {
        var alarm = ICalendarAlarm(trigger: try trigger(valarm), line: valarm.line)
        if let repeats = number("REPEAT", valarm), repeats > 0,
            let property = valarm.first("DURATION"),
            let interval = CalendarDuration(icalendar: property.value), interval.exactSeconds > 0
        {
            (alarm.repeats, alarm.interval) = (repeats, interval)
        }
        alarm.acknowledged = times.instant(valarm.first("ACKNOWLEDGED"))
        alarm.uid = valarm.first("UID")?.value ?? valarm.first("X-WR-ALARMUID")?.value
        let related = valarm.all("RELATED-TO")
        alarm.snoozes = related.first { $0.parameter("RELTYPE")?.uppercased() == "SNOOZE" }?.value
        alarm.rings = rings(valarm)
        let action = valarm.first("ACTION")?.value.trimmedASCII.uppercased()
        alarm.isSilence = action == "NONE"
        alarm.text = valarm.text
        return alarm
    }

    private func trigger(_ valarm: Component) throws(ValueError) -> ICalendarAlarm.Trigger {
        guard let property = valarm.first("TRIGGER") else {
            throw ValueError("It has no TRIGGER.", line: valarm.line)
        }
        if let duration = CalendarDuration(icalendar: property.value) {
            let isEnd = property.parameter("RELATED")?.uppercased() == "END"
            return isEnd ? .end(duration) : .start(duration)
        }
        guard let instant = try localInstant(property) else {
            throw ValueError(
                "‘TRIGGER’ has ‘\(property.value.prefix(40))’, which is neither a duration nor a "
                    + "time.", line: property.line)
        }
        return .absolute(instant)
    }

    /// An absolute trigger has to be in UTC; one without a zone is taken as local time.
    private func localInstant(_ property: ICalendarProperty) throws(ValueError) -> Instant? {
        let local = times.zones.database.local
        switch try times.deadline(property) {
        case .absolute(let instant): return instant
        case .floating(let civil): return local.resolve(civil).instant
        case .date(let date): return local.resolve(CivilDateTime(date, .midnight)).instant
        case .zoned(let civil, let name): return times.zones.resolve(civil, zone: name)
        }
    }

    private func number(_ name: String, _ valarm: Component) -> Int? {
        valarm.first(name).flatMap { Int($0.value.trimmedASCII) }.map { min($0, 1_000_000) }
    }

    /// Display, audio, e-mail and procedure alarms ring, each as a pop-up. ACTION:NONE says that
    /// there is to be no alarm (RFC 9074 section 8.2 leaves it out; Apple's calendars write it);
    /// unknown actions are to be ignored (RFC 5545 section 3.6.6), and an alarm with PROXIMITY
    /// waits for a place (RFC 9074 section 8.1). KDE's calendars keep alarms that are switched off.
    private func rings(_ valarm: Component) -> Bool {
        guard valarm.first("PROXIMITY") == nil, valarm.first("X-APPLE-PROXIMITY") == nil,
            valarm.first("X-KDE-KCALCORE-ENABLED")?.value.trimmedASCII.uppercased() != "FALSE"
        else { return false }
        guard let action = valarm.first("ACTION")?.value.trimmedASCII.uppercased() else {
            return true
        }
        return ["DISPLAY", "AUDIO", "EMAIL", "PROCEDURE"].contains(action)
    }
}
