import Glibc
import RemindAPI
import RemindCore
import Store

/// `remindd --restore FILE`: puts a backup in the place of a store that no daemon can open.
enum OfflineRestore {
    /// - Returns: what was done, for people.
    /// - Throws: `Options.Misuse`, `StoreError`.
    static func run(_ file: String, _ options: Options) throws -> String {
        let database = try options.databasePath(SocketLocation.environment)
        let done = try StoreReplacement.run(at: database, with: file, stamp: stamp(Clock.system))
        let tasks = done.facts.tasks == 1 ? "1 task" : "\(done.facts.tasks) tasks"
        let kept = done.keptAs.map { "  what was there before is ‘\($0)’\n" } ?? ""
        return "\(tasks) restored from ‘\(file)’ to ‘\(database)’\n" + kept
    }

    /// Seconds since 1970: no zone is needed to tell one from another.
    private static func stamp(_ clock: Clock) -> String { String(clock.now.seconds) }
}
