/// What texts a reminder may carry.
package struct TextError: Error, Hashable, Sendable {
    /// An English sentence that names the value.
    package let message: String
    package let hint: String

    init(_ message: String, hint: String) { (self.message, self.hint) = (message, hint) }
}

package enum TextRules {
    /// A title: one line, not blank, without blanks around it.
    /// - Throws: `TextError` when it is blank, too long or holds a control character.
    package static func title(_ text: String) throws(TextError) -> String {
        let trimmed = text.trimmingBlanks()
        guard trimmed.unicodeScalars.contains(where: isVisible) else {
            throw TextError(
                "The title is empty.", hint: "Say what to remind you of: remindctl add Pay rent")
        }
        try checkLength(trimmed, limit: Limits.title, of: "title")
        try checkControls(trimmed, of: "title", allowed: [])
        return trimmed
    }

    /// A note: any lines, each ended by a line feed, as calendar files know no other end (RFC 5545
    /// section 3.3.11); `nil` when it is blank.
    package static func note(_ text: String) throws(TextError) -> String? {
        let trimmed = text.endingLinesByLineFeeds().trimmingBlanks()
        try checkLength(trimmed, limit: Limits.note, of: "note")
        try checkControls(trimmed, of: "note", allowed: ["\n", "\t"])
        return trimmed.isEmpty ? nil : trimmed
    }

    /// The name of a list or a tag: a title without `,`; a tag has no blanks inside either, for tags
    /// are written one behind the other.
    package static func name(_ text: String, of what: String) throws(TextError) -> String {
        let trimmed = text.trimmingBlanks()
        guard !trimmed.isEmpty else {
            throw TextError("The \(what) is empty.", hint: "Give it a name.")
        }
        try checkLength(trimmed, limit: Limits.tag, of: what)
        if trimmed.utf8.allSatisfy({ (33...126).contains($0) && $0 != UInt8(ascii: ",") }) {
            return trimmed
        }
        try checkControls(trimmed, of: what, allowed: [])
        let mayHoldBlanks = what == "list"
        if let bad = trimmed.unicodeScalars.first(where: {
            $0 == "," || !mayHoldBlanks && $0.properties.isWhitespace
        }) {
            throw TextError(
                "The \(what) ‘\(trimmed)’ holds \(bad == "," ? "a comma" : "a blank").",
                hint: mayHoldBlanks
                    ? "Give a name without commas." : "Give a name without blanks and commas.")
        }
        return trimmed
    }

    /// Whether it leaves a mark: neither blank nor a mere instruction to the display.
    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        let properties = scalar.properties
        return !properties.isWhitespace && !properties.isDefaultIgnorableCodePoint
            && properties.generalCategory != .format && properties.generalCategory != .control
            // BRAILLE PATTERN BLANK: a sign to Unicode, nothing to the eye.
            && scalar != "\u{2800}"
    }

    private static func checkLength(_ text: String, limit: Int, of what: String) throws(TextError) {
        // The UTF-8 length bounds the number of characters from above and is known at once.
        guard text.utf8.count > limit else { return }
        let count = text.unicodeScalars.count
        guard count > limit else { return }
        throw TextError(
            "The \(what) has \(count) characters; the limit is \(limit).",
            hint: what == "title" ? "Put the rest into the note: --note" : "Make it shorter.")
    }

    private static func checkControls(
        _ text: String, of what: String, allowed: Set<Unicode.Scalar>
    ) throws(TextError) {
        if text.utf8.allSatisfy({ (32...126).contains($0) }) { return }
        let found = text.unicodeScalars.first {
            $0.properties.generalCategory == .control && !allowed.contains($0)
        }
        guard let found else { return }
        throw TextError(
            "The \(what) holds the control character \(name(of: found)).", hint: "Leave it out.")
    }

    /// `U+0007 (BEL)`.
    private static func name(of control: Unicode.Scalar) -> String {
        let hex = String(control.value, radix: 16, uppercase: true)
        let code = "U+" + String(repeating: "0", count: max(0, 4 - hex.count)) + hex
        let index = Int(control.value)
        return abbreviations.indices.contains(index) ? "\(code) (\(abbreviations[index]))" : code
    }

    /// ASCII's own names of U+0000 to U+001F (ISO 646); Swift's Unicode tables have none.
    private static let abbreviations = [
        "NUL", "SOH", "STX", "ETX", "EOT", "ENQ", "ACK", "BEL", "BS", "HT", "LF", "VT", "FF", "CR",
        "SO", "SI", "DLE", "DC1", "DC2", "DC3", "DC4", "NAK", "SYN", "ETB", "CAN", "EM", "SUB",
        "ESC", "FS", "GS", "RS", "US",
    ]
}

extension String {
    /// With LF in the place of CRLF and of a lone CR.
    fileprivate func endingLinesByLineFeeds() -> String {
        guard utf8.contains(UInt8(ascii: "\r")) else { return self }
        return String(map { $0 == "\r\n" || $0 == "\r" ? "\n" : $0 })
    }

    /// Without the white space (Unicode's) at both ends.
    package func trimmingBlanks() -> String {
        // White space of ASCII is no greater than a blank.
        if let first = utf8.first, let last = utf8.last, (33...126).contains(first),
            (33...126).contains(last)
        {
            return self
        }
        let scalars = unicodeScalars
        guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { return "" }
        return String(scalars[first...last])
    }
}
