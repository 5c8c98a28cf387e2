/// A component of a file, read into properties and components inside it.
struct Component: Hashable {
    let name: String
    let line: Int
    var properties: [ICalendarProperty] = []
    var children: [Component] = []

    func first(_ name: String) -> ICalendarProperty? { properties.first { $0.name == name } }

    func all(_ name: String) -> [ICalendarProperty] { properties.filter { $0.name == name } }

    /// As content lines without folds.
    var text: [String] {
        var lines: [String] = []
        append(to: &lines)
        return lines
    }

    /// Appends those lines.
    func append(to lines: inout [String]) {
        lines.append("BEGIN:" + name)
        for property in properties { lines.append(property.text) }
        for child in children { child.append(to: &lines) }
        lines.append("END:" + name)
    }
}

extension Component {
    /// Reads the lines of one component, BEGIN first. Components that are not closed end with
    /// the one around them; an alarm ends where another begins.
    ///
    /// - Parameter note: is told which lines were left out, and why.
    // Long: one pass over the lines, with the stack of open components.
    init(name: String, lines: [ContentLines.Line], note: (Int, String) -> Void) {
        var stack = [Component(name: name, line: lines.first?.number ?? 1)]
        stack[0].properties.reserveCapacity(lines.count)
        func close() {
            let child = stack.removeLast()
            if stack.count < ICalendarLimits.depth {
                stack[stack.count - 1].children.append(child)
            } else {
                note(child.line, "‘\(child.name)’ lies too deep inside other components.")
            }
        }
        func closeUnclosed() {
            if let child = stack.last {
                note(child.line, "‘\(child.name)’ has no ‘END:\(child.name)’.")
            }
            close()
        }
        var broken = BrokenText()
        for line in lines.dropFirst() {
            guard let property = ICalendarProperty(line: line) else {
                let name = broken.take(line)
                let taken = name.map { ": taken as more of ‘\($0)’" } ?? ""
                note(
                    line.number, "‘\(line.excerpt)’ is not a line of the form NAME:VALUE\(taken).")
                continue
            }
            broken.finish(&stack[stack.count - 1].properties)
            if line.isCut {
                note(
                    line.number,
                    "‘\(property.name)’ is longer than \(ICalendarLimits.lineBytes) bytes.")
                continue
            }
            switch property.name {
            case "BEGIN":
                let name = property.componentName
                if name == "VALARM", stack.count > 1, stack.last?.name == name { closeUnclosed() }
                stack.append(Component(name: name, line: line.number))
            case "END":
                guard let place = stack.lastIndex(where: { $0.name == property.componentName })
                else { continue }
                while stack.count > max(place + 1, 1) { closeUnclosed() }
                if stack.count > 1 { close() }
            default:
                stack[stack.count - 1].properties.append(property)
                broken.saw(property, line)
            }
        }
        broken.finish(&stack[stack.count - 1].properties)
        while stack.count > 1 { closeUnclosed() }
        self = stack[0]
    }
}

extension Component {
    /// The component of a block: one that is cancelled says so itself.
    init(_ block: ComponentBlock, lines: [ContentLines.Line], note: (Int, String) -> Void) {
        self.init(name: block.name, lines: lines, note: note)
        if block.isUnclosed, block.name != "VTIMEZONE" {
            note(line, "‘\(name)’ has no ‘END:\(name)’.")
        }
        if block.name != "VTIMEZONE", !block.isForeign { modernize(note) }
        guard block.isCancelled, let status = ICalendarProperty(text: "STATUS:CANCELLED") else {
            return
        }
        properties.removeAll { $0.name == "STATUS" }
        properties.append(status)
    }
}

extension ICalendarProperty {
    /// The component that a BEGIN or an END names.
    var componentName: String { value.uppercased().trimmedASCII }
}

extension String {
    /// Without blanks and tabs at both ends.
    var trimmedASCII: String {
        func isBlank(_ byte: UInt8?) -> Bool { byte == UInt8(ascii: " ") || byte == 9 }
        guard isBlank(utf8.first) || isBlank(utf8.last) else { return self }
        var rest = utf8[...]
        while isBlank(rest.first) { rest.removeFirst() }
        while isBlank(rest.last) { rest.removeLast() }
        return String(Substring(rest))
    }
}

extension ContentLines.Line {
    /// Its beginning, for messages.
    var excerpt: String { String(decoding: bytes.prefix(40), as: UTF8.self) }
}

/// The lines of a component that waits for the end of the file, packed.
struct PackedLines {
    private var bytes: [UInt8] = []

    init(_ lines: [ContentLines.Line]) {
        for line in lines {
            // No line holds a line end or a NUL.
            bytes += Array((line.isCut ? "!" : "").utf8) + Array(String(line.number).utf8) + [0]
            bytes += line.bytes
            bytes.append(UInt8(ascii: "\n"))
        }
    }

    var lines: [ContentLines.Line] {
        bytes.split(separator: UInt8(ascii: "\n")).map { packed in
            let head = packed.prefix { $0 != 0 }
            let isCut = head.first == UInt8(ascii: "!")
            let number = Int(String(decoding: head.drop { $0 == UInt8(ascii: "!") }, as: UTF8.self))
            return ContentLines.Line(
                number: number ?? 0, bytes: Array(packed.dropFirst(head.count + 1)), isCut: isCut)
        }
    }
}
