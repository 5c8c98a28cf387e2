import Synchronization

/// Work of which one piece takes milliseconds, such as a page of a list.
///
/// One piece of all of it stands in the engine's queue at a time: whoever wants something short, and
/// what rings, waits for one piece, however many clients ask for lists at once. They take turns.
extension Engine {
    /// Runs a piece inside the engine, after those asked for before. Returns at once.
    /// - Parameter goesOn: from within a piece: this is the next one of the same work, which has
    ///   gathered something and is to end before others begin to.
    nonisolated func runLong(
        goesOn: Bool = false, _ piece: @escaping @Sendable (isolated Engine) -> Void
    ) {
        let isFirst = longWork.withLock { pieces in
            pieces.insert(piece, at: goesOn ? min(1, pieces.count) : pieces.count)
            return pieces.count == 1
        }
        if isFirst { run { $0.runPiece() } }
    }

    /// Whether as much long work waits for its turn as may, so that no more is to be begun: whoever
    /// opens one connection after another for the longest answers gets short ones.
    nonisolated var hasAllLongWork: Bool {
        longWork.withLock { $0.count >= Self.longWorkLimit }
    }

    /// Pieces of long work in hand at once: half of the connections.
    static let longWorkLimit = 64

    private func runPiece() {
        guard let piece = longWork.withLock({ $0.first }) else { return }
        piece(self)
        let goesOn = longWork.withLock { pieces in
            pieces.removeFirst()
            return !pieces.isEmpty
        }
        if goesOn { run { $0.runPiece() } }
    }
}
