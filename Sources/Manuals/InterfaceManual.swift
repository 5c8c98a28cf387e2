import RemindAPI

/// org.remindd.Reminders(7), from the interface's text with its comments.
enum InterfaceManual {
    static var text: String {
        var page = Roff(
            RemindersInterface.name, section: 7, volume: "Miscellaneous Information",
            summary: "Varlink interface of the reminder daemon")
        let members = InterfaceMember.all(in: RemindersInterface.description)
        page.section("Description")
        for member in members where member.kind == "interface" { page.prose(member.comment) }
        page.paragraph(
            "The service listens on the Unix socket $XDG_RUNTIME_DIR/remindd.sock and serves its own "
                + "user only. It describes itself: org.varlink.service.GetInterfaceDescription. A "
                + "? marks what may be null or left out, [] an array, and what stands in "
                + "parentheses with commas alone is one of these words.")
        page.paragraph("For example, with the client of Varlink's own tools:")
        page.indented {
            $0.example([
                "varlink call unix:$XDG_RUNTIME_DIR/remindd.sock/org.remindd.Reminders.Next \\",
                "  '{\"limit\":3}'",
            ])
        }
        for (kind, heading) in [("type", "Types"), ("method", "Methods"), ("error", "Errors")] {
            page.section(heading)
            for member in members where member.kind == kind {
                page.subsection(member.name)
                if !member.comment.isEmpty { page.prose(member.comment) }
                page.example(member.lines)
            }
        }
        page.seeAlso([("remindctl", 1), ("remindd", 8)])
        return page.text
    }
}

/// A type, a method or an error of an interface's text; the interface itself too.
struct InterfaceMember {
    let kind: String
    let name: String
    /// What the comment above it says, as prose.
    let comment: String
    /// The definition as it stands.
    let lines: [String]

    /// The members in their order. Definitions end where their parentheses do.
    static func all(in text: String) -> [InterfaceMember] {
        var (members, comment, lines) = ([InterfaceMember](), [Substring](), [Substring]())
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if lines.isEmpty, line.hasPrefix("#") {
                comment.append(line.dropFirst())
                continue
            }
            guard !lines.isEmpty || !line.isEmpty else {
                comment = []
                continue
            }
            lines.append(line)
            if lines.isWhole {
                members.append(InterfaceMember(comment, lines))
                (comment, lines) = ([], [])
            }
        }
        return members
    }

    private init(_ comment: [Substring], _ lines: [Substring]) {
        let words = lines[0].split { " (".contains($0) }
        kind = words.first.map(String.init) ?? ""
        name = words.dropFirst().first.map(String.init) ?? ""
        self.comment = comment.joined(separator: " ")
        self.lines = lines.map(String.init)
    }
}

extension [Substring] {
    /// As many parentheses closed as opened; those in comments do not count.
    fileprivate var isWhole: Bool {
        var depth = 0
        for line in self {
            for character in line.prefix(while: { $0 != "#" }) {
                if character == "(" { depth += 1 }
                if character == ")" { depth -= 1 }
            }
        }
        return depth == 0
    }
}
