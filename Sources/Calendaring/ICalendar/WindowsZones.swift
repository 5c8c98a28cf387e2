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

    /// The IANA names in the table: one or more for every set of rules in use.
    static let zones: [String] = Set(byName.values).sorted()

    /// The file `windows-zones.txt`, which names its source.
    private static let text = String(decoding: PackageResources.windows_zones_txt, as: UTF8.self)
}
