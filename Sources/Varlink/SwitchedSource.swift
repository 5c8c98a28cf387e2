package import Dispatch

/// Watches a descriptor, and can be switched off and on any number of times. Used on its queue only.
/// Where the other side can hang up, this takes the place of a source of Dispatch (`Readiness`).
///
/// Unchecked: every stored variable is touched on `queue` only.
package final class SwitchedSource: @unchecked Sendable {
    private let fd: Int32
    private let readiness: Readiness
    private let queue: DispatchQueue
    private let inPlace: Bool
    private let handler: () -> Void
    private let ended: () -> Void
    /// What `handler` is called for.
    package enum Mode {
        case off
        /// The other side has closed both directions.
        case hangUp
        case on
    }

    private var mode = Mode.off
    package private(set) var isCancelled = false
    /// What the system is asked to tell.
    private var armed = Mode.off
    private var token: UInt64?

    package var isOn: Bool { mode == .on }

    private init(
        _ fd: Int32, _ readiness: Readiness, on queue: DispatchQueue, inPlace: Bool,
        _ handler: @escaping () -> Void, ended: @escaping () -> Void
    ) {
        (self.fd, self.readiness, self.queue) = (fd, readiness, queue)
        (self.handler, self.ended, self.inPlace) = (handler, ended, inPlace)
    }

    deinit { if !isCancelled { letGo() } }

    /// Switched off at first. Calls `handler` on `queue` while `fd` can be read, or has ended;
    /// `ended` in `cancel`, when the system has let go of `fd`, which may be closed from there on.
    /// - Parameter inPlace: the thread that waits for all descriptors runs `handler` itself, on
    ///   `queue`; only where nothing on that queue lasts.
    package static func reading(
        _ fd: Int32, on queue: DispatchQueue, inPlace: Bool = false,
        _ handler: @escaping () -> Void, ended: @escaping () -> Void = {}
    ) -> SwitchedSource {
        SwitchedSource(fd, .reading, on: queue, inPlace: inPlace, handler, ended: ended)
    }

    /// As `reading`, but calls `handler` while `fd` takes more.
    package static func writing(
        _ fd: Int32, on queue: DispatchQueue, inPlace: Bool = false,
        _ handler: @escaping () -> Void, ended: @escaping () -> Void = {}
    ) -> SwitchedSource {
        SwitchedSource(fd, .writing, on: queue, inPlace: inPlace, handler, ended: ended)
    }

    /// What has come while it was off is told when it is on.
    package func turn(on: Bool) { turn(on ? .on : .off) }

    /// `handler` may be called once more for what was waited for before.
    package func turn(_ mode: Mode) {
        guard mode != self.mode, !isCancelled else { return }
        self.mode = mode
        arm()
    }

    /// Ends it for good.
    package func cancel() {
        guard !isCancelled else { return }
        (isCancelled, mode) = (true, .off)
        letGo()
        ended()
    }

    private func letGo() { if let token { readiness.remove(fd, token) } }

    private func arm() {
        guard mode != .off, mode != armed else { return }
        armed = mode
        if let token { return readiness.arm(fd, token, hangUp: mode == .hangUp) }
        token = readiness.add(
            fd,
            Readiness.Watch(
                queue: queue, ready: { [weak self] in self?.ready() }, isInPlace: inPlace),
            hangUp: mode == .hangUp)
    }

    private func ready() {
        armed = .off
        guard mode != .off else { return }
        handler()
        arm()
    }
}
