import Popups
import RemindAPI
import RemindCore
import Store

/// What can be asked. Nothing here changes anything.
extension Engine {
    /// Rings in one answer to `Next`, at most and by default; occurrences that `Show` looks ahead.
    static let nextLimit = 10_000
    static let nextDefault = 10
    static let showRings = 5

    func show(_ reference: String, to json: inout JSONWriter) throws(APIError) {
        let found = try find(reference)
        let now = clock.now
        let writer = timetable.writer
        json.object { json in
            json.field("reminders", found, writer)
            let deadline = found.count == 1 ? found.first?.deadline : nil
            json.field("understood", deadline.map { timetable.understood($0, now: now) })
            json.key("rings")
            json.array { json in
                guard found.count == 1, let reminder = found.first else { return }
                let rings = timetable.rings(of: reminder, now: now, limit: Self.showRings)
                for ring in rings { json.ring(ring.instant, of: reminder, timetable) }
            }
        }
    }

    func next(limit: Int?, to json: inout JSONWriter) throws(APIError) {
        let limit = try checked("limit", limit, upTo: Self.nextLimit, default: Self.nextDefault)
        let reminders = try storing { try store.nextRings(limit: limit) }
        json.object { json in
            json.key("rings")
            json.array { json in
                for reminder in reminders {
                    guard let ring = reminder.alarm.nextRing else { continue }
                    json.ring(ring, of: reminder, timetable)
                }
            }
        }
    }

    func status(_ facts: ProgramFacts, to json: inout JSONWriter) throws(APIError) {
        let counts = try storing { try store.counts() }
        let next = try storing { try store.nextAlarm(after: .earliest) }
        json.object { json in
            json.field("version", ProgramFacts.version)
            json.field("processID", Int64(facts.processID))
            json.field("database", facts.database)
            json.field("open", Int64(counts.open))
            json.field("pending", Int64(counts.pending))
            json.field("ringing", Int64(unrecorded.isEmpty ? counts.ringing : ringing.count))
            let now = clock.now
            let holding = hold(at: now)
            json.field("holding", holding != nil)
            json.field("heldBy", holding?.cause.rawValue)
            json.field("holdingUntil", holding?.until.map(timetable.rfc3339))
            json.field("held", Int64(held.count))
            json.field("nextRing", next.map { timetable.rfc3339($0.at) })
            json.field("notificationServer", server.map { "\($0.name) \($0.version)" })
            json.field("timeZone", timetable.zoneName)
            json.field("now", timetable.rfc3339(now))
        }
    }
}

extension JSONWriter {
    mutating func field(
        _ name: StaticString, _ reminders: [Reminder], _ writer: Timetable.Writer
    ) {
        key(name)
        array { json in for reminder in reminders { writer.write(reminder, to: &json) } }
    }

    mutating func field(_ name: StaticString, _ understood: Understood?) {
        key(name)
        guard let understood else { return null() }
        object { json in
            json.field("text", understood.text)
            json.field("notes", understood.notes)
        }
    }

    /// A `Ring` of the interface: it is heard here, whatever the zone of its deadline.
    mutating func ring(_ at: Instant, of reminder: Reminder, _ timetable: Timetable) {
        let writer = timetable.writer
        object { json in
            json.field("at", timetable.rfc3339(at))
            let due = reminder.deadline.map { writer.due(of: $0, in: writer.zone(of: reminder)) }
            json.field("due", due ?? timetable.rfc3339(at))
            json.key("reminder")
            writer.write(reminder, to: &json)
        }
    }
}
