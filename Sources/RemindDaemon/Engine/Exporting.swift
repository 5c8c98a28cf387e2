import Calendaring
import RemindAPI
import RemindCore
import Store
import Synchronization
import TextForms

/// Tasks as iCalendar, some at a time: whoever wants them all asks again, and what others want of
/// the engine comes in between.
extension Engine {
    /// Tasks in one reply, and the bytes after which there are no more.
    static let exportPage = 512
    static let exportBytes = 1 << 20
    /// Zones that a file defines, at most.
    static let exportZones = 2000

    func export(_ parameters: Export.Parameters, to json: inout JSONWriter) throws(APIError) {
        let zones = parameters.zones ?? []
        guard zones.count <= Self.exportZones else {
            throw .invalidArgument("zones", value: "\(zones.count)", "These are too many zones.")
        }
        let done = parameters.all ?? false || parameters.folder != nil
        let list = parameters.list.map(TextForm.canonical)
        let page = try storing {
            try store.exported(
                after: parameters.after ?? 0, list: list, done: done, limit: Self.exportPage)
        }
        if let list, page.isEmpty, parameters.after == nil {
            throw Self.emptyList(list, done: done)
        }
        var pages = ExportPages(
            calendar: CalendarText(schedule: timetable.schedule, now: clock.now), zones: zones)
        if let folder = parameters.folder {
            try record(written: parameters, in: folder)
            let files = try pages.files(page, limit: Self.exportBytes) { number throws(APIError) in
                try storing { try store.calendarFile(of: number, folder: folder) }
            }
            keep(files, in: folder)
            pages.write(files, isEnd: files.isEmpty, to: &json)
        } else {
            pages.write(page, limits: (Self.exportPage, Self.exportBytes), parameters, to: &json)
        }
    }

    private static func emptyList(_ list: String, done: Bool) -> APIError {
        .invalidArgument(
            "list", value: list, "There is no \(done ? "" : "open ")task on a list ‘\(list)’.",
            hint: done
                ? "remindctl list --all shows the lists."
                : "remindctl export --all takes done ones too; remindctl list shows the lists.")
    }
}

/// Which file of a folder holds which task.
extension Engine {
    /// Exports into folders whose last page is remembered; of those that were left halfway, that
    /// page is forgotten.
    private static let foldersLimit = 4

    /// A client asks for the next page when it has written the one before. Only then is that kept:
    /// files that were never written are not taken for changed by somebody.
    private func record(
        written parameters: Export.Parameters, in folder: String
    ) throws(APIError) {
        guard let files = exportedFiles.removeValue(forKey: folder),
            files.last?.number == parameters.after
        else { return }
        let left = Set(parameters.kept ?? [])
        let changed = files.filter { !left.contains($0.number) && $0.record != $0.known }
        guard !changed.isEmpty else { return }
        try storing {
            try commit {
                // One may have been deleted meanwhile.
                for file in changed where try store.reminder(number: file.number) != nil {
                    try store.setCalendarFile(file.record, of: file.number, folder: folder)
                }
            }
        }
    }

    private func keep(_ files: [ExportPages.File], in folder: String) {
        guard !files.isEmpty else { return }
        if exportedFiles.count >= Self.foldersLimit { exportedFiles.removeAll() }
        exportedFiles[folder] = files.map { file in
            var file = file
            file.bytes = []
            return file
        }
    }
}

/// Makes the replies of an export.
struct ExportPages {
    /// A file of a vdir folder.
    struct File {
        let number: Int64
        let uid: String
        var bytes: [UInt8]
        let record: CalendarFileRecord
        /// How it was when it was last read or written.
        let known: CalendarFileRecord?
    }

    private let calendar: CalendarText
    private var zones: ExportZones
    private var last: Int64 = 0
    private var count = 0

    init(calendar: CalendarText, zones: [String]) {
        self.calendar = calendar
        self.zones = ExportZones(database: calendar.schedule.zones, defined: Set(zones))
    }

    private static let beginning = [
        "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//remindd//remindd//EN",
    ]

    func isEnd(_ page: [ExportedReminder], of limit: Int) -> Bool {
        page.count < limit && last == page.last?.reminder.number ?? 0
    }

    /// One file for all.
    mutating func write(
        _ page: [ExportedReminder], limits: (page: Int, bytes: Int),
        _ parameters: Export.Parameters, to json: inout JSONWriter
    ) {
        var bytes: [UInt8] = []
        if parameters.after == nil {
            for line in Self.beginning { ContentLineWriter.append(line, to: &bytes) }
        }
        for exported in page where bytes.count < limits.bytes {
            append(exported, to: &bytes)
            (last, count) = (exported.reminder.number, count + 1)
        }
        let isEnd = isEnd(page, of: limits.page)
        if isEnd { ContentLineWriter.append("END:VCALENDAR", to: &bytes) }
        write(text: bytes, items: [], isEnd: isEnd, to: &json)
    }

    /// The definitions of the zones that it needs, and the task.
    private mutating func append(_ exported: ExportedReminder, to bytes: inout [UInt8]) {
        if let (text, state) = calendar.plain(exported) {
            for line in zones.definitions(for: text) { ContentLineWriter.append(line, to: &bytes) }
            let start = bytes.count
            if ContentLineWriter.append(component: text, with: state, to: &bytes) { return }
            bytes.removeLast(bytes.count - start)
        }
        let lines = calendar.lines(exported)
        for line in zones.definitions(for: lines) { ContentLineWriter.append(line, to: &bytes) }
        for line in lines { ContentLineWriter.append(line, to: &bytes) }
    }

    /// A file for each.
    mutating func files(
        _ page: [ExportedReminder], limit: Int,
        known: (Int64) throws(APIError) -> CalendarFileRecord?
    ) throws(APIError) -> [File] {
        var (files, size) = ([File](), 0)
        for exported in page where size < limit {
            let number = exported.reminder.number
            let uid = exported.item?.uid ?? exported.reminder.id.text
            zones.defined = []
            var bytes: [UInt8] = []
            for line in Self.beginning { ContentLineWriter.append(line, to: &bytes) }
            append(exported, to: &bytes)
            ContentLineWriter.append("END:VCALENDAR", to: &bytes)
            let known = try known(number)
            let record = CalendarFileRecord(
                name: known?.name ?? Self.fileName(uid),
                content: Int64(bitPattern: ContentSum.hash(bytes: bytes)),
                agreed: exported.reminder.modified)
            files.append(
                File(number: number, uid: uid, bytes: bytes, record: record, known: known))
            size += bytes.count
            (last, count) = (number, count + 1)
        }
        return files
    }

    func write(_ files: [File], isEnd: Bool, to json: inout JSONWriter) {
        write(text: [], items: files, isEnd: isEnd, to: &json)
    }

    private func write(text: [UInt8], items: [File], isEnd: Bool, to json: inout JSONWriter) {
        json.object { json in
            json.key("text")
            text.withUnsafeBufferPointer { json.string(utf8: $0) }
            json.key("items")
            json.array { json in
                for item in items {
                    json.object { json in
                        json.field("number", item.number)
                        json.field("uid", item.uid)
                        json.field("file", item.record.name)
                        json.key("text")
                        item.bytes.withUnsafeBufferPointer { json.string(utf8: $0) }
                        json.field("known", item.known?.content)
                    }
                }
            }
            json.field("count", Int64(count))
            json.field("after", isEnd ? nil : last)
            json.field("zones", items.isEmpty ? zones.defined.sorted() : [])
        }
    }

    /// The identity where it can be a file's name, else a name made of it.
    static func fileName(_ uid: String) -> String {
        func isSafe(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
                UInt8(ascii: "."), UInt8(ascii: "@"), UInt8(ascii: "+"):
                true
            default: false
            }
        }
        let isPlain = uid.utf8.allSatisfy(isSafe) && uid.utf8.count <= 200 && !uid.hasPrefix(".")
        if isPlain, !uid.isEmpty { return uid + ".ics" }
        let kept = uid.utf8.filter(isSafe).drop { $0 == UInt8(ascii: ".") }.prefix(60)
        let hash = String(ContentSum.hash(uid), radix: 16)
        return String(decoding: kept, as: UTF8.self) + "-" + hash + ".ics"
    }
}

/// The zones that a file must define.
struct ExportZones {
    let database: SystemZones
    var defined: Set<String>
    /// What the beginnings of lines name, up to the colon.
    private var heads: [String: String?] = [:]
    private static let timed = ["DTSTART", "DUE", "DTEND", "RDATE", "EXDATE", "RECURRENCE-ID"]

    init(database: SystemZones, defined: Set<String>) {
        (self.database, self.defined) = (database, defined)
    }

    /// The definitions of the zones that `lines` name and that have none yet.
    mutating func definitions(for lines: [String]) -> [String] {
        var found: [String] = []
        for line in lines {
            guard let id = zone(in: line), defined.insert(id).inserted,
                let zone = database.knownZone(named: id)
            else { continue }
            found += ZoneLines.lines(id, zone)
        }
        return found
    }

    /// The same for lines that are joined by `\n`.
    mutating func definitions(for text: String) -> [String] {
        // Most texts name no zone, and of the others most name the same.
        guard text.utf8.contains(UInt8(ascii: ";")) else { return [] }
        return definitions(
            for: text.utf8.split(separator: 10).compactMap { line -> String? in
                guard let first = line.first,
                    first == UInt8(ascii: "D") || first == UInt8(ascii: "R")
                        || first == UInt8(ascii: "E")
                else { return nil }
                return String(Substring(line))
            })
    }

    private mutating func zone(in line: String) -> String? {
        guard Self.timed.contains(where: line.hasPrefix) else { return nil }
        let head = String(Substring(line.utf8.prefix { $0 != UInt8(ascii: ":") }))
        if let known = heads[head] { return known }
        let id = ICalendarProperty(text: line)?.parameter("TZID")
        if !head.utf8.contains(UInt8(ascii: "\"")), heads.count < 100 {
            heads.updateValue(id, forKey: head)
        }
        return id
    }
}

/// Definitions of zones, which take a millisecond to make, by their names.
private enum ZoneLines {
    static func lines(_ id: String, _ zone: SystemZone) -> [String] {
        known.withLock { known in
            if let lines = known[id] { return lines }
            let lines = ZoneText(zone, named: id).lines
            if known.count < 100 { known[id] = lines }
            return lines
        }
    }

    private static let known = Mutex<[String: [String]]>([:])
}
