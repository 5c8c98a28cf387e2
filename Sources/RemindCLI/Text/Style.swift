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

    func paint(_ text: String, _ meaning: Meaning?) -> String {
        guard isOn, let meaning, !text.isEmpty else { return text }
        return "\u{1B}[\(meaning.rawValue)m\(text)\u{1B}[0m"
    }
}
