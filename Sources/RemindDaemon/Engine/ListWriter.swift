import Calendaring
import RemindAPI
import RemindCore
import Store

/// Writes the rows of a list as `ReminderWriter` writes reminders, from where they stand: of a
/// hundred thousand rows every text made counts. What is not plain goes the ordinary way.
struct ListWriter {
    private let store: Store
    private let writer: Timetable.Writer
    private let zone: SystemZone
    private var offsets: [(span: Int64, offset: Int)] = Array(repeating: (.min, 0), count: 8)
    /// Times that were written last, as JSON: many are the same.
    private var written: [(second: Int64, json: [UInt8])] = Array(repeating: (.min, []), count: 2)
    private var oldest = 0

    init(_ store: Store, _ timetable: Timetable) {
        (self.store, writer, zone) = (store, timetable.writer, timetable.zones.local)
    }

    /// - Throws: errors of the store; `corrupt` for a value that is never written.
    mutating func write(_ row: ListRow, to json: inout JSONWriter) throws(StoreError) {
        guard row.isPlain, let id = row.id, let priority = row.priority, let alarm = row.alarm,
            let deadline = row.deadline, deadline?.zoneName == nil
        else {
            if let reminder = try store.reminder(number: row.number) {
                writer.write(reminder, to: &json)
            }
            return
        }
        json.object { json in
            json.field("number", row.number)
            json.key("id")
            json.string(capacity: 36) { id.add(to: &$0) }
            Self.writeTexts(of: row, to: &json)
            json.field("priority", priority.rawValue)
            json.field("state", row.state.rawValue)
            writeTimes(of: row, deadline, alarm, to: &json)
        }
    }

    private static func writeTexts(of row: ListRow, to json: inout JSONWriter) {
        for (name, text) in [("title", .title), ("note", .note), ("list", .list)]
            as [(StaticString, ListRow.Text)]
        {
            json.key(name)
            row.withText(text) { bytes in
                if let bytes { json.string(utf8: bytes) } else { json.null() }
            }
        }
        json.key("tags")
        row.withText(.tags) { bytes in json.array { writeTags(bytes, to: &$0) } }
    }

    /// The subquery's order is SQLite's affair.
    private static func writeTags(_ bytes: UnsafeBufferPointer<UInt8>?, to json: inout JSONWriter) {
        guard let bytes else { return }
        if !bytes.contains(ListRow.tagSeparator) { return json.string(utf8: bytes) }
        let tags = bytes.split(separator: ListRow.tagSeparator, omittingEmptySubsequences: false)
        for tag in tags.map({ String(decoding: $0, as: UTF8.self) }).sorted() { json.string(tag) }
    }

    private mutating func writeTimes(
        of row: ListRow, _ deadline: Deadline?, _ alarm: Alarm.State, to json: inout JSONWriter
    ) {
        json.key("due")
        write(deadline, to: &json)
        json.field("dateOnly", deadline?.isDateOnly ?? false)
        json.field("timeZone", nil as String?)
        json.field("rule", nil as String?)
        json.field("before", [])
        json.field("nag", nil as String?)
        json.field("alarm", alarm.rawValue)
        json.key("nextRing")
        write(row.nextRing, to: &json)
        json.field("rings", row.rings)
        json.key("created")
        write(row.created, to: &json)
        json.key("modified")
        write(row.modified, to: &json)
        json.key("completed")
        write(row.completed, to: &json)
    }

    private mutating func write(_ deadline: Deadline?, to json: inout JSONWriter) {
        switch deadline {
        case nil: json.null()
        case .absolute(let instant): write(instant, to: &json)
        case .date(let date): json.string(date.iso8601)
        case .floating(let civil), .zoned(let civil, _):
            write(zone.resolve(civil).instant, to: &json)
        }
    }

    private mutating func write(_ instant: Instant?, to json: inout JSONWriter) {
        guard let instant else { return json.null() }
        if let known = written.first(where: { $0.second == instant.seconds }) {
            return json.raw(known.json)
        }
        let start = json.bytes.count
        let offset = self.offset(at: instant)
        json.string(capacity: 32) { instant.addRFC3339(offset: offset, to: &$0) }
        let text = json.bytes[start...].drop { $0 != UInt8(ascii: "\"") }
        written[oldest] = (instant.seconds, Array(text))
        oldest = 1 - oldest
    }

    /// Of nine hours at a time the offset is asked for once, when it is the same at both ends: no
    /// zone changes it twice in so short a time.
    private mutating func offset(at instant: Instant) -> Int {
        let span = instant.seconds >> 15
        let place = Int(span & 7)
        if offsets[place].span == span { return offsets[place].offset }
        let first = zone.offset(at: Instant(seconds: span << 15))
        let last = zone.offset(at: Instant(seconds: (span + 1) << 15 - 1))
        guard first == last else { return zone.offset(at: instant) }
        offsets[place] = (span, first)
        return first
    }
}
