import Dispatch
import Glibc

/// Plays the alarm's sound by the first player that is there, for notification servers that play
/// none. At most one at a time: many rings are one sound.
///
/// Unchecked: touched on the engine's queue, and on no other.
final class Sound: @unchecked Sendable {
    /// A player, and what it is told.
    private struct Player {
        var name: String
        var arguments: [String]
    }

    /// The sound in the freedesktop theme, for players that know no themes.
    private static let file =
        "/usr/share/sounds/freedesktop/stereo/\(PopupText.sound).oga"

    /// In the order in which they are tried.
    private static let players = [
        Player(
            name: "canberra-gtk-play",
            arguments: ["--id", PopupText.sound, "--description", "remindd"]),
        Player(name: "pw-play", arguments: [file]),
        Player(name: "paplay", arguments: [file]),
    ]

    private static let timeLimit = DispatchTimeInterval.seconds(30)

    private let queue: DispatchQueue
    private let environment: [String]
    private let outside: OutsideSandbox?
    private let log: @Sendable (String) -> Void
    private var playing: ChildProcess?
    var isPlaying: Bool { playing != nil }

    /// - Parameter environment: `NAME=value`; players are looked for in its `PATH`.
    init(
        queue: DispatchQueue, environment: [String], log: @escaping @Sendable (String) -> Void
    ) {
        (self.queue, self.environment, self.log) = (queue, environment, log)
        outside = OutsideSandbox(environment: environment)
    }

    /// The path of the program that would play it.
    var player: String? { found()?.path }

    /// Plays it, unless it plays already or nothing can play it. Returns at once.
    func play() {
        guard playing == nil, let (path, player) = found() else { return }
        let direct = ChildProcess.Launch(
            path: path, arguments: player.arguments, environment: environment,
            timeLimit: Self.timeLimit)
        let launch = outside?.launch(direct, description: "remindd: sound") ?? direct
        do throws(ChildProcess.Failure) {
            playing = try ChildProcess(
                launch, queue: queue, line: { [log] in log("\(player.name): \($0)") },
                ended: { [self] end in
                    playing = nil
                    if let trouble = end.trouble { log("the player \(player.name) \(trouble)") }
                })
        } catch {
            log("no sound: \(error.message)")
        }
    }

    /// The first player in the search path. Looked for each time: one may be installed meanwhile.
    private func found() -> (path: String, player: Player)? {
        let path = environment.first { $0.hasPrefix("PATH=") }?.dropFirst(5) ?? ""
        let folders = path.split(separator: ":").filter { $0.hasPrefix("/") }
        for player in Self.players {
            for folder in folders where access("\(folder)/\(player.name)", X_OK) == 0 {
                return ("\(folder)/\(player.name)", player)
            }
        }
        return nil
    }
}
