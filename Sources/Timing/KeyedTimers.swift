/// Timers by key, one a key: a `TimerWheel` with a dictionary from key to handle on top.
///
/// Costs are those of the wheel, and one look-up by hash where a key is named.
package struct KeyedTimers: ~Copyable, Sendable {
    /// A key that has come due, and the tick it was set to.
    package struct Due: Equatable, Sendable {
        package let key: Int64
        package let tick: UInt64
    }

    /// What became of a `set`.
    package enum Filing: Equatable, Sendable {
        /// The key is held and will come due.
        case held
        /// The tick is more than `horizon` ahead: the key is not held; bring it again later.
        case beyondHorizon
    }

    /// How far ahead of `now` a tick may lie, inclusive, in ticks (ms): 782 days 23 hours.
    package static let horizon = TimerWheel.horizon

    private var wheel: TimerWheel
    private var handles: [Int64: TimerWheel.Handle] = [:]

    /// - Parameters:
    ///   - now: the current tick, in ms since the Unix epoch.
    ///   - capacity: how many keys to make room for at once.
    package init(now: UInt64, capacity: Int = 0) {
        wheel = TimerWheel(now: now, capacity: capacity)
        handles.reserveCapacity(capacity)
    }

    /// The tick up to which everything due has been popped (`TimerWheel.now`).
    package var now: UInt64 { wheel.now }

    /// How many keys are held.
    package var count: Int { handles.count }

    /// The earliest tick of all keys, exactly; nil when there is none (`TimerWheel.nextTick`).
    package var nextTick: UInt64? {
        mutating get { wheel.nextTick }
    }

    /// Whether the key is held.
    package func isSet(_ key: Int64) -> Bool { handles[key] != nil }

    /// Sets the one timer of `key`. Whatever the key was set to before is gone, whichever the
    /// outcome. A tick at or before `now` is due at once.
    package mutating func set(_ key: Int64, tick: UInt64) -> Filing {
        _ = cancel(key)
        do {
            handles[key] = try wheel.insert(tick: tick, payload: key)
            return .held
        } catch {
            return .beyondHorizon
        }
    }

    /// Forgets the timer of `key`. False when it was not held.
    package mutating func cancel(_ key: Int64) -> Bool {
        guard let handle = handles.removeValue(forKey: key) else { return false }
        let cancelled = wheel.cancel(handle)
        assert(cancelled, "key \(key) had a stale handle \(handle)")
        return cancelled
    }

    /// Takes out the next key due at or before `target`; nil when there is none left
    /// (`TimerWheel.popDue`). Between two calls, keys may be set and cancelled.
    package mutating func popDue(upTo target: UInt64) -> Due? {
        guard let due = wheel.popDue(upTo: target) else { return nil }
        handles[due.payload] = nil
        return Due(key: due.payload, tick: due.tick)
    }

    /// Forgets all keys and starts again at `now`, for a clock that was set back. O(count).
    package mutating func removeAll(now: UInt64) {
        handles.removeAll(keepingCapacity: true)
        wheel.removeAll(now: now)
    }
}
