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
        plainItems(text, separator: separator) ?? allItems(text, separator: separator)
    }

    /// The same for most texts, byte by byte.
    /// - Returns: `nil` for a text with control characters, or with a backslash before a letter
    ///   beyond ASCII: there Unicode must be asked.
    // Long: one pass over the bytes.
    private static func plainItems(_ text: String, separator: Unicode.Scalar?) -> [String]? {
        let separator = separator.map { UInt8(ascii: $0) }
        var text = text
        return text.withUTF8 { bytes -> [String]? in
            // 0xC2 begins U+0080 to U+00BF, of which the first half are controls.
            var isWhole = true
            for byte in bytes {
                if byte < 32 && byte != 9 && byte != 10 || byte == 127 || byte == 0xC2 {
                    return nil
                }
                if byte == UInt8(ascii: "\\") || byte == separator { isWhole = false }
            }
            if isWhole { return [String(decoding: bytes, as: UTF8.self)] }
            var (found, current, place) = ([String](), [UInt8](), 0)
            current.reserveCapacity(bytes.count)
            while place < bytes.count {
                let byte = bytes[place]
                place += 1
                if byte == separator {
                    found.append(String(decoding: current, as: UTF8.self))
                    current.removeAll(keepingCapacity: true)
                } else if byte != UInt8(ascii: "\\") {
                    current.append(byte)
                } else if place == bytes.count {
                    current.append(byte)
                } else {
                    let next = bytes[place]
                    if next >= 0x80 { return nil }
                    place += 1
                    let letter = next | 0x20
                    if letter == UInt8(ascii: "n") {
                        current.append(10)
                    } else {
                        if letter >= UInt8(ascii: "a"), letter <= UInt8(ascii: "z") {
                            current.append(byte)
                        }
                        current.append(next)
                    }
                }
            }
            return found + [String(decoding: current, as: UTF8.self)]
        }
    }

    private static func allItems(_ text: String, separator: Unicode.Scalar?) -> [String] {
        var found: [String] = []
        var current = String.UnicodeScalarView()
        var escaped = false
        for scalar in text.unicodeScalars {
            if escaped {
                if scalar.properties.isAlphabetic && scalar != "n" && scalar != "N" {
                    current.append("\\")
                }
                current.append(scalar == "n" || scalar == "N" ? "\n" : allowed(scalar))
                escaped = false
            } else if scalar == "\\" {
                escaped = true
            } else if scalar == separator {
                found.append(String(current))
                current = String.UnicodeScalarView()
            } else {
                current.append(allowed(scalar))
            }
        }
        if escaped { current.append("\\") }
        return found + [String(current)]
    }

    private static func allowed(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        let isAllowed =
            scalar == "\t" || scalar == "\n" || scalar.properties.generalCategory != .control
        return isAllowed ? scalar : "\u{FFFD}"
    }
}
