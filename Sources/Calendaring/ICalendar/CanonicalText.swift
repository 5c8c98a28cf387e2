import RemindCore

/// Writes a component that came in as it goes out: its values byte for byte, but for texts that
/// are not escaped and times that are not written as RFC 5545 wants them, or in a zone that the
/// file alone defines.
struct CanonicalText<Zones: ZoneDatabase> {
    /// Without notes: what is to be said about the times was said when they were read.
    let times: TimeReader<Zones>

    init(zones: FileZones<Zones>, calendar: Int) {
        times = TimeReader(zones: zones, calendar: calendar) { _, _ in }
    }

    /// - Parameter uid: written where the component has none.
    func lines(_ component: Component, uid: String) -> [String] {
        var lines: [String] = []
        lines.reserveCapacity(component.properties.count + 3)
        lines.append("BEGIN:" + component.name)
        if component.first("UID") == nil { lines.append("UID:" + ContentLineWriter.escaped(uid)) }
        for property in component.properties where property.name != ReminderState.name {
            append(property, to: &lines)
        }
        for child in component.children { child.append(to: &lines) }
        lines.append("END:" + component.name)
        return lines
    }

    /// A component that has no meaning here: all as it came, but for times in zones that go by another
    /// name than the system's.
    func kept(_ component: Component) -> [String] {
        var lines = ["BEGIN:" + component.name]
        for property in component.properties where property.name != ReminderState.name {
            lines += keeps(property) ? [property.text] : time(property)
        }
        for child in component.children { lines += kept(child) }
        lines.append("END:" + component.name)
        return lines
    }

    private func keeps(_ property: ICalendarProperty) -> Bool {
        guard let id = property.parameter("TZID"), Self.timed.contains(property.name) else {
            return true
        }
        return times.zones.isName(id) || property.parameter("VALUE")?.uppercased() == "PERIOD"
    }

    private static var timed: [String] {
        ["DTSTART", "DUE", "DTEND", "RECURRENCE-ID", "RDATE", "EXDATE"]
    }

    private func append(_ property: ICalendarProperty, to lines: inout [String]) {
        switch property.name {
        case "SUMMARY", "DESCRIPTION", "UID": lines.append(text(property))
        case "CATEGORIES": lines.append(list(property))
        case "DTSTART", "DUE", "DTEND", "RECURRENCE-ID", "RDATE", "EXDATE":
            if property.value.trimmedASCII.isEmpty { return }
            if isStrict(property) {
                lines.append(property.text)
            } else {
                lines += periods(property) ?? time(property)
            }
        case "RRULE": lines.append(rule(property))
        default: lines.append(property.text)
        }
    }

    /// One that is not understood stays as it came.
    private func rule(_ property: ICalendarProperty) -> String {
        let repaired = RuleRepair.repaired(property, isUniversal: false) { _, _ in }
        guard (try? ParsedRule(repaired)) != nil else { return property.text }
        return "RRULE:" + property.value.tidiedRule.uppercased()
    }

    /// What stands before the colon.
    private func head(_ property: ICalendarProperty) -> Substring {
        property.text.dropLast(property.value.count + 1)
    }

    private func text(_ property: ICalendarProperty) -> String {
        guard property.value.utf8.contains(where: Self.isSpecial) else { return property.text }
        let value = ContentLineWriter.escaped(ICalendarText.decoded(property.value))
        return value == property.value ? property.text : head(property) + ":" + value
    }

    private func list(_ property: ICalendarProperty) -> String {
        guard property.value.utf8.contains(where: Self.isSpecial) else { return property.text }
        let items = ICalendarText.list(property.value).map(ContentLineWriter.escaped)
        return head(property) + ":" + items.joined(separator: ",")
    }

    private static func isSpecial(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\\") || byte == UInt8(ascii: ";") || byte == UInt8(ascii: ",")
            || byte < 32
    }

    private func time(_ property: ICalendarProperty) -> [String] {
        // What cannot be read stays what it is.
        guard let deadlines = try? times.deadlines(property) else { return [property.text] }
        let name = name(property)
        // One line a kind.
        var groups: [(kind: String, deadlines: [Deadline])] = []
        for deadline in deadlines {
            let kind = deadline.kindName
            if let place = groups.firstIndex(where: { $0.kind == kind }) {
                groups[place].deadlines.append(deadline)
            } else {
                groups.append((kind, [deadline]))
            }
        }
        return groups.map { name + ContentLineWriter.times($0.deadlines) }
    }

    /// Each with its end; `nil` when it is no list of periods.
    private func periods(_ property: ICalendarProperty) -> [String]? {
        guard property.name == "RDATE", let periods = try? times.periods(property), !periods.isEmpty
        else { return nil }
        let isPeriod = property.parameter("VALUE")?.uppercased() == "PERIOD"
        if isPeriod, property.parameter("TZID").map(times.zones.isName) ?? true {
            return [property.text]
        }
        return periods.map { name(property) + ContentLineWriter.period($0) }
    }

    /// With the parameters that are not about the kind of time.
    private func name(_ property: ICalendarProperty) -> String {
        let others = property.parameters.filter { $0.name != "TZID" && $0.name != "VALUE" }.map {
            ";" + $0.name + "=" + $0.values.map(ContentLineWriter.quoted).joined(separator: ",")
        }
        return property.name + others.joined()
    }

    /// Whether it stands as it would be written.
    private func isStrict(_ property: ICalendarProperty) -> Bool {
        let value = property.parameter("VALUE")?.uppercased()
        guard value == nil || value == "DATE" || value == "DATE-TIME" else { return false }
        var isUniversal = false
        var rest = property.value.utf8[...]
        while !rest.isEmpty {
            let part = rest.prefix { $0 != UInt8(ascii: ",") }
            rest = rest[part.endIndex...].dropFirst()
            if part.isEmpty { continue }
            var (digits, last) = (0, UInt8(0))
            for byte in part {
                defer { last = byte }
                switch digits {
                case 8: if byte != UInt8(ascii: "T") { return false }
                // 24:00, and a leap second.
                case 10 where last == UInt8(ascii: "2") && byte > UInt8(ascii: "3"): return false
                case 13 where byte > UInt8(ascii: "5"): return false
                case 15: if byte != UInt8(ascii: "Z") { return false }
                default: if !(48...57).contains(byte) { return false }
                }
                digits += 1
            }
            guard digits == 8 && value == "DATE" || (15...16).contains(digits) && value != "DATE"
            else { return false }
            isUniversal = isUniversal || digits == 16
        }
        guard let id = property.parameter("TZID") else { return true }
        return !isUniversal && value != "DATE" && times.zones.isName(id)
    }
}

extension Deadline {
    /// Those of one kind can stand in one property.
    fileprivate var kindName: String {
        switch self {
        case .date: "date"
        case .floating: "floating"
        case .absolute: "absolute"
        case .zoned(_, let zone): zone
        }
    }
}
