import Calendaring
import RemindAPI
import RemindCore
import Store

/// What of calendars is no task goes out behind the tasks. The cursor of the component `n` is
/// `-1 - n`: below the numbers of all tasks.
extension Engine {
    /// - Parameter after: the number of the last component that went out.
    func exportComponents(
        after: Int64, _ list: String?, _ parameters: Export.Parameters,
        _ pages: inout ExportPages, to json: inout JSONWriter
    ) throws(APIError) {
        let page = try storing {
            try store.components(
                after: after, list: list, first: parameters.folder != nil, limit: Self.exportPage,
                bytes: Self.exportBytes)
        }
        guard let folder = parameters.folder else {
            return pages.write(page, to: &json)
        }
        var (files, size) = ([ExportPages.File](), 0)
        for component in page where size < Self.exportBytes {
            let file = try storing { try componentFile(component, in: folder) }
            guard let file else { continue }
            pages.last = -1 - component.number
            files.append(pages.file(file, cursor: pages.last))
            size += files.last?.bytes.count ?? 0
        }
        // All of a page may stand in the files of tasks.
        if files.isEmpty, let last = page.last { pages.last = -1 - last.number }
        keep(files, in: folder)
        pages.write(files, isEnd: page.isEmpty, to: &json)
    }

    /// The file of a task in a vdir folder, with what is no task in it.
    func taskFile(
        _ exported: ExportedReminder, in folder: String
    ) throws(StoreError) -> TaskFile {
        let known = try store.calendarFile(of: exported.reminder.number, folder: folder)
        let name = known?.name ?? ExportPages.fileName(exported.uid)
        return TaskFile(
            name: name, known: known,
            components: try store.components(inFile: name, folder: folder))
    }

    /// The file of the first component with its UID, with all others that are in it.
    ///
    /// - Returns: `nil` when it goes out with a task or with another component.
    private func componentFile(
        _ first: CalendarComponentRecord, in folder: String
    ) throws(StoreError) -> ComponentFile? {
        let known = try store.componentFile(of: first.number, folder: folder)
        var members = try store.components(uid: first.uid)
        if let known {
            if try store.isFileOfTask(known.name, folder: folder) { return nil }
            let others = try store.components(inFile: known.name, folder: folder)
            if let other = others.first, other.number < first.number { return nil }
            members = Set(members + others).sorted { $0.number < $1.number }
        }
        var isSettled = known != nil
        for member in members where isSettled {
            let file = try store.componentFile(of: member.number, folder: folder)
            isSettled = file?.agreed == member.content
        }
        let name: String
        if let known { name = known.name } else { name = try newName(first) }
        return ComponentFile(
            name: name, uid: first.uid, known: known, components: members, isSettled: isSettled)
    }

    /// A task may have the same UID.
    private func newName(_ component: CalendarComponentRecord) throws(StoreError) -> String {
        var isTaken = try store.calendarContent(uid: component.uid) != nil
        if !isTaken, let id = UUIDv7(uid: component.uid) {
            isTaken = try store.reminder(id: id) != nil
        }
        return ExportPages.fileName((isTaken ? component.name + "-" : "") + component.uid)
    }

    /// After a file was written.
    func setComponents(
        of file: ExportPages.File, in folder: String
    ) throws(StoreError) {
        for (number, content) in file.components {
            guard try store.hasComponent(number: number) else { continue }
            try store.setComponentFile(
                ComponentFileRecord(
                    name: file.record.name, content: file.record.content, agreed: content),
                of: number, folder: folder)
        }
    }
}

/// The file of a task in a vdir folder.
struct TaskFile {
    let name: String
    /// How it was when it was last read or written.
    let known: CalendarFileRecord?
    /// What else is in it.
    let components: [CalendarComponentRecord]
}

/// A file of a vdir folder that holds no task.
struct ComponentFile {
    let name: String
    let uid: String
    /// How it was when it was last read or written.
    let known: ComponentFileRecord?
    let components: [CalendarComponentRecord]
    let isSettled: Bool
}

extension ExportedReminder {
    var uid: String { item?.uid ?? reminder.id.text }
}

extension [CalendarComponentRecord] {
    /// The hash of each, by its number.
    var hashes: [Int64: Int64] {
        Dictionary(map { ($0.number, $0.content) }) { first, _ in first }
    }
}

extension ExportPages {
    /// One file for all: the page behind those of the tasks.
    fileprivate mutating func write(
        _ page: [CalendarComponentRecord], to json: inout JSONWriter
    ) {
        var bytes: [UInt8] = []
        append(page, to: &bytes)
        if let number = page.last?.number { last = -1 - number }
        let isEnd = page.isEmpty
        if isEnd { ContentLineWriter.append("END:VCALENDAR", to: &bytes) }
        write(text: bytes, items: [], isEnd: isEnd, to: &json)
    }

    fileprivate mutating func file(_ file: ComponentFile, cursor: Int64) -> File {
        var bytes = beginFile()
        append(file.components, to: &bytes)
        ContentLineWriter.append("END:VCALENDAR", to: &bytes)
        let content = Int64(bitPattern: ContentSum.hash(bytes: bytes))
        let known = file.known.map {
            CalendarFileRecord(name: $0.name, content: $0.content, agreed: nil)
        }
        return File(
            number: cursor, uid: file.uid, bytes: bytes,
            record: CalendarFileRecord(name: file.name, content: content, agreed: nil),
            known: known, components: file.components.hashes, isSettled: file.isSettled)
    }

    /// The definitions of the zones that they need, and the components.
    mutating func append(_ components: [CalendarComponentRecord], to bytes: inout [UInt8]) {
        for component in components {
            for line in zones.definitions(for: component.text) {
                ContentLineWriter.append(line, to: &bytes)
            }
            var state = ReminderState()
            if component.list != Reminder.defaultList { state.list = component.list }
            let lines = component.text.split(separator: "\n")
            for line in lines.dropLast() { ContentLineWriter.append(line, to: &bytes) }
            if state.list != nil {
                ContentLineWriter.append(ReminderState.name + ":" + state.text, to: &bytes)
            }
            for line in lines.suffix(1) { ContentLineWriter.append(line, to: &bytes) }
            componentCount += 1
        }
    }
}
