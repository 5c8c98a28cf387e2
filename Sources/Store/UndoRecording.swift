package import RemindCore

/// A change that somebody made, as opposed to what happens by itself (a ring, another zone).
package struct UserChange: Hashable, Sendable {
    /// As commands are called.
    package enum What: String, CaseIterable, Sendable {
        case add, edit, done, reopen, snooze, dismiss, pause, resume
        case remove = "rm"
        case importing = "import"
    }

    package var what: What
    package var at: Instant
    /// The step that this change goes on with (`Store.lastStep` after its first part), `nil` for a
    /// step of its own. An import in pieces is one step.
    package var step: Int64?

    package init(_ what: What, at: Instant, step: Int64? = nil) {
        (self.what, self.at, self.step) = (what, at, step)
    }
}

/// What the change that is under way has touched.
struct UndoRecording {
    let change: UserChange
    /// The tasks as they were before it first touched them; `nil`: there was none.
    private(set) var before: [Int64: TaskRows?] = [:]
    private(set) var numbers: [Int64] = []
    /// The rows of the components of calendars that are no tasks, likewise, by their numbers.
    private(set) var components: [Int64: [Cell]?] = [:]
    /// The title of the first of them, when it was made in this very change.
    private(set) var newTitle: String?
    var log: [Int64: ClosedRange<Int64>] = [:]

    init(_ change: UserChange) { self.change = change }

    func knows(_ number: Int64) -> Bool { before.index(forKey: number) != nil }

    mutating func keepNew(_ number: Int64, title: String) {
        if numbers.isEmpty { newTitle = title }
        keep(nil, of: number)
    }

    mutating func rename(_ number: Int64, _ title: String) {
        if newTitle != nil, number == numbers.first { newTitle = title }
    }

    mutating func keep(_ rows: TaskRows?, of number: Int64) {
        before.updateValue(rows, forKey: number)
        numbers.append(number)
    }

    func knows(component number: Int64) -> Bool { components.index(forKey: number) != nil }

    mutating func keep(component row: [Cell]?, of number: Int64) {
        components.updateValue(row, forKey: number)
    }
}

/// Recording: whatever the calls of the store touch within a change is kept as it was, and written
/// with the change.
extension Store {
    /// Steps that can be taken back. The oldest go when there are some more.
    package static let undoLimit = 1000
    /// What their images take, in bytes; the last step is kept whatever it takes.
    package static let undoBytesLimit = 16 << 20
    /// Looked after once in so many steps: some more may be there.
    static let undoSlack: Int64 = 50
    private static let largeImage = 64 << 10

    /// As `transaction`, for something that a user did: `undo` takes it back in one step. A change
    /// that changed nothing is no step. Not for use within another transaction.
    @discardableResult
    package func transaction<Result>(_ change: UserChange, _ body: () throws -> Result) throws
        -> Result
    {
        defer { recording = nil }
        return try transaction {
            recording = UndoRecording(change)
            let result = try body()
            try endRecording()
            return result
        }
    }

    /// The same for a change that is made together with others, within `together`: what is thrown
    /// undoes nothing of it. `changedRows` says whether there is something to be undone.
    /// - Parameter change: `nil`: it happens by itself.
    package func part<Result>(_ change: UserChange?, _ body: () throws -> Result) throws -> Result {
        precondition(failsTogether, "a part is one of several changes that fail together")
        guard let change else { return try body() }
        defer { recording = nil }
        recording = UndoRecording(change)
        let result = try body()
        try endRecording()
        return result
    }

    /// How many rows have been changed since the store was opened.
    package var changedRows: Int64 { connection.allChangedRows }

    /// A step about the whole, not about tasks: what was kept under `key` (`setMeta`) before it is
    /// put back with it. Belongs into a transaction, before the value is set.
    package func recordMeta(_ key: String, as change: UserChange) throws(StoreError) {
        let former = try meta(key)
        let statement = try connection.statement(.insertUndo)
        defer { statement.reset() }
        try statement.bind(Int64?.none).bind(change.what.rawValue).bind(change.at).bind(Int64(0))
            .bind(former ?? "").bind(0).bind(blob: []).run()
        lastStep = connection.lastInsertedRow
    }

    /// Before a task is touched.
    func remember(_ number: Int64) throws(StoreError) {
        guard recording?.knows(number) == false else { return }
        let rows = try tables().rows(of: number, in: connection)
        recording?.keep(rows, of: number)
    }

    /// After a task was made.
    func rememberNew(_ number: Int64, title: String) {
        guard recording?.knows(number) == false else { return }
        recording?.keepNew(number, title: title)
    }

    /// After a row of the log was written.
    func rememberLog(_ number: Int64) {
        let entry = connection.lastInsertedRow
        guard let first = recording?.log[number]?.lowerBound ?? recording.map({ _ in entry }) else {
            return
        }
        recording?.log[number] = min(first, entry)...entry
    }

    /// Asked for once: the schema does not change while we run.
    func tables() throws(StoreError) -> TaskTables {
        if let taskTables { return taskTables }
        let tables = try TaskTables(connection)
        taskTables = tables
        return tables
    }

    /// Writes what was recorded, with the change.
    func endRecording() throws(StoreError) {
        guard let recording else { return }
        self.recording = nil
        lastStep = recording.change.step
        let tables = try tables()
        var writer = ImageWriter()
        var changed: [Int64] = []
        for number in recording.numbers {
            guard case .some(let before) = recording.before[number] else { continue }
            // What was made in this very change has no earlier form.
            let after = before == nil ? nil : try tables.rows(of: number, in: connection)
            let image = TaskImage(
                number: number, before: before, after: after, log: recording.log[number],
                tables: tables)
            guard !image.isEmpty else { continue }
            writer.write(.task(image))
            changed.append(number)
        }
        for (number, row) in recording.components.sorted(by: { $0.key < $1.key }) {
            writer.write(.component(number: number, row: row))
        }
        guard !writer.bytes.isEmpty else { return }
        try write(writer.bytes, of: changed, recording)
    }

    private func write(
        _ images: [UInt8], of tasks: [Int64], _ recording: UndoRecording
    ) throws(StoreError) {
        let (change, first, count) = (recording.change, tasks.first ?? 0, tasks.count)
        let title = tasks.isEmpty ? "" : try title(of: first, recording)
        let statement = try connection.statement(.insertUndo)
        defer { statement.reset() }
        try statement.bind(change.step).bind(change.what.rawValue).bind(change.at).bind(first)
            .bind(title).bind(count).bind(blob: images).run()
        let entry = connection.lastInsertedRow
        lastStep = change.step ?? entry
        if let step = change.step { try grow(step, by: count, first, title) }
        if entry % Self.undoSlack == 0 || images.count > Self.largeImage { try prune(entry) }
    }

    /// As it is now, or as it was when it is gone.
    private func title(of number: Int64, _ recording: UndoRecording) throws(StoreError) -> String {
        if number == recording.numbers.first, let title = recording.newTitle { return title }
        if let now = try reminder(number: number) { return now.title }
        guard case .some(.some(let rows)) = recording.before[number],
            let place = try tables().columns.firstIndex(of: "title"),
            case .text(let bytes) = rows.columns[place]
        else { return "" }
        return String(decoding: bytes, as: UTF8.self)
    }

    func grow(
        _ step: Int64, by count: Int, _ first: Int64 = 0, _ title: String = ""
    ) throws(StoreError) {
        let statement = try connection.statement(.growUndoStep)
        defer { statement.reset() }
        try statement.bind(step).bind(count).bind(first).bind(title).run()
    }

    private func prune(_ newest: Int64) throws(StoreError) {
        let sizes = try connection.statement(.undoSizes)
        defer { sizes.reset() }
        var (last, bytes): (Int64, Int64) = (newest - Int64(Self.undoLimit), 0)
        while try sizes.step() {
            bytes += sizes.integer(1)
            if bytes > Int64(Self.undoBytesLimit) {
                last = max(last, sizes.integer(0))
                break
            }
        }
        sizes.reset()
        guard last > 0 else { return }
        let statement = try connection.statement(.pruneUndo)
        defer { statement.reset() }
        try statement.bind(last).bind(lastStep).run()
    }
}
