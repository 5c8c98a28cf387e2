/// Reads Varlink's interface definition language by recursive descent, one token ahead.
struct InterfaceParser {
    typealias Fault = InterfaceText.Fault
    typealias Kind = InterfaceText.Kind

    private(set) var name = ""
    private(set) var methods: [String: Kind] = [:]
    private(set) var types: [String: Kind] = [:]
    private(set) var errors: [String] = []
    /// The types that fields refer to.
    private(set) var used: Set<String> = []
    private var tokens: [(text: String, line: Int)] = []
    private var at = 0

    init(_ text: String) {
        tokens = Self.tokens(of: text)
    }

    mutating func parse() throws(Fault) {
        try take("interface")
        name = try takeWord()
        while at < tokens.count {
            let keyword = try takeWord()
            switch keyword {
            case "type":
                let name = try declare()
                types[name] = try structureOrEnum()
            case "method":
                let name = try declare()
                methods[name] = try structureOrEnum()
                try take("->")
                _ = try structureOrEnum()
            case "error":
                let name = try declare()
                errors.append(name)
                if peek == "(" { _ = try structureOrEnum() }
            default:
                at -= 1
                throw syntaxFault
            }
        }
    }

    private mutating func declare() throws(Fault) -> String {
        let name = try takeWord()
        if methods[name] != nil || types[name] != nil || errors.contains(name) {
            throw .repeated(name)
        }
        return name
    }

    /// `(a: int, b: string)`, or `(a, b)` for an enum.
    private mutating func structureOrEnum() throws(Fault) -> Kind {
        try take("(")
        var fields: [String: Kind] = [:]
        var isEnum = false
        while peek != ")" {
            let field = try takeWord()
            if fields[field] != nil { throw .repeated(field) }
            isEnum = peek != ":"
            if !isEnum { try take(":") }
            fields[field] = isEnum ? .scalar : try kind()
            if peek != ")" { try take(",") }
        }
        try take(")")
        return isEnum ? .scalar : .structure(fields)
    }

    private mutating func kind() throws(Fault) -> Kind {
        switch peek {
        case "?":
            at += 1
            return try kind()
        case "[]":
            at += 1
            return .array(try kind())
        case "[string]":
            at += 1
            return .map(try kind())
        case "(": return try structureOrEnum()
        default:
            let word = try takeWord()
            if word == "int" { return .int }
            if ["bool", "float", "string", "object"].contains(word) { return .scalar }
            used.insert(word)
            return .named(word)
        }
    }

    private var peek: String { at < tokens.count ? tokens[at].text : "" }

    private var syntaxFault: Fault {
        .syntax(line: at < tokens.count ? tokens[at].line : (tokens.last?.line ?? 1), found: peek)
    }

    private mutating func take(_ text: String) throws(Fault) {
        guard peek == text else { throw syntaxFault }
        at += 1
    }

    private mutating func takeWord() throws(Fault) -> String {
        guard let first = peek.first, first.isLetter else { throw syntaxFault }
        defer { at += 1 }
        return peek
    }

    /// Words, `->`, `[]`, `[string]` and single signs; comments run from `#` to the end of the line.
    private static func tokens(of text: String) -> [(text: String, line: Int)] {
        var tokens: [(text: String, line: Int)] = []
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        for (number, line) in lines.enumerated() {
            var rest = line.prefix { $0 != "#" }
            while let first = rest.first {
                let length: Int
                if first.isWhitespace {
                    rest.removeFirst()
                    continue
                } else if first.isLetter || first.isNumber {
                    length = rest.prefix { $0.isLetter || $0.isNumber || "._-".contains($0) }.count
                } else {
                    length = ["->", "[]", "[string]"].first(where: rest.hasPrefix)?.count ?? 1
                }
                tokens.append((String(rest.prefix(length)), number + 1))
                rest.removeFirst(length)
            }
        }
        return tokens
    }
}
