/// Programs that do the same, measured in turn: one round of each, then the next round, so that
/// whatever the machine does meanwhile meets all of them.
struct Contest {
    let title: String
    private(set) var rows: [(name: String, times: [Double])] = []

    /// - Parameters:
    ///   - contenders: a name, and what gives the command of a round.
    ///   - rounds: how often each runs; the first one of each is not counted.
    init(
        _ title: String, rounds: Int,
        _ contenders: [(name: String, command: (Int) throws -> Command)]
    ) throws {
        self.title = title
        rows = contenders.map { ($0.name, []) }
        for round in 0...rounds {
            for (index, contender) in contenders.enumerated() {
                let time = try contender.command(round).run().nanoseconds
                if round > 0 { rows[index].times.append(time) }
            }
        }
    }

    /// Figures that were taken elsewhere.
    init(_ title: String, _ rows: [(name: String, times: [Double])]) {
        (self.title, self.rows) = (title, rows)
    }

    /// A Markdown table: median, best, worst, and the median against that of the first row.
    var table: String {
        let floor = rows.first.map { Self.median($0.times) } ?? 1
        let lines = rows.map { row in
            let times = row.times.sorted()
            let ends = [times.first ?? 0, times.last ?? 0].map(Self.milliseconds)
            return "| \(row.name) | \(Self.milliseconds(Self.median(times))) | "
                + "\(ends.joined(separator: " | ")) | \(Self.ratio(Self.median(times) / floor)) |"
        }
        return "### \(title)\n\n| ms | median | best | worst | ratio |\n|---|---|---|---|---|\n"
            + lines.joined(separator: "\n") + "\n"
    }

    static func median(_ values: [Double]) -> Double {
        values.isEmpty ? 0 : values.sorted()[values.count / 2]
    }

    /// Of nanoseconds, with two digits behind the point.
    static func milliseconds(_ nanoseconds: Double) -> String { ratio(nanoseconds / 1e6) }

    static func ratio(_ value: Double) -> String {
        let hundredths = Int((value * 100).rounded())
        let rest = hundredths % 100
        return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
    }
}
