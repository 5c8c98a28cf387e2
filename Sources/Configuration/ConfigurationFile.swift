package import RemindCore

/// Reads `remindd.conf`: a text in, settings or faults out.
///
/// The syntax is that of systemd's and the desktop's files, read by GLib's `GKeyFile`. It is a room
/// of its own, beside `Calendaring`, which has GLib for its time zones: the two use different parts
/// of GLib and do not know each other.
package enum ConfigurationFile {
    /// What a file says.
    package struct Outcome: Sendable {
        /// The defaults, with what the file sets; where a value is at fault, its default.
        package var settings: Settings
        /// In the order of their lines; empty when the file is valid.
        package var faults: [Fault]
        fileprivate var places: [TextLines.Place] = []

        /// The line that sets a key, from 1; `nil` when none does.
        package func line(of key: String, in group: String) -> Int? {
            places.first { $0.group == group && $0.key == key }?.line
        }
    }

    /// Something in the file that is not right.
    package struct Fault: Error, Hashable, Sendable {
        /// From 1; `nil` when it is about the file as a whole.
        package var line: Int?
        /// One English sentence that names the value in ‘quotes’, and what is allowed instead.
        package var message: String

        /// What would move the cursor of a terminal does not get there.
        package init(line: Int?, message: String) {
            self.line = line
            self.message = String(
                message.unicodeScalars.map {
                    $0.properties.generalCategory == .control ? "?" : Character($0)
                })
        }

        /// `…/remindd.conf:7: …`, as compilers write it.
        package func text(path: String) -> String {
            "\(path):\(line.map { "\($0):" } ?? "") \(message)"
        }
    }

    /// Bytes of a file, at most.
    package static let sizeLimit = 65_536
    /// Faults of the syntax that are told, at most: a file full of them is another file.
    static let syntaxFaultLimit = 20

    /// Reads the whole of a file's text. About linear in its length.
    package static func read(_ bytes: [UInt8]) -> Outcome {
        if let fault = unreadable(bytes) { return Outcome(settings: Settings(), faults: [fault]) }
        let (file, lines, faults) = parse(TextLines(bytes))
        var reading = Reading(file: file, lines: lines, faults: faults)
        reading.readAll()
        return Outcome(
            settings: reading.draft.settings,
            faults: reading.faults.sorted { ($0.line ?? 0) < ($1.line ?? 0) },
            places: lines.places)
    }

    /// What would not come through GLib, or not whole.
    private static func unreadable(_ bytes: [UInt8]) -> Fault? {
        guard bytes.count <= sizeLimit else {
            return Fault(line: nil, message: "The file is longer than \(sizeLimit) bytes.")
        }
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            if line.contains(0) || String(validating: line, as: UTF8.self) == nil {
                return Fault(line: index + 1, message: "The line is not a text in UTF-8.")
            }
        }
        return nil
    }

    /// Lines that are not understood are taken out, so that the rest is checked too.
    private static func parse(_ text: TextLines) -> (KeyFile, TextLines, [Fault]) {
        var (text, faults) = (text, [Fault]())
        while true {
            if let file = KeyFile(text.joined()) { return (file, text, faults) }
            let line = text.firstFaultyLine { KeyFile($0) != nil }
            faults.append(Fault(line: line, message: syntaxFault(text.lines[line - 1])))
            guard faults.count < syntaxFaultLimit else { return (KeyFile(), text, faults) }
            text.lines[line - 1] = ""
        }
    }

    private static func syntaxFault(_ line: String) -> String {
        let isKey = TextLines.key(of: line) != nil
        return "‘\(shortened(line))’ "
            + (isKey
                ? "stands before the first group: put [Reminders] or another group above it."
                : "is no line of the form Key=value, [Group] or # comment.")
    }

    /// Long values are cut: a message must stay one that is read.
    static func shortened(_ text: String) -> String {
        let line = TextLines.trimmed(text)
        return line.count > 60 ? line.prefix(59) + "…" : line
    }
}
