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
    var player: String? {
        if let worked, access(worked, X_OK) == 0 { return worked }
        return found()?.path
    }

    /// The path of the player that played the last sound.
    private var worked: String?

    /// What went wrong with the last sound, when no player could play it.
    private(set) var trouble: String?

    /// Plays it, unless it plays already or nothing can play it. Returns at once. A player that
    /// fails is followed by the next one that is there.
    func play() {
        guard playing == nil else { return }
        play(from: Self.players[...])
    }

    private func play(from players: ArraySlice<Player>) {
        guard let (path, player) = found(players) else { return }
        let rest = players.drop { $0.name != player.name }.dropFirst()
        let direct = ChildProcess.Launch(
            path: path, arguments: player.arguments, environment: environment,
            timeLimit: Self.timeLimit)
        let launch = outside?.launch(direct, description: "remindd: sound") ?? direct
        do throws(ChildProcess.Failure) {
            playing = try ChildProcess(
                launch, queue: queue, line: { [log] in log("\(player.name): \($0)") },
                ended: { [self] end in
                    playing = nil
                    trouble = end.trouble.map { "the player \(player.name) \($0)" }
                    worked = trouble == nil ? path : nil
                    guard let trouble else { return }
                    log(trouble)
                    play(from: rest)
                })
        } catch {
            trouble = error.message
            log("no sound: \(error.message)")
        }
    }

    /// The first player in the search path. Looked for each time: one may be installed meanwhile.
    private func found(
        _ players: ArraySlice<Player> = players[...]
    ) -> (path: String, player: Player)? {
        let path = environment.first { $0.hasPrefix("PATH=") }?.dropFirst(5) ?? ""
        let folders = path.split(separator: ":").filter { $0.hasPrefix("/") }
        for player in players {
            for folder in folders where access("\(folder)/\(player.name)", X_OK) == 0 {
                return ("\(folder)/\(player.name)", player)
            }
        }
        return nil
    }
}
