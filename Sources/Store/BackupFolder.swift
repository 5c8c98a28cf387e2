import Glibc
package import RemindCore

/// The folder `backups` beside a store: copies by name, the newest of each kind kept.
package struct BackupFolder {
    /// What the names begin with; a date follows, so that their order is that of time.
    package static let daily = "reminders-"
    package static let beforeRestore = "before-restore-"

    private static let ending = ".db"

    private let folder: String

    /// Makes the folder (0700) when there is none.
    ///
    /// - Throws: `readOnly`, `full`, `cannotOpen`.
    package init(beside store: String) throws(StoreError) {
        let above = StoreFile.folder(of: store)
        folder = (above == "/" ? "" : above) + "/backups"
        guard mkdir(folder, StoreFile.folderMode) == 0 || errno == EEXIST else {
            throw StoreFile.failure(errno, path: folder, doing: "the folder cannot be made")
        }
    }

    package func path(_ name: String) -> String { folder + "/" + name + Self.ending }

    package func contains(_ name: String) -> Bool { access(path(name), F_OK) == 0 }

    /// Deletes all but the newest `count` copies whose names begin with `prefix`, and what copies that
    /// were broken off have left behind.
    ///
    /// - Parameter latest: the name of the copy just made. What is dated after it stays: either the
    ///   clock stood ahead then, and such a copy must not take the place of another one, or it stands
    ///   behind now, and knows nothing of what is old.
    package func keepNewest(_ count: Int, of prefix: String, latest: String) {
        let ours = names().filter { $0.hasPrefix(prefix) }
        for name in ours where StoreLeftovers.isPartial(name) { unlink(folder + "/" + name) }
        let copies = ours.filter {
            $0.hasSuffix(Self.ending) && $0.dropLast(Self.ending.count) <= latest
        }
        for name in copies.sorted().dropLast(count) { unlink(folder + "/" + name) }
    }

    /// The newest daily copy, by its name, else the newest that a restore kept; `nil` when there is
    /// none.
    ///
    /// - Parameter today: a copy dated more than a day after it, made while the clock stood ahead, is
    ///   taken only when there is no other.
    package static func newest(beside store: String, today: CivilDate) -> String? {
        guard let folder = try? BackupFolder(existingBeside: store) else { return nil }
        let names = folder.names().filter { $0.hasSuffix(ending) }
        let dailies = names.filter { $0.hasPrefix(daily) }
        // A day more: zones differ by that, and `~` is behind all that may follow the date.
        let limit = daily + today.adding(days: 1).iso8601 + "~"
        let newest =
            dailies.filter { $0 < limit }.max() ?? dailies.max()
            ?? names.filter { $0.hasPrefix(beforeRestore) }.max()
        return newest.map { folder.folder + "/" + $0 }
    }

    /// Whether there is any copy of the store.
    static func isEmpty(beside store: String) -> Bool {
        newest(beside: store, today: .last) == nil
    }

    private init(existingBeside store: String) throws(StoreError) {
        let above = StoreFile.folder(of: store)
        folder = (above == "/" ? "" : above) + "/backups"
    }

    private func names() -> [String] { FolderEntries.names(in: folder) }
}
