import Dispatch

/// A Dispatch source that can be switched off and on any number of times. Used on its queue only.
///
/// libdispatch counts suspensions and traps when a suspended source is released; this does neither.
final class SwitchedSource {
    private let source: any DispatchSourceProtocol
    private(set) var isOn = false
    private var isCancelled = false

    private init(_ source: any DispatchSourceProtocol, _ handler: @escaping () -> Void) {
        self.source = source
        source.setEventHandler(handler: handler)
    }

    /// Switched off at first. Calls `handler` on `queue` while `fd` can be read, or has ended.
    static func reading(
        _ fd: Int32, on queue: DispatchQueue, _ handler: @escaping () -> Void
    ) -> SwitchedSource {
        SwitchedSource(DispatchSource.makeReadSource(fileDescriptor: fd, queue: queue), handler)
    }

    /// Switched off at first. Calls `handler` on `queue` while `fd` takes more.
    static func writing(
        _ fd: Int32, on queue: DispatchQueue, _ handler: @escaping () -> Void
    ) -> SwitchedSource {
        SwitchedSource(DispatchSource.makeWriteSource(fileDescriptor: fd, queue: queue), handler)
    }

    func turn(on: Bool) {
        guard on != isOn, !isCancelled else { return }
        isOn = on
        if on { source.resume() } else { source.suspend() }
    }

    /// Ends the source. `then` runs on the queue when the system has let go of the descriptor,
    /// which may be closed from there on.
    func cancel(then done: @escaping () -> Void) {
        guard !isCancelled else { return }
        source.setCancelHandler(handler: done)
        source.cancel()
        turn(on: true)
        isCancelled = true
    }
}
