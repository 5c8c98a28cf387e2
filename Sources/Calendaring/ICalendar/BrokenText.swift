/// A text whose further lines some programs write without the blank that would make them a part of it:
/// they are put behind it, each as a line of its own.
struct BrokenText {
    private static let names: Set<String> = ["SUMMARY", "DESCRIPTION", "LOCATION", "COMMENT"]

    /// The text that was seen last, unless something else came behind it.
    private var name: String?
    private var line = ContentLines.Line(number: 0, bytes: [])
    private var isLonger = false

    /// Remembers a property, the last of its component.
    mutating func saw(_ property: ICalendarProperty, _ line: ContentLines.Line) {
        guard Self.names.contains(property.name) else { return }
        (name, self.line) = (property.name, line)
    }

    /// - Returns: the text that a line which is no property is a part of; `nil`: there is none.
    mutating func take(_ more: ContentLines.Line) -> String? {
        guard let name, line.bytes.count + more.bytes.count < ICalendarLimits.lineBytes else {
            return nil
        }
        line.bytes += Array("\\n".utf8) + more.bytes
        isLonger = true
        return name
    }

    /// Puts the whole text in the place of the last property, which is where it began.
    mutating func finish(_ properties: inout [ICalendarProperty]) {
        guard name != nil else { return }
        if isLonger, let whole = ICalendarProperty(line: line), !properties.isEmpty {
            properties[properties.count - 1] = whole
        }
        (name, isLonger) = (nil, false)
    }
}
