import Calendaring
import RemindCore

/// The reader of calendar files: any bytes in any pieces give the same items, whose rings are in
/// order and within bounds, and which say the same when they are written and read again.
enum ICalendarFuzz {
    private static let zones = SystemZones(environment: ["TZ": "Europe/Berlin"])
    private static let schedule = Schedule(zones: zones)

    /// What came out of a file.
    struct Read: Equatable {
        var items: [ICalendarItem] = []
        var components: [ICalendarComponent] = []
        var problems: [ICalendarProblem] = []

        mutating func take(_ output: ICalendarOutput) {
            switch output {
            case .item(let item): items.append(item)
            case .component(let component): components.append(component)
            case .problem(let problem): problems.append(problem)
            }
        }
    }

    static func run(_ bytes: [UInt8]) throws {
        var steering = Steering(bytes)
        let piece = Int(steering.byte()) + 1
        let file = steering.remainder()
        let whole = read(file, piece: max(1, file.count))
        try require(read(file, piece: piece) == whole, "pieces of \(piece) give something else")
        for item in whole.items.prefix(20) {
            try ring(item)
            try writeAgain(item)
        }
        for component in whole.components.prefix(20) { try writeAgain(component) }
    }

    private static func writeAgain(_ component: ICalendarComponent) throws {
        var bytes: [UInt8] = []
        for line in ["BEGIN:VCALENDAR"] + component.text + ["END:VCALENDAR"] {
            ContentLineWriter.append(line, to: &bytes)
        }
        let again = read(bytes, piece: bytes.count).components
        try require(
            again.count == 1 && again[0].text == component.text
                && again[0].content == component.content && again[0].uid == component.uid,
            "kept: \(component)\nread: \(again)")
    }

    private static func read(_ file: [UInt8], piece: Int) -> Read {
        var (reader, read) = (ICalendarReader(zones: zones), Read())
        for start in stride(from: 0, to: file.count, by: piece) {
            reader.feed(file[start..<min(start + piece, file.count)]) { read.take($0) }
        }
        reader.finish { read.take($0) }
        return read
    }

    private static let moments = [
        Instant.earliest, Instant(seconds: 0), Instant(seconds: 1_714_552_200),
        Instant(seconds: 4_102_444_800), .latest,
    ]

    private static func ring(_ item: ICalendarItem) throws {
        for now in moments {
            guard let rings = try? schedule.rings(of: item, after: now, limit: 20) else { continue }
            let instants = rings.map(\.instant)
            try require(rings.count <= 20, "more rings than were asked for")
            try require(instants == instants.sorted(), "rings out of order")
            try require(Set(instants).count == instants.count, "two rings at an instant")
            try require(
                instants.allSatisfy { $0 > now && $0 <= .latest }, "a ring outside of the bounds")
            // Fewer are the first ones of more.
            let few = try schedule.rings(of: item, after: now, limit: 3)
            try require(
                few.map(\.instant) == Array(instants.prefix(3)),
                "the first three of twenty rings are others than three rings")
        }
    }

    private static func writeAgain(_ item: ICalendarItem) throws {
        var bytes: [UInt8] = []
        ContentLineWriter.append("BEGIN:VCALENDAR", to: &bytes)
        for line in item.text { ContentLineWriter.append(line, to: &bytes) }
        ContentLineWriter.append("END:VCALENDAR", to: &bytes)
        for line in bytes.split(separator: 10) {
            try require(line.count <= 76, "a line of more than 75 octets")
        }
        let text = ([item] + item.overrides).flatMap(\.text).joined(separator: "\n")
        guard let stored = ICalendarReader.item(stored: text, zones: zones) else {
            throw Finding("what is stored of \(item.text) cannot be read")
        }
        try require(essence(stored) == essence(item), "stored: \(stored)\nread: \(item)")
    }

    /// What an item says, wherever in a file it stands.
    private static func essence(_ item: ICalendarItem) -> ICalendarItem {
        var item = item
        item.line = 0
        // These are stored beside the text: an identity that was made of what the file said, too.
        item.own = nil
        if item.uid.hasPrefix("content-") { item.uid = "" }
        // How it is written is not what it says.
        (item.text, item.foreignProperties, item.foreignComponents) = ([], [], [])
        item.recurrence?.additions.sort { "\($0)" < "\($1)" }
        item.alarms = item.alarms.map { alarm in
            var alarm = alarm
            (alarm.line, alarm.text) = (0, [])
            return alarm
        }
        item.overrides = item.overrides.map(essence)
        return item
    }
}
