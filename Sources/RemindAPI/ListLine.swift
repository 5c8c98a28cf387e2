package import RemindCore

/// The type `Line`: what a line of a list shows of a reminder. Fields without a value are left out.
extension ReminderWriter {
    /// Writes it as `PlainLine` reads it.
    package func writeLine(of reminder: Reminder, to json: inout JSONWriter) {
        json.object { json in
            json.field("number", reminder.number)
            json.field("title", reminder.title)
            if var note = reminder.note {
                json.field("note", note.withUTF8 { NotePreview($0).text })
            }
            json.field("tags", reminder.tags)
            json.field("priority", reminder.priority.rawValue)
            json.field("state", reminder.state.rawValue)
            writeLineTimes(of: reminder, to: &json)
        }
    }

    private func writeLineTimes(of reminder: Reminder, to json: inout JSONWriter) {
        let zone = zone(of: reminder)
        if let deadline = reminder.deadline { json.field("due", due(of: deadline, in: zone)) }
        if let name = reminder.deadline?.zoneName { json.field("timeZone", name) }
        if let recurrence = reminder.recurrence { json.field("rule", recurrence.rule.text) }
        json.field("alarm", reminder.alarm.state.rawValue)
        guard reminder.deadline?.isDateOnly == true else { return }
        let offset = zone.offset(at: reminder.alarm.nextRing ?? reminder.modified)
        // As in RFC 3339, without the seconds of old local mean times.
        json.field("offset", Int64(offset / 60 * 60))
    }
}

/// Of a note what a line of a list shows: its first line, “…” behind it when there are more, or its
/// beginning.
package struct NotePreview {
    /// Of the note, UTF-8.
    package let beginning: UnsafeBufferPointer<UInt8>
    /// Whether “…” follows.
    package let hasMore: Bool

    /// More bytes than any of it shows.
    private static let bytes = 200
    /// The same of ASCII, where a byte is a cell at least.
    private static let asciiBytes = 64

    /// O(1).
    package init(_ note: UnsafeBufferPointer<UInt8>) {
        var (end, isASCII) = (0, true)
        while end < note.count {
            let byte = note[end]
            if byte == 0x0A || byte == 0x0D { break }
            let isWhole = byte & 0xC0 != 0x80
            if isWhole, end >= (isASCII ? Self.asciiBytes : Self.bytes) { break }
            if byte >= 0x80 { isASCII = false }
            end += 1
        }
        beginning = UnsafeBufferPointer(rebasing: note[..<end])
        hasMore = end + 1 < note.count && (note[end] == 0x0A || note[end] == 0x0D)
    }

    package var text: String {
        String(decoding: beginning, as: UTF8.self) + (hasMore ? "…" : "")
    }
}
