import Synchronization

/// Hands pieces of work to the engine one at a time, so that what others ask of it, and rings,
/// come in between.
final class ImportPump: Sendable {
    typealias Work = @Sendable (isolated Engine) -> Void

    private struct State {
        var waiting: [Work] = []
        var isRunning = false
    }

    private let state = Mutex(State())
    private let engine: Engine

    init(engine: Engine) { self.engine = engine }

    func push(_ work: [Work]) {
        let starts = state.withLock { state in
            state.waiting += work
            defer { state.isRunning = true }
            return !state.isRunning
        }
        if starts { turn() }
    }

    private func turn() {
        engine.run { engine in
            guard let work = self.next() else { return }
            work(engine)
            self.turn()
        }
    }

    private func next() -> Work? {
        state.withLock { state in
            state.isRunning = !state.waiting.isEmpty
            return state.isRunning ? state.waiting.removeFirst() : nil
        }
    }
}
