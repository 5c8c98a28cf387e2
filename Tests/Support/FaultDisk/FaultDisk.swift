import CFaultVFS
import Glibc

/// A folder on a disk that fails where a test wants it to: what SQLite does to files below it goes
/// through `CFaultVFS`. Open databases only after it was made, and close them before it goes.
package final class FaultDisk: @unchecked Sendable {
    /// What goes wrong.
    package enum Fault: CaseIterable, Sendable {
        /// Reads, writes, syncs, truncations, locks, openings and deletions: `SQLITE_IOERR_…`
        case inputOutput
        /// Writes: `SQLITE_FULL`, with nothing or half of it written.
        case full, shortWrite
        /// Locks: `SQLITE_BUSY`
        case busy
    }

    /// The calls that go wrong one after the other, until none does any more: every seventh, so that
    /// a run takes seconds; every single one with `REMINDD_ALL_FAULTS=1` (`make check-faults`).
    package static let positions = stride(
        from: 1, through: limit, by: getenv("REMINDD_ALL_FAULTS") == nil ? 7 : 1)

    /// More calls of the disk than one step of any test makes.
    package static let limit = 3000

    private let disk: OpaquePointer

    /// - Returns: `nil` when there is no memory.
    package init?(folder: String) {
        guard let disk = fault_disk_new(folder + "/") else { return nil }
        self.disk = disk
    }

    deinit { fault_disk_free(disk) }

    /// - Parameters:
    ///   - position: the call from now that goes wrong, counted from 1.
    ///   - lasting: all that follow go wrong too.
    package func arm(_ fault: Fault, at position: Int, lasting: Bool) {
        fault_disk_arm(disk, fault.kind, Int32(position), lasting ? 1 : 0)
    }

    /// From that write, sync, truncation or deletion on, nothing works.
    package func cutPower(at position: Int) {
        fault_disk_arm(disk, FAULT_POWER_CUT, Int32(position), 1)
    }

    /// - Returns: whether a call went wrong since the disk was armed.
    @discardableResult
    package func disarm() -> Bool { fault_disk_disarm(disk) > 0 }

    /// After a power cut: drops what was not synced, or, with a seed other than 0, a random part of
    /// it. No database may be open.
    package func powerOn(seed: UInt32) { fault_disk_power_on(disk, seed) }
}

extension FaultDisk.Fault {
    fileprivate var kind: fault_kind {
        switch self {
        case .inputOutput: FAULT_IO_ERROR
        case .full: FAULT_DISK_FULL
        case .shortWrite: FAULT_SHORT_WRITE
        case .busy: FAULT_BUSY
        }
    }
}
