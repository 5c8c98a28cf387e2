import Calendaring
import RemindAPI
import RemindCore
import Store

/// Writes the rows of a list as `ReminderWriter` writes reminders, or lines of them, from where they
/// stand: of a hundred thousand rows every text made counts. What is not plain goes the ordinary way.
struct ListWriter: ~Copyable {
    private let store: Store
    private let writer: Timetable.Writer
    /// Whether lines are written.
    private let isBrief: Bool
    private var times: ListTimes
    private var text = JSONText(capacity: 1 << 16)
    private var isFirst = true

    /// More than all of a row takes but its title, note, list and tags.
    private static let fixedBytes = 1024

    init(_ store: Store, _ timetable: Timetable, isBrief: Bool = false) {
        (self.store, writer, self.isBrief) = (store, timetable.writer, isBrief)
        times = ListTimes(zone: timetable.zones.local)
    }

    /// The rows since `beginPage`, with commas between them.
    var rows: UnsafeBufferPointer<UInt8> { text.bytes }

    mutating func beginPage() {
        text.removeAll()
        isFirst = true
    }

    /// - Throws: errors of the store; `corrupt` for a value that is never written.
    mutating func write(_ row: ListRow) throws(StoreError) {
        let start = text.bytes.count
        text.room(for: Self.fixedBytes)
        if !isFirst { text.add(",") }
        if row.isPlain, row.number > 0, row.rings >= 0,
            isBrief ? writeLine(row) : writePlain(row)
        {
            isFirst = false
            return
        }
        text.removeLast(text.bytes.count - start)
        if let reminder = try store.reminder(number: row.number) { write(reminder) }
    }

    mutating func write(_ reminder: Reminder) {
        var json = JSONWriter()
        if isBrief {
            writer.writeLine(of: reminder, to: &json)
        } else {
            writer.write(reminder, to: &json)
        }
        text.room(for: json.bytes.count + 1)
        if !isFirst { text.add(",") }
        json.bytes.withUnsafeBufferPointer { text.add($0) }
        isFirst = false
    }

    /// - Returns: whether it could be written here.
    private mutating func writePlain(_ row: ListRow) -> Bool {
        guard let id = row.id, let priority = row.priority else { return false }
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
        guard addWords(of: row, priority) else { return false }
        text.add(",\"due\":")
        return addDeadline(of: row) && addTimes(of: row)
    }

    /// The type `Line`, as `PlainLine` reads it.
    private mutating func writeLine(_ row: ListRow) -> Bool {
        guard let priority = row.priority else { return false }
        text.add("{\"number\":")
        text.add(capacity: 20) { $0.add(Int(row.number)) }
        text.add(",\"title\":")
        add(.title, of: row)
        addPreview(of: row)
        guard addWords(of: row, priority), let isDateOnly = addLineDeadline(of: row),
            let alarm = row.withText(.alarm, Self.alarmWord)
        else { return false }
        text.add(",\"alarm\":\"")
        text.add(alarm)
        text.add("\"")
        if isDateOnly {
            let offset = times.offset(at: row.nextRing ?? row.modified) / 60 * 60
            text.add(offset < 0 ? ",\"offset\":-" : ",\"offset\":")
            text.add(capacity: 20) { $0.add(abs(offset)) }
        }
        text.add("}")
        return true
    }

    /// Tags, priority and state.
    private mutating func addWords(of row: ListRow, _ priority: Reminder.Priority) -> Bool {
        text.add(",\"tags\":[")
        guard addTags(of: row) else { return false }
        text.add("],\"priority\":\"")
        text.add(priority.word)
        text.add(row.state == .open ? "\",\"state\":\"open\"" : "\",\"state\":\"done\"")
        return true
    }

    private mutating func add(_ part: ListRow.Text, of row: ListRow) {
        row.withText(part) { bytes in
            guard let bytes else { return text.add("null") }
            add(string: bytes)
        }
    }

    private mutating func add(string bytes: UnsafeBufferPointer<UInt8>) {
        text.room(for: bytes.count + Self.fixedBytes)
        if text.addPlain(bytes) { return }
        var json = JSONWriter(capacity: bytes.count + 2)
        json.string(utf8: bytes)
        text.room(for: json.bytes.count + Self.fixedBytes)
        json.bytes.withUnsafeBufferPointer { text.add($0) }
    }

    private mutating func addPreview(of row: ListRow) {
        row.withText(.note) { note in
            guard let note else { return }
            text.add(",\"note\":")
            let preview = NotePreview(note)
            guard preview.hasMore else { return add(string: preview.beginning) }
            var shown = preview.text
            shown.withUTF8 { add(string: $0) }
        }
    }

    /// - Returns: whether they are plain and come in their order, which is SQLite's affair.
    private mutating func addTags(of row: ListRow) -> Bool {
        row.withText(.tags) { bytes in
            guard let bytes else { return true }
            text.room(for: 4 * bytes.count + Self.fixedBytes)
            var former = bytes[..<0]
            var start = 0
            while start <= bytes.count {
                var end = start
                while end < bytes.count, bytes[end] != ListRow.tagSeparator { end += 1 }
                let tag = bytes[start..<end]
                if start > 0 {
                    guard former.lexicographicallyPrecedes(tag) else { return false }
                    text.add(",")
                }
                guard text.addPlain(UnsafeBufferPointer(rebasing: tag)) else { return false }
                (former, start) = (tag, end + 1)
            }
            return true
        }
    }

    private enum Kind {
        case absent, instant, date
    }

    /// - Returns: `nil` for one in a zone of its own, and for what is none.
    private mutating func deadline(
        _ bytes: UnsafeBufferPointer<UInt8>?, of row: ListRow
    ) -> Kind? {
        guard let bytes else { return .absent }
        if bytes.first == UInt8(ascii: "@") { return .instant }
        let stored = String(decoding: bytes, as: UTF8.self)
        if let civil = CivilDateTime(iso8601: stored) {
            return times.shows(civil, at: row.due) ? .instant : nil
        }
        return CivilDate(iso8601: stored) == nil ? nil : .date
    }

    private mutating func addDeadline(of row: ListRow) -> Bool {
        row.withText(.deadline) { bytes in
            switch deadline(bytes, of: row) {
            case nil: return false
            case .absent: text.add("null,\"dateOnly\":false")
            case .instant:
                times.add(row.due, to: &text)
                text.add(",\"dateOnly\":false")
            case .date:
                bytes.map { add(string: $0) }
                text.add(",\"dateOnly\":true")
            }
            return true
        }
    }

    /// - Returns: whether it is a plain date; `nil` when it could not be written here.
    private mutating func addLineDeadline(of row: ListRow) -> Bool? {
        row.withText(.deadline) { bytes in
            let kind = deadline(bytes, of: row)
            guard let kind else { return nil }
            if kind == .absent { return false }
            text.add(",\"due\":")
            if kind == .instant {
                times.add(row.due, to: &text)
            } else {
                bytes.map { add(string: $0) }
            }
            return kind == .date
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
        // They begin with different letters.
        let word: StaticString
        switch stored.first {
        case UInt8(ascii: "n"): word = "none"
        case UInt8(ascii: "p"): word = "pending"
        case UInt8(ascii: "r"): word = "ringing"
        case UInt8(ascii: "s"): word = "snoozed"
        default: return nil
        }
        let bytes = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
        return bytes.elementsEqual(stored) ? word : nil
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
