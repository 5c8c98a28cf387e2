import FaultDisk
import RemindCore
import Testing

@testable import Store

/// How a test's disk fails.
struct Trouble: Sendable, CustomTestStringConvertible {
    let fault: FaultDisk.Fault
    /// From there on, not once.
    let lasting: Bool

    /// A lock that lasts has tests of its own: SQLite waits for it ten seconds each time.
    static let all =
        FaultDisk.Fault.allCases.map { Trouble(fault: $0, lasting: false) }
        + [Trouble(fault: .inputOutput, lasting: true), Trouble(fault: .full, lasting: true)]

    var testDescription: String { "\(fault)\(lasting ? ", lasting" : "")" }
}

@Suite("Opening on a disk that fails at every single call")
struct FaultyOpeningTests {
    private let folder: TemporaryFolder
    private let disk: FaultDisk

    init() throws {
        folder = try TemporaryFolder()
        disk = try #require(FaultDisk(folder: folder.path))
    }

    /// Opens, with the fault at the 1st, 2nd, … call, until nothing goes wrong any more.
    /// - Parameter prepare: makes what is opened, on a disk without faults.
    private func sweep(_ trouble: Trouble, prepare: () throws -> [Reminder]) throws {
        for position in FaultDisk.positions {
            removeTree(folder.database)
            removeTree(folder.database + "-wal")
            removeTree(folder.database + "-shm")
            let known = try prepare()
            disk.arm(trouble.fault, at: position, lasting: trouble.lasting)
            let error = storeError {
                let store = try Store(path: folder.database, busyTimeout: 0)
                _ = try store.list(ListFilter(.all), sort: .created)
                try store.close()
            }
            let failed = disk.disarm()
            if let error { #expect(error.message.contains("‘\(folder.database)’"), "\(position)") }
            // What could be read before can be read now.
            let store = try Store(path: folder.database)
            #expect(try store.list(ListFilter(.all), sort: .created) == known, "\(position)")
            #expect(try store.checkIntegrity().isEmpty, "\(position)")
            try store.close()
            if !failed { return #expect(position > 1) }
        }
        Issue.record("it never came to an end")
    }

    @Test("A new database is made whole by the next start", arguments: Trouble.all)
    func new(trouble: Trouble) throws {
        try sweep(trouble) { [] }
    }

    @Test("A database that was closed has lost nothing", arguments: Trouble.all)
    func closed(trouble: Trouble) throws {
        let known = try filled().list(ListFilter(.all), sort: .created)
        let content = try #require(bytes(of: folder.database))
        try sweep(trouble) {
            try write(content, to: folder.database)
            return known
        }
    }

    @Test("A database with a WAL of the run before has lost nothing", arguments: Trouble.all)
    func crashed(trouble: Trouble) throws {
        let store = try filled()
        let known = try store.list(ListFilter(.all), sort: .created)
        let content = try #require(bytes(of: folder.database))
        let wal = try #require(bytes(of: folder.database + "-wal"))
        try #require(!wal.isEmpty)
        try store.close()
        try sweep(trouble) {
            try write(content, to: folder.database)
            try write(wal, to: folder.database + "-wal")
            return known
        }
    }

    private func filled() throws -> Store {
        let store = try Store(path: folder.database)
        for index in 1...5 { try store.insert(sample(index), due: epoch) }
        return store
    }
}

@Suite("A power cut at every write, sync and truncation")
struct PowerCutTests {
    private let folder: TemporaryFolder
    private let disk: FaultDisk

    init() throws {
        folder = try TemporaryFolder()
        disk = try #require(FaultDisk(folder: folder.path))
    }

    /// Adds reminders until the power goes, and looks what is there afterwards.
    /// - Returns: false when the power did not go.
    private func round(position: Int, seed: UInt32) throws -> Bool {
        for suffix in ["", "-wal", "-shm"] { removeTree(folder.database + suffix) }
        disk.powerOn(seed: 0)
        var acknowledged: [Reminder] = []
        disk.cutPower(at: position)
        let error = storeError {
            let store = try Store(path: folder.database)
            for index in 1...6 {
                var reminder = sample(index, String(repeating: "Pay rent ", count: index * 10))
                reminder.tags = ["a", "b"]
                reminder.number = try store.insert(reminder, due: epoch)
                acknowledged.append(reminder)
                if index % 3 == 0 { try store.checkpoint() }
            }
            try store.close()
        }
        let isCut = disk.disarm()
        #expect(isCut || error == nil)
        if !isCut { return false }
        disk.powerOn(seed: seed)
        let store = try Store(path: folder.database)
        let stored = try store.list(ListFilter(.all), sort: .created)
        #expect(Array(stored.prefix(acknowledged.count)) == acknowledged, "\(position), \(seed)")
        // The one that was under way may be there, wholly.
        #expect(stored.count - acknowledged.count <= 1, "\(position), \(seed)")
        #expect(stored.allSatisfy { $0.tags == ["a", "b"] })
        #expect(try store.checkIntegrity().isEmpty, "\(position), \(seed)")
        try store.close()
        return true
    }

    @Test(
        "What was acknowledged is there, what was not is there wholly or not at all",
        arguments: [0, 1, 2] as [UInt32])
    func sweep(seed: UInt32) throws {
        for position in FaultDisk.positions {
            guard try round(position: position, seed: seed) else {
                return #expect(position > 20)
            }
        }
        Issue.record("it never came to an end")
    }
}
