import RemindAPI

/// The components of a file that are no tasks, by their names.
struct KeptCounts {
    private struct Count {
        var added = 0
        var changed = 0
        var unchanged = 0
        var total: Int { added + changed + unchanged }
    }

    private var counts: [String: Count] = [:]

    var total: Int { counts.values.reduce(0) { $0 + $1.total } }

    /// `kept` of a reply.
    mutating func add(counted json: inout JSONReader) throws(JSONReader.Fault) {
        if json.null() { return }
        var found: [(name: String, count: Count)] = []
        try json.array { json throws(JSONReader.Fault) in
            var (name, count) = ("", Count())
            try json.object { field, json throws(JSONReader.Fault) in
                switch field {
                case "component": name = try json.string()
                case "added": count.added = Int(try json.integer())
                case "changed": count.changed = Int(try json.integer())
                case "unchanged": count.unchanged = Int(try json.integer())
                default: return
                }
            }
            found.append((name, count))
        }
        for (name, count) in found { add(count, name) }
    }

    /// One of the `components` of a reply to a dry run.
    mutating func add(one bytes: ArraySlice<UInt8>) throws(Failure) {
        add(Count(added: 1), try Import.KeptComponent(bytes).component)
    }

    private mutating func add(_ count: Count, _ name: String) {
        let isNamed = counts.count < Import.keptNames || counts[name] != nil
        let name = isNamed ? name : ""
        var sum = counts[name] ?? Count()
        sum.added += count.added
        sum.changed += count.changed
        sum.unchanged += count.unchanged
        counts[name] = sum
    }

    /// The same for scripts, beside what could not be read; empty when there are none.
    var jsonNotice: String {
        guard !counts.isEmpty else { return "" }
        var parameters = JSONWriter()
        parameters.object { json in
            json.key("kept")
            json.array { json in
                for (name, count) in counts.sorted(by: { $0.key < $1.key }) {
                    json.object { json in
                        json.field("component", name)
                        json.field("added", Int64(count.added))
                        json.field("changed", Int64(count.changed))
                        json.field("unchanged", Int64(count.unchanged))
                    }
                }
            }
        }
        let message = String(summary(isDryRun: false).dropLast())
        return Failure("KeptComponents", message, parameters: parameters.bytes, exit: .done)
            .text(json: true)
    }

    /// A line for people; empty when there are none.
    func summary(isDryRun: Bool) -> String {
        guard !counts.isEmpty else { return "" }
        let others = counts.filter(\.key.isEmpty)
        let names = counts.filter { !$0.key.isEmpty }.sorted { $0.key < $1.key } + others
        let words = names.map { name, count in
            var words = "\(count.total) \(name.isEmpty ? "others" : name.singleLine)"
            if count.unchanged == count.total {
                words += " (known already)"
            } else if count.added < count.total {
                words += " (\(count.added) new, \(count.changed) changed)"
            }
            return words
        }
        let verb = isDryRun ? "An import keeps" : "Kept"
        return "\(verb) for the export, without rings: \(words.joined(separator: ", ")).\n"
    }
}

extension Import.KeptComponent {
    /// - Throws: when it is none.
    init(_ bytes: ArraySlice<UInt8>) throws(Failure) {
        var found = Import.KeptComponent(
            action: "kept", component: "", line: 0, uid: "", change: nil, notes: nil)
        var json = JSONReader(Array(bytes))
        do {
            try json.object { field, json throws(JSONReader.Fault) in
                switch field {
                case "component": found.component = try json.string()
                case "line": found.line = Int(try json.integer())
                case "uid": found.uid = try json.string()
                case "notes": found.notes = json.null() ? nil : try json.strings()
                default: return
                }
            }
        } catch {
            throw .malformedJSON(error)
        }
        self = found
    }

    /// For people.
    var text: String {
        let notes = (notes ?? []).map { "  note: \($0.singleLine)\n" }
        return "\(component.singleLine) \(uid.singleLine) — kept for the export, without rings\n"
            + notes.joined()
    }
}
