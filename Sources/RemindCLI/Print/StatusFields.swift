import RemindAPI
import RemindCore

/// The reply of `Status` as a few lines.
struct StatusFields {
    /// Where the values begin.
    static let valueColumn = 13

    private(set) var texts: [String: String] = [:]
    private(set) var numbers: [String: Int64] = [:]
    private(set) var isHolding = false

    /// - Throws: `MalformedReply`.
    init(_ bytes: [UInt8]) throws(Failure) {
        var json = JSONReader(bytes)
        var (texts, numbers, isHolding) = ([String: String](), [String: Int64](), false)
        do {
            try json.object { name, json throws(JSONReader.Fault) in
                switch name {
                case "processID", "open", "pending", "ringing", "held":
                    numbers[name] = try json.integer()
                case "holding": isHolding = try json.bool()
                case "version", "database", "nextRing", "heldBy", "holdingUntil",
                    "notificationServer", "timeZone", "now":
                    texts[name] = try json.optionalString()?.singleLine
                default: return
                }
            }
        } catch {
            throw .malformedJSON(error)
        }
        guard !texts.isEmpty || !numbers.isEmpty else { throw .lacking("version") }
        (self.texts, self.numbers, self.isHolding) = (texts, numbers, isHolding)
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
        ] + holdLines(now) + [
            "  time       \(texts["now"].map(ReminderText.time) ?? "?") \(texts["timeZone"] ?? "")"
                .withoutTrailingBlanks
        ]
    }

    /// A pause, quiet hours or “do not disturb”; nothing when pop-ups are shown.
    private func holdLines(_ now: Instant) -> [String] {
        guard isHolding else { return [] }
        let until = texts["holdingUntil"].map { text in
            Moment(text, dateOffset: 0)?.words(now: now) ?? text
        }
        let end =
            switch texts["heldBy"] {
            case "doNotDisturb": "while the desktop's “do not disturb” is on"
            case "quietHours": "until \(until ?? "?") (quiet hours)"
            default: "until \(until ?? "remindctl resume")"
            }
        return ["             held back \(end), \(number("held")) waiting"]
    }

    private func number(_ name: String) -> String { numbers[name].map { String($0) } ?? "?" }
}
