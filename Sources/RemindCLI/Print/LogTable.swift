import RemindAPI
import RemindCore

/// An entry of the log as the cells of a table's row, fit for a terminal.
struct LogRow {
    let at: String
    let kind: String
    let number: String
    let title: String
    /// How late it rang and what was missed; how it was answered, and until when it is silent.
    let details: String

    /// - Throws: `MalformedReply`.
    init(_ bytes: ArraySlice<UInt8>, now: Instant) throws(Failure) {
        var json = JSONReader(Array(bytes))
        var (texts, number, missed) = ([String: String](), Int64(0), Int64(0))
        do {
            try json.object { name, json throws(JSONReader.Fault) in
                switch name {
                case "number": number = try json.integer()
                case "missed": missed = try json.integer()
                case "at", "kind", "title", "late", "origin", "until":
                    texts[name] = try json.optionalString()?.singleLine
                default: return
                }
            }
        } catch {
            throw .malformedJSON(error)
        }
        at = Self.time(texts["at"] ?? "", now)
        kind = texts["kind"] ?? ""
        self.number = "#\(number)"
        title = texts["title"] ?? ""
        details = Self.details(texts, missed: missed, now).joined(separator: ", ")
    }

    private static func details(_ texts: [String: String], missed: Int64, _ now: Instant)
        -> [String]
    {
        var parts: [String] = []
        if let late = texts["late"].flatMap(CalendarDuration.init(iso8601:)), late.seconds > 0 {
            parts.append("\(CalendarDuration.rounded(seconds: late.seconds).label) late")
        }
        if missed > 0 { parts.append("\(missed) missed before it") }
        switch texts["origin"] {
        case "popup": parts.append("in the pop-up")
        case "command": parts.append("by command")
        default: break
        }
        if let until = texts["until"] { parts.append("until \(time(until, now))") }
        return parts
    }

    private static func time(_ text: String, _ now: Instant) -> String {
        Moment(text, dateOffset: 0)?.words(now: now) ?? text
    }
}

/// The log, one entry a line: when, what, which task, how late or how answered.
struct LogTable {
    let lines: [String]

    /// No title is cut to less than this, however narrow the terminal.
    private static let leastTitle = 8

    /// - Parameter columns: the terminal's cells; `nil`: nothing is cut.
    init(_ rows: [LogRow], columns: Int?, style: Style) {
        func widest(_ cells: (LogRow) -> Int) -> Int { rows.map(cells).max() ?? 0 }
        let (at, kind) = (widest(\.at.cells), widest(\.kind.cells))
        let (number, details) = (widest(\.number.cells), widest(\.details.cells))
        let natural = widest { style.written($0.title).cells }
        let head = at + kind + number + 5
        let least = min(natural, Self.leastTitle)
        // Without room for all that is known, it stands on a line of its own.
        let isParted = columns.map { $0 < head + least + 2 + details } ?? false
        let room = columns.map { $0 - head - (isParted || details == 0 ? 0 : details + 2) }
        let title = room.map { min(natural, max($0, least)) } ?? natural
        lines = rows.flatMap { row in
            let shown = style.written(row.title).cut(toCells: title, ascii: style.isASCII)
            let line =
                "\(row.at.padded(toCells: at))  \(row.kind.padded(toCells: kind))  "
                + "\(row.number.padded(toCells: number)) "
                + (columns == nil ? shown : shown.isolated)
            guard isParted, !row.details.isEmpty else {
                let blanks = String(repeating: " ", count: title - shown.cells + 2)
                return [(line + blanks + row.details).withoutTrailingBlanks]
            }
            return [line.withoutTrailingBlanks] + ("  " + row.details).wrapped(toCells: columns)
        }
    }
}
