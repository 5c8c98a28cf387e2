/// Where and when a phrase is said: all that its meaning depends on.
package struct PhraseContext<Zones: ZoneDatabase>: Sendable {
    package var now: Instant
    package var zones: Zones
    /// The zone that days and times are read in: `--tz`, or the machine's.
    package var zone: Zones.Zone
    /// True when the zone was asked for: the deadline then keeps it (`zoned`, not `floating`).
    package var zoneIsExplicit: Bool
    package var settings: Settings
    /// A phrase that lies in the past is accepted.
    package var allowPast: Bool

    package init(
        now: Instant, zones: Zones, zone: Zones.Zone? = nil, settings: Settings = Settings(),
        allowPast: Bool = false
    ) {
        (self.now, self.zones, self.settings) = (now, zones, settings)
        (self.zone, zoneIsExplicit) = (zone ?? zones.local, zone != nil)
        self.allowPast = allowPast
    }
}

/// What a phrase means.
package struct Understanding: Hashable, Sendable {
    /// When it is due; of a rule, its first occurrence.
    package let deadline: Deadline
    /// The deadline as an instant; of a date without a time, when it will ring.
    package let instant: Instant
    /// What the user should be told about it: gaps, overlaps. Whole English sentences.
    package let notes: [String]
    /// Of a rule: the repetition, counted from `deadline`.
    package let recurrence: Recurrence?

    init(
        deadline: Deadline, instant: Instant, notes: [String] = [], recurrence: Recurrence? = nil
    ) {
        (self.deadline, self.instant) = (deadline, instant)
        (self.notes, self.recurrence) = (notes, recurrence)
    }
}

extension PhraseContext {
    /// What `text` means here: a `WHEN`, rules included. Linear in the length of the text.
    ///
    /// - Throws: `PhraseError`, with suggestions that are understood here and say what they mean.
    package func understand(_ text: String) throws(PhraseError) -> Understanding {
        do throws(PhraseError) {
            return try meaning(of: WhenPhrase.parseWithoutHelp(text))
        } catch {
            throw helped(error)
        }
    }

    /// The same for what happens once (`snooze`, `pause`, `--now`): a rule is refused.
    package func understandOnce(_ text: String) throws(PhraseError) -> Understanding {
        let understanding = try understand(text)
        guard understanding.recurrence != nil else { return understanding }
        throw helped(
            PhraseError(
                phrase: text, range: 0..<text.utf8.count,
                reason: "‘\(PhraseParser.tidied(text))’ repeats; here one moment is needed.",
                suggestions: ["10m", "tomorrow 9:00"].map { PhraseError.Suggestion($0) }))
    }

    private func meaning(of phrase: WhenPhrase) throws(PhraseError) -> Understanding {
        try Resolver(context: self, text: phrase.text).understanding(of: phrase.syntax)
    }

    /// Tries the suggestions and says what each means.
    private func helped(_ error: PhraseError) -> PhraseError {
        var meanings: [String: String] = [:]
        var helped = error.helped { phrase in
            guard let parsed = try? WhenPhrase.parseWithoutHelp(phrase),
                let understanding = try? meaning(of: parsed)
            else { return false }
            meanings[phrase] = text(of: understanding)
            return true
        }
        for index in helped.suggestions.indices {
            helped.suggestions[index].meaning = meanings[helped.suggestions[index].phrase]
        }
        // A third way to say the same is one too many.
        if helped.suggestions.count > 2,
            helped.suggestions.prefix(2).contains(where: {
                $0.meaning == helped.suggestions[2].meaning
            })
        {
            helped.suggestions.removeLast()
        }
        return helped
    }

    private func text(of understanding: Understanding) -> String {
        let first = understanding.recurrence == nil ? "" : "first "
        let zone = understanding.deadline.zoneName.map { " " + $0 } ?? ""
        return first + PhrasePrinter(zone: self.zone).text(understanding.deadline) + zone
    }

    /// When a date without a time rings, in the machine's zone: at `AllDayTime`; when that has
    /// gone by today, at `Evening`; when that has gone by too, the next day as overdue.
    package func ringTime(of date: CivilDate) -> Instant {
        let zone = zones.local
        let allDay = zone.resolve(CivilDateTime(date, settings.allDayTime)).instant
        guard allDay <= now, date == zone.civil(at: now).date else { return allDay }
        let evening = zone.resolve(CivilDateTime(date, settings.evening)).instant
        guard evening <= now else { return evening }
        return zone.resolve(CivilDateTime(date.adding(days: 1), settings.allDayTime)).instant
    }
}
