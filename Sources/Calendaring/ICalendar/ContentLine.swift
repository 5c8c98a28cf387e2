/// A property as it stands in a file: `NAME;PARAMETER=VALUE:value` (RFC 5545 section 3.1).
package struct ICalendarProperty: Hashable, Sendable {
    /// Upper case.
    package let name: String
    package let parameters: [Parameter]
    /// As it was written, escapes and all; bytes that are not UTF-8 have become U+FFFD.
    package let value: String
    /// The line of the file where it begins, counted from 1.
    package let line: Int

    package struct Parameter: Hashable, Sendable {
        /// Upper case.
        package let name: String
        /// Without quotes, with the escapes of RFC 6868 undone.
        package let values: [String]

        fileprivate init(known name: String, values: [String]) {
            (self.name, self.values) = (name, values)
        }
    }

    /// The first value of a parameter.
    package func parameter(_ name: String) -> String? {
        parameters.first { $0.name == name }?.values.first
    }

    /// The property as a content line, without folds.
    package let text: String
}

extension ICalendarProperty {
    /// A content line without folds.
    /// - Returns: `nil` when it has no name or no colon.
    package init?(text: String) { self.init(text: text, line: 1) }

    init?(text: String, line: Int) {
        self.init(line: ContentLines.Line(number: line, bytes: Array(text.utf8)))
    }

    /// - Returns: `nil` when the line has no name or no colon.
    init?(line: ContentLines.Line) {
        let bytes = line.bytes[...]
        guard
            let nameEnd = bytes.firstIndex(where: {
                $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ";")
            })
        else { return nil }
        let name = bytes[..<nameEnd].trimmed
        guard !name.isEmpty, name.allSatisfy(Self.isNameByte) else { return nil }
        var (parameters, rest) = ([Parameter](), bytes[nameEnd...])
        if rest.first == UInt8(ascii: ";") {
            (parameters, rest) = Self.parameters(bytes[nameEnd...], quotes: true)
            if rest.isEmpty {
                // A quote that is never closed: then quotes mean nothing in this line.
                (parameters, rest) = Self.parameters(bytes[nameEnd...], quotes: false)
            }
        }
        guard rest.first == UInt8(ascii: ":") else { return nil }
        self.name = name.upperCase
        let value = String(decoding: rest.dropFirst(), as: UTF8.self)
        (self.parameters, self.value) =
            Self.timeBehindZone(self.name, parameters, value) ?? (parameters, value)
        self.line = line.number
        // Whoever looks for a name finds it in upper case; and a line that began with a blank would
        // be a part of the one before it.
        let isPlain = bytes[..<nameEnd].elementsEqual(self.name.utf8)
        text =
            isPlain
            ? String(decoding: bytes, as: UTF8.self)
            : self.name + String(decoding: bytes[nameEnd...], as: UTF8.self)
    }

    private static let times: Set<String> = [
        "DTSTART", "DUE", "DTEND", "RECURRENCE-ID", "RDATE", "EXDATE",
    ]

    /// A TZID with a colon ought to stand in quotes; some programs leave them out. The value is
    /// what is a time behind one of the colons.
    /// - Returns: `nil` when that is not so.
    private static func timeBehindZone(
        _ name: String, _ parameters: [Parameter], _ value: String
    ) -> ([Parameter], String)? {
        guard let place = parameters.firstIndex(where: { $0.name == "TZID" }),
            value.utf8.contains(UInt8(ascii: ":")), times.contains(name), !isTime(value)
        else { return nil }
        var rest = value[...]
        while let colon = rest.firstIndex(of: ":") {
            rest = rest[colon...].dropFirst()
            guard isTime(String(rest)) else { continue }
            let more = value[..<colon].prefix { $0 != ";" }
            let id = parameters[place].values.joined(separator: ",") + ":" + more
            var parameters = parameters
            parameters[place] = Parameter(known: "TZID", values: [id])
            return (parameters, String(rest))
        }
        return nil
    }

    private static func isTime(_ value: String) -> Bool {
        let first = value.prefix { $0 != "," && $0 != "/" }
        return WrittenTime(String(first)) != nil
    }

    /// The parameters, and what follows them.
    private static func parameters(
        _ bytes: ArraySlice<UInt8>, quotes: Bool
    ) -> ([Parameter], ArraySlice<UInt8>) {
        var place = bytes.startIndex
        var parameters: [Parameter] = []
        while place < bytes.endIndex, bytes[place] == UInt8(ascii: ";") {
            place += 1
            if let parameter = takeParameter(bytes, &place, quotes) { parameters.append(parameter) }
        }
        return (parameters, bytes[place...])
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
            UInt8(ascii: "."):
            true
        default: false
        }
    }

    /// One parameter, up to the next `;` or `:` that is not quoted. `nil` when it has no name or
    /// no value.
    private static func takeParameter(
        _ bytes: ArraySlice<UInt8>, _ place: inout Int, _ quotes: Bool
    ) -> Parameter? {
        let name = bytes[place...].prefix {
            $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: ":")
        }
        place = name.endIndex
        guard place < bytes.endIndex, bytes[place] == UInt8(ascii: "=") else { return nil }
        place += 1
        var (values, begin, quoted, wasQuoted) = ([String](), place, false, false)
        func endValue() {
            let value = bytes[begin..<place]
            values.append(
                Parameter.decoded(
                    wasQuoted ? value.filter { $0 != UInt8(ascii: "\"") }[...] : value))
            (begin, wasQuoted) = (place + 1, false)
        }
        loop: while place < bytes.endIndex {
            switch bytes[place] {
            case UInt8(ascii: "\"") where quotes:
                quoted.toggle()
                wasQuoted = true
            case UInt8(ascii: ",") where !quoted: endValue()
            case UInt8(ascii: ";") where !quoted, UInt8(ascii: ":") where !quoted: break loop
            default: break
            }
            place += 1
        }
        endValue()
        return Parameter(name: name, values: values)
    }
}

extension ICalendarProperty.Parameter {
    fileprivate init?(name: ArraySlice<UInt8>, values: [String]) {
        let name = name.trimmed
        guard !name.isEmpty else { return nil }
        (self.name, self.values) = (name.upperCase, values)
    }

    /// Undoes RFC 6868: `^n`, `^'` and `^^`; any other `^` stands for itself.
    fileprivate static func decoded(_ bytes: ArraySlice<UInt8>) -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        guard bytes.contains(UInt8(ascii: "^")) else { return text }
        var result = String.UnicodeScalarView()
        var escaped = false
        for scalar in text.unicodeScalars {
            switch (escaped, scalar) {
            case (false, "^"):
                escaped = true
                continue
            case (true, "n"), (true, "N"): result.append("\n")
            case (true, "'"): result.append("\"")
            case (true, "^"): result.append("^")
            case (true, _): result.append(contentsOf: ["^", scalar])
            case (false, _): result.append(scalar)
            }
            escaped = false
        }
        if escaped { result.append("^") }
        return String(result)
    }
}

extension ArraySlice<UInt8> {
    /// As text in upper case, which most names are in.
    fileprivate var upperCase: String {
        let text = String(decoding: self, as: UTF8.self)
        let isUpper = allSatisfy { $0 < UInt8(ascii: "a") }
        return isUpper ? text : text.uppercased()
    }

    /// Without blanks and tabs at both ends.
    fileprivate var trimmed: ArraySlice<UInt8> {
        func isBlank(_ byte: UInt8) -> Bool {
            byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
        }
        guard let first = firstIndex(where: { !isBlank($0) }),
            let last = lastIndex(where: { !isBlank($0) })
        else { return [] }
        return self[first...last]
    }
}
