import RemindCore

/// Makes items of components, and joins the changes of single occurrences to their series.
struct ItemAssembler<Zones: ZoneDatabase> {
    typealias Output = ICalendarReader<Zones>.Output

    private let zones: FileZones<Zones>
    /// Components that wait for the end of the file.
    private var held: [(uid: String, block: ComponentBlock, lines: PackedLines)] = []
    /// Places in `held` of each identity, in the order of the file; those at the end come first.
    private var groups: [[Int]] = []
    /// The versions of the items that went out, by the hash of their UID.
    private var versions: [Int: ICalendarItem.Version] = [:]
    /// The same of what is kept, with its content, by the hash of its identity.
    private var kept: [Int: (version: ICalendarItem.Version, content: Int64)] = [:]
    /// The identities of what is held.
    private var waiting: Set<String> = []
    /// So many items wait for the end of the file whatever they are.
    private let holding: Int
    private var count = 0

    /// - Parameter holding: so many items come out at the end in any case, so that a short file
    ///   has the changes of an item that does not repeat joined to it.
    init(zones: FileZones<Zones>, holding: Int = 0) {
        (self.zones, self.holding) = (zones, holding)
    }

    mutating func take(_ block: ComponentBlock, _ body: (Output) -> Void) {
        let line = block.lines.first?.number ?? 1
        var notes: [(Int, String)] = []
        let component = Component(block, lines: block.lines) { notes.append(($0, $1)) }
        if block.name == "VTIMEZONE" {
            define(component, block.calendar, body)
            return
        }
        let uid = uid(of: component)
        count += 1
        guard count <= ICalendarLimits.items, !block.isTooLarge else {
            let reason =
                block.isTooLarge
                ? "It is larger than \(ICalendarLimits.itemBytes) bytes."
                : "The file has more than \(ICalendarLimits.items) items."
            body(.problem(ICalendarProblem(uid: uid, line: line, reason: reason, isRefusal: true)))
            return
        }
        if block.isForeign {
            if hasOpenZone(component) { return hold(block, uid) }
        } else if count <= holding || mustWait(component)
            || !waiting.isEmpty && waiting.contains(uid)
        {
            waiting.insert(uid)
            return hold(block, uid)
        }
        if block.isForeign { return keep(component, block, notes, body) }
        for note in notes {
            body(.problem(ICalendarProblem(uid: uid, line: note.0, reason: note.1)))
        }
        if let item = item(component, block, uid, body) { emit(item, body) }
    }

    private mutating func hold(_ block: ComponentBlock, _ uid: String) {
        var empty = block
        empty.lines = []
        held.append((uid, empty, PackedLines(block.lines)))
    }

    /// A component that has no meaning here goes out by itself. Of two with one identity that say
    /// different things, the one behind must be newer, as for items (`emit`).
    private mutating func keep(
        _ component: Component, _ block: ComponentBlock, _ notes: [(Int, String)],
        _ body: (Output) -> Void
    ) {
        let component = ICalendarComponent(
            component, CanonicalText(zones: zones, calendar: block.calendar))
        for note in notes {
            body(.problem(ICalendarProblem(uid: component.uid, line: note.0, reason: note.1)))
        }
        let version = ICalendarItem.Version(
            sequence: component.sequence, modified: component.version)
        let key = [component.uid, component.name, component.recurrence].hashValue
        if let known = kept[key], known.content != component.content, version <= known.version {
            return body(
                .problem(
                    ICalendarProblem(
                        uid: component.uid, line: component.line,
                        reason: "It is not newer than the \(component.name) with the same UID "
                            + "before it.", isRefusal: true)))
        }
        kept[key] = (version, component.content)
        body(.component(component))
    }

    /// The end of the stream: what waited for it comes out of `drain`.
    mutating func end(sawCalendar: Bool, _ body: (Output) -> Void) {
        var places: [String: Int] = [:]
        for (index, waiting) in held.enumerated() {
            if let place = places[waiting.uid] {
                groups[place].append(index)
            } else {
                places[waiting.uid] = groups.count
                groups.append([index])
            }
        }
        groups.reverse()
        if !sawCalendar, count == 0 {
            body(
                .problem(
                    ICalendarProblem(
                        line: 1, reason: "There is no BEGIN:VCALENDAR: this is no iCalendar file.",
                        isRefusal: true)))
        }
    }

    /// Hands on what waited, of `limit` identities.
    /// - Returns: false when there is no more.
    mutating func drain(_ limit: Int, _ body: (Output) -> Void) -> Bool {
        for _ in 0..<limit {
            guard let group = groups.popLast() else { return false }
            var items: [ICalendarItem] = []
            for place in group {
                let (uid, block, packed) = held[place]
                if block.isForeign {
                    var notes: [(Int, String)] = []
                    let component = Component(block, lines: packed.lines) { notes.append(($0, $1)) }
                    keep(component, block, notes, body)
                    held[place].lines = PackedLines([])
                    continue
                }
                let component = Component(block, lines: packed.lines) { line, reason in
                    body(.problem(ICalendarProblem(uid: uid, line: line, reason: reason)))
                }
                if let item = item(component, block, uid, body) {
                    items.append(item)
                }
                held[place].lines = PackedLines([])
            }
            for item in OverrideJoiner.joined(items, body) { emit(item, body) }
        }
        return !groups.isEmpty
    }

    private func define(_ component: Component, _ calendar: Int, _ body: (Output) -> Void) {
        do {
            zones.define(try FileZone(component), calendar: calendar)
        } catch {
            body(.problem(ICalendarProblem(line: error.line, reason: error.message)))
        }
    }

    /// The UID, or one made of the content.
    private func uid(of component: Component) -> String {
        component.givenUID ?? "content-" + ContentHash(component.text).text
    }

    private func mustWait(_ component: Component) -> Bool {
        component.properties.contains { property in
            switch property.name {
            case "RRULE", "RDATE", "RECURRENCE-ID": true
            default: property.parameter("TZID").map(zones.isOpen) ?? false
            }
        }
    }

    /// Whether it names a time zone that may still be defined. Changes of its occurrences are not
    /// joined to it: each is kept by itself.
    private func hasOpenZone(_ component: Component) -> Bool {
        component.properties.contains { $0.parameter("TZID").map(zones.isOpen) ?? false }
            || component.children.contains(where: hasOpenZone)
    }

    private func item(
        _ component: Component, _ block: ComponentBlock, _ uid: String, _ body: (Output) -> Void
    ) -> ICalendarItem? {
        guard let kind = ICalendarItem.Component(rawValue: block.name) else { return nil }
        return withoutActuallyEscaping(body) { body in
            let note = { (line: Int, reason: String) in
                body(.problem(ICalendarProblem(uid: uid, line: line, reason: reason)))
            }
            let times = TimeReader(zones: zones, calendar: block.calendar, note: note)
            let reader = ItemReader(times: times, note: note)
            do throws(ValueError) {
                return try reader.item(component, kind: kind, uid: uid)
            } catch {
                body(
                    .problem(
                        ICalendarProblem(
                            uid: uid, line: error.line, reason: error.message, isRefusal: true)))
                return nil
            }
        }
    }

    /// Of several items with one UID only those that are newer than what went out go out; changes
    /// of single occurrences whatever their version is: their series went out before them.
    private mutating func emit(_ item: ICalendarItem, _ body: (Output) -> Void) {
        if item.recurrenceID != nil { return body(.item(item)) }
        let key = item.uid.hashValue
        if let known = versions[key], item.version <= known {
            body(
                .problem(
                    ICalendarProblem(
                        uid: item.uid, line: item.line,
                        reason: "It is not newer than the item with the same UID before it.",
                        isRefusal: true)))
            return
        }
        versions[key] = item.version
        body(.item(item))
    }
}

/// Joins the changes of single occurrences (RECURRENCE-ID) to their series.
enum OverrideJoiner {
    /// In the order of the file.
    static func joined(
        _ items: [ICalendarItem], _ body: (ICalendarOutput) -> Void
    ) -> [ICalendarItem] {
        var order: [String] = []
        var byUID: [String: [ICalendarItem]] = [:]
        for item in items {
            if byUID[item.uid] == nil { order.append(item.uid) }
            byUID[item.uid, default: []].append(item)
        }
        return order.flatMap { uid -> [ICalendarItem] in
            let all = byUID[uid] ?? []
            let changes = newest(all.filter { $0.recurrenceID != nil })
            var masters = all.filter { $0.recurrenceID == nil }.sorted { $0.version < $1.version }
            guard var master = masters.popLast() else {
                // Single occurrences of a series that the file does not have.
                guard var first = changes.first else { return [] }
                first.overrides = Array(changes.dropFirst())
                return [first]
            }
            if changes.count > ICalendarLimits.dates {
                body(
                    .problem(
                        ICalendarProblem(
                            uid: uid, line: master.line,
                            reason: "More than \(ICalendarLimits.dates) occurrences are changed.")))
            }
            master.overrides = Array(changes.prefix(ICalendarLimits.dates))
            for older in masters {
                body(
                    .problem(
                        ICalendarProblem(
                            uid: uid, line: older.line,
                            reason: "Another item with the same UID is newer.", isRefusal: true)))
            }
            return [master]
        }
    }

    /// One change an occurrence: the newest version, of equal ones the last.
    private static func newest(_ changes: [ICalendarItem]) -> [ICalendarItem] {
        var (found, places) = ([ICalendarItem](), [Deadline: Int]())
        for change in changes {
            guard let id = change.recurrenceID else { continue }
            if let place = places[id] {
                if found[place].version <= change.version { found[place] = change }
            } else {
                places[id] = found.count
                found.append(change)
            }
        }
        return found
    }
}

/// 64 bits that say whether two texts are the same (FNV-1a), stable for ever.
struct ContentHash {
    private var value: UInt64 = 0xCBF2_9CE4_8422_2325

    init(_ lines: [String]) {
        for line in lines {
            for byte in line.utf8 { add(byte) }
            add(10)
        }
    }

    private mutating func add(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }

    /// 16 hexadecimal digits.
    var text: String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
