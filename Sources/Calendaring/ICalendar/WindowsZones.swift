/// Windows' names of time zones, as Exchange and Outlook write them in TZID.
enum WindowsZones {
    /// From a Windows name, lower case, to the IANA name of the zone.
    static let byName: [String: String] = {
        let rows = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
        let pairs = rows.map { row -> (String, String) in
            let columns = row.split(separator: "\t")
            return (columns[0].lowercased(), String(columns[1]))
        }
        return Dictionary(pairs) { first, _ in first }
    }()

    /// The zone of a name as Windows shows it to people, whatever offset stands before it, or of one
    /// that Outlook has numbered: `(UTC-05:00) Eastern Time (US & Canada)`, `Eastern Daylight Time`,
    /// `W. Europe Standard Time 1`.
    static func displayed(_ id: String) -> String? {
        var name = id.lowercased()[...]
        if name.first == "(", let end = name.firstIndex(of: ")") {
            name = name[end...].dropFirst()
        }
        name = name.prefix { $0 != "(" }
        var words = name.split(separator: " ").map(String.init)
        if words.count > 1, words.last.flatMap({ Int($0) }) != nil { words.removeLast() }
        words.removeAll { ["standard", "daylight", "time"].contains($0) }
        if words == ["alaska"] { words = ["alaskan"] }
        if words == ["indiana"] { words = ["us", "eastern"] }
        return byName[(words + ["standard", "time"]).joined(separator: " ")]
    }

    /// The IANA names in the table: one or more for every set of rules in use.
    static let zones: [String] = Set(byName.values).sorted()

    /// The file `windows-zones.txt`, which names its source.
    private static let text = String(decoding: PackageResources.windows_zones_txt, as: UTF8.self)
}
