import Calendaring
import RemindAPI
import RemindCore
import Store

/// A component of a calendar that is no task, on its way into the store.
struct ImportedComponent: Sendable {
    let component: ICalendarComponent
    /// The file of a vdir folder that holds it.
    let file: ImportFile?
}

/// Keeps what has no meaning here, so that an export has it too.
extension Engine {
    /// Components that stay in one file of a vdir folder.
    static let componentsOfFile = 64

    func keep(_ components: [ImportedComponent], in run: ImportRun) {
        _ = storing(in: run) { context in
            for component in components { try keep(component, run, context) }
        }
    }

    private func keep(
        _ imported: ImportedComponent, _ run: ImportRun, _ context: ImportConversion
    ) throws(StoreError) {
        let component = imported.component
        let known = try store.component(
            uid: component.uid, name: component.name, recurrence: component.recurrence)
        var file: ComponentFileRecord?
        if let known, let folder = run.folder, imported.file != nil {
            file = try store.componentFile(of: known.number, folder: folder)
        }
        guard imported.isWanted(known, file) else {
            if let known { try setFile(imported, known, run) }
            return run.kept.note(.unchanged, component, tellsAll: run.tellsAll)
        }
        if known == nil, try !hasRoom(for: component) { return run.refuse(imported) }
        var record = CalendarComponentRecord(component, list: context.list ?? component.list)
        if let known {
            record.number = known.number
            if context.list == nil { record.list = known.list }
        }
        record.number = try store.setComponent(record)
        try setFile(imported, record, run)
        run.kept.note(known == nil ? .added : .changed, component, tellsAll: run.tellsAll)
    }

    /// The changes of many occurrences have one UID, and stand in one file of a vdir folder.
    private func hasRoom(for component: ICalendarComponent) throws(StoreError) -> Bool {
        let there = try store.componentSize(uid: component.uid)
        return there.count < ICalendarLimits.parts
            && there.bytes + component.byteCount <= ICalendarLimits.itemBytes
    }

    /// An export puts together what stands in one file. What has no room there gets another.
    private func hasRoom(
        in file: String, _ folder: String, _ imported: ImportedComponent
    ) throws(StoreError) -> Bool {
        let there = try store.componentSize(inFile: file, folder: folder)
        return there.count < Self.componentsOfFile
            && there.bytes + imported.component.byteCount <= ICalendarLimits.itemBytes
    }

    private func setFile(
        _ imported: ImportedComponent, _ known: CalendarComponentRecord, _ run: ImportRun
    ) throws(StoreError) {
        guard let folder = run.folder, let file = imported.file else { return }
        let record = ComponentFileRecord(
            name: file.name, content: file.content, agreed: imported.component.content)
        let former = try store.componentFile(of: known.number, folder: folder)
        guard former != record else { return }
        if former?.name != file.name, try !hasRoom(in: file.name, folder, imported) { return }
        try store.setComponentFile(record, of: known.number, folder: folder)
    }
}

extension ImportedComponent {
    /// Whether it says something that is not known, as for tasks (`ImportMeeting.isWanted`).
    fileprivate func isWanted(
        _ known: CalendarComponentRecord?, _ former: ComponentFileRecord?
    ) -> Bool {
        guard let known else { return true }
        if known.content == component.content { return false }
        if let former, let file, former.name == file.name { return former.content != file.content }
        return (component.sequence, component.version) >= (known.sequence, known.version)
    }
}

extension ICalendarComponent {
    /// Of its text as it is stored.
    fileprivate var byteCount: Int { text.reduce(0) { $0 + $1.utf8.count + 1 } }
}

extension CalendarComponentRecord {
    fileprivate init(_ component: ICalendarComponent, list: String?) {
        self.init(
            uid: component.uid, name: component.name, recurrence: component.recurrence,
            list: list.map(ImportedText.name) ?? Reminder.defaultList,
            sequence: component.sequence, version: component.version, content: component.content,
            text: component.text.joined(separator: "\n"))
    }
}

/// How many components of which name came by, since the last reply.
struct KeptComponents {
    private var counts: [String: [ImportRun.Action: Int64]] = [:]
    private var outcomes = JSONWriter()

    mutating func note(
        _ action: ImportRun.Action, _ component: ICalendarComponent, tellsAll: Bool
    ) {
        let isNamed = counts.count < Import.keptNames || counts[component.name] != nil
        counts[isNamed ? component.name : "", default: [:]][action, default: 0] += 1
        guard tellsAll else { return }
        outcomes.object { json in
            json.field("action", "kept")
            json.field("component", component.name)
            json.field("line", Int64(component.line))
            json.field("uid", component.uid)
            json.field("change", action.rawValue)
        }
    }

    /// Writes them as fields of a reply, and begins anew.
    mutating func write(to json: inout JSONWriter) {
        json.key("kept")
        json.array { json in
            for (name, counts) in counts.sorted(by: { $0.key < $1.key }) {
                json.object { json in
                    json.field("component", name)
                    json.field("added", counts[.added] ?? 0)
                    json.field("changed", counts[.changed] ?? 0)
                    json.field("unchanged", counts[.unchanged] ?? 0)
                }
            }
        }
        json.key("components")
        json.raw([UInt8(ascii: "[")] + outcomes.bytes + [UInt8(ascii: "]")])
        self = KeptComponents()
    }
}

extension ImportRun {
    fileprivate func refuse(_ imported: ImportedComponent) {
        let component = imported.component
        var json = JSONWriter()
        json.object { json in
            json.field("line", Int64(component.line))
            json.field("uid", component.uid)
            let place = imported.file.map { "‘\($0.name)’: " } ?? ""
            json.field(
                "message",
                place + "There are \(ICalendarLimits.parts) components with this UID, or "
                    + "\(ICalendarLimits.itemBytes) bytes of them.")
            json.field("refused", true)
        }
        keep(problems: [UInt8(ascii: "[")] + json.bytes + [UInt8(ascii: "]")])
    }
}
