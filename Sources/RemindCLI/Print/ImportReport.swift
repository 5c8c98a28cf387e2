import RemindAPI
import RemindCore

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
    private(set) var kept = KeptCounts()

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

    /// What a reply told one by one, as the daemon wrote it.
    struct Told {
        /// Items of a dry run, or what became of tasks.
        var items: [ArraySlice<UInt8>] = []
        /// Components that are no tasks.
        var components: [ArraySlice<UInt8>] = []
    }

    /// Reads a reply.
    // Long: one case a field.
    mutating func take(_ bytes: [UInt8]) throws(Failure) -> Told {
        var (told, problems): (Told, [Import.Problem]) = (Told(), [])
        var (id, isWhole): (String?, Bool) = (nil, false)
        var json = JSONReader(bytes)
        do {
            try json.object { name, json throws(JSONReader.Fault) in
                switch name {
                case "session": id = try json.optionalString()
                case "items":
                    isWhole = true
                    told.items += try json.elements()
                case "outcomes": told.items += try json.elements()
                case "components": told.components += try json.elements()
                case "kept": try kept.add(counted: &json)
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
        count += told.items.count
        if isDryRun {
            for component in told.components { try kept.add(one: component) }
        }
        for problem in problems { add(problem) }
        return told
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
        let taken = (isDryRun ? count : added + changed + unchanged) + kept.total
        return refused == 0 ? .done : taken == 0 ? .data : .partly
    }

    var summary: String {
        guard isDryRun else {
            return "\(added) added, \(changed) changed, \(unchanged) left alone"
                + "\(refused > 0 ? ", \(refused) refused" : "").\n"
                + kept.summary(isDryRun: isDryRun)
        }
        let items = count == 1 ? "1 item" : "\(count) items"
        return "\(items)\(refused > 0 ? ", \(refused) refused" : ""); nothing was stored.\n"
            + kept.summary(isDryRun: isDryRun)
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
    /// The elements of an array as they stand; none for `null`.
    fileprivate mutating func elements() throws(JSONReader.Fault) -> [ArraySlice<UInt8>] {
        if null() { return [] }
        var found: [ArraySlice<UInt8>] = []
        try array { json throws(JSONReader.Fault) in found.append(try json.raw()) }
        return found
    }

    /// A count; 0 for `null`.
    fileprivate mutating func number() throws(JSONReader.Fault) -> Int {
        null() ? 0 : Int(try integer())
    }
}
