/// The names that the system's tzdata lists, and those among them that resemble a wrong one.
struct ZoneNames: Sendable {
    /// In the order of the list; empty when the system has none.
    let all: [String]
    private let byFolded: [String: String]

    /// Reads `tzdata.zi` (zones and links), else `zone1970.tab` and `zone.tab` (zones).
    init(files: ZoneFiles) {
        var names = Self.columns(files, "tzdata.zi").compactMap { columns in
            switch (columns.first, columns.count) {
            case ("Z", 2...): String(columns[1])
            case ("L", 3...): String(columns[2])
            default: nil
            }
        }
        for table in ["zone1970.tab", "zone.tab"] where names.isEmpty {
            names = Self.columns(files, table).compactMap {
                $0.count > 2 && $0[0].first != "#" ? String($0[2]) : nil
            }
        }
        all = names.filter { $0 != "Factory" }
        byFolded = Dictionary(
            all.map { ($0.lowercased(), $0) }, uniquingKeysWith: { old, _ in old })
    }

    private static func columns(_ files: ZoneFiles, _ table: String) -> [[Substring]] {
        guard let bytes = ZoneFiles.read(files.path(of: table)) else { return [] }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
            .map { $0.split(whereSeparator: { $0 == " " || $0 == "\t" }) }
    }

    /// The listed name that differs from `name` at most in case.
    func canonical(_ name: String) -> String? { byFolded[name.lowercased()] }

    /// Up to three names that could have been meant, the likeliest first: those whose city is
    /// `name`, then those at most a quarter of whose letters differ (edit distance).
    func near(_ name: String) -> [String] {
        let wanted = Array(name.lowercased().utf8.prefix(64)).map { $0 == 32 ? 95 : $0 }
        guard wanted.count > 1 else { return [] }
        let allowed = max(1, wanted.count / 4)
        let ranked = all.compactMap { candidate -> (distance: Int, name: String)? in
            let folded = candidate.lowercased()
            let whole = Self.distance(wanted, Array(folded.utf8))
            let city = folded.split(separator: "/").last.map {
                Self.distance(wanted, Array($0.utf8))
            }
            let best = min(whole, city ?? whole)
            return best <= allowed ? (best, candidate) : nil
        }
        // A name in an area is clearer than an old one without (Europe/Paris, not Eire).
        let sorted = ranked.sorted {
            ($0.distance, $0.name.contains("/") ? 0 : 1, $0.name)
                < ($1.distance, $1.name.contains("/") ? 0 : 1, $1.name)
        }
        return sorted.prefix(3).map(\.name)
    }

    /// Insertions, deletions, replacements and swaps of neighbours that turn `left` into `right`.
    static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var rows = [Array(0...right.count)]
        for (i, a) in left.enumerated() {
            var row = [i + 1]
            for (j, b) in right.enumerated() {
                var best = min(rows[i][j] + (a == b ? 0 : 1), rows[i][j + 1] + 1, row[j] + 1)
                if i > 0, j > 0, a == right[j - 1], left[i - 1] == b {
                    best = min(best, rows[i - 1][j - 1] + 1)
                }
                row.append(best)
            }
            rows.append(row)
        }
        return rows[left.count][right.count]
    }
}
