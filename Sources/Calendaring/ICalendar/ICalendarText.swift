import RemindCore

/// The TEXT values of RFC 5545 section 3.3.11.
package enum ICalendarText {
    /// Undoes the escapes in one pass from left to right: `\\`, `\;`, `\,`, `\n` and `\N`. A
    /// backslash before a letter, or at the end, stands for itself. Line ends become `\n`;
    /// control characters that texts may not hold become U+FFFD.
    package static func decoded(_ text: String) -> String { items(text, separator: nil)[0] }

    /// A list: cut at each comma that is not escaped, empty ones left out.
    static func list(_ text: String) -> [String] {
        items(text, separator: ",").map { $0.trimmingBlanks() }.filter { !$0.isEmpty }
    }

    private static func items(_ text: String, separator: Unicode.Scalar?) -> [String] {
        var found: [String] = []
        var current = String.UnicodeScalarView()
        var escaped = false
        for scalar in text.unicodeScalars {
            if escaped {
                if scalar.properties.isAlphabetic && scalar != "n" && scalar != "N" {
                    current.append("\\")
                }
                current.append(scalar == "n" || scalar == "N" ? "\n" : scalar)
                escaped = false
            } else if scalar == "\\" {
                escaped = true
            } else if scalar == separator {
                found.append(String(current))
                current = String.UnicodeScalarView()
            } else {
                current.append(isAllowed(scalar) ? scalar : "\u{FFFD}")
            }
        }
        if escaped { current.append("\\") }
        return found + [String(current)]
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\t" || scalar == "\n" || scalar.properties.generalCategory != .control
    }
}
