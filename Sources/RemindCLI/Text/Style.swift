/// Colour by meaning: what the text says never depends on it.
enum Meaning: String {
    /// SGR parameters of ECMA-48.
    case heading = "1"
    case late = "31"
    case ringing = "1;33"
    case important = "33"
    case done = "2;9"
    case faint = "2"
}

/// Whether and how text is coloured.
struct Style: Sendable {
    let isOn: Bool
    /// Whether the output is ASCII: what is measured must be so before.
    let isASCII: Bool

    /// `--color`, else: on a terminal that is not dumb, and without `NO_COLOR` (no-color.org).
    init(option: String?, in surroundings: Surroundings) {
        isASCII = surroundings.isASCII
        switch option {
        case "always": isOn = true
        case "never": isOn = false
        default:
            isOn =
                surroundings.terminal != nil && surroundings.variable("NO_COLOR") == nil
                && surroundings.variable("TERM").map { $0 != "dumb" } ?? false
        }
    }

    /// The text as it will be written.
    func written(_ text: String) -> String { isASCII ? text.ascii : text }

    /// What stands before a text that means this, and behind it.
    func begin(_ meaning: Meaning?) -> String {
        guard isOn, let meaning else { return "" }
        return "\u{1B}[\(meaning.rawValue)m"
    }

    func end(_ meaning: Meaning?) -> String { isOn && meaning != nil ? "\u{1B}[0m" : "" }

    func paint(_ text: String, _ meaning: Meaning?) -> String {
        text.isEmpty ? text : begin(meaning) + text + end(meaning)
    }
}
