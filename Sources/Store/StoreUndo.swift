package import RemindCore

/// A step that can be taken back.
package struct UndoStep: Hashable, Sendable {
    package let step: Int64
    package let what: UserChange.What
    package let at: Instant
    /// The first task that it changed, with the title that it had afterwards, and how many it
    /// changed.
    package let number: Int64
    package let title: String
    package let count: Int

    /// Of a step about the whole: what the value was that it changed, empty for none.
    package var formerMeta: String? { what == .pause || what == .resume ? title : nil }
}

/// What taking a step back did.
package struct UndoOutcome: Sendable {
    /// The tasks of the step, without doubles.
    package var numbers: [Int64] = []
    /// The machine's zone or the times of day have changed since: the instants of these tasks are
    /// to be computed anew.
    package var wallMoved = false
    /// Nothing of the step is left to be taken back.
    package var isWhole = true
}

/// Taking back.
extension Store {
    /// What can be taken back, the newest first.
    package func undoSteps(limit: Int) throws(StoreError) -> [UndoStep] {
        let statement = try connection.statement(.undoSteps)
        defer { statement.reset() }
        statement.bind(limit)
        var steps: [UndoStep] = []
        while try statement.step() {
            guard let what = UserChange.What(rawValue: statement.text(1)) else {
                throw damaged("step \(statement.integer(0)) is of no kind that is known")
            }
            steps.append(
                UndoStep(
                    step: statement.integer(0), what: what, at: statement.instant(2),
                    number: statement.integer(3), title: statement.text(4),
                    count: Int(statement.integer(5))))
        }
        return steps
    }

    /// The tasks that a step changed, in the last `entries` of its transactions.
    package func numbers(of step: UndoStep, entries: Int = .max) throws(StoreError) -> [Int64] {
        var seen: Set<Int64> = []
        return try part(of: step, entries).images.compactMap(\.task?.number).filter {
            seen.insert($0).inserted
        }
    }

    /// Makes the tasks of the last step what they were before it, as far as the step changed them,
    /// takes its rows out of the log, and forgets it. Belongs into a transaction.
    ///
    /// - Parameter entries: only what so many of its transactions changed, the last ones: the rest
    ///   stays a step, to be taken back by further calls.
    package func undo(
        _ step: UndoStep, entries: Int = .max
    ) throws(StoreError) -> UndoOutcome {
        var outcome = UndoOutcome()
        try atomically { () throws(StoreError) in
            let part = try part(of: step, entries)
            (outcome.wallMoved, outcome.isWhole) = (part.wallMoved, part.first <= step.step)
            try batched { () throws(StoreError) in
                outcome.numbers = try restore(part.images)
            }
            try forget(part, of: step)
        }
        return outcome
    }

    /// - Returns: the tasks, without doubles.
    private func restore(_ images: [StepImage]) throws(StoreError) -> [Int64] {
        var (seen, numbers) = (Set<Int64>(), [Int64]())
        for image in images {
            switch image {
            case .task(let image):
                try restore(image)
                if seen.insert(image.number).inserted { numbers.append(image.number) }
            case .component(let number, let row): try restoreComponent(number, row)
            }
        }
        for number in numbers {
            try gatherTags(of: number)
            try reindex(number)
        }
        return numbers
    }

    private func forget(_ part: UndoPart, of step: UndoStep) throws(StoreError) {
        let statement = try connection.statement(.deleteUndoStep)
        defer { statement.reset() }
        try statement.bind(step.step).bind(part.first).run()
        if part.first > step.step { try grow(step.step, by: -part.tasks) }
    }

    /// The machine's zone or the times of day have changed.
    package func markUndoMoved() throws(StoreError) {
        let statement = try connection.statement(.markUndoMoved)
        defer { statement.reset() }
        try statement.run()
    }

    private struct UndoPart {
        /// In the order in which they are put back: what was done last comes first.
        var images: [StepImage] = []
        var tasks: Int { images.count { $0.task != nil } }
        var wallMoved = false
        /// The first transaction that is taken back.
        var first: Int64
    }

    private func part(of step: UndoStep, _ entries: Int) throws(StoreError) -> UndoPart {
        let statement = try connection.statement(.undoEntries)
        defer { statement.reset() }
        statement.bind(step.step).bind(entries)
        var part = UndoPart(first: step.step)
        while try statement.step() {
            part.wallMoved = part.wallMoved || statement.integer(1) == 1
            part.first = statement.integer(2)
            var reader = ImageReader(statement.bytes(0))
            do {
                while let image = try reader.image() { part.images.append(image) }
            } catch {
                throw damaged("the images of step \(step.step) cannot be read")
            }
        }
        return part
    }

    private func restore(_ image: TaskImage) throws(StoreError) {
        let number = image.number
        switch image.content {
        case nil: try delete(number: number)
        case .whole(let rows):
            try delete(number: number)
            let tables = try tables()
            try run(insert: rows.columns, into: "task", tables.columns)
            for (child, rows) in zip(tables.children, rows.children) {
                for row in rows { try run(insert: row, into: child.name, child.columns) }
            }
        case .part(let columns, let children): try restore(columns, children, of: number)
        }
        guard let log = image.log else { return }
        let statement = try connection.statement(.deleteLogRange)
        defer { statement.reset() }
        try statement.bind(log.lowerBound).bind(log.upperBound).bind(number).run()
    }

    private func restore(
        _ columns: [Int: Cell], _ children: [Int: [[Cell]]], of number: Int64
    ) throws(StoreError) {
        let tables = try tables()
        guard try reminder(number: number) != nil else { return }
        let places = columns.keys.filter(tables.columns.indices.contains).sorted()
        if !places.isEmpty {
            let names = places.map { "\"\(tables.columns[$0])\" = ?" }.joined(separator: ", ")
            let statement = try connection.statement(
                listing: "UPDATE task SET \(names) WHERE number = ?")
            defer { statement.reset() }
            for place in places { statement.bind(columns[place] ?? .null) }
            try statement.bind(number).run()
        }
        for (place, rows) in children where tables.children.indices.contains(place) {
            let child = tables.children[place]
            let statement = try connection.statement(listing: child.delete)
            defer { statement.reset() }
            try statement.bind(number).run()
            for row in rows { try run(insert: row, into: child.name, child.columns) }
        }
    }

    /// Columns that were added since the row was kept take their defaults.
    private func run(insert row: [Cell], into table: String, _ columns: [String])
        throws(StoreError)
    {
        let names = columns.prefix(row.count)
        let places = names.map { _ in "?" }.joined(separator: ", ")
        // A row beside a task may have gone over to another task meanwhile (a file of a calendar
        // folder); a task never takes the place of another.
        let verb = table == "task" ? "INSERT" : "INSERT OR REPLACE"
        let statement = try connection.statement(
            listing: "\(verb) INTO \"\(table)\" (\(TaskTables.list(names))) VALUES (\(places))")
        defer { statement.reset() }
        for cell in row.prefix(names.count) { statement.bind(cell) }
        try statement.run()
    }

    /// What was kept before a task's row had its tags does not put them back there.
    private func gatherTags(of number: Int64) throws(StoreError) {
        let statement = try connection.statement(listing: Schema.gatherTags + " AND number = ?")
        defer { statement.reset() }
        try statement.bind(number).run()
    }

    private func reindex(_ number: Int64) throws(StoreError) {
        guard let reminder = try reminder(number: number) else { return }
        try replaceInIndex(SearchText(reminder), of: number)
    }

    private func damaged(_ detail: String) -> StoreError {
        StoreError(.corrupt, path: path, detail: detail)
    }
}
