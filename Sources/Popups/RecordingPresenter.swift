import Synchronization

/// The other side of the seam: remembers what was asked of it, and says what a test wants said.
package final class RecordingPresenter: Presenter {
    /// A call that was made, in its order.
    package enum Call: Sendable, Equatable {
        case start
        case show(Popup)
        case close(key: String, earlier: ShownPopup?)
        case stop
    }

    private struct State {
        var calls: [Call] = []
        var wanted: [String: Popup] = [:]
        var handler: (@Sendable (PresenterEvent) -> Void)?
        var onCall: (@Sendable (Call) -> Void)?
        var report = PresenterReport(isConnected: true)
    }

    private let state = Mutex(State())

    package init() {}

    /// All calls until now.
    package var calls: [Call] { state.withLock { $0.calls } }

    /// The pop-ups that are wanted now, by key.
    package var wanted: [String: Popup] { state.withLock { $0.wanted } }

    /// Has every later call told to `observer`, on the thread that makes it.
    package func observe(_ observer: @escaping @Sendable (Call) -> Void) {
        state.withLock { $0.onCall = observer }
    }

    /// Tells the handler given to `start` that `event` happened, on the calling thread.
    package func send(_ event: PresenterEvent) {
        let handler = state.withLock { $0.handler }
        handler?(event)
    }

    /// What ``report(_:)`` tells.
    package func setReport(_ report: PresenterReport) { state.withLock { $0.report = report } }

    package func report(_ completion: @escaping @Sendable (PresenterReport) -> Void) {
        completion(state.withLock { $0.report })
    }

    package func start(_ handler: @escaping @Sendable (PresenterEvent) -> Void) {
        record(.start) { $0.handler = handler }
    }

    package func welcome(_ serverBusName: String) {}

    package func show(_ popup: Popup) {
        record(.show(popup)) { $0.wanted[popup.key] = popup }
    }

    package func close(key: String, earlier: ShownPopup?) {
        record(.close(key: key, earlier: earlier)) { $0.wanted[key] = nil }
    }

    package func stop() {
        record(.stop) { $0.handler = nil }
    }

    private func record(_ call: Call, _ change: (inout sending State) -> Void) {
        let observer = state.withLock { state in
            state.calls.append(call)
            change(&state)
            return state.onCall
        }
        observer?(call)
    }
}
