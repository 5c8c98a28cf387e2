import Dispatch
import Synchronization
import VarlinkWire

/// What the connections of one server share: how many there are, which gives way to a new one, how
/// many streams run and how many bytes wait. Touched on the connections' queue; tests ask as well.
final class Registry: Sendable {
    private struct Entry {
        let connection: Connection
        /// The process at the other end.
        let process: Int32
        /// A call is being answered; else it waits for its client, to call or to take what was replied.
        var isBusy = false
        /// Rises with every change, so that the smallest has been as it is for longest.
        var stamp: UInt64
        /// When its last call was begun.
        var called: DispatchTime?
    }

    private struct State {
        var entries: [ObjectIdentifier: Entry] = [:]
        /// Connections by process.
        var held: [Int32: Int] = [:]
        var streams = 0
        var queued = 0
        var stamp: UInt64 = 0
        /// There were as many connections, or as many bytes, as make a burst.
        var isBurst = false

        mutating func nextStamp() -> UInt64 {
            stamp += 1
            return stamp
        }
    }

    private let state = Mutex(State())
    private let limits: Limits

    init(limits: Limits) { self.limits = limits }

    var count: Int { state.withLock { $0.entries.count } }
    var streams: Int { state.withLock { $0.streams } }
    var queued: Int { state.withLock { $0.queued } }
    var isEmpty: Bool { state.withLock { $0.entries.isEmpty } }
    var connections: [Connection] { state.withLock { $0.entries.values.map(\.connection) } }

    /// Notes a new connection, which waits for its first call.
    func add(_ connection: Connection, of process: Int32) {
        state.withLock { state in
            let stamp = state.nextStamp()
            state.entries[ObjectIdentifier(connection)] =
                Entry(connection: connection, process: process, stamp: stamp)
            state.held[process, default: 0] += 1
            if state.entries.count >= limits.burstConnections { state.isBurst = true }
        }
    }

    /// Notes whether the connection is busy.
    /// - Parameter gotOn: its client has done something, so that it waits anew.
    func note(_ connection: Connection, isBusy: Bool, gotOn: Bool) {
        state.withLock { state in
            let key = ObjectIdentifier(connection)
            guard var entry = state.entries[key], gotOn || entry.isBusy != isBusy else { return }
            (entry.isBusy, entry.stamp) = (isBusy, state.nextStamp())
            state.entries[key] = entry
        }
    }

    /// Notes that the connection's client has called.
    func noteCall(_ connection: Connection) {
        state.withLock { $0.entries[ObjectIdentifier(connection)]?.called = .now() }
    }

    /// The connection is over.
    func remove(_ connection: Connection) {
        state.withLock { state in
            guard let entry = state.entries.removeValue(forKey: ObjectIdentifier(connection)),
                let held = state.held[entry.process]
            else { return }
            state.held[entry.process] = held > 1 ? held - 1 : nil
        }
    }

    /// Which connection is to make room for a new one of `process`: one that waits for its client.
    ///
    /// First of the process that has most more than `connectionsOfProcess`, the new one counted; so
    /// whoever floods pays, and takes nothing from others. Then one whose client has not called of
    /// late; then the one that has waited longest. `nil` when there is none. O(connections).
    func givingWay(to process: Int32) -> Connection? {
        state.withLock { state in
            func excess(of other: Int32) -> Int {
                let held = state.held[other, default: 0] + (other == process ? 1 : 0)
                return max(0, held - limits.connectionsOfProcess)
            }
            let least = excess(of: process)
            let recent = DispatchTime.now() - .milliseconds(limits.recentMilliseconds)
            var first: (rank: (Int, Int, UInt64), connection: Connection)?
            for entry in state.entries.values where !entry.isBusy {
                let excess = excess(of: entry.process)
                guard excess >= least else { continue }
                let hasCalled = entry.called.map { $0 > recent } ?? false
                let rank = (-excess, hasCalled ? 1 : 0, entry.stamp)
                if first.map({ rank < $0.rank }) ?? true { first = (rank, entry.connection) }
            }
            return first?.connection
        }
    }

    /// Counts one more stream, unless there are as many already as there may be.
    func beginStream() -> Bool {
        state.withLock { state in
            if state.streams >= limits.streams { return false }
            state.streams += 1
            return true
        }
    }

    func endStream() {
        state.withLock { $0.streams -= 1 }
    }

    /// Counts bytes that wait to be sent.
    /// - Returns: whether there are no more now than there may be.
    func queue(_ bytes: Int) -> Bool {
        state.withLock { state in
            state.queued += bytes
            if state.queued >= limits.burstBytes { state.isBurst = true }
            return state.queued <= limits.queuedBytesTotal
        }
    }

    /// Whether a burst is over that was not ended yet.
    var isCalmAgain: Bool { state.withLock { $0.isBurst && isCalm($0) } }

    /// - Returns: whether a burst that is over was not ended before.
    func endBurst() -> Bool {
        state.withLock { state in
            guard state.isBurst, isCalm(state) else { return false }
            state.isBurst = false
            return true
        }
    }

    private func isCalm(_ state: State) -> Bool {
        state.entries.count <= limits.burstConnections / 4 && state.queued <= limits.burstBytes / 4
    }

    /// Takes back bytes that were sent or dropped.
    func unqueue(_ bytes: Int) {
        state.withLock { $0.queued -= bytes }
    }
}
