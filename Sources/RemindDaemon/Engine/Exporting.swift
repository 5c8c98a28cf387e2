import Calendaring
import RemindAPI
import RemindCore
import Store
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
        var pages = ExportPages(
            calendar: CalendarText(schedule: timetable.schedule, now: clock.now), zones: zones)
        if let folder = parameters.folder { try record(written: parameters, in: folder) }
        if let after = parameters.after, after < 0 {
            return try exportComponents(after: -1 - after, list, parameters, &pages, to: &json)
        }
        let page = try storing {
            try store.exported(
                after: parameters.after ?? 0, list: list, done: done, limit: Self.exportPage)
        }
        let hasMore = try storing { try !store.components(after: 0, list: list, limit: 1).isEmpty }
        if let list, page.isEmpty, parameters.after == nil, !hasMore {
            throw Self.emptyList(list, done: done)
        }
        guard let folder = parameters.folder else {
            return pages.write(
                page, limits: (Self.exportPage, Self.exportBytes), parameters, hasMore: hasMore,
                to: &json)
        }
        let files = try storing {
            try pages.files(page, limit: Self.exportBytes) { exported throws(StoreError) in
                try taskFile(exported, in: folder)
            }
        }
        if files.isEmpty, hasMore {
            return try exportComponents(after: 0, list, parameters, &pages, to: &json)
        }
        keep(files, in: folder)
        pages.write(files, isEnd: files.isEmpty, to: &json)
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
        let changed = files.filter { !left.contains($0.number) && $0.isChanged }
        guard !changed.isEmpty else { return }
        try storing {
            try commit {
                for file in changed {
                    try setComponents(of: file, in: folder)
                    // One may have been deleted meanwhile.
                    guard file.number > 0, try store.reminder(number: file.number) != nil
                    else { continue }
                    try store.setCalendarFile(file.record, of: file.number, folder: folder)
                }
            }
        }
    }

    func keep(_ files: [ExportPages.File], in folder: String) {
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
        /// Of its task; of what holds no task the cursor of its first component, below zero.
        let number: Int64
        let uid: String
        var bytes: [UInt8]
        let record: CalendarFileRecord
        /// How it was when it was last read or written.
        let known: CalendarFileRecord?
        /// What in it is no task: the numbers, and the hash of each.
        var components: [Int64: Int64] = [:]
        /// The file, as it was last read or written, says the same already.
        var isSettled = false

        /// The store is to be told when it is written.
        var isChanged: Bool { record != known || !components.isEmpty }
    }

    private let calendar: CalendarText
    var zones: ExportZones
    /// Where this page ends: the number of a task, or the cursor of a component.
    var last: Int64 = 0
    private var count = 0
    /// Components that are no tasks.
    var componentCount = 0

    init(calendar: CalendarText, zones: [String]) {
        self.calendar = calendar
        self.zones = ExportZones(database: calendar.schedule.zones, defined: Set(zones))
    }

    static let beginning = [
        "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//remindd//remindd//EN",
    ]

    func isEnd(_ page: [ExportedReminder], of limit: Int) -> Bool {
        page.count < limit && last == page.last?.reminder.number ?? 0
    }

    /// One file for all.
    mutating func write(
        _ page: [ExportedReminder], limits: (page: Int, bytes: Int),
        _ parameters: Export.Parameters, hasMore: Bool, to json: inout JSONWriter
    ) {
        var bytes: [UInt8] = []
        if parameters.after == nil {
            for line in Self.beginning { ContentLineWriter.append(line, to: &bytes) }
            if let list = parameters.list {
                // What programs show as the calendar's name.
                let name = ContentLineWriter.escaped(TextForm.canonical(list))
                ContentLineWriter.append("X-WR-CALNAME:" + name, to: &bytes)
            }
        }
        for exported in page where bytes.count < limits.bytes {
            append(exported, to: &bytes)
            (last, count) = (exported.reminder.number, count + 1)
        }
        var isEnd = isEnd(page, of: limits.page)
        if isEnd, hasMore {
            (isEnd, last) = (false, -1)
        } else if isEnd {
            ContentLineWriter.append("END:VCALENDAR", to: &bytes)
        }
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
        known: (ExportedReminder) throws(StoreError) -> TaskFile
    ) throws(StoreError) -> [File] {
        var (files, size) = ([File](), 0)
        for exported in page where size < limit {
            let file = try known(exported)
            var bytes = beginFile()
            append(exported, to: &bytes)
            append(file.components, to: &bytes)
            ContentLineWriter.append("END:VCALENDAR", to: &bytes)
            let record = CalendarFileRecord(
                name: file.name, content: Int64(bitPattern: ContentSum.hash(bytes: bytes)),
                agreed: exported.reminder.modified)
            files.append(
                File(
                    number: exported.reminder.number, uid: exported.uid, bytes: bytes,
                    record: record, known: file.known, components: file.components.hashes))
            size += bytes.count
            (last, count) = (exported.reminder.number, count + 1)
        }
        return files
    }

    mutating func beginFile() -> [UInt8] {
        zones.defined = []
        var bytes: [UInt8] = []
        for line in Self.beginning { ContentLineWriter.append(line, to: &bytes) }
        return bytes
    }

    func write(_ files: [File], isEnd: Bool, to json: inout JSONWriter) {
        write(text: [], items: files, isEnd: isEnd, to: &json)
    }

    func write(text: [UInt8], items: [File], isEnd: Bool, to json: inout JSONWriter) {
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
                        if item.isSettled { json.field("settled", true) }
                    }
                }
            }
            json.field("count", Int64(count))
            json.field("components", Int64(componentCount))
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
