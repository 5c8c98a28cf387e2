package import RemindCore

/// What comes out of a file, one after the other.
package enum ICalendarOutput {
    case item(ICalendarItem)
    /// What is neither a to-do nor an event.
    case component(ICalendarComponent)
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
