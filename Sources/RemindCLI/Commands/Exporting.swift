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
            try exportFolder(folder, session)
        } else if let path, path != "-" {
            try exportFile(path, session)
        } else {
            try forEachPage(session, folder: nil) { page throws(Failure) in
                // A calendar file is UTF-8 in every locale.
                try session.output.write(bytes: page.text.utf8)
            }
        }
        return .done
    }

    private static func exportFile(_ path: String, _ session: Session) throws(Failure) {
        // The daemon is asked first: without it, nothing is made.
        var (file, count) = (AtomicFile?.none, 0)
        try forEachPage(session, folder: nil) { page throws(Failure) in
            if file == nil { file = try AtomicFile(path) }
            try file?.write(page.text)
            count += page.count
        }
        try file?.finish()
        try report(session, ["exported": count], "\(tasks(count)) written to ‘\(path)’.\n")
    }

    private static func exportFolder(_ path: String, _ session: Session) throws(Failure) {
        let folder = try CalendarFolder.made(path)
        var (written, unchanged) = (0, 0)
        try forEachPage(session, folder: folder.path) { page throws(Failure) in
            for item in page.items {
                guard !item.file.contains("/"), item.file.hasSuffix(".ics"),
                    !item.file.hasPrefix(".")
                else { throw .malformed("‘\(item.file)’ is no name of a file.") }
                let place = folder.path + "/" + item.file
                if Self.holds(place, item.text) {
                    unchanged += 1
                    continue
                }
                let file = try AtomicFile(place)
                try file.write(item.text)
                try file.finish()
                written += 1
            }
        }
        try report(
            session, ["written": written, "unchanged": unchanged],
            "\(written) files written to ‘\(path)’, \(unchanged) left alone.\n")
    }

    private static func tasks(_ count: Int) -> String { count == 1 ? "1 task" : "\(count) tasks" }

    private static func report(
        _ session: Session, _ counts: KeyValuePairs<StaticString, Int>, _ text: String
    ) throws(Failure) {
        guard session.json else { return try session.output.write(text) }
        var json = JSONWriter()
        json.object { json in for (name, count) in counts { json.field(name, Int64(count)) } }
        try session.output.writeLine(json: json.bytes)
    }

    /// Whether a file holds just that.
    private static func holds(_ path: String, _ text: String) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0, Int(status.st_size) == text.utf8.count,
            var file = try? PiecewiseFile(path, input: -1)
        else { return false }
        var bytes: [UInt8] = []
        while let piece = try? file.next(), !piece.isEmpty { bytes += piece }
        return bytes.elementsEqual(text.utf8)
    }
}

/// One reply of an export.
private struct ExportPage {
    struct Item {
        var file = ""
        var text = ""
    }

    var text = ""
    var items: [Item] = []
    var count = 0
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
            default: return
            }
        }
        self = item
    }
}

extension Exporting {
    /// Asks for page after page, so that neither program holds more than one.
    private static func forEachPage(
        _ session: Session, folder: String?, _ body: (ExportPage) throws(Failure) -> Void
    ) throws(Failure) {
        var (after, zones) = (Int64?.none, [String]())
        repeat {
            let bytes = try session.call(Export.self) { json throws(Failure) in
                if let after {
                    json.field("after", after)
                    json.field("zones", zones)
                }
                json.field("folder", folder)
                try session.writeOptions(to: &json)
            }
            let page = try ExportPage(bytes)
            try body(page)
            (after, zones) = (page.after, page.zones)
        } while after != nil
    }
}
