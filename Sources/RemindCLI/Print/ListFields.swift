import RemindAPI
import RemindCore

/// What a list shows of a reminder, read straight from the reply: the rest is passed over.
struct ListFields {
    var number: Int64 = 0
    var title = ""
    var tags: [String] = []
    var priority = Priority.normal
    var state = Reminder.State.open
    var alarm = Alarm.State.none
    var due: String?
    var timeZone: String?
    var rule: String?
    /// JSON: a time with the offset of the reminder's place, of which a plain date has none.
    private var nextRing: ArraySlice<UInt8> = []
    private var modified: ArraySlice<UInt8> = []

    /// - Throws: `JSONReader.Fault` when a field is of another type or there is no number.
    init(reading json: inout JSONReader) throws(JSONReader.Fault) {
        var fields = ListFields()
        try json.fields { name, json throws(JSONReader.Fault) in try fields.read(name, &json) }
        guard fields.number != 0 else { throw JSONReader.Fault(offset: 0) }
        self = fields
    }

    private init() {}

    private mutating func read(_ name: JSONReader.Name, _ json: inout JSONReader)
        throws(JSONReader.Fault)
    {
        switch name {
        case "number": number = try json.integer()
        case "title": title = try json.string()
        case "tags": tags = try json.strings()
        case "priority": priority = try json.choice()
        case "state": state = try json.choice()
        case "alarm": alarm = try json.choice()
        case "due": due = try json.optionalString()
        case "timeZone": timeZone = try json.optionalString()
        case "rule": rule = try json.optionalString()
        case "nextRing": nextRing = try json.raw()
        case "modified": modified = try json.raw()
        default: return
        }
    }

    /// When it is due; `nil` without a deadline.
    var moment: Moment? { due.flatMap { Moment($0, dateOffset: offset) } }

    /// The offset of its place: that of its next ring, else that of its last change.
    private var offset: Int {
        for bytes in [nextRing, modified] {
            let text = String(decoding: bytes.dropFirst().dropLast(), as: UTF8.self)
            if let parsed = OffsetDateTime(rfc3339: text) { return parsed.offset }
        }
        return 0
    }
}
