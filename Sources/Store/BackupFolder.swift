import Glibc

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
    package func keepNewest(_ count: Int, of prefix: String) {
        let ours = names().filter { $0.hasPrefix(prefix) }
        for name in ours where StoreLeftovers.isPartial(name) { unlink(folder + "/" + name) }
        for name in ours.filter({ $0.hasSuffix(Self.ending) }).sorted().dropLast(count) {
            unlink(folder + "/" + name)
        }
    }

    /// The newest daily copy, by its name, else the newest that a restore kept; `nil` when there is
    /// none.
    package static func newest(beside store: String) -> String? {
        guard let folder = try? BackupFolder(existingBeside: store) else { return nil }
        let names = folder.names().filter { $0.hasSuffix(ending) }
        let newest =
            names.filter { $0.hasPrefix(daily) }.max()
            ?? names.filter { $0.hasPrefix(beforeRestore) }.max()
        return newest.map { folder.folder + "/" + $0 }
    }

    private init(existingBeside store: String) throws(StoreError) {
        let above = StoreFile.folder(of: store)
        folder = (above == "/" ? "" : above) + "/backups"
    }

    private func names() -> [String] { FolderEntries.names(in: folder) }
}
