import RemindCore

/// What was said and has no effect, or another one than it seems to.
extension Interpreter {
    /// Whole English sentences.
    func notes(
        on understood: Interpretation, given: Understanding?, in context: PhraseContext<Zones>
    ) -> [String] {
        guard let deadline = understood.deadline else { return [] }
        var notes: [String] = []
        if context.zoneIsExplicit {
            notes += unusedZone(context.zone.identifier, deadline)
        }
        guard let recurrence = understood.recurrence else { return notes }
        if let given, given.recurrence == nil, isMoved(given.deadline, deadline) {
            notes.append(
                "The rule does not fall on \(text(given.deadline, context.zone)): "
                    + "it begins on \(text(deadline, context.zone)).")
        }
        if deadline.isDateOnly, let rule = try? ParsedRule(recurrence.rule.rrule), rule.namesTimes {
            notes.append(
                "BYHOUR, BYMINUTE and BYSECOND mean nothing for a date without a time; give a time "
                    + "to start from, such as ‘tomorrow 9:00’.")
        }
        return notes
    }

    private func unusedZone(_ zone: String, _ deadline: Deadline) -> [String] {
        switch deadline {
        case .zoned(_, let own) where own != zone:
            ["The zone ‘\(zone)’ is not used: the phrase names \(own)."]
        case .date:
            [
                "The zone ‘\(zone)’ is not kept: a date without a time rings by the time of this "
                    + "machine."
            ]
        case .absolute:
            ["The zone ‘\(zone)’ is not kept: this is one instant, the same in every zone."]
        case .zoned, .floating: []
        }
    }

    /// Whether a rule begins elsewhere than it was told to; it may give a date its time.
    private func isMoved(_ given: Deadline, _ first: Deadline) -> Bool {
        if given == first { return false }
        if case .date(let date) = given { return civil(first, schedule.zones.local).date != date }
        guard let said = try? schedule.instant(of: given).instant,
            let begins = try? schedule.instant(of: first).instant
        else { return false }
        return said != begins
    }

    private func civil(_ deadline: Deadline, _ zone: Zones.Zone) -> CivilDateTime {
        switch deadline {
        case .floating(let civil), .zoned(let civil, _): civil
        case .date(let date): CivilDateTime(date, .midnight)
        case .absolute(let instant): zone.civil(at: instant)
        }
    }

    private func text(_ deadline: Deadline, _ zone: Zones.Zone) -> String {
        let civil = civil(deadline, zone)
        return deadline.isDateOnly ? CivilText.date(civil.date) : CivilText.text(civil)
    }
}
