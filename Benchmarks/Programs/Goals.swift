/// What must be, and what was measured: one line each, so that a run says at its end what holds.
struct Goals {
    private struct Line {
        let what: String
        let wanted: String
        let measured: String
        let isMet: Bool
    }

    private var lines: [Line] = []
    /// The medians of our command of each kind, by the size of the store.
    private var medians: [String: [Double]] = [:]

    /// Our rows of a contest against its first row, the floor.
    mutating func add(_ contest: Contest, kind: String, atMost limit: Double) {
        guard let floor = contest.rows.first else { return }
        for row in contest.rows where row.name.hasPrefix("remindctl ") {
            let median = Contest.median(row.times)
            let ratio = median / Contest.median(floor.times)
            medians[kind, default: []].append(median)
            add(
                contest.title, "≤ \(Contest.ratio(limit)) × the floor",
                "\(Contest.ratio(ratio)) ×", ratio <= limit)
        }
    }

    /// Each of our rows of a contest ahead of all the others.
    mutating func addAheadOfPeers(_ contest: Contest) {
        let peers = contest.rows.filter { !$0.name.hasPrefix("remindctl ") }
        guard let best = peers.map({ Contest.median($0.times) }).min() else { return }
        for row in contest.rows where row.name.hasPrefix("remindctl ") {
            let ratio = Contest.median(row.times) / best
            add(
                "\(row.name), \(contest.title)", "ahead of every peer",
                "\(Contest.ratio(ratio)) × the best of them", ratio < 1)
        }
    }

    /// The slowest median of a kind against its fastest, over all sizes of the store.
    mutating func addFlatness(of kind: String, within limit: Double) {
        guard let all = medians[kind], all.count > 1, let least = all.min(), let most = all.max()
        else { return }
        add(
            "\(kind), over all sizes", "≤ \(Contest.ratio(limit)) × the fastest",
            "\(Contest.ratio(most / least)) ×", most / least <= limit)
    }

    mutating func add(_ what: String, _ wanted: String, _ measured: String, _ isMet: Bool) {
        lines.append(Line(what: what, wanted: wanted, measured: measured, isMet: isMet))
    }

    var table: String {
        "### What must be\n\n| what | wanted | measured | holds |\n|---|---|---|---|\n"
            + lines.map {
                "| \($0.what) | \($0.wanted) | \($0.measured) | \($0.isMet ? "yes" : "**no**") |\n"
            }.joined()
    }
}
