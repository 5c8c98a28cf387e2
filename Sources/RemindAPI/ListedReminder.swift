package import RemindCore
import VarlinkWire

/// What a list shows of a reminder, as it stands in the reply's bytes: the rest is passed over, since
/// of ten thousand rows every text made counts. Valid as long as the reply is being read.
package struct ListedReminder {
    /// JSON as it came: a string with its quotation marks, an array; empty for `null`.
    package typealias JSONBytes = UnsafeBufferPointer<UInt8>

    package internal(set) var number: Int64 = 0
    package internal(set) var title = JSONBytes(start: nil, count: 0)
    package internal(set) var note = JSONBytes(start: nil, count: 0)
    package internal(set) var tags = JSONBytes(start: nil, count: 0)
    package internal(set) var priority = Priority.normal
    package internal(set) var state = Reminder.State.open
    package internal(set) var alarm = Alarm.State.none
    /// RFC 3339, or a plain date.
    package internal(set) var due = JSONBytes(start: nil, count: 0)
    package internal(set) var timeZone = JSONBytes(start: nil, count: 0)
    package internal(set) var rule = JSONBytes(start: nil, count: 0)
    /// Of a `Line` where it has one.
    var lineOffset: Int64?
    /// Read only where a plain date needs an offset.
    private var nextRing = JSONBytes(start: nil, count: 0)
    private var modified = JSONBytes(start: nil, count: 0)
    /// Whether the note is a preview already.
    private var isLine = true

    init() {}

    /// Gives each reminder of a reply, a `Line` or a whole one.
    /// - Returns: false when the reply has no field of them.
    /// - Throws: `JSONReader.Fault` when a field is of another type or there is no number.
    package static func each(
        in reply: [UInt8], _ body: (borrowing ListedReminder) throws(JSONReader.Fault) -> Void
    ) throws(JSONReader.Fault) -> Bool {
        try reply.withUnsafeBufferPointer { bytes throws(JSONReader.Fault) in
            var json = JSONReader(reply)
            var isWhole = false
            try json.object { name, json throws(JSONReader.Fault) in
                guard name == "lines" || name == "reminders" else { return }
                isWhole = true
                let isLine = name == "lines"
                try json.array { json throws(JSONReader.Fault) in
                    var row = try ListedReminder(reading: &json, of: bytes)
                    row.isLine = isLine
                    try body(row)
                }
            }
            return isWhole
        }
    }

    private init(reading json: inout JSONReader, of bytes: JSONBytes) throws(JSONReader.Fault) {
        var line = PlainLine(bytes, at: json.place)
        if let plain = line.read() {
            (self, json.place) = (plain, line.place)
            return
        }
        try json.fields { name, json throws(JSONReader.Fault) in try read(name, &json, bytes) }
        guard number != 0 else { throw JSONReader.Fault(offset: 0) }
    }

    private mutating func read(
        _ name: JSONReader.Word, _ json: inout JSONReader, _ bytes: JSONBytes
    ) throws(JSONReader.Fault) {
        switch name {
        case "number": number = try json.integer()
        case "title": title = try Self.string(&json, bytes)
        case "note": note = try Self.optionalString(&json, bytes)
        case "tags":
            let raw = try json.raw()
            var array = JSONReader(Array(raw))
            _ = try array.strings()
            tags = JSONBytes(rebasing: bytes[raw.startIndex..<raw.endIndex])
        case "priority": priority = try json.choice()
        case "state": state = try json.choice()
        case "alarm": alarm = try json.choice()
        case "due": due = try Self.optionalString(&json, bytes)
        case "timeZone": timeZone = try Self.optionalString(&json, bytes)
        case "rule": rule = try Self.optionalString(&json, bytes)
        case "nextRing": nextRing = try Self.optionalString(&json, bytes)
        case "modified": modified = try Self.optionalString(&json, bytes)
        case "offset": lineOffset = json.null() ? nil : try json.integer()
        default: return
        }
    }

    private static func optionalString(
        _ json: inout JSONReader, _ bytes: JSONBytes
    ) throws(JSONReader.Fault) -> JSONBytes {
        json.null() ? JSONBytes(start: nil, count: 0) : try string(&json, bytes)
    }

    private static func string(
        _ json: inout JSONReader, _ bytes: JSONBytes
    ) throws(JSONReader.Fault) -> JSONBytes {
        json.skipBlanks()
        let start = json.place
        _ = try json.string()
        return JSONBytes(rebasing: bytes[start..<json.place])
    }

    /// The note's first line, “…” behind it when there are more, or its beginning.
    package var notePreview: String {
        var text = note.string
        return isLine ? text : text.withUTF8 { NotePreview($0).text }
    }

    /// Seconds east of Greenwich where the reminder is: that of its next ring, else that of its
    /// last change.
    package var offset: Int {
        if let lineOffset { return Int(clamping: lineOffset) }
        for text in [nextRing, modified] {
            if let parsed = OffsetDateTime(rfc3339: text.string) { return parsed.offset }
        }
        return 0
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Of a JSON string what stands between its quotation marks.
    package var unquoted: UnsafeBufferPointer<UInt8> {
        count < 2 ? self : UnsafeBufferPointer(rebasing: self[1..<count - 1])
    }

    /// The text of a JSON string; empty when it is none.
    package var string: String {
        guard endOfPlainText(from: 1, upTo: count) < count - 1 else {
            return String(decoding: unquoted, as: UTF8.self)
        }
        var json = JSONReader(Array(self))
        return (try? json.string()) ?? ""
    }

    /// The texts of a JSON array of strings; empty when it is none.
    package var strings: [String] {
        var json = JSONReader(Array(self))
        return (try? json.strings()) ?? []
    }
}
