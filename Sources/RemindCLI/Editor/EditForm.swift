import RemindAPI
import RemindCore

/// A task as a text that people edit: a line a field, and the note below a line of dashes.
struct EditForm: Equatable, Sendable {
    enum Field: String, CaseIterable, Sendable {
        case title = "Title"
        case when = "When"
        case every = "Every"
        case before = "Before"
        case nag = "Nag"
        case priority = "Priority"
        case tags = "Tags"
        case list = "List"
        case zone = "Zone"
        case note = "Note"

        /// Those that stand on a line of their own.
        static var lines: [Field] { allCases.filter { $0 != .note } }
    }

    private(set) var values: [Field: String] = [:]
    /// Where each field stands, counted from 1.
    private(set) var places: [Field: Int] = [:]

    subscript(_ field: Field) -> String { values[field] ?? "" }

    /// - Parameter rule: how the recurrence is written, an empty text without one.
    init(_ record: ReminderRecord, rule: String) {
        values = [
            .title: record.title.singleLine, .when: record.moment?.full ?? record.due ?? "",
            .every: rule,
            .before: record.before.map(DurationWords.words).joined(separator: ", "),
            .nag: record.nag.map(DurationWords.words) ?? "", .priority: record.priority.rawValue,
            .tags: record.tags.joined(separator: ", "), .list: record.list,
            .zone: record.timeZone ?? "", .note: Self.trimmed(record.note ?? ""),
        ]
    }

    static let separator = "--- Note: all lines below this one ---"
    private static let nameCells = 10

    /// What is written into the file.
    func text(number: Int64) -> String {
        var text = """
            # Task \(number): change what stands behind the names, save and leave the editor.
            # Behind a name, nothing clears. A line that begins with # says nothing.


            """
        for field in Field.lines {
            let line = "\(field.rawValue):".padded(toCells: Self.nameCells) + self[field]
            text += line.withoutTrailingBlanks + "\n"
        }
        text += "\n\(Self.separator)\n"
        return self[.note].isEmpty ? text : text + self[.note] + "\n"
    }

    /// Reads what was saved. A field whose line is gone is one that nothing is said about.
    /// - Throws: the line that cannot be understood.
    init(reading text: String) throws(Failure) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let end = lines.firstIndex { $0.hasPrefix("---") } ?? lines.endIndex
        for (index, line) in lines[..<end].enumerated() {
            try read(String(line).trimmingBlanks, at: index + 1)
        }
        guard end < lines.endIndex else { return }
        values[.note] = Self.trimmed(lines[(end + 1)...].joined(separator: "\n"))
        places[.note] = end + 2
    }

    private mutating func read(_ line: String, at place: Int) throws(Failure) {
        if line.isEmpty || line.hasPrefix("#") { return }
        guard let colon = line.firstIndex(of: ":") else {
            throw .form(
                "Line \(place) has no name before a colon: ‘\(line)’.",
                hint: "A note stands below the line of dashes: \(Self.separator)")
        }
        let name = String(line[..<colon]).trimmingBlanks
        let known = Field.lines.first { $0.rawValue.lowercased() == name.lowercased() }
        guard let field = known else {
            let near = Nearest.match(name, among: Field.lines.map { $0.rawValue.lowercased() })
            let meant = Field.lines.first { $0.rawValue.lowercased() == near }
            throw .form(
                "Line \(place): there is no field ‘\(name)’.",
                hint: meant.map { "Did you mean ‘\($0.rawValue)’?" }
                    ?? "The fields are " + Field.lines.map(\.rawValue).joined(separator: ", "))
        }
        if let first = places[field] {
            throw .form(
                "Line \(place): ‘\(field.rawValue)’ stands in line \(first) already.",
                hint: "Remove one of the two.")
        }
        places[field] = place
        values[field] = String(line[line.index(after: colon)...]).trimmingBlanks
    }

    /// The fields that say something else than `original` does.
    func changes(from original: EditForm) -> [Field] {
        Field.allCases.filter { field in
            guard let value = values[field] else { return false }
            return value != original[field]
        }
    }

    private static func trimmed(_ note: String) -> String {
        var text = note.replacingLineEnds[...]
        while text.last?.isWhitespace ?? false { text.removeLast() }
        while let first = text.first, first.isWhitespace { text.removeFirst() }
        return String(text)
    }
}

extension Failure {
    /// The form cannot be understood.
    static func form(_ message: String, hint: String) -> Failure {
        Failure("InvalidForm", message, hint: hint, exit: .data)
    }
}

extension String {
    var trimmingBlanks: String {
        var text = self[...]
        while text.first?.isWhitespace ?? false { text.removeFirst() }
        while text.last?.isWhitespace ?? false { text.removeLast() }
        return String(text)
    }

    /// With `\n` for each of `\r\n` and `\r`: what some editors write.
    fileprivate var replacingLineEnds: String {
        guard utf8.contains(0x0D) else { return self }
        return String(map { $0 == "\r\n" || $0 == "\r" ? "\n" : $0 })
    }
}
