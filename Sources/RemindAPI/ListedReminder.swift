package import RemindCore

/// What a list shows of a reminder, read straight from the reply's bytes: the rest is passed over,
/// since of ten thousand rows every text made counts.
package struct ListedReminder {
    package private(set) var number: Int64 = 0
    package private(set) var title = ""
    /// JSON as it came: many reminders have the same.
    package private(set) var tagsJSON: ArraySlice<UInt8> = []
    package private(set) var priority = Priority.normal
    package private(set) var state = Reminder.State.open
    package private(set) var alarm = Alarm.State.none
    /// RFC 3339, or a plain date.
    package private(set) var due: String?
    package private(set) var timeZone: String?
    package private(set) var rule: String?
    /// JSON as it came: of a long note only the beginning is read.
    private var note: ArraySlice<UInt8> = []
    /// JSON as it came: read only where a plain date needs an offset.
    private var nextRing: ArraySlice<UInt8> = []
    private var modified: ArraySlice<UInt8> = []

    /// - Throws: `JSONReader.Fault` when a field is of another type or there is no number.
    package init(reading json: inout JSONReader) throws(JSONReader.Fault) {
        let start = json.place
        if try readInOrder(&json) { return }
        json.place = start
        self = ListedReminder()
        try json.fields { name, json throws(JSONReader.Fault) in try read(name, &json) }
        guard number != 0 else { throw JSONReader.Fault(offset: 0) }
    }

    private init() {}

    /// Reads the fields as our daemon writes them, in its order and without blanks: half the work.
    /// - Returns: whether they are so; else some have been read.
    private mutating func readInOrder(_ json: inout JSONReader) throws(JSONReader.Fault) -> Bool {
        guard json.skip(exactly: "{\"number\":") else { return false }
        number = try json.integer()
        guard number != 0, json.skip(exactly: ",\"id\":") else { return false }
        try json.skipString()
        guard json.skip(exactly: ",\"title\":") else { return false }
        title = try json.string()
        guard json.skip(exactly: ",\"note\":") else { return false }
        note = try json.raw()
        guard json.skip(exactly: ",\"list\":") else { return false }
        try json.skipString()
        guard json.skip(exactly: ",\"tags\":") else { return false }
        tagsJSON = try json.raw()
        guard json.skip(exactly: ",\"priority\":") else { return false }
        priority = try Self.priority(&json)
        guard json.skip(exactly: ",\"state\":") else { return false }
        state = try Self.state(&json)
        return try readTimesInOrder(&json)
    }

    private mutating func readTimesInOrder(_ json: inout JSONReader) throws(JSONReader.Fault)
        -> Bool
    {
        guard json.skip(exactly: ",\"due\":") else { return false }
        due = try json.optionalString()
        guard json.skip(exactly: ",\"dateOnly\":false") || json.skip(exactly: ",\"dateOnly\":true")
        else { return false }
        if !json.skip(exactly: ",\"timeZone\":null,\"rule\":null,\"before\":[],\"nag\":null") {
            guard json.skip(exactly: ",\"timeZone\":") else { return false }
            timeZone = try json.optionalString()
            guard json.skip(exactly: ",\"rule\":") else { return false }
            rule = try json.optionalString()
            guard json.skip(exactly: ",\"before\":") else { return false }
            try json.skipValue(depth: 0)
            guard json.skip(exactly: ",\"nag\":") else { return false }
            try json.skipValue(depth: 0)
        }
        guard json.skip(exactly: ",\"alarm\":") else { return false }
        alarm = try Self.alarm(&json)
        guard json.skip(exactly: ",\"nextRing\":") else { return false }
        nextRing = try json.raw()
        guard json.skip(exactly: ",\"rings\":") else { return false }
        try json.skipValue(depth: 0)
        guard json.skip(exactly: ",\"created\":") else { return false }
        try json.skipString()
        guard json.skip(exactly: ",\"modified\":") else { return false }
        modified = try json.raw()
        guard json.skip(exactly: ",\"completed\":") else { return false }
        try json.skipValue(depth: 0)
        return json.skip(exactly: "}")
    }

    private mutating func read(_ name: JSONReader.Word, _ json: inout JSONReader)
        throws(JSONReader.Fault)
    {
        switch name {
        case "number": number = try json.integer()
        case "title": title = try json.string()
        case "note": note = try json.raw()
        case "tags": tagsJSON = try json.raw()
        case "priority": priority = try Self.priority(&json)
        case "state": state = try Self.state(&json)
        case "alarm": alarm = try Self.alarm(&json)
        case "due": due = try json.optionalString()
        case "timeZone": timeZone = try json.optionalString()
        case "rule": rule = try json.optionalString()
        case "nextRing": nextRing = try json.raw()
        case "modified": modified = try json.raw()
        default: return
        }
    }

    private static func priority(_ json: inout JSONReader) throws(JSONReader.Fault) -> Priority {
        switch try json.word() {
        case "normal": .normal
        case "high": .high
        case "low": .low
        default: throw json.fault
        }
    }

    private static func state(_ json: inout JSONReader) throws(JSONReader.Fault) -> Reminder.State {
        switch try json.word() {
        case "open": .open
        case "done": .done
        default: throw json.fault
        }
    }

    private static func alarm(_ json: inout JSONReader) throws(JSONReader.Fault) -> Alarm.State {
        switch try json.word() {
        case "pending": .pending
        case "none": .none
        case "ringing": .ringing
        case "snoozed": .snoozed
        default: throw json.fault
        }
    }

    /// Seconds east of Greenwich where the reminder is: that of its next ring, else that of its
    /// last change.
    package var offset: Int {
        for bytes in [nextRing, modified] {
            let text = String(decoding: bytes.dropFirst().dropLast(), as: UTF8.self)
            if let parsed = OffsetDateTime(rfc3339: text) { return parsed.offset }
        }
        return 0
    }

    /// - Throws: `JSONReader.Fault` when they are none.
    package func tags() throws(JSONReader.Fault) -> [String] {
        var json = JSONReader(Array(tagsJSON))
        return try json.strings()
    }

    /// Bytes of JSON that a preview is read from: more than any of it shows.
    private static let previewBytes = 200
    /// The same of plain ASCII, where a byte is a cell.
    private static let plainPreviewBytes = 64

    /// The note's first line, “…” behind it when there are more, or its beginning; empty without a
    /// note. O(1).
    package var notePreview: String {
        guard note.first == UInt8(ascii: "\"") else { return "" }
        let text = note.dropFirst().dropLast()
        let first = text.prefix(Self.plainPreviewBytes)
        if first.count < text.count, first.allSatisfy({ $0 < 0x80 && $0 != UInt8(ascii: "\\") }) {
            return String(decoding: first, as: UTF8.self)
        }
        var (end, more) = (text.startIndex, "")
        while end < text.endIndex {
            let byte = text[end]
            let isWhole = byte & 0xC0 != 0x80
            if isWhole, end - text.startIndex >= Self.previewBytes { break }
            guard byte == UInt8(ascii: "\\"), end + 1 < text.endIndex else {
                end += 1
                continue
            }
            let escape = text[end + 1]
            if escape == UInt8(ascii: "n") || escape == UInt8(ascii: "r") {
                more = end + 2 < text.endIndex ? "…" : ""
                break
            }
            end += escape == UInt8(ascii: "u") ? 6 : 2
        }
        let start = text[..<min(end, text.endIndex)]
        if !start.contains(UInt8(ascii: "\\")) {
            return String(decoding: start, as: UTF8.self) + more
        }
        let mark = [UInt8(ascii: "\"")]
        var json = JSONReader(mark + start + mark)
        // Half a surrogate pair at the end is no text.
        return ((try? json.string()) ?? "") + more
    }
}
