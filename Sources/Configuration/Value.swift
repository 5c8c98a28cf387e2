import RemindCore

/// Reads the values of keys: what people write, as the command line reads it too.
enum Value {
    /// More pop-ups at once than anyone would want one by one.
    static let digestLimit = 1000
    /// The notification protocol tells a timeout in 31 bits of milliseconds: 24 days.
    static let longestTimeout = Int64(Int32.max)

    static func time(_ text: String) throws(Refusal) -> CivilTime {
        do { return try TimePhrase.parse(text) } catch { throw Refusal(reason: error.reason) }
    }

    static func length(_ text: String) throws(Refusal) -> CalendarDuration {
        try length(text, allowsNegative: false)
    }

    static func leadTimes(_ text: String) throws(Refusal) -> [CalendarDuration] {
        var lengths: [CalendarDuration] = []
        for part in text.split(whereSeparator: { ",;".contains($0) }) {
            let length = try length(TextLines.trimmed(String(part)), allowsNegative: true)
            if !lengths.contains(length) { lengths.append(length) }
        }
        guard lengths.count <= Limits.leadTimes else {
            throw Refusal(reason: "There are more than \(Limits.leadTimes) lead times.")
        }
        return lengths
    }

    /// Seconds.
    static func nag(_ text: String) throws(Refusal) -> Int64 {
        let seconds = try seconds(text)
        guard seconds >= Limits.shortestNag else {
            throw Refusal(reason: "‘\(text)’ is too often to nag.")
        }
        return seconds
    }

    /// Milliseconds; `nil`: never.
    static func timeout(_ text: String) throws(Refusal) -> Int64? {
        if text.lowercased() == "never" { return nil }
        let seconds = try seconds(text)
        guard seconds <= longestTimeout / 1000 else {
            throw Refusal(reason: "‘\(text)’ is too long.")
        }
        return seconds * 1000
    }

    /// A length that is always the same: a day is 86,400 s here, a month is refused.
    private static func seconds(_ text: String) throws(Refusal) -> Int64 {
        let length = try length(text)
        guard length.months == 0 else {
            throw Refusal(reason: "‘\(text)’ is not always equally long.")
        }
        return Int64(length.days) * 86_400 + length.seconds
    }

    static func number(_ text: String, upTo limit: Int) throws(Refusal) -> Int {
        guard let number = Int(text), (0...limit).contains(number) else {
            throw Refusal(reason: "‘\(text)’ is no such number.")
        }
        return number
    }

    static func onOff(_ text: String) throws(Refusal) -> Bool {
        switch text.lowercased() {
        case "on", "yes", "true", "1": return true
        case "off", "no", "false", "0": return false
        default: throw Refusal(reason: "‘\(text)’ is neither on nor off.")
        }
    }

    static func weekday(_ text: String) throws(Refusal) -> Weekday {
        let name = text.lowercased()
        guard let day = Weekday.allCases.first(where: { "\($0)" == name }) else {
            throw Refusal(reason: "‘\(text)’ is no weekday.")
        }
        return day
    }

    static func dateOrder(_ text: String) throws(Refusal) -> Settings.DateOrder {
        guard let order = Settings.DateOrder(rawValue: text.lowercased()) else {
            throw Refusal(reason: "‘\(text)’ is no order of day and month.")
        }
        return order
    }

    /// No search path and no shell: the file itself.
    static func program(_ text: String) throws(Refusal) -> String {
        guard text.hasPrefix("/"), text.utf8.count <= 4095 else {
            throw Refusal(reason: "‘\(text)’ is not a path that begins with /.")
        }
        return text
    }

    private static func length(
        _ text: String, allowsNegative: Bool
    ) throws(Refusal) -> CalendarDuration {
        do { return try DurationPhrase.parse(text, allowsNegative: allowsNegative) } catch {
            throw Refusal(reason: error.reason)
        }
    }
}
