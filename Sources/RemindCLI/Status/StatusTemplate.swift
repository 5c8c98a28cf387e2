import RemindCore

/// A line with fields in it, for a status bar: `{ringing} {next.title|20|json}`.
///
/// `{name}` is a field. `{name|filter|…}` passes it on through filters: a number cuts it to that many
/// cells, and `json`, `pango`, `tmux` and `polybar` escape what means something there.
/// `{?name}…{:}…{/}` shows the first part when the field has a value other than 0, else the second,
/// which may be left out. `{{` is a brace; a brace before anything but a letter, `?`, `:` and `/`
/// stands for itself, as it does in JSON.
struct StatusTemplate: Equatable {
    enum Filter: Equatable {
        case cut(Int)
        case json, pango, tmux, polybar
    }

    indirect enum Part: Equatable {
        case text(String)
        case field(StatusField, [Filter])
        case choice(StatusField, [Part], [Part])
    }

    private(set) var parts: [Part] = []
    /// All fields that are named.
    private(set) var fields: Set<StatusField> = []

    static let usual =
        "{open} open{?ringing}, {ringing} ringing{/}{?overdue}, {overdue} overdue{/}"
        + "{?next.title}; next: {next.title|40} {next.time}{/}{?paused}; paused{/}"

    /// - Throws: what is no field, no filter or no choice, with its place.
    init(_ text: String) throws(Failure) {
        var reader = Reader(text: text)
        parts = try reader.parts(inChoice: false).parts
        fields = reader.fields
    }

    /// The line for these values; a field without one is an empty text.
    func line(_ values: [StatusField: String]) -> String { Self.line(parts, values) }

    private static func line(_ parts: [Part], _ values: [StatusField: String]) -> String {
        parts.map { part in
            switch part {
            case .text(let text): text
            case .field(let field, let filters):
                filters.reduce(values[field] ?? "") { $1.apply($0) }
            case .choice(let field, let yes, let no):
                line(["", "0"].contains(values[field] ?? "") ? no : yes, values)
            }
        }.joined()
    }
}

extension StatusTemplate.Filter {
    init?(_ name: String) {
        switch name {
        case "json": self = .json
        case "pango": self = .pango
        case "tmux": self = .tmux
        case "polybar": self = .polybar
        default:
            guard let cells = Int(name), cells > 0 else { return nil }
            self = .cut(cells)
        }
    }

    func apply(_ text: String) -> String {
        switch self {
        case .cut(let cells): text.cut(toCells: cells)
        // The values are single lines without control characters.
        case .json: text.escaping(["\"": "\\\"", "\\": "\\\\"])
        case .pango:
            text.escaping(["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&#39;"])
        case .tmux: text.escaping(["#": "##"])
        case .polybar: text.escaping(["%": "%%"])
        }
    }
}

extension String {
    fileprivate func escaping(_ escapes: [Character: String]) -> String {
        guard contains(where: { escapes[$0] != nil }) else { return self }
        return map { escapes[$0] ?? String($0) }.joined()
    }
}

extension StatusTemplate {
    /// Reads a template from its beginning to its end.
    private struct Reader {
        let text: String
        private var rest: Substring
        var fields: Set<StatusField> = []

        private var depth = 0
        /// Choices within choices; each takes some of the stack.
        private static let deepest = 32

        init(text: String) { (self.text, rest) = (text, text[...]) }

        /// - Parameter inChoice: whether `{:}` and `{/}` have a meaning.
        mutating func parts(inChoice: Bool) throws(Failure) -> (parts: [Part], end: Bool) {
            depth += 1
            defer { depth -= 1 }
            guard depth <= Self.deepest else {
                throw failure("{?…}", "stands within more than \(Self.deepest) others", nil)
            }
            var (parts, text) = ([Part](), "")
            while let character = rest.popFirst() {
                guard character == "{", let next = rest.first,
                    "{?:/".contains(next) || next.isLetter
                else {
                    text.append(character)
                    continue
                }
                if next == "{" {
                    rest.removeFirst()
                    text.append("{")
                    continue
                }
                if !text.isEmpty { parts.append(.text(text)) }
                text = ""
                let word = try word()
                switch word {
                case ":" where inChoice: return (parts, false)
                case "/" where inChoice: return (parts, true)
                case ":", "/": throw failure("{\(word)}", "has no {?field} before it", nil)
                case _ where word.hasPrefix("?"):
                    parts.append(try choice(field(String(word.dropFirst()), in: word)))
                default: parts.append(try field(word: word))
                }
            }
            if inChoice { throw failure("{?…}", "has no {/} behind it", nil) }
            if !text.isEmpty { parts.append(.text(text)) }
            return (parts, true)
        }

        private mutating func choice(_ field: StatusField) throws(Failure) -> Part {
            let yes = try parts(inChoice: true)
            if yes.end { return .choice(field, yes.parts, []) }
            let no = try parts(inChoice: true)
            guard no.end else { throw failure("{:}", "stands there twice", nil) }
            return .choice(field, yes.parts, no.parts)
        }

        private mutating func word() throws(Failure) -> String {
            guard let end = rest.firstIndex(of: "}") else {
                throw failure("{" + rest.prefix(20), "has no } behind it", nil)
            }
            defer { rest = rest[rest.index(after: end)...] }
            return String(rest[..<end])
        }

        private mutating func field(word: String) throws(Failure) -> Part {
            let names = word.split(separator: "|", omittingEmptySubsequences: false)
                .map(String.init)
            var filters: [Filter] = []
            for name in names.dropFirst() {
                guard let filter = Filter(name) else {
                    throw failure(
                        "{\(word)}", "has no filter ‘\(name)’",
                        "A filter is a number of cells, json, pango, tmux or polybar.")
                }
                filters.append(filter)
            }
            return .field(try field(names[0], in: word), filters)
        }

        private mutating func field(
            _ name: String, in word: String
        ) throws(Failure) -> StatusField {
            guard let field = StatusField(rawValue: name) else {
                let near = Nearest.match(name, among: StatusField.allCases.map(\.rawValue))
                let all = StatusField.allCases.map(\.rawValue).joined(separator: " ")
                throw failure(
                    "{\(word)}", "is no field",
                    near.map { "Did you mean {\($0)}?" } ?? "Fields: \(all)")
            }
            fields.insert(field)
            return field
        }

        private func failure(_ place: String, _ what: String, _ hint: String?) -> Failure {
            .input(
                "In the format, ‘\(place)’ \(what).",
                hint: hint ?? "remindctl status --format \"{open} open\"")
        }
    }
}
