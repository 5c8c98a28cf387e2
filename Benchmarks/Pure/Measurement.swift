/// Nanoseconds of one operation, over several rounds.
struct Measurement {
    let name: String
    let nanoseconds: [Double]

    /// - Parameters:
    ///   - operations: how many `body` does.
    ///   - rounds: how often it is measured.
    init(_ name: String, operations: Int, rounds: Int = 9, _ body: () -> Void) {
        let clock = ContinuousClock()
        self.name = name
        nanoseconds = (0..<rounds).map { _ in
            let time = clock.measure(body).components
            return (Double(time.seconds) * 1e9 + Double(time.attoseconds) / 1e9)
                / Double(operations)
        }.sorted()
    }

    /// A Measurement of figures that were taken elsewhere.
    init(_ name: String, nanoseconds: [Double]) {
        (self.name, self.nanoseconds) = (name, nanoseconds.sorted())
    }

    /// A row of a Markdown table.
    var row: String {
        let middle = nanoseconds[nanoseconds.count / 2]
        let ends = [nanoseconds.first ?? 0, nanoseconds.last ?? 0].map(Self.text)
        return "| \(name) | \(Self.text(middle)) | \(ends.joined(separator: " | ")) |"
    }

    private static func text(_ value: Double) -> String {
        value < 10_000 ? "\(Int(value.rounded())) ns" : "\(Int((value / 1000).rounded())) µs"
    }
}

/// Keeps the compiler from dropping a result that nobody reads.
@inline(never) func use<Value>(_ value: Value) {}
