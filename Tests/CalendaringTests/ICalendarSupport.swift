import Foundation
import RemindCore
import Synchronization
import Testing

@testable import Calendaring

/// What came out of a file.
struct ReadCalendar {
    var items: [ICalendarItem] = []
    var components: [ICalendarComponent] = []
    var problems: [ICalendarProblem] = []

    /// - Parameter chunk: how many bytes are fed at once.
    init(_ bytes: some Sequence<UInt8>, zone: String = "UTC", chunk: Int = 1 << 20) throws {
        var reader = ICalendarReader(zones: try Machines.machine(zone))
        let bytes = Array(bytes)
        for start in stride(from: 0, to: bytes.count, by: chunk) {
            reader.feed(bytes[start..<min(start + chunk, bytes.count)]) { take($0) }
        }
        reader.finish { take($0) }
    }

    private mutating func take(_ output: ICalendarReader<Machine>.Output) {
        switch output {
        case .item(let item): items.append(item)
        case .component(let component): components.append(component)
        case .problem(let problem): problems.append(problem)
        }
    }

    var refused: [String] { problems.filter(\.isRefusal).map { $0.uid ?? "" } }

    /// The rings of all items after `now`, in UTC, in their order.
    func rings(now: String, zone: String = "UTC", limit: Int = 20) throws -> [String] {
        let schedule = Schedule(zones: try Machines.machine(zone))
        let now = try instant(now)
        let rings = try items.flatMap { try schedule.rings(of: $0, after: now, limit: limit) }
        return rings.map(\.instant).sorted().map { utc($0) }
    }

    func item(_ title: String) throws -> ICalendarItem {
        try #require(items.first { $0.summary == title })
    }
}

/// Kept: each reads the list of zones anew.
private enum Machines {
    private static let known = Mutex<[String: Machine]>([:])

    static func machine(_ zone: String) throws -> Machine {
        if let machine = known.withLock({ $0[zone] }) { return machine }
        let machine = try Machine(zone)
        known.withLock { $0[zone] = machine }
        return machine
    }
}

func utc(_ instant: Instant) -> String {
    String(instant.rfc3339(offset: 0).dropLast(6)) + "Z"
}

/// A calendar with one component, its lines ended by CRLF.
func calendar(_ component: String, _ lines: [String], before: [String] = []) -> [UInt8] {
    let all =
        ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Test//EN"] + before
        + ["BEGIN:\(component)", "UID:one@example.invalid"] + lines
        + ["END:\(component)", "END:VCALENDAR"]
    return Array(all.map { $0 + "\r\n" }.joined().utf8)
}

/// An alarm as lines.
func alarm(_ trigger: String, _ more: [String] = []) -> [String] {
    ["BEGIN:VALARM", "ACTION:DISPLAY", "DESCRIPTION:ping", trigger] + more + ["END:VALARM"]
}

/// The cases of `handout.jsonl` that name a file.
enum Cases {
    static func object(_ id: String) throws -> [String: Any] {
        let text = try String(contentsOf: url("handout.jsonl"), encoding: .utf8)
        for line in text.split(separator: "\n") {
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            if object?["id"] as? String == id { return try #require(object) }
        }
        throw CocoaError(.fileNoSuchFile)
    }

    static func bytes(_ id: String) throws -> [UInt8] {
        Array(try Data(contentsOf: url("ics/handout/\(id).ics")))
    }

    /// `Tests/Cases` serves the tests of several rooms.
    private static func url(_ path: String) -> URL {
        URL(fileURLWithPath: #filePath).appendingPathComponent("../../Cases/" + path).standardized
    }
}
