import RemindAPI
import RemindCore
import Store

/// All or nothing: an import is many transactions, so that rings and other clients need not wait
/// for it, and is taken back when it does not come to its end, be it that the disk is full or that
/// the daemon is killed.
extension Engine {
    /// When the import that is under way has begun; in the store.
    private static let importKey = "import-begun"

    /// In the first transaction of an import.
    func markImport(begun: Instant) throws(StoreError) {
        guard try store.meta(Self.importKey) == nil else { return }
        try store.setMeta(Self.importKey, String(begun.milliseconds))
    }

    /// The store is as it was before a run, and so is our memory.
    func endBulk(_ run: ImportRun) {
        guard run.isBulk else { return }
        run.isBulk = false
        do {
            try store.endBulk()
        } catch {
            Journal.error("the write-ahead log stays long for now: \(error)")
        }
        ProcessMemory.forgetFreed()
    }

    /// All of it is stored.
    func finish(_ run: ImportRun) {
        lastGroup = nil
        do {
            if try store.meta(Self.importKey) != nil {
                try commit { try store.setMeta(Self.importKey, nil) }
            }
        } catch {
            run.failure = APIError(error)
        }
    }

    /// An import has failed on its way: what it has stored is taken back.
    ///
    /// - Returns: what the client is told.
    func takeBack(_ run: ImportRun, _ failure: APIError) -> APIError {
        // A backup has taken the place of all that was stored.
        guard run.storeAge ?? storeAge == storeAge else { return failure }
        // Another program's lock, which may have been the failure, is waited for.
        store.busyTimeout = busyTimeout
        do {
            let step = try store.undoSteps(limit: Self.changesLimit).first { $0.step == run.step }
            if let step { try undoParts(of: step) }
            try commit { try store.setMeta(Self.importKey, nil) }
        } catch {
            tellNotTakenBack(error)
        }
        return failure
    }

    private func tellNotTakenBack(_ error: any Error) {
        Journal.error(
            "an import that failed is taken back before the next import, or at the next start: "
                + "\(error)")
    }

    /// The daemon before this one ended while an import was under way. A disk that is still full is
    /// no reason not to ring.
    func takeBackImportOfFormerRun() {
        do {
            // Wheel and screen are filled after this.
            try takeBackUnfinishedImport { step in
                while try !store.transaction({ try undo(step, entries: 1) }).isWhole {}
            }
        } catch {
            tellNotTakenBack(error)
        }
    }

    /// An import of this run failed, or of the one before, and could not be taken back so far.
    func takeBackImportLeftBehind() throws { try takeBackUnfinishedImport(undoParts) }

    private func takeBackUnfinishedImport(_ takeBack: (UndoStep) throws -> Void) throws {
        guard let begun = try store.meta(Self.importKey).flatMap({ Int64($0) }) else { return }
        let steps = try store.undoSteps(limit: Self.changesLimit)
        if let step = steps.first(where: {
            $0.what == .importing && $0.at.milliseconds >= begun
        }) {
            try takeBack(step)
        }
        try store.setMeta(Self.importKey, nil)
        Journal.info("an import that had not come to its end was taken back")
    }
}
