import Calendaring
import Dispatch
import Popups
import RemindAPI
import RemindCore
import Store

/// Copies of the store. On a queue of its own: copying a large store must not keep the engine from
/// ringing and answering.
actor Backups {
    /// Daily copies that are kept; and as many of those that were made before a copy was put back.
    static let kept = 7
    /// After a daily copy that failed, the next try is made with a change that comes so much later,
    /// in milliseconds.
    static let retryDelay: Int64 = 3_600_000

    nonisolated let executor = EngineQueue(label: "org.remindd.backups")
    nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    /// The path of the store.
    nonisolated let store: String

    init(store: String) { self.store = store }

    nonisolated func run(_ body: @escaping @Sendable (isolated Backups) -> Void) {
        executor.queue.async { self.assumeIsolated(body) }
    }

    /// The copy of one day, unless there is one already; the oldest go.
    func makeDaily(_ day: CivilDate) throws(StoreError) {
        let folder = try BackupFolder(beside: store)
        let name = BackupFolder.daily + day.iso8601
        guard !folder.contains(name) else { return }
        try StoreCopy.make(of: store, at: folder.path(name))
        folder.keepNewest(Self.kept, of: BackupFolder.daily, latest: name)
    }

    /// A copy where the user wants it.
    func make(at path: String) throws(APIError) -> CopyFacts {
        do {
            return try StoreCopy.make(of: store, at: path)
        } catch {
            throw APIError(copying: error)
        }
    }

    /// A copy of `path`, checked, that can take the store's place.
    func stage(_ path: String) throws(APIError) -> StagedCopy {
        do {
            return try StagedCopy(of: path, beside: store)
        } catch {
            throw APIError(restoring: error, from: path)
        }
    }
}

extension Engine {
    /// With the first change of a day a copy is made, behind it: a store that does not change needs no
    /// new one, and nothing wakes up for it.
    func backUpDaily() {
        let now = clock.now
        guard keepsDailyBackups, now >= nextBackup else { return }
        let zone = timetable.zones.local
        let today = zone.civil(at: now).date
        nextBackup = zone.resolve(CivilDateTime(today.adding(days: 1), .midnight)).instant
        backups.run { [weak self] backups in
            do {
                try backups.makeDaily(today)
            } catch {
                Journal.error("the daily backup was not made: \(error)")
                self?.run { $0.nextBackup = now.advanced(byMilliseconds: Backups.retryDelay) }
            }
        }
    }

    /// Puts a copy in the place of the store; the store as it was is kept beside the daily backups.
    ///
    /// - Returns: where it is kept.
    func restore(_ copy: StagedCopy) throws(APIError) -> String {
        let before = watchers.isEmpty ? [:] : try everything()
        let standing =
            digest == nil ? ringingReminders().map(\.id.text) : [Self.digestKey]
        let kept = try storing { try keepAside() }
        do {
            try store.replaceAll(with: copy, keepingMetas: [Self.pauseKey])
        } catch {
            throw APIError(restoring: error, from: copy.origin)
        }
        beginAnew(standing: standing)
        Journal.notice("the store was replaced by a backup; as it was, it is ‘\(kept)’")
        if !watchers.isEmpty { tellDifferences(from: before, to: try everything()) }
        return kept
    }

    private func keepAside() throws(StoreError) -> String {
        let folder = try BackupFolder(beside: store.path)
        let civil = timetable.zones.local.civil(at: clock.now)
        let stamp = civil.date.iso8601 + "-" + civil.time.iso8601.filter { $0 != ":" }
        let name = BackupFolder.beforeRestore + stamp
        // Two in one second must not overwrite each other; the names keep the order of time.
        let taken = (0...).first { !folder.contains($0 == 0 ? name : "\(name)_\($0)") } ?? 0
        let free = taken == 0 ? name : "\(name)_\(taken)"
        try StoreCopy.make(of: store.path, at: folder.path(free))
        folder.keepNewest(Backups.kept, of: BackupFolder.beforeRestore, latest: free)
        return folder.path(free)
    }

    /// The store holds something else: wheel and screen are built as at a start. What cannot be read
    /// now is read by the next try.
    ///
    /// - Parameter standing: the keys of the pop-ups on the screen.
    private func beginAnew(standing: [String]) {
        storeAge += 1
        (unrecorded, ringing, held, hookless, presented) = ([:], [], [], [], [])
        (unseen, seenLate, hooklessIsStored) = ([], [:], false)
        (digest, digestIsExpanded, lastGroup) = (nil, false, nil)
        (knowsRinging, followsClock, firstMovedBegan) = (false, false, nil)
        takeBackImportOfFormerRun()
        refillOrRetry()
        let visible = ringingReminders().filter { !held.contains($0.number) }
        let wanted = digest == nil ? visible.map(\.id.text) : [Self.digestKey]
        for key in Set(standing).subtracting(wanted) where !closedPopups.contains(key) {
            presenter.close(key: key, earlier: nil)
        }
        arm()
    }

    private func everything() throws(APIError) -> [Int64: Reminder] {
        try storing {
            var all: [Int64: Reminder] = [:]
            try store.list(ListFilter(.all)) { all[$0.number] = $0 }
            return all
        }
    }

    private func tellDifferences(from before: [Int64: Reminder], to after: [Int64: Reminder]) {
        for (number, reminder) in before.sorted(by: { $0.key < $1.key })
        where after[number]?.id != reminder.id { tell(.removed, reminder) }
        for (number, reminder) in after.sorted(by: { $0.key < $1.key }) {
            if before[number]?.id != reminder.id {
                tell(.added, reminder)
            } else if before[number] != reminder {
                tell(.changed, reminder)
            }
        }
    }
}

extension APIError {
    /// Why a copy was not made.
    fileprivate init(copying error: StoreError) {
        switch error.category {
        case .exists:
            self = .invalidArgument("path", value: error.path, error.message)
        case .busy: self = .busy(error.message, hint: nil)
        case .cannotOpen, .readOnly:
            let cause = error.code.map { "\($0): \(error.detail)" } ?? error.detail
            self = .storeFailed(
                "‘\(error.path)’ cannot be made (\(cause)).", code: error.code ?? "",
                hint: "Give a file in a folder that is there, and that the daemon may write to.")
        case .corrupt:
            self = .storeFailed(
                error.message, code: error.code ?? "",
                hint: "The daily backups are in the folder backups beside the store.")
        default: self = .storeFailed(error.message, code: error.code ?? "", hint: nil)
        }
    }

    /// Why a copy was not put back.
    fileprivate init(restoring error: StoreError, from path: String) {
        guard error.path == path else {
            self.init(error)
            return
        }
        let cause = error.code.map { "\($0): \(error.detail)" } ?? error.detail
        switch error.category {
        case .corrupt, .notOurs:
            let what = error.category == .corrupt ? "is damaged" : "is no backup of remindd"
            self = .invalidArgument(
                "path", value: path, "‘\(path)’ \(what) (\(cause)). Nothing was changed.",
                hint: "The daily backups are in the folder backups beside the store.")
        case .newerSchema(let found, let known):
            self = .invalidArgument(
                "path", value: path,
                "‘\(path)’ has schema \(found), and this remindd knows schemas up to \(known). "
                    + "Nothing was changed.", hint: "Use the remindd that made it, or a newer one.")
        case .busy: self = .busy(error.message, hint: nil)
        default:
            self = .storeFailed(
                "‘\(path)’ cannot be read (\(cause)). Nothing was changed.",
                code: error.code ?? "", hint: nil)
        }
    }
}
