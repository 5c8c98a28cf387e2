import Synchronization
import Varlink

/// Who waits for the end of long work: when nobody does any more, it is left.
final class WaitingClient: Sendable {
    let responder: Responder
    private let gone = Atomic(false)

    init(_ responder: Responder) {
        self.responder = responder
        responder.onCancel { [weak self] in self?.gone.store(true, ordering: .relaxed) }
    }

    /// Asks the system too: a client that calls and goes at once is not to be worked for.
    var isGone: Bool { gone.load(ordering: .relaxed) || responder.isPeerGone }
}
