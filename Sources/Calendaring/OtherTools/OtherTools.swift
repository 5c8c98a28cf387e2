import RemindCore

/// A program whose own files can be read, besides iCalendar.
package enum OtherTool: String, CaseIterable, Sendable {
    case taskwarrior, calcurse, at
    case todoTxt = "todo.txt"
}

/// Reads the files of another tool: feed it chunks of any size, then
/// `endFile` and `end`. What is broken is
/// reported with its line and the rest comes in.
package protocol OtherToolReader {
    /// What follows is the file of that name, as it is called in the tool's folder.
    mutating func begin(file: String)
    /// Takes the next bytes and hands on what they complete.
    mutating func feed(_ bytes: [UInt8], _ body: (ICalendarOutput) -> Void)
    /// The end of a file; another one may begin.
    mutating func endFile(_ body: (ICalendarOutput) -> Void)
    /// The end of all files, after that of the last one.
    mutating func end(_ body: (ICalendarOutput) -> Void)
}

/// Takes a text line by line.
protocol LineParser {
    mutating func begin(file: String)
    /// - Parameter number: counted from 1 in each file.
    mutating func take(_ line: String, number: Int, _ body: (ICalendarOutput) -> Void)
    mutating func end(_ body: (ICalendarOutput) -> Void)
}

extension LineParser {
    mutating func begin(file: String) {}
    mutating func end(_ body: (ICalendarOutput) -> Void) {}
}

/// Cuts a file into lines (LF or CRLF, with or without a byte order mark) for a parser. Bytes that
/// are no UTF-8 become replacement characters; a line beyond `ICalendarLimits.lineBytes` is refused.
struct LineReader<Parser: LineParser>: OtherToolReader {
    private var parser: Parser
    private var bytes: [UInt8] = []
    private var number = 1
    private var isCut = false

    init(_ parser: Parser) { self.parser = parser }

    mutating func begin(file: String) {
        number = 1
        parser.begin(file: file)
    }

    mutating func feed(_ more: [UInt8], _ body: (ICalendarOutput) -> Void) {
        for byte in more {
            if byte == UInt8(ascii: "\n") {
                emit(body)
                number += 1
            } else if bytes.count < ICalendarLimits.lineBytes {
                bytes.append(byte)
            } else {
                isCut = true
            }
        }
    }

    mutating func endFile(_ body: (ICalendarOutput) -> Void) {
        if !bytes.isEmpty { emit(body) }
    }

    mutating func end(_ body: (ICalendarOutput) -> Void) { parser.end(body) }

    private mutating func emit(_ body: (ICalendarOutput) -> Void) {
        defer { (bytes, isCut) = ([], false) }
        guard !isCut else {
            let reason = "It is longer than \(ICalendarLimits.lineBytes >> 20) MiB."
            return body(
                .problem(ICalendarProblem(line: number, reason: reason, isRefusal: true)))
        }
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        if number == 1, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
        parser.take(String(decoding: bytes, as: UTF8.self), number: number, body)
    }
}

extension OtherTool {
    /// The reader of the tools whose files are lines.
    ///
    /// - Returns: `nil` for taskwarrior, whose tasks come as JSON: ``Taskwarrior``.
    package var lineReader: (any OtherToolReader)? {
        switch self {
        case .taskwarrior: nil
        case .calcurse: LineReader(CalcurseParser())
        case .at: LineReader(AtParser())
        case .todoTxt: LineReader(TodoTxtParser())
        }
    }
}

/// Identities for tasks of a tool that gives none: a hash of what makes a task the same one, with a
/// number from the second of the same kind on.
struct MadeIdentities {
    private let tool: OtherTool
    private var seen: [UInt64: Int] = [:]
    private(set) var count = 0

    init(_ tool: OtherTool) { self.tool = tool }

    /// - Returns: `nil` when there are more than `ICalendarLimits.items`.
    mutating func next(_ parts: [String]) -> String? {
        guard count < ICalendarLimits.items else { return nil }
        count += 1
        let hash = ContentSum.hash(parts.joined(separator: "\0"))
        let place = seen[hash, default: 0] + 1
        seen[hash] = place
        let digits = String(hash, radix: 16)
        return "\(tool.rawValue)-" + String(repeating: "0", count: 16 - digits.count) + digits
            + (place > 1 ? "-\(place)" : "")
    }
}

extension ICalendarItem {
    /// An item of another tool.
    /// - Parameter source: all that is said about it there.
    init(
        _ component: Component = .todo, uid: String, line: Int, title: String, source: [String]
    ) {
        self.init(component: component, uid: uid, line: line)
        summary = title
        self.source = Int64(bitPattern: ContentSum.hash(source.joined(separator: "\0")))
    }

    /// Due then; of a series the first occurrence.
    mutating func setDue(_ deadline: Deadline, rule: String? = nil) {
        if component == .event { start = deadline } else { end = deadline }
        self.deadline = deadline
        recurrence = rule.map { Recurrence(rule: RecurrenceRule(rrule: $0), start: deadline) }
    }
}

/// Recurrence rules as the tools that count in plain units mean them.
enum PlainRule {
    /// - Parameter first: a monthly rule keeps to its day, and to the last one of a shorter month.
    /// - Returns: `nil` when it mixes units, or is not longer than nothing.
    static func rrule(every step: CalendarDuration, first: CivilDate) -> String? {
        switch (step.months, step.days, step.seconds) {
        case (1..., 0, 0) where step.months % 12 == 0 && !(first.month == 2 && first.day == 29):
            return text("YEARLY", Int64(step.months / 12))
        case (1..., 0, 0):
            let rule = text("MONTHLY", Int64(step.months))
            guard first.day > 28 else { return rule }
            let days = (28...first.day).map(String.init).joined(separator: ",")
            return rule + ";BYMONTHDAY=\(days);BYSETPOS=-1"
        case (0, 1..., 0) where step.days % 7 == 0: return text("WEEKLY", Int64(step.days / 7))
        case (0, 1..., 0): return text("DAILY", Int64(step.days))
        case (0, 0, 1...) where step.seconds % 3600 == 0:
            return text("HOURLY", step.seconds / 3600)
        case (0, 0, 60...) where step.seconds % 60 == 0:
            return text("MINUTELY", step.seconds / 60)
        default: return nil
        }
    }

    private static func text(_ frequency: String, _ interval: Int64) -> String {
        "FREQ=\(frequency)" + (interval == 1 ? "" : ";INTERVAL=\(interval)")
    }

    /// `20300501`.
    static func compact(_ date: CivilDate) -> String {
        String(date.iso8601.filter { $0 != "-" })
    }
}
