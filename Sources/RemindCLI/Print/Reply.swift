import RemindAPI

/// The parts of a reply that commands print. Reminders, rings and entries stay the daemon's own bytes
/// until text is wanted: `--json` hands them on untouched.
struct Reply {
    var reminders: [ArraySlice<UInt8>] = []
    var rings: [ArraySlice<UInt8>] = []
    /// Of the log.
    var entries: [ArraySlice<UInt8>] = []
    var understood: Understood?
    /// Of an explanation.
    var lines: [String] = []

    /// - Parameter fields: those of which a reply has one, else it is none.
    /// - Throws: `MalformedReply` when it is not the object that the interface promises.
    init(
        _ bytes: [UInt8], with fields: [String] = ["reminders", "reminder"]
    ) throws(Failure) {
        var json = JSONReader(bytes)
        var isWhole = false
        do {
            try json.object { name, json throws(JSONReader.Fault) in
                isWhole = isWhole || fields.contains(name)
                switch name {
                case "reminder": reminders.append(try json.raw())
                case "reminders": reminders += try Self.elements(&json)
                case "rings": rings += try Self.elements(&json)
                case "entries": entries += try Self.elements(&json)
                case "lines": lines = try json.strings()
                case "understood":
                    understood = json.null() ? nil : try Understood(reading: &json)
                default: return
                }
            }
        } catch {
            throw .malformedJSON(error)
        }
        guard isWhole else { throw .lacking(fields[0]) }
    }

    private static func elements(_ json: inout JSONReader) throws(JSONReader.Fault)
        -> [ArraySlice<UInt8>]
    {
        var found: [ArraySlice<UInt8>] = []
        try json.array { json throws(JSONReader.Fault) in found.append(try json.raw()) }
        return found
    }
}

extension Reply {
    func records() throws(Failure) -> [ReminderRecord] {
        var records: [ReminderRecord] = []
        records.reserveCapacity(reminders.count)
        for bytes in reminders { records.append(try Self.record(bytes)) }
        return records
    }

    func ringRecords() throws(Failure) -> [RingRecord] {
        var records: [RingRecord] = []
        for bytes in rings {
            var json = JSONReader(Array(bytes))
            do { records.append(try RingRecord(reading: &json)) } catch {
                throw .malformedJSON(error)
            }
        }
        return records
    }

    static func record(_ bytes: ArraySlice<UInt8>) throws(Failure) -> ReminderRecord {
        var json = JSONReader(Array(bytes))
        do { return try ReminderRecord(reading: &json) } catch { throw .malformedJSON(error) }
    }
}

extension Failure {
    /// An empty answer is one; a reply that does not answer is not.
    static func lacking(_ field: String) -> Failure {
        .malformed("The reply has no field ‘\(field)’.")
    }

    static func malformedJSON(_ fault: JSONReader.Fault) -> Failure {
        .malformed("The reply cannot be understood at byte \(fault.offset).")
    }
}
