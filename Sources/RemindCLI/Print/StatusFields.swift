import RemindAPI
import RemindCore

/// The reply of `Status` as a few lines.
struct StatusFields {
    private var texts: [String: String] = [:]
    private var numbers: [String: Int64] = [:]

    /// - Throws: `MalformedReply`.
    init(_ bytes: [UInt8]) throws(Failure) {
        var json = JSONReader(bytes)
        var (texts, numbers) = ([String: String](), [String: Int64]())
        do {
            try json.object { name, json throws(JSONReader.Fault) in
                switch name {
                case "processID", "open", "pending", "ringing":
                    numbers[name] = try json.integer()
                case "version", "database", "nextRing", "notificationServer", "timeZone", "now":
                    texts[name] = try json.optionalString()?.singleLine
                default: return
                }
            }
        } catch {
            throw .malformedJSON(error)
        }
        (self.texts, self.numbers) = (texts, numbers)
    }

    func lines(now: Instant) -> [String] {
        let next = texts["nextRing"].flatMap { Moment($0, dateOffset: 0) }?.words(now: now)
        let server = texts["notificationServer"] ?? "none: pop-ups are shown when one appears"
        return [
            "remindd \(texts["version"] ?? "?"), process \(number("processID"))",
            "  database   \(texts["database"] ?? "?")",
            "  tasks      \(number("open")) open, \(number("ringing")) of them ringing",
            "  alarms     \(number("pending")) set",
            "  next ring  \(next ?? "nothing will ring")",
            "  pop-ups    \(server)",
            "  time       \(texts["now"].map(ReminderText.time) ?? "?") \(texts["timeZone"] ?? "")"
                .withoutTrailingBlanks,
        ]
    }

    private func number(_ name: String) -> String { numbers[name].map { String($0) } ?? "?" }
}
