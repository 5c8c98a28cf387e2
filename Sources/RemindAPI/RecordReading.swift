import RemindCore

/// Records read straight from a reply's bytes. Fields that are not known here are passed over, as
/// the contract wants it of every reader.
extension ReminderRecord {
    /// - Throws: `JSONReader.Fault` when a field is of another type, or one that every reminder has
    ///   is missing.
    package init(reading json: inout JSONReader) throws(JSONReader.Fault) {
        var record = ReminderRecord.blank
        try json.object { name, json throws(JSONReader.Fault) in
            try record.readText(name, &json)
            try record.readTimes(name, &json)
        }
        guard record.number != 0, !record.id.isEmpty else { throw JSONReader.Fault(offset: 0) }
        self = record
    }

    private static let blank = ReminderRecord(
        number: 0, id: "", title: "", note: nil, list: "", tags: [], priority: .normal,
        state: .open, due: nil, dateOnly: false, timeZone: nil, rule: nil, before: [], nag: nil,
        alarm: .none, nextRing: nil, rings: 0, created: "", modified: "", completed: nil)

    private mutating func readText(_ name: String, _ json: inout JSONReader)
        throws(JSONReader.Fault)
    {
        switch name {
        case "number": number = try json.integer()
        case "id": id = try json.string()
        case "title": title = try json.string()
        case "note": note = try json.optionalString()
        case "list": list = try json.string()
        case "tags": tags = try json.strings()
        case "priority": priority = try json.choice()
        case "state": state = try json.choice()
        default: return
        }
    }

    private mutating func readTimes(_ name: String, _ json: inout JSONReader)
        throws(JSONReader.Fault)
    {
        switch name {
        case "due": due = try json.optionalString()
        case "dateOnly": dateOnly = try json.bool()
        case "timeZone": timeZone = try json.optionalString()
        case "rule": rule = try json.optionalString()
        case "before": before = try json.strings()
        case "nag": nag = try json.optionalString()
        case "alarm": alarm = try json.choice()
        case "nextRing": nextRing = try json.optionalString()
        case "rings": rings = Int(try json.integer())
        case "created": created = try json.string()
        case "modified": modified = try json.string()
        case "completed": completed = try json.optionalString()
        default: return
        }
    }
}

extension RingRecord {
    /// - Throws: `JSONReader.Fault`.
    package init(reading json: inout JSONReader) throws(JSONReader.Fault) {
        var (at, due): (String?, String?)
        var reminder: ReminderRecord?
        try json.object { name, json throws(JSONReader.Fault) in
            switch name {
            case "at": at = try json.string()
            case "due": due = try json.string()
            case "reminder": reminder = try ReminderRecord(reading: &json)
            default: return
            }
        }
        guard let at, let due, let reminder else { throw JSONReader.Fault(offset: 0) }
        self.init(at: at, due: due, reminder: reminder)
    }
}

extension Understood {
    /// - Throws: `JSONReader.Fault`.
    package init(reading json: inout JSONReader) throws(JSONReader.Fault) {
        var understood = Understood(text: "")
        try json.object { name, json throws(JSONReader.Fault) in
            switch name {
            case "text": understood.text = try json.string()
            case "notes": understood.notes = try json.strings()
            default: return
            }
        }
        self = understood
    }
}
