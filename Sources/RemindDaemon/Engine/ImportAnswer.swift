import Calendaring
import RemindAPI
import RemindCore

/// Gathers what came out of a file as one reply of `Import`.
struct ImportAnswer {
    private let context: ImportContext
    private let writer: ReminderWriter<SystemZones>
    private var items = JSONWriter()
    private var problems = JSONWriter()
    private var components = JSONWriter()
    private(set) var itemCount = 0
    /// About items that have not come out yet, by UID.
    private(set) var notes: [String: [String]]

    init(context: ImportContext, notes: [String: [String]] = [:]) {
        (self.context, self.notes) = (context, notes)
        writer = ReminderWriter(zones: context.schedule.zones)
    }

    mutating func add(_ output: ICalendarOutput) {
        switch output {
        case .item(let item):
            itemCount += 1
            write(item, notes: notes.removeValue(forKey: item.uid) ?? [])
        case .component(let component):
            itemCount += 1
            write(component, notes: notes.removeValue(forKey: component.uid) ?? [])
        case .problem(let problem):
            if let uid = problem.uid {
                guard problem.isRefusal else {
                    notes[uid, default: []].append("Line \(problem.line): \(problem.reason)")
                    return
                }
                notes[uid] = nil
            }
            write(problem)
        }
    }

    /// The reply.
    func object(session: String?) -> [UInt8] {
        let size = items.bytes.count + problems.bytes.count + components.bytes.count
        var json = JSONWriter(capacity: size + 100)
        json.object { json in
            json.field("session", session)
            let parts: KeyValuePairs<StaticString, [UInt8]> = [
                "items": items.bytes, "problems": problems.bytes, "components": components.bytes,
            ]
            for (name, elements) in parts {
                json.key(name)
                json.raw([UInt8(ascii: "[")] + elements + [UInt8(ascii: "]")])
            }
        }
        return json.bytes
    }

    private mutating func write(_ item: ICalendarItem, notes: [String]) {
        let (schedule, writer) = (context.schedule, writer)
        let due = firstDue(of: item)
        let zone = due.flatMap { try? schedule.zone(of: $0) } ?? schedule.zones.local
        var notes = notes
        var rings: [ICalendarRing] = []
        do {
            rings = try schedule.rings(of: item, after: context.now, limit: context.count)
        } catch {
            notes.append("Its rings are not known: \(error).")
        }
        items.object { json in
            json.field("line", Int64(item.line))
            json.field("uid", item.uid)
            json.field("title", item.title)
            json.field("note", item.description)
            json.field("tags", item.categories)
            json.field("priority", item.priority.rawValue)
            json.field("state", item.state.rawValue)
            json.field("due", due.map { writer.due(of: $0, in: zone) })
            json.field("dateOnly", item.deadline?.isDateOnly ?? false)
            json.field("timeZone", item.deadline?.zoneName)
            json.field("rule", item.recurrence?.rule.text)
            json.field("rings", rings.map { $0.instant.rfc3339(in: zone) })
            json.field("notes", notes)
        }
    }

    /// When it is due; where EXDATE takes out the first occurrence, as an import has it.
    private func firstDue(of item: ICalendarItem) -> Deadline? {
        let schedule = context.schedule
        let plan = ItemPlan(item, schedule: schedule)
        guard plan.repeats, item.recurrence?.exceptions.isEmpty == false,
            let deadline = item.deadline, let first = try? schedule.instant(of: deadline).instant,
            let its = try? plan.occurrence(after: first.advanced(bySeconds: -1)), its != deadline
        else { return item.deadline }
        let next = try? plan.occurrence(after: context.now)
        let last = try? plan.occurrence(upTo: context.now)
        return next ?? last ?? deadline
    }

    private mutating func write(_ component: ICalendarComponent, notes: [String]) {
        components.object { json in
            json.field("action", "kept")
            json.field("component", component.name)
            json.field("line", Int64(component.line))
            json.field("uid", component.uid)
            json.field("notes", notes)
        }
    }

    private mutating func write(_ problem: ICalendarProblem) {
        problems.object { json in
            json.field("line", Int64(problem.line))
            json.field("uid", problem.uid)
            json.field("message", problem.reason)
            json.field("refused", problem.isRefusal)
        }
    }
}

extension ICalendarItem {
    /// SUMMARY, else the first line of the description.
    var title: String {
        if !summary.isEmpty { return summary }
        let first = description?.split(whereSeparator: \.isNewline).first.map(String.init)
        return first?.trimmingBlanks() ?? "Untitled"
    }
}
