/// Health in a glance, and a line for a status bar.
extension CommandTable {
    static let status = Command(
        name: "status", otherWords: ["health", "stat"],
        summary: "Show how the daemon is, or a line for a status bar",
        details: [
            "FORMAT is a text with fields: "
                + StatusField.allCases.map { "{\($0.rawValue)}" }.joined(separator: " ") + ".",
            "{next.title|20|json} passes a field on through filters: a number cuts it to that many "
                + "cells; json, pango, tmux and polybar escape what means something there. "
                + "{?ringing}...{:}...{/} shows the first part unless the field is empty or 0, else "
                + "the second. {{ is a brace.",
        ],
        options: [
            Option("format", .value(.format), field: nil, "a line of that form, for a status bar"),
            Option("follow", .flag, field: nil, "such a line again whenever it changes"),
        ],
        examples: [
            "status", "status --json", "status --format \"{open} open{?ringing}, ringing!{/}\"",
        ],
        run: Showing.status)
}
