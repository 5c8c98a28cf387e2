/// Signals about ids that calls under way may be about to return: the reply to `Notify` comes another
/// way than signals, and may be late.
struct ParkedSignals {
    enum Signal: Equatable {
        /// `ActionInvoked`: the id, the action's key.
        case action(UInt32, String)
        /// `NotificationClosed`: the id, the reason.
        case closed(UInt32, UInt32)

        var id: UInt32 {
            switch self {
            case .action(let id, _), .closed(let id, _): id
            }
        }
    }

    /// How many are kept at most.
    static let limit = 256

    private var signals: [Signal] = []

    /// Keeps a signal, unless there are too many.
    mutating func keep(_ signal: Signal) {
        if signals.count < Self.limit { signals.append(signal) }
    }

    /// The signals about that id, in their order; they are kept no longer.
    mutating func take(_ id: UInt32) -> [Signal] {
        defer { signals.removeAll { $0.id == id } }
        return signals.filter { $0.id == id }
    }
}
