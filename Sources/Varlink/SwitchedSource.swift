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
    package private(set) var isOn = false
    package private(set) var isCancelled = false
    private var isArmed = false
    private var token: UInt64?

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
    package func turn(on: Bool) {
        guard on != isOn, !isCancelled else { return }
        isOn = on
        if on { arm() }
    }

    /// Ends it for good.
    package func cancel() {
        guard !isCancelled else { return }
        (isCancelled, isOn) = (true, false)
        letGo()
        ended()
    }

    private func letGo() { if let token { readiness.remove(fd, token) } }

    private func arm() {
        guard !isArmed else { return }
        isArmed = true
        if let token { return readiness.arm(fd, token) }
        token = readiness.add(
            fd,
            Readiness.Watch(
                queue: queue, ready: { [weak self] in self?.ready() }, isInPlace: inPlace))
    }

    private func ready() {
        isArmed = false
        guard isOn else { return }
        handler()
        if isOn { arm() }
    }
}
