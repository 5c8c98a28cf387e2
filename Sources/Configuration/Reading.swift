import RemindCore

/// Goes through a parsed file, key by key, and collects what is set and what is wrong.
struct Reading {
    let file: KeyFile
    private let places: [TextLines.Place]
    var faults: [ConfigurationFile.Fault]
    var draft = Draft()

    init(file: KeyFile, lines: TextLines, faults: [ConfigurationFile.Fault]) {
        (self.file, places, self.faults) = (file, lines.places, faults)
    }

    mutating func readAll() {
        for group in file.groups {
            if ConfigurationKey.groups.contains(group) { read(group) } else { refuse(group) }
        }
        checkQuietHours()
    }

    private mutating func read(_ group: String) {
        refuseDoubles(in: group)
        for name in file.keys(of: group) {
            if let key = ConfigurationKey.named(name, in: group) {
                read(key)
            } else {
                fault(group, name, unknown(name, in: group))
            }
        }
    }

    private mutating func read(_ key: ConfigurationKey) {
        guard let text = file.value(key.group, key.name) else {
            return fault(
                key.group, key.name,
                "\(key.name): the value has an escape that there is not; write \\\\ for a \\.")
        }
        let value = TextLines.trimmed(text)
        // A key without a value is as good as one that is not there.
        guard !value.isEmpty else { return }
        do {
            try key.set(&draft, value)
        } catch {
            let shown = "\(key.name)=\(ConfigurationFile.shortened(value))"
            let comment = value.contains("#") ? " A comment stands on a line of its own." : ""
            fault(
                key.group, key.name, "\(shown): \(error.reason) Allowed: \(key.allowed).\(comment)")
        }
    }

    private mutating func refuse(_ group: String) {
        let groups = ConfigurationKey.groups
        let all = groups.map { "[\($0)]" }.joined(separator: ", ")
        let near = Spelling.nearest(to: group, among: groups).map { "Did you mean [\($0)]?" }
        fault(group, nil, "There is no group [\(group)]. \(near ?? "There are \(all).")")
    }

    private func unknown(_ name: String, in group: String) -> String {
        if let other = ConfigurationKey.all.first(where: { $0.name == name }) {
            return "\(name) stands in [\(group)]; it belongs into [\(other.group)]."
        }
        let names = ConfigurationKey.all.filter { $0.group == group }.map(\.name)
        let text = "There is no key ‘\(ConfigurationFile.shortened(name))’ in [\(group)]."
        if let near = Spelling.nearest(to: name, among: names) {
            return "\(text) Did you mean \(near)?"
        }
        if let near = Spelling.nearest(to: name, among: ConfigurationKey.all.map(\.name)),
            let key = ConfigurationKey.all.first(where: { $0.name == near })
        {
            return "\(text) Did you mean \(near) in [\(key.group)]?"
        }
        return "\(text) It has \(names.joined(separator: ", "))."
    }

    /// GLib keeps the last one and says nothing.
    private mutating func refuseDoubles(in group: String) {
        var seen: [String: Int] = [:]
        for place in places where place.group == group {
            guard let key = place.key else { continue }
            if let first = seen[key] {
                faults.append(
                    .init(
                        line: place.line,
                        message: "\(key) is set twice; line \(first) sets it too."))
            } else {
                seen[key] = place.line
            }
        }
    }

    private mutating func checkQuietHours() {
        switch (draft.quietFrom, draft.quietUntil) {
        case (nil, nil): break
        case (let from?, let until?) where from != until:
            draft.settings.quiet = .init(from: from, until: until)
        case (_?, _?):
            fault("Quiet", "Until", "Until is the same time as From: quiet hours without length.")
        case (_?, nil): fault("Quiet", "From", "From needs an Until: when quiet hours end.")
        case (nil, _?): fault("Quiet", "Until", "Until needs a From: when quiet hours begin.")
        }
    }

    private mutating func fault(_ group: String, _ key: String?, _ message: String) {
        let line = places.first { $0.group == group && $0.key == key }?.line
        faults.append(.init(line: line, message: message))
    }
}
