import RemindAPI
import VarlinkWire

/// Where the daemon's socket is.
enum SocketPath {
    /// - Parameter option: the value of `--socket`.
    /// - Throws: `Configuration` (exit 78) when there is no private runtime directory, or the path
    ///   is longer than a Unix socket allows (unix(7): 107 bytes).
    static func find(option: String?, in surroundings: Surroundings) throws(Failure) -> String {
        let location: SocketLocation
        do {
            location = try SocketLocation(option: option) { surroundings.variable($0) }
        } catch {
            throw .configuration(error.message, hint: error.hint)
        }
        do {
            return try SocketAddress(path: location.path).path
        } catch {
            throw .configuration(
                error.description, hint: "remindctl --socket /run/user/$(id -u)/remindd.sock status"
            )
        }
    }
}
