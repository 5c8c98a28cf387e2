import Glibc
import RemindAPI
import RemindCore

/// `import`.
enum Importing {
    /// The file goes to the daemon in pieces, and what comes of it is printed as it is told: neither
    /// program holds all of it.
    @Sendable static func run(_ session: Session) throws(Failure) -> ExitStatus {
        let path = session.arguments.operands.first ?? "-"
        var report = ImportReport(isDryRun: session.arguments.has("dry-run"))
        if CalendarFolder.isFolder(path) {
            try importFolder(path, session, &report)
        } else {
            try importFile(path, session, &report)
        }
        try report.progress.clear(on: session)
        if !session.json { try session.output.write(report.summary) }
        try session.output.flush()
        for failure in report.failures {
            try session.errors.write(failure.text(json: session.json))
        }
        return report.exit
    }

    private static func importFile(
        _ path: String, _ session: Session, _ report: inout ImportReport
    ) throws(Failure) {
        var file = try PiecewiseFile(path, input: session.surroundings.inputDescriptor)
        var piece = try file.next()
        repeat {
            let following = try piece.isEmpty ? [] : file.next()
            try send(piece, isLast: following.isEmpty, session, &report)
            piece = following
        } while !piece.isEmpty
    }

    /// All files of a folder are one import.
    private static func importFolder(
        _ path: String, _ session: Session, _ report: inout ImportReport
    ) throws(Failure) {
        let folder = try CalendarFolder(path)
        if let tool = session.arguments.value("from") {
            guard tool == "calcurse" else {
                throw .usage(
                    "‘\(path)’ is a folder; of \(tool) a file is read.",
                    hint: "remindctl import --from \(tool) \(path)/FILE")
            }
            let names = try folder.calcurseNames()
            return try send(names, of: folder, session, &report)
        }
        guard !report.isDryRun else {
            throw .usage(
                "A dry run reads one file, and ‘\(path)’ is a folder.",
                hint: "remindctl import --dry-run \(path)/FILE.ics")
        }
        let (names, others) = try folder.names()
        report.leaveOut(others, of: path)
        guard !names.isEmpty else {
            throw Failure(
                "CannotRead", "The folder ‘\(path)’ holds no .ics file.",
                hint: "Give the folder that the .ics files are in.", exit: .noInput)
        }
        try send(names, of: folder, session, &report)
    }

    private static func send(
        _ names: [String], of folder: CalendarFolder, _ session: Session,
        _ report: inout ImportReport
    ) throws(Failure) {
        for name in names {
            var file = try PiecewiseFile(folder.path + "/" + name, input: -1)
            var piece = try file.next()
            repeat {
                let following = try piece.isEmpty ? [] : file.next()
                try send(
                    piece, isLast: following.isEmpty && name == names.last, session, &report,
                    of: (folder.path, name))
                piece = following
            } while !piece.isEmpty
        }
    }

    private static func send(
        _ piece: [UInt8], isLast: Bool, _ session: Session, _ report: inout ImportReport,
        of file: (folder: String, name: String)? = nil
    ) throws(Failure) {
        var read = report
        try session.callMore(Import.self, patient: true) { json throws(Failure) in
            json.field("base64", Base64.encoded(piece))
            if let id = read.session { json.field("session", id) }
            if !isLast { json.field("continues", true) }
            if session.json, !read.isDryRun { json.field("details", true) }
            if let file {
                json.field("folder", file.folder)
                json.field("file", file.name)
            }
            try session.writeOptions(to: &json)
        } each: { bytes throws(Failure) in
            for item in try read.take(bytes) {
                if session.json {
                    try session.output.writeLine(json: item)
                } else {
                    try session.output.write(try ImportReport.text(of: item, session))
                }
            }
            try read.progress.show(on: session)
        }
        report = read
    }
}

/// What a file gave.
struct ImportReport {
    /// The daemon's name for the file.
    private(set) var session: String?
    private(set) var failures: [Failure] = []
    let isDryRun: Bool
    var progress = ImportProgress()
    private var count = 0
    private var refused = 0
    private var (added, changed, unchanged) = (0, 0, 0)

    init(isDryRun: Bool) { self.isDryRun = isDryRun }

    /// What of a folder cannot be read.
    mutating func leaveOut(_ names: [String], of folder: String) {
        refused += names.count
        failures += names.map {
            Failure(
                "CannotRead", "‘\(folder)/\($0)’ is no file that can be read, and was left out.",
                exit: .noInput)
        }
    }

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
                case "outcomes":
                    if !json.null() {
                        try json.array { json throws(JSONReader.Fault) in
                            items.append(try json.raw())
                        }
                    }
                case "added": added += try json.number()
                case "changed": changed += try json.number()
                case "unchanged": unchanged += try json.number()
                case "read": progress.read = try json.number()
                case "total": progress.total = try json.number()
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
                problem.refused
                    ? "InvalidItem" : problem.conflict == true ? "Conflict" : "InvalidPart",
                "Line \(problem.line)\(item): \(problem.message)", parameters: parameters.bytes,
                exit: .data))
    }

    /// 65 when nothing came in and something was refused, 1 when a part was refused.
    var exit: ExitStatus {
        let taken = isDryRun ? count : added + changed + unchanged
        return refused == 0 ? .done : taken == 0 ? .data : .partly
    }

    var summary: String {
        guard isDryRun else {
            return "\(added) added, \(changed) changed, \(unchanged) left alone"
                + "\(refused > 0 ? ", \(refused) refused" : "").\n"
        }
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

extension JSONReader {
    /// A count; 0 for `null`.
    fileprivate mutating func number() throws(JSONReader.Fault) -> Int {
        null() ? 0 : Int(try integer())
    }
}
