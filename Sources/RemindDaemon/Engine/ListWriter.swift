import Calendaring
import RemindAPI
import RemindCore
import Store

/// Writes the rows of a list as `ReminderWriter` writes reminders, from where they stand: of a
/// hundred thousand rows every text made counts. What is not plain goes the ordinary way.
struct ListWriter: ~Copyable {
    private let store: Store
    private let writer: Timetable.Writer
    private var times: ListTimes
    private var text = JSONText()

    /// More than all of a row takes but its title, note, list and tags.
    private static let fixedBytes = 1024

    init(_ store: Store, _ timetable: Timetable) {
        (self.store, writer) = (store, timetable.writer)
        times = ListTimes(zone: timetable.zones.local)
    }

    /// - Throws: errors of the store; `corrupt` for a value that is never written.
    mutating func write(_ row: ListRow, to json: inout JSONWriter) throws(StoreError) {
        text.removeAll()
        if row.isPlain, row.number > 0, row.rings >= 0, let id = row.id,
            let priority = row.priority,
            writePlain(row, id, priority)
        {
            return json.raw(text.bytes)
        }
        if let reminder = try store.reminder(number: row.number) {
            writer.write(reminder, to: &json)
        }
    }

    /// - Returns: whether it could be written here.
    private mutating func writePlain(
        _ row: ListRow, _ id: UUIDv7, _ priority: Reminder.Priority
    ) -> Bool {
        text.room(for: Self.fixedBytes)
        text.add("{\"number\":")
        text.add(capacity: 20) { $0.add(Int(row.number)) }
        text.add(",\"id\":\"")
        text.add(capacity: 36) { id.add(to: &$0) }
        text.add("\",\"title\":")
        add(.title, of: row)
        text.add(",\"note\":")
        add(.note, of: row)
        text.add(",\"list\":")
        add(.list, of: row)
        text.add(",\"tags\":[")
        guard addTags(of: row) else { return false }
        text.add("],\"priority\":\"")
        text.add(priority.word)
        text.add(row.state == .open ? "\",\"state\":\"open\"" : "\",\"state\":\"done\"")
        text.add(",\"due\":")
        return addDeadline(of: row) && addTimes(of: row)
    }

    private mutating func add(_ part: ListRow.Text, of row: ListRow) {
        row.withText(part) { bytes in
            guard let bytes else { return text.add("null") }
            text.room(for: bytes.count + Self.fixedBytes)
            if text.addPlain(bytes) { return }
            var json = JSONWriter(capacity: bytes.count + 2)
            json.string(utf8: bytes)
            text.room(for: json.bytes.count + Self.fixedBytes)
            json.bytes.withUnsafeBufferPointer { text.add($0) }
        }
    }

    /// - Returns: whether they are plain and come in their order, which is SQLite's affair.
    private mutating func addTags(of row: ListRow) -> Bool {
        row.withText(.tags) { bytes in
            guard let bytes else { return true }
            text.room(for: 4 * bytes.count + Self.fixedBytes)
            var former = bytes[..<0]
            for tag in bytes.split(
                separator: ListRow.tagSeparator, omittingEmptySubsequences: false)
            {
                if tag.startIndex > 0 {
                    guard former.lexicographicallyPrecedes(tag) else { return false }
                    text.add(",")
                }
                guard text.addPlain(UnsafeBufferPointer(rebasing: tag)) else { return false }
                former = tag
            }
            return true
        }
    }

    /// - Returns: false for one in a zone of its own, and for what is none.
    private mutating func addDeadline(of row: ListRow) -> Bool {
        row.withText(.deadline) { bytes in
            guard let bytes else {
                text.add("null,\"dateOnly\":false")
                return true
            }
            guard bytes.first != UInt8(ascii: "@") else {
                times.add(row.due, to: &text)
                text.add(",\"dateOnly\":false")
                return true
            }
            let stored = String(decoding: bytes, as: UTF8.self)
            if let civil = CivilDateTime(iso8601: stored) {
                guard times.shows(civil, at: row.due) else { return false }
                times.add(row.due, to: &text)
                text.add(",\"dateOnly\":false")
            } else {
                guard CivilDate(iso8601: stored) != nil else { return false }
                text.add("\"")
                text.add(bytes)
                text.add("\",\"dateOnly\":true")
            }
            return true
        }
    }

    private mutating func addTimes(of row: ListRow) -> Bool {
        text.add(
            ",\"timeZone\":null,\"rule\":null,\"before\":[],\"nag\":null,\"alarm\":\"")
        guard let alarm = row.withText(.alarm, Self.alarmWord) else { return false }
        text.add(alarm)
        text.add("\",\"nextRing\":")
        times.add(row.nextRing, to: &text)
        text.add(",\"rings\":")
        text.add(capacity: 20) { $0.add(Int(row.rings)) }
        text.add(",\"created\":")
        times.add(row.created, to: &text)
        text.add(",\"modified\":")
        times.add(row.modified, to: &text)
        text.add(",\"completed\":")
        times.add(row.completed, to: &text)
        text.add("}")
        return true
    }

    /// `nil` when it is no state of an alarm.
    private static func alarmWord(_ stored: UnsafeBufferPointer<UInt8>?) -> StaticString? {
        guard let stored else { return "none" }
        return ([.none, .pending, .ringing, .snoozed] as [Alarm.State])
            .first { $0.rawValue.utf8.elementsEqual(stored) }.map(\.word)
    }
}

extension Reminder.Priority {
    fileprivate var word: StaticString {
        switch self {
        case .low: "low"
        case .normal: "normal"
        case .high: "high"
        }
    }
}

extension Alarm.State {
    fileprivate var word: StaticString {
        switch self {
        case .none: "none"
        case .pending: "pending"
        case .ringing: "ringing"
        case .snoozed: "snoozed"
        }
    }
}
