import RemindAPI
import RemindCore

/// `lists` and `tags`: which there are, and how many tasks each has.
enum Overview {
    @Sendable static func lists(_ session: Session) throws(Failure) -> ExitStatus {
        try show(session, as: "list") { [$0.list] }
    }

    @Sendable static func tags(_ session: Session) throws(Failure) -> ExitStatus {
        try show(session, as: "tag", \.tags)
    }

    private struct Count {
        var (open, done) = (Int64(0), Int64(0))

        var words: String { "\(open) open" + (done > 0 ? ", \(done) done" : "") }
    }

    private static func show(
        _ session: Session, as field: StaticString, _ names: (ReminderRecord) -> [String]
    ) throws(Failure) -> ExitStatus {
        let counts = try counts(session, names)
        let rows = counts.sorted { ($0.key.lowercased(), $0.key) < ($1.key.lowercased(), $1.key) }
        if session.json {
            for (name, count) in rows {
                var json = JSONWriter(capacity: 128)
                json.object { json in
                    json.field(field, name)
                    json.field("open", count.open)
                    json.field("done", count.done)
                }
                try session.output.writeLine(json: json.bytes)
            }
            return .done
        }
        let texts = rows.map { (session.style.written($0.key.singleLine), $0.value.words) }
        let width = texts.map(\.0.cells).max() ?? 0
        try session.write(
            lines: texts.map { "\($0.0.padded(toCells: width))  \($0.1)" }, hanging: width + 2)
        if rows.isEmpty { try session.output.write("There is no \(field).\n") }
        return .done
    }

    private static func counts(
        _ session: Session, _ names: (ReminderRecord) -> [String]
    ) throws(Failure) -> [String: Count] {
        var counts: [String: Count] = [:]
        try session.callMore(List.self, patient: false) { json throws(Failure) in
            json.field("show", "all")
        } each: { bytes throws(Failure) in
            for record in try Reply(bytes, with: ["reminders"]).records() {
                for name in names(record) {
                    if record.state == .open {
                        counts[name, default: Count()].open += 1
                    } else {
                        counts[name, default: Count()].done += 1
                    }
                }
            }
        }
        return counts
    }
}
