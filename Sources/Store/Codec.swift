import RemindCore

/// The forms in which values that SQLite does not know stand in the columns. Every form reads back
/// as what it was made from, and can be read by eye:
///
/// | value | text |
/// |---|---|
/// | floating | `2030-05-01T09:00:00` |
/// | zoned | `2030-05-01T09:00:00 Europe/Paris` |
/// | absolute | `@1903939200000` (milliseconds since the Unix epoch) |
/// | date only | `2030-05-01` |
/// | several deadlines | one a line |
/// | lead times | ISO 8601 durations, one blank between two |
enum Codec {
    static func text(_ deadline: Deadline) -> String {
        switch deadline {
        case .floating(let civil): civil.iso8601
        case .zoned(let civil, let zone): civil.iso8601 + " " + zone
        case .absolute(let instant): "@\(instant.milliseconds)"
        case .date(let date): date.iso8601
        }
    }

    /// `nil` for what `text` never writes.
    static func deadline(_ text: some StringProtocol) -> Deadline? {
        if text.utf8.first == UInt8(ascii: "@") {
            return Int64(text.dropFirst()).map { .absolute(Instant(milliseconds: $0)) }
        }
        guard let blank = text.firstIndex(of: " ") else {
            return CivilDateTime(iso8601: text).map { .floating($0) }
                ?? CivilDate(iso8601: text).map { .date($0) }
        }
        let zone = String(text[text.index(after: blank)...])
        return CivilDateTime(iso8601: text[..<blank]).map { .zoned($0, zone: zone) }
    }

    /// `nil` for none.
    static func text(_ deadlines: [Deadline]) -> String? {
        deadlines.isEmpty ? nil : deadlines.map { text($0) }.joined(separator: "\n")
    }

    static func deadlines(_ text: String?) -> [Deadline]? {
        guard let text else { return [] }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let result = lines.compactMap { deadline($0) }
        return result.count == lines.count ? result : nil
    }

    /// `nil` for none.
    static func text(_ durations: [CalendarDuration]) -> String? {
        durations.isEmpty ? nil : durations.map(\.iso8601).joined(separator: " ")
    }

    static func durations(_ text: String?) -> [CalendarDuration]? {
        guard let text else { return [] }
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        let result = parts.compactMap { CalendarDuration(iso8601: String($0)) }
        return result.count == parts.count ? result : nil
    }

    /// In the order of urgency, so that the column sorts.
    static func number(_ priority: Reminder.Priority) -> Int64 {
        switch priority {
        case .low: 0
        case .normal: 1
        case .high: 2
        }
    }

    static func priority(_ number: Int64) -> Reminder.Priority? {
        switch number {
        case 0: .low
        case 1: .normal
        case 2: .high
        default: nil
        }
    }

    /// `task.due`: undated ones come last.
    static func due(_ instant: Instant?) -> Int64 { instant?.milliseconds ?? .max }

    /// Whether the deadline moves along the time line when the machine's zone changes.
    static func followsZone(_ deadline: Deadline?) -> Bool {
        switch deadline {
        case .floating, .date: true
        case .zoned, .absolute, nil: false
        }
    }

    /// Between the tags of a row; the schema keeps it out of the tags.
    static let tagSeparator = Character("\u{1F}")

    /// `nil` for none, as of `group_concat`.
    static func text(tags: [String]) -> String? {
        tags.isEmpty ? nil : tags.joined(separator: String(tagSeparator))
    }

    static func tags(_ text: String?) -> [String] {
        guard let text else { return [] }
        // The subquery's order is SQLite's affair.
        return text.split(separator: tagSeparator, omittingEmptySubsequences: false)
            .map { String($0) }.sorted()
    }
}
