/// What one operation takes, over several rounds.
struct Measurement {
    enum Unit {
        case nanoseconds, bytes
    }

    let name: String
    private let values: [Double]
    private let unit: Unit

    /// - Parameters:
    ///   - operations: how many `body` does.
    ///   - rounds: how often it is measured.
    init(_ name: String, operations: Int, rounds: Int = 9, _ body: () -> Void) {
        let clock = ContinuousClock()
        (self.name, unit) = (name, .nanoseconds)
        values = (0..<rounds).map { _ in
            let time = clock.measure(body).components
            return (Double(time.seconds) * 1e9 + Double(time.attoseconds) / 1e9)
                / Double(operations)
        }.sorted()
    }

    /// A measurement whose figures were taken elsewhere.
    init(_ name: String, _ values: [Double], _ unit: Unit = .nanoseconds) {
        (self.name, self.values, self.unit) = (name, values.sorted(), unit)
    }

    /// A row of a Markdown table.
    var row: String {
        let middle = values[values.count / 2]
        let ends = [values.first ?? 0, values.last ?? 0].map(text)
        return "| \(name) | \(text(middle)) | \(ends.joined(separator: " | ")) |"
    }

    private func text(_ value: Double) -> String {
        switch unit {
        case .bytes: "\(Int(value.rounded())) bytes"
        case .nanoseconds where value < 10_000: "\(Int(value.rounded())) ns"
        case .nanoseconds: "\(Int((value / 1000).rounded())) µs"
        }
    }
}

/// Keeps the compiler from dropping a result that nobody reads.
@inline(never) func use<Value>(_ value: Value) {}

/// What needs no daemon: phrases, rules, the wheel and the search of the store.
/// - Parameter others: a program that prints rows of its own.
func writePureMeasurements(to report: Report, others: String?) throws {
    var table = "| what | median | best | worst |\n|---|---|---|---|\n"
    for measure in [phraseMeasurements, ruleMeasurements, wheelMeasurements] {
        for measurement in measure() { table += measurement.row + "\n" }
    }
    if let others { table += try Command([others]).run().text }
    for measurement in searchMeasurements() { table += measurement.row + "\n" }
    print(table)
    try report.replace(section: "pure", by: table)
}
