import Glibc

/// A picture (SVG 1.1) of how long each program takes as its store grows: one panel for each kind of
/// command, both axes logarithmic.
struct Chart {
    /// The times of one program in one panel: the size of the store, and milliseconds.
    private typealias Line = [(size: Int, time: Double)]

    private var kinds: [String] = []
    private var lines: [String: [(name: String, line: Line)]] = [:]

    private static let panel = (width: 330.0, height: 210.0)
    private static let margin = (left: 60.0, top: 40.0)
    private static let gap = (x: 70.0, y: 70.0)
    private static let columns = 3
    private static let colors = [
        "remindctl": "#c2185b", "C client": "#757575", "at": "#1565c0", "taskwarrior": "#2e7d32",
        "calcurse": "#ef6c00", "remind": "#6a1b9a", "todoman": "#00838f",
    ]

    /// - Parameter contests: each with its kind and the size of its store in its title:
    ///   `add, 1000 tasks`.
    init(_ contests: [Contest]) {
        for contest in contests {
            let words = contest.title.split(separator: ",")
            let size = words.dropFirst().first?.split(separator: " ").first.flatMap { Int($0) }
            guard let kind = words.first.map(String.init), let size else { continue }
            if lines[kind] == nil { kinds.append(kind) }
            for row in contest.rows {
                append((size, Contest.median(row.times) / 1e6), of: row.name, to: kind)
            }
        }
    }

    private mutating func append(_ point: (Int, Double), of name: String, to kind: String) {
        let place = lines[kind, default: []].firstIndex { $0.name == name }
        if let place {
            lines[kind]?[place].line.append(point)
        } else {
            lines[kind, default: []].append((name, [point]))
        }
    }

    var svg: String {
        let rows = (kinds.count + Self.columns - 1) / Self.columns
        let width = Self.margin.left + Double(Self.columns) * (Self.panel.width + Self.gap.x)
        let height = Self.margin.top + Double(rows) * (Self.panel.height + Self.gap.y) + 30
        let panels = kinds.enumerated().map { index, kind in
            panel(
                kind,
                x: Self.margin.left
                    + Double(index % Self.columns) * (Self.panel.width + Self.gap.x),
                y: Self.margin.top + Double(index / Self.columns) * (Self.panel.height + Self.gap.y)
            )
        }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Int(width)) \(Int(height))" \
            font-family="sans-serif" font-size="12">
            <rect width="100%" height="100%" fill="white"/>
            \(panels.joined(separator: "\n"))
            \(legend(y: height - 20))
            </svg>

            """
    }

    private func legend(y: Double) -> String {
        let names = Self.colors.keys.filter { name in
            lines.values.joined().contains { $0.name.hasPrefix(name) }
        }.sorted()
        return names.enumerated().map { index, name in
            let x = Self.margin.left + Double(index) * 130
            return """
                <rect x="\(x)" y="\(y - 9)" width="18" height="4" fill="\(color(of: name))"/>\
                <text x="\(x + 24)" y="\(y)">\(name)</text>
                """
        }.joined(separator: "\n")
    }

    private func color(of name: String) -> String {
        Self.colors.filter { name.hasPrefix($0.key) }.max { $0.key.count < $1.key.count }?.value
            ?? "#000000"
    }

    private func panel(_ kind: String, x: Double, y: Double) -> String {
        let all = lines[kind] ?? []
        let times = all.flatMap { $0.line.map(\.time) }
        let exponents = times.map { log10(max($0, 0.01)) }
        let (low, high) = (
            (exponents.min() ?? 0).rounded(.down), (exponents.max() ?? 1).rounded(.up)
        )
        let frame = Frame(
            x: x, y: y, width: Self.panel.width, height: Self.panel.height, low: low,
            high: max(high, low + 1))
        let curves = all.map { frame.curve($0.line, color: color(of: $0.name), name: $0.name) }
        return """
            <text x="\(x)" y="\(y - 10)" font-weight="bold">\(kind): milliseconds by tasks</text>
            \(frame.grid)
            \(curves.joined(separator: "\n"))
            """
    }
}

/// Where a panel is, and what its axes span.
private struct Frame {
    let x, y, width, height: Double
    /// Powers of ten of milliseconds.
    let low, high: Double
    /// Powers of ten of tasks; an empty store stands at the first.
    private static let sizes = (low: 2.0, high: 6.0)

    private func place(size: Int) -> Double {
        let exponent = size == 0 ? Self.sizes.low : log10(Double(size))
        return x + (exponent - Self.sizes.low) / (Self.sizes.high - Self.sizes.low) * width
    }

    private func place(exponent: Double) -> Double {
        y + height - (exponent - low) / (high - low) * height
    }

    var grid: String {
        var parts = [
            """
            <rect x="\(x)" y="\(y)" width="\(width)" height="\(height)" fill="none" stroke="#999"/>
            """
        ]
        for exponent in stride(from: low, through: high, by: 1) {
            let at = place(exponent: exponent)
            let label = exponent < 0 ? "\(pow(10, exponent))" : "\(Int(pow(10, exponent)))"
            parts.append(
                """
                <line x1="\(x)" y1="\(at)" x2="\(x + width)" y2="\(at)" stroke="#ddd"/>\
                <text x="\(x - 6)" y="\(at + 4)" text-anchor="end">\(label)</text>
                """)
        }
        for (size, label) in [(0, "0"), (1000, "1,000"), (10_000, "10,000"), (100_000, "100,000")] {
            parts.append(sizeLabel(label, at: place(size: size)))
        }
        parts.append(sizeLabel("1,000,000", at: x + width))
        return parts.joined(separator: "\n")
    }

    private func sizeLabel(_ label: String, at place: Double) -> String {
        "<text x=\"\(place)\" y=\"\(y + height + 16)\" text-anchor=\"middle\">\(label)</text>"
    }

    func curve(_ line: [(size: Int, time: Double)], color: String, name: String) -> String {
        let points = line.map { point in
            (place(size: point.size), place(exponent: log10(max(point.time, 0.01))))
        }
        let path = points.map { "\($0.0),\($0.1)" }.joined(separator: " ")
        let dots = points.map {
            "<circle cx=\"\($0.0)\" cy=\"\($0.1)\" r=\"3\" fill=\"\(color)\"/>"
        }.joined()
        return """
            <g><title>\(name)</title>\
            <polyline points="\(path)" fill="none" stroke="\(color)" stroke-width="2"/>\(dots)</g>
            """
    }
}
