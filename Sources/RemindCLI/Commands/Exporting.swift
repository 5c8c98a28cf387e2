import Glibc
import RemindAPI

/// `export`.
enum Exporting {
    @Sendable static func run(_ session: Session) throws(Failure) -> ExitStatus {
        let path = session.arguments.operands.first
        if let folder = session.arguments.value("vdir") {
            guard path == nil else {
                throw .usage(
                    "‘\(path ?? "")’ is too much: --vdir names the folder to write to.",
                    hint: "remindctl export --vdir \(folder)")
            }
            return try exportFolder(folder, session)
        } else if let path, path != "-" {
            try exportFile(path, session)
        } else {
            try forEachPage(session, folder: nil) { page throws(Failure) in
                // A calendar file is UTF-8 in every locale.
                try session.output.write(bytes: page.text.utf8)
                return []
            }
        }
        return .done
    }

    private static func exportFile(_ path: String, _ session: Session) throws(Failure) {
        // The daemon is asked first: without it, nothing is made.
        var (file, count, components) = (AtomicFile?.none, 0, 0)
        try forEachPage(session, folder: nil) { page throws(Failure) in
            if file == nil { file = try AtomicFile(path) }
            try file?.write(page.text)
            count += page.count
            components += page.components
            return []
        }
        try file?.finish()
        let others = components == 0 ? "" : " and \(Self.components(components))"
        try report(
            session, ["exported": count, "components": components],
            "\(tasks(count))\(others) written to ‘\(path)’.\n")
    }

    private static func components(_ count: Int) -> String {
        count == 1 ? "1 other component" : "\(count) other components"
    }

    private static func tasks(_ count: Int) -> String { count == 1 ? "1 task" : "\(count) tasks" }

    static func report(
        _ session: Session, _ counts: KeyValuePairs<StaticString, Int>, _ text: String
    ) throws(Failure) {
        guard session.json else { return try session.output.write(text) }
        var json = JSONWriter()
        json.object { json in for (name, count) in counts { json.field(name, Int64(count)) } }
        try session.output.writeLine(json: json.bytes)
    }
}

/// One reply of an export.
struct ExportPage {
    struct Item {
        var number: Int64 = 0
        var file = ""
        var text = ""
        var known: Int64?
        var isSettled = false
    }

    var text = ""
    var items: [Item] = []
    var count = 0
    var components = 0
    var after: Int64?
    var zones: [String] = []

    init(_ bytes: [UInt8]) throws(Failure) {
        var json = JSONReader(bytes)
        var isWhole = false
        do {
            try json.object { name, json throws(JSONReader.Fault) in
                switch name {
                case "text": text = try json.string()
                case "items":
                    isWhole = true
                    try json.array { json throws(JSONReader.Fault) in
                        items.append(try Item(reading: &json))
                    }
                case "count": count = Int(try json.integer())
                case "components": components = Int(try json.integer())
                case "after": after = json.null() ? nil : try json.integer()
                case "zones": zones = try json.strings()
                default: return
                }
            }
        } catch {
            throw .malformedJSON(error)
        }
        guard isWhole else { throw .lacking("items") }
    }
}

extension ExportPage.Item {
    fileprivate init(reading json: inout JSONReader) throws(JSONReader.Fault) {
        var item = ExportPage.Item()
        try json.object { name, json throws(JSONReader.Fault) in
            switch name {
            case "file": item.file = try json.string()
            case "text": item.text = try json.string()
            case "number": item.number = try json.integer()
            case "known": item.known = json.null() ? nil : try json.integer()
            case "settled": item.isSettled = json.null() ? false : try json.bool()
            default: return
            }
        }
        self = item
    }
}

extension Exporting {
    /// Asks for page after page, so that neither program holds more than one.
    ///
    /// - Parameter body: gives the numbers of the tasks whose files stay as they are.
    static func forEachPage(
        _ session: Session, folder: String?, _ body: (ExportPage) throws(Failure) -> [Int64]
    ) throws(Failure) {
        var (after, zones, kept) = (Int64?.none, [String](), [Int64]())
        repeat {
            let bytes = try session.call(Export.self) { json throws(Failure) in
                if let after {
                    json.field("after", after)
                    json.field("zones", zones)
                }
                json.field("folder", folder)
                if !kept.isEmpty {
                    json.key("kept")
                    json.array { json in for number in kept { json.raw(String(number).utf8) } }
                }
                try session.writeOptions(to: &json)
            }
            let page = try ExportPage(bytes)
            kept = try body(page)
            (after, zones) = (page.after, page.zones)
        } while after != nil
    }
}
