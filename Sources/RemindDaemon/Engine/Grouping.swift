import RemindAPI
import RemindCore
import Store
import Synchronization

/// A change that a call asks for.
struct CalledChange: Sendable {
    /// Makes the change and gives the reply. Runs within the transaction of its group, once more if
    /// the disk was full and could be freed: what is outside of the store waits for `afterCommit`.
    let make: @Sendable (isolated Engine) throws(APIError) -> [UInt8]
    /// Takes the reply when the change is on the disk, or why it was refused. Called once.
    let reply: @Sendable (Result<[UInt8], APIError>) -> Void
}

/// Group commit: changes that arrive while a commit is on its way to the disk share the next one.
///
/// While the engine's queue waits for the disk, the queues of the connections go on reading calls.
/// What they have read by then becomes one transaction. A change that is refused takes nothing of the
/// others with it: either it has written nothing yet, which is usual, or the transaction is undone
/// and each change is made alone. (A savepoint for each costs a copy of every page that it touches.)
/// Only after the `COMMIT` come the wheel, the
/// screen and the replies, in the order of the changes.
extension Engine {
    /// Changes in one transaction, at most: what comes due meanwhile waits for it.
    static let groupLimit = 128

    /// Makes `change` with those that wait already. Returns at once.
    nonisolated func make(_ change: CalledChange) {
        let isFirst = waiting.withLock { waiting in
            waiting.append(change)
            return waiting.count == 1
        }
        if isFirst { run { $0.makeWaitingChanges() } }
    }

    private func makeWaitingChanges() {
        let (changes, goesOn) = waiting.withLock { waiting in
            let changes = waiting.prefix(Self.groupLimit)
            waiting.removeFirst(changes.count)
            return (changes, !waiting.isEmpty)
        }
        // What is due meanwhile has its turn in between.
        if goesOn { run { $0.makeWaitingChanges() } }
        // Rings that the disk has refused go into the store with their answers: one at a time.
        if changes.count > 1, unrecorded.isEmpty {
            makeTogether(changes)
        } else {
            for change in changes { makeAlone(change) }
        }
    }

    private func makeAlone(_ change: CalledChange) {
        do throws(APIError) {
            change.reply(.success(try change.make(self)))
        } catch {
            change.reply(.failure(error))
        }
    }

    /// In one transaction. When it cannot begin or be committed, all are refused and nothing has
    /// changed. When one of them fails that has written something, or by the store, each is made
    /// alone: it fails for itself.
    func makeTogether(_ changes: ArraySlice<CalledChange>) {
        let formerGroup = lastGroup
        var results: [Result<[UInt8], APIError>] = []
        do {
            try commit {
                results = []
                (lastGroup, together) = (formerGroup, ChangesTogether())
                try store.together {
                    for change in changes { results.append(try makeOne(change)) }
                }
            }
        } catch {
            let isOfOne = together?.failure != nil
            (lastGroup, together) = (formerGroup, nil)
            if isOfOne { return changes.forEach(makeAlone) }
            let refusal = APIError(error)
            return changes.forEach { $0.reply(.failure(refusal)) }
        }
        carryOutTogether()
        for (change, result) in zip(changes, results) { change.reply(result) }
    }

    /// - Throws: a failure after which nothing of the group may stay.
    private func makeOne(_ change: CalledChange) throws -> Result<[UInt8], APIError> {
        do throws(APIError) {
            return .success(try change.make(self))
        } catch {
            if let failure = together?.failure { throw failure }
            return .failure(error)
        }
    }

    private func carryOutTogether() {
        guard let made = together else { return }
        together = nil
        for effect in made.effects { effect(self) }
        if made.mayBeDue { ringWhatIsDue() } else { arm() }
    }

    /// What follows the commit of a change: the wheel, the screen, those who watch; then the timer is
    /// armed.
    /// - Parameter mayBeDue: what was changed may have to ring at once.
    func afterCommit(mayBeDue: Bool = false, _ effect: @escaping (isolated Engine) -> Void) {
        if together != nil {
            together?.effects.append(effect)
            if mayBeDue { together?.mayBeDue = true }
        } else {
            effect(self)
            if mayBeDue { ringWhatIsDue() } else { arm() }
        }
    }
}

/// Changes whose transaction is open.
struct ChangesTogether {
    /// What follows its commit.
    var effects: [(isolated Engine) -> Void] = []
    var mayBeDue = false
    /// Why one of them failed, when that takes the others with it.
    var failure: (any Error)?
}
