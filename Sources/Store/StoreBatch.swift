import Glibc

/// What of the search index waits for the end of a batch: numbers of reminders, of one kind only.
struct IndexBacklog {
    var added: [Int64] = []
    var removed: [Int64] = []

    var isEmpty: Bool { added.isEmpty && removed.isEmpty }

    /// The numbers as ranges without a gap.
    static func runs(_ numbers: [Int64]) -> [ClosedRange<Int64>] {
        var runs: [ClosedRange<Int64>] = []
        for number in numbers.sorted() {
            if let last = runs.last, last.upperBound == number - 1 {
                runs[runs.count - 1] = last.lowerBound...number
            } else {
                runs.append(number...number)
            }
        }
        return runs
    }
}

/// Many changes in one transaction.
extension Store {
    /// Within a transaction, for many calls that change something: a call that fails may have changed
    /// a part, so that what it throws must end the whole transaction.
    ///
    /// FTS5 writes out what it has gathered at each savepoint, and SQLite sets one for each statement
    /// that changes it: as a segment, to be merged with others later. So the index is changed by one
    /// statement for all of them, at the end: a twentieth of the work.
    package func together<Result>(_ body: () throws -> Result) throws -> Result {
        precondition(connection.depth > 0, "calls fail together within a transaction only")
        let outer = failsTogether
        failsTogether = true
        defer { failsTogether = outer }
        do {
            let result = try body()
            if !outer { try writeBacklog() }
            return result
        } catch {
            backlog = IndexBacklog()
            throw error
        }
    }

    /// The same for the store's own steps, whose errors are all its own.
    func batched(_ body: () throws(StoreError) -> Void) throws(StoreError) {
        let outer = failsTogether
        failsTogether = true
        defer { failsTogether = outer }
        do throws(StoreError) {
            try body()
            if !outer { try writeBacklog() }
        } catch {
            backlog = IndexBacklog()
            throw error
        }
    }
}

/// Many transactions of many changes, one after the other.
extension Store {
    /// Pages of the WAL, and KiB of pages in memory, while they last.
    private static let bulkWalPages = 2048
    private static let bulkCache = 16 << 10
    /// Bytes that the disk must have free for so long a WAL.
    private static let bulkRoom: UInt64 = 256 << 20

    /// An import touches most pages of some indexes with each of its transactions: copying the WAL
    /// into the database after each, and reading the pages again, would cost as much as the rest.
    /// Costs 16 MiB of memory and 8 MiB beside the file until it is ended; where the disk has little
    /// room, the WAL stays short: a long one that fills it could not be copied any more.
    package func beginBulk() throws(StoreError) {
        try connection.execute("PRAGMA cache_size = -\(Self.bulkCache)")
        guard hasRoom(for: Self.bulkRoom) else { return }
        try connection.execute("PRAGMA wal_autocheckpoint = \(Self.bulkWalPages)")
    }

    private func hasRoom(for bytes: UInt64) -> Bool {
        var disk = statvfs()
        guard statvfs(path, &disk) == 0 else { return false }
        return UInt64(disk.f_bavail) * UInt64(disk.f_frsize) >= bytes
    }

    /// Everything as it was before. A WAL that cannot be emptied now, as somebody reads it, is
    /// emptied by a later change: nobody waits for that.
    package func endBulk() throws(StoreError) {
        try connection.execute(
            """
            PRAGMA wal_autocheckpoint = \(Self.walPages);
            PRAGMA cache_size = -\(Self.cacheKiB);
            """)
        connection.releaseMemory()
        let patience = busyTimeout
        busyTimeout = 0
        defer { busyTimeout = patience }
        do throws(StoreError) {
            try checkpoint()
        } catch {
            guard error.category == .busy else { throw error }
        }
    }
}

/// The index of the search, kept in step with the texts.
extension Store {
    func addToIndex(_ text: SearchText, of number: Int64) throws(StoreError) {
        guard failsTogether else {
            return try SearchIndex.add(text, of: number, to: connection)
        }
        if !backlog.removed.isEmpty { try writeBacklog() }
        try SearchIndex.addText(text, of: number, to: connection)
        backlog.added.append(number)
    }

    func removeFromIndex(_ number: Int64) throws(StoreError) {
        guard failsTogether else { return try SearchIndex.remove(number, from: connection) }
        if !backlog.added.isEmpty { try writeBacklog() }
        backlog.removed.append(number)
    }

    func replaceInIndex(_ text: SearchText, of number: Int64) throws(StoreError) {
        if !backlog.isEmpty { try writeBacklog() }
        try SearchIndex.replace(text, of: number, in: connection)
    }

    private func writeBacklog() throws(StoreError) {
        let waiting = backlog
        backlog = IndexBacklog()
        if !waiting.isEmpty { try connection.writeIndexChanges() }
        for run in IndexBacklog.runs(waiting.added) {
            try execute(.insertSearchRange, run)
        }
        for run in IndexBacklog.runs(waiting.removed) {
            try execute(.deleteSearchRange, run)
            try execute(.deleteSearchTextRange, run)
        }
    }

    private func execute(_ query: Query, _ run: ClosedRange<Int64>) throws(StoreError) {
        let statement = try connection.statement(query)
        defer { statement.reset() }
        try statement.bind(run.lowerBound).bind(run.upperBound).run()
    }
}
