/// The words of a pop-up as a server with given capabilities gets them.
struct FittedPopup: Equatable {
    var summary: String
    var body: String
    var actions: [PopupAction]
}

/// Makes the text of pop-ups fit for the wire (Desktop Notifications Specification, “Basic Design”
/// and “Markup”).
enum PopupText {
    /// The longest summary, in characters as a person counts them.
    static let summaryLimit = 200
    /// The longest body before it is escaped, without the hint that stands in for buttons.
    static let bodyLimit = 1000
    /// No character may make a text longer than this many bytes for each allowed character.
    static let bytesPerCharacter = 32
    /// What stands in for a summary in which nothing visible is left.
    static let emptySummary = "Reminder"

    /// - Complexity: linear in the length of the texts.
    static func fit(_ popup: Popup, to capabilities: Set<String>) -> FittedPopup {
        let hasActions = capabilities.contains("actions")
        var body = cut(trimmed(plain(popup.body)), to: bodyLimit)
        if !hasActions, let hint = popup.fallbackHint {
            body += (body.isEmpty ? "" : "\n") + plain(hint)
        }
        return FittedPopup(
            summary: summary(popup.summary),
            body: capabilities.contains("body-markup") ? escaped(body) : body,
            actions: hasActions ? popup.actions.map(plainAction) : [])
    }

    /// One line of plain text; line breaks become blanks. The summary never carries markup.
    static func summary(_ text: String) -> String {
        let line = plain(text).map { $0.isNewline ? " " : $0 }
        let cutLine = cut(trimmed(String(line)), to: summaryLimit)
        return cutLine.isEmpty ? emptySummary : cutLine
    }

    /// The text without characters that act on the display instead of being displayed: control
    /// characters but the line break (a tab becomes a blank), and the directional embeddings,
    /// overrides and isolates with which a text could change how its surroundings read.
    static func plain(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        var lastWasReturn = false
        for scalar in text.unicodeScalars {
            defer { lastWasReturn = scalar == "\r" }
            switch scalar.value {
            case 0x0A where lastWasReturn: continue
            case 0x0A, 0x0B, 0x0C, 0x0D, 0x85, 0x2028, 0x2029: result.append("\n")
            case 0x09: result.append(" ")
            case 0x00...0x1F, 0x7F...0x9F: continue
            case 0x202A...0x202E, 0x2066...0x2069: continue
            // No characters, and not allowed in XML: Plasma cuts a body at them.
            case 0xFFFE, 0xFFFF: result.append("\u{FFFD}")
            default: result.append(scalar)
            }
        }
        return String(result)
    }

    /// The text itself, or as many whole characters of it as leave room for ‘…’ within `limit`.
    static func cut(_ text: String, to limit: Int) -> String {
        let byteLimit = limit * bytesPerCharacter
        guard text.utf8.count > limit else { return text }
        var kept = ""
        var bytes = 0
        var end: String?
        for (index, character) in text.enumerated() {
            if index == limit - 1 { end = kept }
            bytes += character.utf8.count
            if index == limit || bytes > byteLimit { return (end ?? kept) + "…" }
            kept.append(character)
        }
        return text
    }

    /// The text for a server that reads the body as markup.
    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private static func plainAction(_ action: PopupAction) -> PopupAction {
        PopupAction(key: plain(action.key), label: summary(action.label))
    }

    private static func trimmed(_ text: String) -> String {
        let isBlank: (Character) -> Bool = { $0.isWhitespace }
        guard let first = text.firstIndex(where: { !isBlank($0) }),
            let last = text.lastIndex(where: { !isBlank($0) })
        else { return "" }
        return String(text[first...last])
    }
}
