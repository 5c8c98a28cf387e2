import Dispatch

/// Waits for a client to take what was sent to it. Costs nothing for one that is never slow.
/// On the connection's queue only.
final class StallTimer {
    private let queue: DispatchQueue
    private let milliseconds: Int
    private var timer: (any DispatchSourceTimer)?

    init(queue: DispatchQueue, milliseconds: Int) {
        (self.queue, self.milliseconds) = (queue, milliseconds)
    }

    /// Begins to wait, anew if it waits already.
    /// - Parameter action: what is done when the time is over; the one of the first time stays.
    func arm(_ action: @escaping @Sendable () -> Void) {
        let timer = timer ?? makeTimer(action)
        timer.schedule(deadline: .now() + .milliseconds(milliseconds), leeway: .milliseconds(100))
    }

    func disarm() { timer?.schedule(deadline: .distantFuture) }

    /// Lets go of the action.
    func cancel() {
        timer?.cancel()
        timer = nil
    }

    private func makeTimer(_ action: @escaping @Sendable () -> Void) -> any DispatchSourceTimer {
        let made = DispatchSource.makeTimerSource(queue: queue)
        made.setEventHandler(handler: action)
        made.activate()
        timer = made
        return made
    }
}
