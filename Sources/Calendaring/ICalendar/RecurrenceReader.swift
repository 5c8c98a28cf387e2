import RemindCore

/// How an item repeats.
extension ItemReader {
    /// A rule that is not understood is kept in the text, and not followed: what can be read of the
    /// item rings.
    func readRecurrence(_ component: Component, _ item: inout ICalendarItem) throws(ValueError) {
        let properties = component.all("RRULE").filter { !$0.value.tidiedRule.isEmpty }
        if let empty = component.all("RRULE").first(where: { $0.value.tidiedRule.isEmpty }) {
            note(empty.line, "‘RRULE’ is empty: left out.")
        }
        let isDate = item.base?.isDateOnly == true
        let additions = try dates("RDATE", component).map { isDate ? $0.dayOfMidnight : $0 }
        guard !properties.isEmpty || !additions.isEmpty, item.recurrenceID == nil else { return }
        guard let base = item.base else {
            note(component.line, "It repeats, but has no date: it never rings.")
            return
        }
        let rules = self.rules(properties, component, base)
        guard !rules.isEmpty || !additions.isEmpty else { return }
        if rules.count > 1 {
            note(
                properties[1].line,
                "It repeats by \(rules.count) rules: all of them count, and the first is shown.")
        }
        let exceptions = try dates("EXDATE", component).map { isDate ? $0.dayOfMidnight : $0 }
        // Dates alone: a rule that gives the first one and no more.
        item.recurrence = Recurrence(
            rule: rules.first ?? RecurrenceRule(rrule: "FREQ=DAILY;COUNT=1"), start: base,
            additions: additions, exceptions: exceptions)
        // What is to be said about their times was said above.
        let quiet = TimeReader(zones: times.zones, calendar: times.calendar) { _, _ in }
        item.periods = component.all("RDATE").flatMap { (try? quiet.periods($0)) ?? [] }
        item.furtherRules = Array(rules.dropFirst())
        let excluded = component.all("EXRULE").filter { !$0.value.tidiedRule.isEmpty }
        item.excludedRules = self.rules(excluded, component, base)
    }

    private func rules(
        _ properties: [ICalendarProperty], _ component: Component, _ base: Deadline
    ) -> [RecurrenceRule] {
        if properties.count > ICalendarLimits.rules {
            note(
                properties[ICalendarLimits.rules].line,
                "It has more than \(ICalendarLimits.rules) rules: further ones are kept, and not "
                    + "followed.")
        }
        return properties.prefix(ICalendarLimits.rules).compactMap {
            rule($0, isUniversal: isUniversal(component), base)
        }
    }

    private func rule(
        _ property: ICalendarProperty, isUniversal: Bool, _ base: Deadline
    ) -> RecurrenceRule? {
        let text = RuleRepair.repaired(property, isUniversal: isUniversal, note: note)
        do throws(RuleError) {
            let rule = try ParsedRule(text)
            if rule.frequency < .daily, base.isDateOnly { throw .needsTime(rule) }
            return RecurrenceRule(rrule: text)
        } catch {
            note(property.line, "‘\(property.name)’ is kept, and not followed: \(error.message)")
            return nil
        }
    }

    private func isUniversal(_ component: Component) -> Bool {
        let base = component.first("DTSTART") ?? component.first("DUE")
        return base?.value.trimmedASCII.uppercased().hasSuffix("Z") == true
    }

    private func dates(_ name: String, _ component: Component) throws(ValueError) -> [Deadline] {
        var found: [Deadline] = []
        for property in component.all(name) {
            var wrong: [ValueError] = []
            let those = times.deadlines(property) { wrong.append($0) }
            found += those
            if let first = wrong.first {
                let what = those.isEmpty ? "‘\(name)’" : "What is wrong in ‘\(name)’"
                note(property.line, "\(what) is kept, and not followed: \(first.message)")
            }
        }
        guard found.count <= ICalendarLimits.dates else {
            throw ValueError(
                "It has \(found.count) dates in \(name); the limit is \(ICalendarLimits.dates).",
                line: component.line)
        }
        return found
    }
}

extension Deadline {
    /// Of a time that names a day of an all-day series: midnight in UTC is that day, wherever the
    /// machine is. Other times are taken as they are.
    var dayOfMidnight: Deadline {
        guard case .absolute(let instant) = self, instant.seconds.floorModulo(86_400) == 0 else {
            return self
        }
        return .date(CivilDateTime(secondsSinceEpoch: instant.seconds).date)
    }
}
