import Dispatch

/// A Dispatch source that can be switched off and on any number of times. Used on its queue only.
///
/// libdispatch counts suspensions and traps when a suspended source is released; this does neither.
final class SwitchedSource {
    private let source: any DispatchSourceProtocol
    private(set) var isOn = false
    private var isCancelled = false

    /// The end is set at once: set on a source that is under way, it might come after the
    /// cancellation and never run.
    private init(
        _ source: any DispatchSourceProtocol, _ handler: @escaping () -> Void,
        ended: @escaping () -> Void
    ) {
        self.source = source
        source.setEventHandler(handler: handler)
        source.setCancelHandler(handler: ended)
    }

    /// Switched off at first. Calls `handler` on `queue` while `fd` can be read, or has ended;
    /// `ended` after `cancel`, when the system has let go of `fd`, which may be closed from there on.
    static func reading(
        _ fd: Int32, on queue: DispatchQueue, _ handler: @escaping () -> Void,
        ended: @escaping () -> Void = {}
    ) -> SwitchedSource {
        let source = DispatchSource.makeReadSource(fileDescriptor: fd, queue: queue)
        return SwitchedSource(source, handler, ended: ended)
    }

    /// As `reading`, but calls `handler` while `fd` takes more.
    static func writing(
        _ fd: Int32, on queue: DispatchQueue, _ handler: @escaping () -> Void,
        ended: @escaping () -> Void = {}
    ) -> SwitchedSource {
        let source = DispatchSource.makeWriteSource(fileDescriptor: fd, queue: queue)
        return SwitchedSource(source, handler, ended: ended)
    }

    func turn(on: Bool) {
        guard on != isOn, !isCancelled else { return }
        isOn = on
        if on { source.resume() } else { source.suspend() }
    }

    /// Ends the source for good.
    func cancel() {
        guard !isCancelled else { return }
        source.cancel()
        turn(on: true)
        isCancelled = true
    }
}
