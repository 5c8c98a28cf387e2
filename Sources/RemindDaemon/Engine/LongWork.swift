import Synchronization

/// Work of which one piece takes milliseconds, such as a page of a list.
///
/// One piece of all of it stands in the engine's queue at a time: whoever wants something short, and
/// what rings, waits for one piece, however many clients ask for lists at once. They take turns.
extension Engine {
    /// Runs a piece inside the engine, after those asked for before. Returns at once.
    nonisolated func runLong(_ piece: @escaping @Sendable (isolated Engine) -> Void) {
        let isFirst = longWork.withLock { pieces in
            pieces.append(piece)
            return pieces.count == 1
        }
        if isFirst { run { $0.runPiece() } }
    }

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
