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

    var isGone: Bool { gone.load(ordering: .relaxed) }
}
