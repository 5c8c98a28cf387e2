/// What a step changed, as it was before.
enum StepImage: Hashable {
    case task(TaskImage)
    /// A component of a calendar that is no task: its whole row; `nil`: there was none.
    case component(number: Int64, row: [Cell]?)

    var task: TaskImage? { if case .task(let image) = self { image } else { nil } }
}

/// What a step changed of one task, as it was before. Putting it back leaves everything else alone: a
/// ring that came after an edit of the title goes on ringing when the edit is taken back.
struct TaskImage: Hashable {
    let number: Int64
    /// `nil`: there was no such task.
    var content: Content?
    /// The rows of the log that the step wrote about it; `nil` for none.
    var log: ClosedRange<Int64>?

    enum Content: Hashable {
        /// The task is gone: all its rows.
        case whole(TaskRows)
        /// Columns of the task by their place, and the rows of some of the tables beside it.
        case part(columns: [Int: Cell], children: [Int: [[Cell]]])
    }

    /// - Parameters:
    ///   - before: its rows; `nil` when there was no task.
    ///   - after: its rows; `nil` when there is none now.
    init(
        number: Int64, before: TaskRows?, after: TaskRows?, log: ClosedRange<Int64>?,
        tables: TaskTables
    ) {
        (self.number, self.log) = (number, log)
        guard let before else { return }
        guard let after else {
            content = .whole(before)
            return
        }
        var places = before.columns.indices.filter { before.columns[$0] != after.columns[$0] }
        var others = before.children.indices.filter { before.children[$0] != after.children[$0] }
        let isMoved =
            others.contains { $0 == tables.alarm }
            || places.contains(where: tables.schedule.contains)
        if isMoved {
            places = Set(places).union(tables.schedule).sorted()
            if let alarm = tables.alarm, !others.contains(alarm) { others.append(alarm) }
        }
        content = .part(
            columns: Dictionary(uniqueKeysWithValues: places.map { ($0, before.columns[$0]) }),
            children: Dictionary(uniqueKeysWithValues: others.map { ($0, before.children[$0]) }))
    }

    init(number: Int64, content: Content?, log: ClosedRange<Int64>?) {
        (self.number, self.content, self.log) = (number, content, log)
    }

    /// Nothing to take back.
    var isEmpty: Bool {
        guard case .part(let columns, let children) = content else { return false }
        return columns.isEmpty && children.isEmpty && log == nil
    }
}

/// Images as the bytes of one column: numbers are LEB128 (zigzag where they have a sign), texts and
/// lists begin with their count. A component is written as a task with its number below zero, of
/// which there is nothing but one row.
struct ImageWriter {
    private(set) var bytes: [UInt8] = []

    mutating func write(_ image: StepImage) {
        switch image {
        case .task(let image): write(image)
        case .component(let number, let row):
            let rows = row.map { TaskRows(columns: $0, children: []) }
            write(TaskImage(number: -number, content: rows.map { .whole($0) }, log: nil))
        }
    }

    private mutating func write(_ image: TaskImage) {
        write(image.number)
        write(image.log == nil ? 0 : 1)
        if let log = image.log {
            write(log.lowerBound)
            write(log.upperBound - log.lowerBound)
        }
        switch image.content {
        case nil: write(0)
        case .whole(let rows):
            write(1)
            write(rows.columns)
            write(Int64(rows.children.count))
            for table in rows.children { write(table) }
        case .part(let columns, let children):
            write(2)
            write(Int64(columns.count))
            for (place, cell) in columns.sorted(by: { $0.key < $1.key }) {
                write(Int64(place))
                write(cell)
            }
            write(Int64(children.count))
            for (place, rows) in children.sorted(by: { $0.key < $1.key }) {
                write(Int64(place))
                write(rows)
            }
        }
    }

    private mutating func write(_ rows: [[Cell]]) {
        write(Int64(rows.count))
        for row in rows { write(row) }
    }

    private mutating func write(_ cells: [Cell]) {
        write(Int64(cells.count))
        for cell in cells { write(cell) }
    }

    private mutating func write(_ cell: Cell) {
        switch cell {
        case .null: bytes.append(0)
        case .integer(let value):
            bytes.append(1)
            write(value)
        case .text(let text): write(2, text)
        case .blob(let blob): write(3, blob)
        }
    }

    private mutating func write(_ kind: UInt8, _ content: [UInt8]) {
        bytes.append(kind)
        write(Int64(content.count))
        bytes += content
    }

    private mutating func write(_ value: Int64) {
        var rest = UInt64(bitPattern: value << 1 ^ value >> 63)
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }
}

/// Reads what `ImageWriter` wrote.
struct ImageReader {
    /// The bytes are not such.
    struct Fault: Error {}

    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    /// `nil` at the end.
    mutating func image() throws(Fault) -> StepImage? {
        guard !rest.isEmpty else { return nil }
        let image = try taskImage()
        guard image.number < 0 else { return .task(image) }
        guard image.number > .min else { throw Fault() }
        switch image.content {
        case nil: return .component(number: -image.number, row: nil)
        case .whole(let rows): return .component(number: -image.number, row: rows.columns)
        case .part: throw Fault()
        }
    }

    private mutating func taskImage() throws(Fault) -> TaskImage {
        let number = try integer()
        var log: ClosedRange<Int64>?
        if try integer() == 1 {
            let first = try integer()
            let length = try integer()
            guard length >= 0, first <= .max - length else { throw Fault() }
            log = first...first + length
        }
        return TaskImage(number: number, content: try content(), log: log)
    }

    private mutating func content() throws(Fault) -> TaskImage.Content? {
        switch try integer() {
        case 0: return nil
        case 1:
            let columns = try cells()
            let children = try list { reader throws(Fault) in try reader.rows() }
            return .whole(TaskRows(columns: columns, children: children))
        case 2:
            let columns = try list { reader throws(Fault) in
                (Int(try reader.integer()), try reader.cell())
            }
            let children = try list { reader throws(Fault) in
                (Int(try reader.integer()), try reader.rows())
            }
            return .part(
                columns: Dictionary(columns) { $1 }, children: Dictionary(children) { $1 })
        default: throw Fault()
        }
    }

    private mutating func rows() throws(Fault) -> [[Cell]] {
        try list { reader throws(Fault) in try reader.cells() }
    }

    private mutating func cells() throws(Fault) -> [Cell] {
        try list { reader throws(Fault) in try reader.cell() }
    }

    private mutating func list<Element>(
        _ element: (inout ImageReader) throws(Fault) -> Element
    ) throws(Fault) -> [Element] {
        let count = try integer()
        var elements: [Element] = []
        guard count >= 0 else { throw Fault() }
        for _ in 0..<count { elements.append(try element(&self)) }
        return elements
    }

    private mutating func cell() throws(Fault) -> Cell {
        switch rest.popFirst() {
        case 0: .null
        case 1: .integer(try integer())
        case 2: .text(try content(of: try integer()))
        case 3: .blob(try content(of: try integer()))
        default: throw Fault()
        }
    }

    private mutating func content(of count: Int64) throws(Fault) -> [UInt8] {
        guard count >= 0, count <= rest.count else { throw Fault() }
        defer { rest = rest.dropFirst(Int(count)) }
        return Array(rest.prefix(Int(count)))
    }

    private mutating func integer() throws(Fault) -> Int64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while let byte = rest.popFirst() {
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return Int64(bitPattern: value >> 1) ^ -Int64(value & 1) }
            shift += 7
            guard shift < 64 else { throw Fault() }
        }
        throw Fault()
    }
}
