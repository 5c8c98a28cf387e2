import Calendaring

/// Reads the files of one import one after the other, whatever they are.
struct ImportReader {
    private let zones: SystemZones
    private var calendar: ICalendarReader<SystemZones>
    private var tool: (any OtherToolReader)?

    /// Components in a file of a vdir folder that are joined to each other, whatever they are.
    private static let itemsOfFile = 64

    /// - Parameter tool: whose files they are; `nil`: calendars.
    init(_ tool: OtherTool?, zones: SystemZones) {
        self.zones = zones
        calendar = ICalendarReader(zones: zones)
        self.tool = tool.map { $0.lineReader ?? TaskwarriorFile(zones: zones) }
    }

    /// The next file; its name is empty when there is but one.
    mutating func begin(file: String) {
        // Those of a folder hold an item each, with its changes.
        calendar = ICalendarReader(zones: zones, holding: file.isEmpty ? 0 : Self.itemsOfFile)
        tool?.begin(file: file)
    }

    mutating func feed(_ bytes: [UInt8], _ body: (ICalendarOutput) -> Void) {
        if tool == nil { calendar.feed(bytes, body) } else { tool?.feed(bytes, body) }
    }

    /// The end of the file, but for what waited for it: that comes out of `drain`.
    mutating func endFile(isLast: Bool, _ body: (ICalendarOutput) -> Void) {
        if tool == nil { return calendar.end(body) }
        tool?.endFile(body)
        if isLast { tool?.end(body) }
    }

    /// After `endFile`: hands on up to `limit` of the items that waited.
    /// - Returns: false when there are no more.
    mutating func drain(_ limit: Int, _ body: (ICalendarOutput) -> Void) -> Bool {
        tool == nil && calendar.drain(limit, body)
    }
}
