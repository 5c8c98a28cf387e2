import RemindAPI
import RemindCore

/// `list` and `next`.
enum Listing {
    @Sendable static func list(_ session: Session) throws(Failure) -> ExitStatus {
        let sort = session.arguments.value("sort") ?? "due"
        return try show(List.self, isGrouped: sort == "due", session) { _ throws(Failure) in }
    }

    /// The best match comes first, so that days are no order here.
    @Sendable static func search(_ session: Session) throws(Failure) -> ExitStatus {
        let text = session.arguments.operands.joined(by: " ")
        return try show(Search.self, isGrouped: false, session) { json throws(Failure) in
            json.field("text", text)
        }
    }

    private static func show(
        _ method: (some RemindersMethod).Type, isGrouped: Bool, _ session: Session,
        _ parameters: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) -> ExitStatus {
        var rows = ListRows(now: session.surroundings.now(), style: session.style)
        try session.callMore(method, patient: false) { json throws(Failure) in
            try parameters(&json)
            try session.writeOptions(to: &json)
            // A line of the table shows less than half of a reminder.
            if !session.json { json.field("brief", true) }
        } each: { bytes throws(Failure) in
            if session.json {
                try handOn(bytes, to: session.output)
            } else {
                try read(bytes, into: &rows)
            }
        }
        if !session.json { try write(rows, isGrouped: isGrouped, session) }
        return .done
    }

    /// The objects of a reply, one a line. A reader that takes its time never keeps us from reading
    /// what the daemon sends: it would take us for stuck.
    private static func handOn(_ reply: [UInt8], to output: Output) throws(Failure) {
        if !ReminderObjects.each(in: reply, { output.add(json: $0) }) {
            for bytes in try Reply(reply, with: ["reminders"]).reminders { output.add(json: bytes) }
        }
        try output.handOnWithoutWaiting()
    }

    private static func read(_ reply: [UInt8], into rows: inout ListRows) throws(Failure) {
        let isWhole: Bool
        do { isWhole = try rows.read(reply) } catch { throw .malformedJSON(error) }
        guard isWhole else { throw .lacking("reminders") }
    }

    private static func write(
        _ rows: ListRows, isGrouped: Bool, _ session: Session
    ) throws(Failure) {
        guard !rows.isEmpty else {
            try session.output.write("No reminders.\n")
            return
        }
        let table = ListTable(
            rows, columns: session.surroundings.terminal?.columns, isGrouped: isGrouped,
            style: session.style)
        try table.write(to: session.output)
    }

    @Sendable static func next(_ session: Session) throws(Failure) -> ExitStatus {
        let limit = try limit(session.arguments.operands.first)
        let reply = try Reply(
            try session.call(Next.self) { json throws(Failure) in
                if let limit { json.field("limit", limit) }
            }, with: ["rings"])
        if session.json {
            for bytes in reply.rings { try session.output.writeLine(json: bytes) }
            return .done
        }
        let rings = try reply.ringRecords()
        let lines = RingTable.lines(
            rings, now: session.surroundings.now(),
            columns: session.surroundings.terminal?.columns, style: session.style)
        for line in lines { try session.output.write(line + "\n") }
        if rings.isEmpty { try session.output.write("Nothing will ring.\n") }
        return .done
    }

    private static func limit(_ word: String?) throws(Failure) -> Int64? {
        guard let word else { return nil }
        guard let limit = Int64(word), limit >= 1 else {
            throw .usage("‘\(word)’ is not a number from 1 up.", hint: "remindctl next 3")
        }
        return limit
    }
}

/// Rings to come, one a line: when, which task, and when that is due if it rings before.
enum RingTable {
    /// No title is cut to less than this for what stands behind it.
    private static let wantedTitle = 20

    /// In another zone “tomorrow” can be another day than here: there the date is told.
    private static func dueText(_ ring: RingRecord, at: Moment?, now: Instant) -> String {
        guard let due = Moment(ring.due, dateOffset: at?.offset ?? 0) else {
            return ring.due.singleLine
        }
        let isHere = due.offset == at?.offset
        let zone = ring.reminder.timeZone.map { " " + $0.singleLine } ?? ""
        return (isHere ? due.words(now: now) : due.full) + zone
    }

    static func lines(_ rings: [RingRecord], now: Instant, columns: Int?, style: Style)
        -> [String]
    {
        let rows = rings.map { ring in
            let at = Moment(ring.at, dateOffset: 0)
            let due = Moment(ring.due, dateOffset: at?.offset ?? 0)
            let isEarly = due?.instant != nil && due?.instant != at?.instant
            return (
                at: at?.words(now: now) ?? ring.at.singleLine, number: "#\(ring.reminder.number)",
                title: style.written(ring.reminder.title.singleLine),
                due: isEarly ? "  (due \(dueText(ring, at: at, now: now)))" : ""
            )
        }
        let atCells = rows.map(\.at.cells).max() ?? 0
        let numberCells = rows.map(\.number.cells).max() ?? 0
        return rows.map { row in
            let head =
                "\(row.at.padded(toCells: atCells))  "
                + "\(row.number.padded(toCells: numberCells)) "
            guard let columns else { return head + row.title + row.due }
            // On a narrow terminal the title says more than when it is due.
            let room = columns - head.cells
            let due = room - row.due.cells >= min(row.title.cells, wantedTitle) ? row.due : ""
            let title = row.title.cut(toCells: max(room - due.cells, 8), ascii: style.isASCII)
            return head + title.isolated + due
        }
    }
}
