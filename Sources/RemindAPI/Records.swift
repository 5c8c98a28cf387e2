package import RemindCore

package typealias Priority = Reminder.Priority

extension Reminder.Priority: Codable {}
extension Reminder.State: Codable {}
extension Alarm.State: Codable {}

/// A reminder as the socket and `--json` show it.
package struct ReminderRecord: Decodable, Hashable, Sendable {
    package var number: Int64
    package var id: String
    package var title: String
    package var note: String?
    package var list: String
    package var tags: [String]
    package var priority: Priority
    package var state: Reminder.State
    /// RFC 3339, or a plain date when `dateOnly`.
    package var due: String?
    package var dateOnly: Bool
    package var timeZone: String?
    package var rule: String?
    /// ISO 8601 durations.
    package var before: [String]
    package var nag: String?
    package var alarm: Alarm.State
    package var nextRing: String?
    package var rings: Int
    package var created: String
    package var modified: String
    package var completed: String?
}

/// A reminder as it is written: the stored one, with the zone that gives its times their offset.
package struct ReminderWriter<Zones: ZoneDatabase> {
    private let zones: Zones
    private let local: Zones.Zone

    /// - Parameter zones: where a reminder's own zone is found; the machine's is read once.
    package init(zones: Zones) { (self.zones, local) = (zones, zones.local) }

    /// Writes the interface's type `Reminder`, with every field in its order and `null` for what is
    /// absent. No tree is built: a list of a hundred thousand streams through.
    package func write(_ reminder: Reminder, to json: inout JSONWriter) {
        json.object { json in
            writeText(of: reminder, to: &json)
            writeTimes(of: reminder, to: &json)
        }
    }

    private func writeText(of reminder: Reminder, to json: inout JSONWriter) {
        json.field("number", reminder.number)
        json.field("id", reminder.id.text)
        json.field("title", reminder.title)
        json.field("note", reminder.note)
        json.field("list", reminder.list)
        json.field("tags", reminder.tags)
        json.field("priority", reminder.priority.rawValue)
        json.field("state", reminder.state.rawValue)
    }

    private func writeTimes(of reminder: Reminder, to json: inout JSONWriter) {
        let zone = zone(of: reminder)
        json.field("due", reminder.deadline.map { due(of: $0, in: zone) })
        json.field("dateOnly", reminder.deadline?.isDateOnly ?? false)
        json.field("timeZone", reminder.deadline?.zoneName)
        json.field("rule", reminder.recurrence?.rule.text)
        json.field("before", reminder.before.map(\.iso8601))
        json.field("nag", reminder.nag.map { CalendarDuration(seconds: $0).iso8601 })
        json.field("alarm", reminder.alarm.state.rawValue)
        json.field("nextRing", reminder.alarm.nextRing?.rfc3339(in: zone))
        json.field("rings", Int64(reminder.alarm.rings))
        json.field("created", reminder.created.rfc3339(in: local))
        json.field("modified", reminder.modified.rfc3339(in: local))
        json.field("completed", reminder.completed?.rfc3339(in: local))
    }

    /// The zone whose offset the reminder's times carry: its own, else the machine's.
    package func zone(of reminder: Reminder) -> Zones.Zone {
        guard let name = reminder.deadline?.zoneName else { return local }
        // A zone that tzdata has dropped since is shown as the machine's.
        return zones.knownZone(named: name) ?? local
    }

    /// RFC 3339, or a plain date.
    package func due(of deadline: Deadline, in zone: Zones.Zone) -> String {
        switch deadline {
        case .date(let date): date.iso8601
        case .absolute(let instant): instant.rfc3339(in: zone)
        case .floating(let civil), .zoned(let civil, _):
            zone.resolve(civil).instant.rfc3339(in: zone)
        }
    }
}

/// One ring to come.
package struct RingRecord: Decodable, Hashable, Sendable {
    /// RFC 3339.
    package var at: String
    /// RFC 3339, or a plain date.
    package var due: String
    package var reminder: ReminderRecord
}

/// What a phrase was understood to mean.
package struct Understood: Codable, Hashable, Sendable {
    /// `Wed 1 May 2030, 09:00 CEST (in 3 years)`.
    package var text: String
    /// Gaps, overlaps and the like, each a sentence.
    package var notes: [String]

    package init(text: String, notes: [String] = []) { (self.text, self.notes) = (text, notes) }
}
