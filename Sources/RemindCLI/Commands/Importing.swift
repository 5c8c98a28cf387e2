import Glibc
import RemindAPI

/// `import`.
enum Importing {
    /// The file goes to the daemon in pieces, and what each completes is printed at once: neither
    /// program holds all of it.
    @Sendable static func run(_ session: Session) throws(Failure) -> ExitStatus {
        let path = session.arguments.operands.first ?? "-"
        guard session.arguments.has("dry-run") else {
            throw .usage(
                "‘import’ shows what is in a file, but does not store it yet.",
                hint: "remindctl import --dry-run \(path)")
        }
        var file = try PiecewiseFile(path, input: session.surroundings.inputDescriptor)
        var report = ImportReport()
        var piece = try file.next()
        repeat {
            let following = try piece.isEmpty ? [] : file.next()
            try send(piece, isLast: following.isEmpty, session, &report)
            piece = following
        } while !piece.isEmpty
        if !session.json { try session.output.write(report.summary) }
        try session.output.flush()
        for failure in report.failures {
            try session.errors.write(failure.text(json: session.json))
        }
        return report.exit
    }

    private static func send(
        _ piece: [UInt8], isLast: Bool, _ session: Session, _ report: inout ImportReport
    ) throws(Failure) {
        var read = report
        try session.callMore(Import.self, patient: true) { json throws(Failure) in
            json.field("base64", Base64.encoded(piece))
            if let id = read.session { json.field("session", id) }
            if !isLast { json.field("continues", true) }
            try session.writeOptions(to: &json)
        } each: { bytes throws(Failure) in
            for item in try read.take(bytes) {
                if session.json {
                    try session.output.writeLine(json: item)
                } else {
                    try session.output.write(try ImportReport.text(of: item, session))
                }
            }
        }
        report = read
    }
}

/// What a file gave.
struct ImportReport {
    /// The daemon's name for the file.
    private(set) var session: String?
    private(set) var failures: [Failure] = []
    private var count = 0
    private var refused = 0

    /// No more failures than this are told one by one.
    private static let failureLimit = 1000

    /// Reads a reply.
    /// - Returns: its items, as the daemon wrote them.
    mutating func take(_ bytes: [UInt8]) throws(Failure) -> [ArraySlice<UInt8>] {
        var (items, problems): ([ArraySlice<UInt8>], [Import.Problem]) = ([], [])
        var (id, isWhole): (String?, Bool) = (nil, false)
        var json = JSONReader(bytes)
        do {
            try json.object { name, json throws(JSONReader.Fault) in
                switch name {
                case "session": id = try json.optionalString()
                case "items":
                    isWhole = true
                    try json.array { json throws(JSONReader.Fault) in items.append(try json.raw()) }
                case "problems":
                    try json.array { json throws(JSONReader.Fault) in
                        problems.append(try Import.Problem(reading: &json))
                    }
                default: return
                }
            }
        } catch {
            throw .malformedJSON(error)
        }
        guard isWhole else { throw .lacking("items") }
        session = id ?? session
        count += items.count
        for problem in problems { add(problem) }
        return items
    }

    private mutating func add(_ problem: Import.Problem) {
        if problem.refused { refused += 1 }
        guard failures.count < Self.failureLimit else { return }
        let item = problem.uid.map { ", UID ‘\($0)’" } ?? ""
        var parameters = JSONWriter()
        parameters.object { json in
            json.field("line", Int64(problem.line))
            json.field("uid", problem.uid)
        }
        failures.append(
            Failure(
                problem.refused ? "InvalidItem" : "InvalidPart",
                "Line \(problem.line)\(item): \(problem.message)", parameters: parameters.bytes,
                exit: .data))
    }

    /// 65 when nothing came in and something was refused, 1 when a part was refused.
    var exit: ExitStatus { refused == 0 ? .done : count == 0 ? .data : .partly }

    var summary: String {
        let items = count == 1 ? "1 item" : "\(count) items"
        return "\(items)\(refused > 0 ? ", \(refused) refused" : ""); nothing was stored.\n"
    }

    /// An item with its rings, for people.
    static func text(of bytes: ArraySlice<UInt8>, _ session: Session) throws(Failure) -> String {
        var json = JSONReader(Array(bytes))
        let item: Import.Item
        do { item = try Import.Item(reading: &json) } catch { throw .malformedJSON(error) }
        func words(_ text: String) -> String {
            Moment(text, dateOffset: 0)?.full ?? text.singleLine
        }
        var text = item.title.singleLine
        if let due = item.due { text += " — " + words(due) }
        if let zone = item.timeZone { text += " " + zone.singleLine }
        if item.state == "done" { text += " (done)" }
        text += "\n"
        if let rule = item.rule { text += "  repeats \(RuleWords.words(for: rule))\n" }
        for ring in item.rings { text += "  rings \(words(ring))\n" }
        for note in item.notes { text += "  note: \(note.singleLine)\n" }
        return text
    }
}

/// A file or stdin, read in the pieces in which it is sent.
struct PiecewiseFile: ~Copyable {
    private let fd: Int32
    private let path: String

    /// - Parameters:
    ///   - path: `-` is stdin.
    ///   - input: the descriptor of stdin.
    /// - Throws: exit 66 when there is no such file or it cannot be opened.
    init(_ path: String, input: Int32) throws(Failure) {
        self.path = path
        guard path != "-" else {
            fd = dup(input)
            return
        }
        fd = open(path, O_RDONLY | O_CLOEXEC)
        guard fd >= 0 else {
            throw Failure(
                "CannotRead", "‘\(path)’ cannot be opened: \(String(cString: strerror(errno))).",
                hint: "Give the path of a calendar file, or - for stdin.", exit: .noInput)
        }
    }

    deinit { close(fd) }

    /// The next piece; empty at the end.
    mutating func next() throws(Failure) -> [UInt8] {
        var piece = [UInt8](repeating: 0, count: Import.pieceBytes)
        var filled = 0
        while filled < piece.count {
            let wanted = piece.count - filled
            let count = piece.withUnsafeMutableBytes { bytes in
                read(fd, bytes.baseAddress.map { $0 + filled }, wanted)
            }
            if count == 0 { break }
            if count > 0 {
                filled += count
            } else if errno != EINTR {
                throw Failure(
                    "ReadFailed",
                    "‘\(path)’ cannot be read: \(String(cString: strerror(errno))).",
                    exit: .inputOutput)
            }
        }
        piece.removeLast(piece.count - filled)
        return piece
    }
}
