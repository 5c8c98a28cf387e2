package import RemindCore

/// What comes out of a file, one after the other.
package enum ICalendarOutput {
    case item(ICalendarItem)
    case problem(ICalendarProblem)
}

/// Reads a stream of iCalendar bytes (RFC 5545) item by item, in memory that does not follow its
/// length: feed it chunks of any size, then `finish`.
///
/// Tolerant: what is broken is reported with its line and the rest comes in. Items that repeat or
/// change an occurrence, and those in zones that are not defined yet, come out at the end, the
/// changes joined to their series; all others as soon as they end. What changes one of those comes
/// out at the end by itself. Not sendable: one owner.
package struct ICalendarReader<Zones: ZoneDatabase> {
    package typealias Output = ICalendarOutput

    private var encoding = InputEncoding()
    private var lines = ContentLines(limit: ICalendarLimits.lineBytes)
    private var scanner = ComponentScanner()
    private var assembler: ItemAssembler<Zones>

    /// - Parameter holding: so many items come out at the end whatever they are, joined to what
    ///   changes them.
    package init(zones: Zones, holding: Int = 0) {
        assembler = ItemAssembler(zones: FileZones(database: zones), holding: holding)
    }

    /// Reads a text that was written here: `ICalendarItem.text`, plans.
    ///
    /// - Returns: its item with what replaces single occurrences; `nil` when there is none.
    @_specialize(where Zones == SystemZones)
    package static func item(stored text: String, zones: Zones) -> ICalendarItem? {
        var reader = ICalendarReader(zones: zones)
        let hasChanges = text.utf8.split(separator: 10).contains {
            $0.starts(with: "RECURRENCE-ID".utf8)
        }
        reader.assembler = ItemAssembler(
            zones: FileZones(database: zones, takesRules: true), holding: hasChanges ? .max : 0)
        var found: ICalendarItem?
        func take(_ output: Output) {
            if case .item(let item) = output { found = found ?? item }
        }
        reader.feed(text.utf8, take)
        reader.finish(take)
        return found
    }

    /// Takes the next bytes and hands on what they complete.
    @_specialize(where Zones == SystemZones, Bytes == [UInt8])
    package mutating func feed<Bytes: Sequence<UInt8>>(
        _ bytes: Bytes, _ body: (Output) -> Void
    ) {
        lines.feed(encoding.decoded(bytes)) { line in
            if let block = scanner.take(line) { assembler.take(block, body) }
        }
    }

    /// The end of the stream.
    package mutating func finish(_ body: (Output) -> Void) {
        end(body)
        while drain(.max, body) {}
    }

    /// The end of the stream, but for what waited for it: that comes out of `drain`.
    @_specialize(where Zones == SystemZones)
    package mutating func end(_ body: (Output) -> Void) {
        lines.feed(encoding.rest()) { line in
            if let block = scanner.take(line) { assembler.take(block, body) }
        }
        lines.finish { line in
            if let block = scanner.take(line) { assembler.take(block, body) }
        }
        if let block = scanner.finish() { assembler.take(block, body) }
        assembler.end(sawCalendar: scanner.sawCalendar, body)
    }

    /// After `end`: hands on up to `limit` of the items that waited.
    /// - Returns: false when there are no more.
    @_specialize(where Zones == SystemZones)
    package mutating func drain(_ limit: Int, _ body: (Output) -> Void) -> Bool {
        assembler.drain(limit, body)
    }
}

/// The lines of one component that is read as a whole: a to-do, an event or a time zone.
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
}

/// Finds the components in the lines of a file.
struct ComponentScanner {
    private(set) var sawCalendar = false
    private var calendar = 0
    private var open: ComponentBlock?
    /// The calendar has METHOD:CANCEL.
    private var cancels = false

    private static let whole: Set<String> = ["VTODO", "VEVENT", "VTIMEZONE"]
    /// What never stands inside another component: what is open ends here.
    private static let topLevel: Set<String> = [
        "VCALENDAR", "VTODO", "VEVENT", "VTIMEZONE", "VJOURNAL", "VFREEBUSY",
    ]

    /// Takes a line; gives the component that it completes.
    mutating func take(_ line: ContentLines.Line) -> ComponentBlock? {
        switch Self.boundary(line) {
        case .begin(let name) where Self.topLevel.contains(name):
            let done = finish()
            if name == "VCALENDAR" {
                (sawCalendar, calendar, cancels) = (true, calendar + 1, false)
            } else if Self.whole.contains(name) {
                open = ComponentBlock(name: name, calendar: calendar, lines: [])
                open?.lines.reserveCapacity(24)
                open?.lines.append(line)
                open?.isCancelled = cancels
            }
            return done
        case .end("VCALENDAR"): return finish()
        case .end(let name) where name == open?.name:
            defer { open = nil }
            return open
        case nil, .begin, .end:
            add(line)
            return nil
        }
    }

    mutating func finish() -> ComponentBlock? {
        defer { open = nil }
        open?.isUnclosed = true
        return open
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
