import Calendaring
import RemindAPI
import RemindCore

/// What `task export` prints: JSON objects, in an array or one after the other.
struct TaskwarriorFile: OtherToolReader {
    private var tasks: Taskwarrior<SystemZones>
    private var objects = JSONObjects(limit: ICalendarLimits.itemBytes)

    init(zones: SystemZones) { tasks = Taskwarrior(zones: zones) }

    mutating func begin(file: String) {}

    mutating func feed(_ bytes: [UInt8], _ body: (ICalendarOutput) -> Void) {
        for byte in bytes {
            if let found = objects.take(byte) { take(found, body) }
        }
    }

    mutating func endFile(_ body: (ICalendarOutput) -> Void) {
        if let found = objects.finish() { take(found, body) }
    }

    mutating func end(_ body: (ICalendarOutput) -> Void) { tasks.end(body) }

    private mutating func take(
        _ found: JSONObjects.Found, _ body: (ICalendarOutput) -> Void
    ) {
        do {
            guard !found.isBroken else { throw JSONReader.Fault(offset: found.bytes.count) }
            tasks.take(try Self.task(found), body)
        } catch {
            let text = String(decoding: found.bytes.prefix(60), as: UTF8.self)
            let reason = "It is not a task as task export writes it: ‘\(text)’."
            body(.problem(ICalendarProblem(refusedAt: found.line, reason: reason)))
        }
    }

    private static let texts: Set<String> = [
        "description", "status", "due", "scheduled", "wait", "until", "end", "entry", "modified",
        "priority", "project", "recur", "parent", "uuid",
    ]

    private static func task(
        _ found: JSONObjects.Found
    ) throws(JSONReader.Fault) -> TaskwarriorTask {
        var task = TaskwarriorTask(line: found.line)
        var json = JSONReader(found.bytes)
        try json.object { name, json throws(JSONReader.Fault) in
            switch name {
            case "tags": task.tags = try json.strings()
            case "annotations":
                try json.array { json throws(JSONReader.Fault) in
                    task.annotations.append(try annotation(&json))
                }
            default: if texts.contains(name) { task.texts[name] = try json.optionalString() }
            }
        }
        return task
    }

    private static func annotation(
        _ json: inout JSONReader
    ) throws(JSONReader.Fault) -> (entry: String, description: String) {
        var (entry, description) = ("", "")
        try json.object { name, json throws(JSONReader.Fault) in
            switch name {
            case "entry": entry = try json.string()
            case "description": description = try json.string()
            default: return
            }
        }
        return (entry, description)
    }
}

/// Cuts a stream into the JSON objects in it. What is broken ends where a line begins with a brace,
/// or at a line end inside a string: the objects behind it are found again.
struct JSONObjects {
    struct Found {
        var line: Int
        var bytes: [UInt8]
        /// Cut off, too long, or no object at all.
        var isBroken = false
    }

    private let limit: Int
    private var open: Found?
    private var depth = 0
    private var isString = false
    private var isEscaped = false
    private var line = 1
    private var isLineStart = true

    init(limit: Int) { self.limit = limit }

    /// - Returns: what the byte completes.
    mutating func take(_ byte: UInt8) -> Found? {
        let wasLineStart = isLineStart
        isLineStart = byte == UInt8(ascii: "\n")
        defer { if isLineStart { line += 1 } }
        guard open != nil else {
            begin(byte)
            return nil
        }
        if wasLineStart, byte == UInt8(ascii: "{") || isBrokenByLine {
            let broken = cut()
            begin(byte)
            return broken
        }
        add(byte)
        if isString { return isLineStart ? cut() : inString(byte) }
        switch byte {
        case UInt8(ascii: "\""): isString = true
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
        default: break
        }
        guard depth == 0, open?.isBroken == false else { return nil }
        defer { open = nil }
        return open
    }

    /// The end of the stream.
    mutating func finish() -> Found? { cut() }

    /// Something that is no object lasts as long as its line.
    private var isBrokenByLine: Bool { depth == 0 }

    private mutating func begin(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "{"): (open, depth) = (Found(line: line, bytes: [byte]), 1)
        case UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: ","), 0x20, 0x09, 0x0A, 0x0D,
            0xEF, 0xBB, 0xBF:
            return
        default: (open, depth) = (Found(line: line, bytes: [byte], isBroken: true), 0)
        }
        (isString, isEscaped) = (false, false)
    }

    private mutating func add(_ byte: UInt8) {
        if open?.bytes.count ?? 0 < limit {
            open?.bytes.append(byte)
        } else {
            open?.isBroken = true
        }
    }

    private mutating func inString(_ byte: UInt8) -> Found? {
        if isEscaped {
            isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
            isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
            isString = false
        }
        return nil
    }

    /// What has begun is given up.
    private mutating func cut() -> Found? {
        defer { (open, depth, isString) = (nil, 0, false) }
        open?.isBroken = true
        return open
    }
}
