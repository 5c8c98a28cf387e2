/// The lines of one component that is read as a whole: a to-do, an event, a time zone, or what has no
/// meaning here and is kept.
struct ComponentBlock {
    let name: String
    /// Which VCALENDAR of the file.
    let calendar: Int
    var lines: [ContentLines.Line]
    var byteCount = 0
    /// Larger than `ICalendarLimits.itemBytes`; `lines` holds the beginning.
    var isTooLarge = false
    /// Its END is missing.
    var isUnclosed = false
    /// It stands under METHOD:CANCEL (RFC 5546 section 3.4.5): it is not to be done any more.
    var isCancelled = false

    /// It is neither a to-do nor an event nor a time zone.
    var isForeign = false
}

/// Finds the components in the lines of a file.
struct ComponentScanner {
    private(set) var sawCalendar = false
    private var calendar = 0
    private var isInCalendar = false
    private var open: ComponentBlock?
    /// Components of the same name that are open inside of the one that is open.
    private var inside = 0
    /// The calendar has METHOD:CANCEL.
    private var cancels = false

    private static let known: Set<String> = ["VTODO", "VEVENT", "VTIMEZONE"]
    /// What never stands inside another component: what is open ends here.
    private static let topLevel: Set<String> = [
        "VCALENDAR", "VTODO", "VEVENT", "VTIMEZONE", "VJOURNAL", "VFREEBUSY", "VAVAILABILITY",
        "VPOLL",
    ]
    /// What a poll lets people choose from: none of it is anybody's to-do before it was chosen.
    private static let choices: Set<String> = ["VTODO", "VEVENT", "VJOURNAL", "VFREEBUSY"]

    /// Takes a line; gives the component that it completes.
    mutating func take(_ line: ContentLines.Line) -> ComponentBlock? {
        switch Self.boundary(line) {
        case .begin(let name) where opens(name): return begin(name, line)
        case .end("VCALENDAR"):
            isInCalendar = false
            return finish()
        case .end(let name) where name == open?.name && inside == 0:
            defer { open = nil }
            return open
        case .begin(let name):
            if name == open?.name { inside += 1 }
            add(line)
        case .end(let name):
            if name == open?.name { inside -= 1 }
            add(line)
        case nil: add(line)
        }
        return nil
    }

    mutating func finish() -> ComponentBlock? {
        defer { open = nil }
        open?.isUnclosed = true
        return open
    }

    /// Whether a component of that name begins here, and not a part of the one that is open.
    private func opens(_ name: String) -> Bool {
        if open?.name == "VPOLL", Self.choices.contains(name) { return false }
        if Self.topLevel.contains(name) { return true }
        return open == nil && isInCalendar && (1...100).contains(name.utf8.count)
    }

    private mutating func begin(_ name: String, _ line: ContentLines.Line) -> ComponentBlock? {
        let done = finish()
        if name == "VCALENDAR" {
            (sawCalendar, calendar, cancels, isInCalendar) = (true, calendar + 1, false, true)
            return done
        }
        open = ComponentBlock(name: name, calendar: calendar, lines: [])
        open?.lines.reserveCapacity(24)
        open?.lines.append(line)
        open?.isCancelled = cancels
        open?.isForeign = !Self.known.contains(name)
        inside = 0
        return done
    }

    private mutating func add(_ line: ContentLines.Line) {
        guard open != nil else {
            if let property = ICalendarProperty(line: line), property.name == "METHOD" {
                cancels = property.value.uppercased().trimmedASCII == "CANCEL"
            }
            return
        }
        let size = (open?.byteCount ?? 0) + line.bytes.count
        if size > ICalendarLimits.itemBytes {
            open?.isTooLarge = true
        } else {
            open?.byteCount = size
            open?.lines.append(line)
        }
    }

    private enum Boundary {
        case begin(String)
        case end(String)
    }

    private static func boundary(_ line: ContentLines.Line) -> Boundary? {
        // Most lines are neither, and their first letter says so.
        guard let first = line.bytes.first,
            first | 0x20 == UInt8(ascii: "b")
                || first | 0x20 == UInt8(ascii: "e"), line.bytes.count < 200,
            let property = ICalendarProperty(line: line)
        else { return nil }
        switch property.name {
        case "BEGIN": return .begin(property.componentName)
        case "END": return .end(property.componentName)
        default: return nil
        }
    }
}
