import Glibc
import Varlink

/// Where the daemon's socket is.
enum SocketPath {
    static let fileName = "remindd.sock"

    /// `--socket`, else `REMINDD_SOCKET`, else the private runtime directory; never `/tmp`.
    /// - Throws: `Configuration` (exit 78) when there is no private runtime directory, or the path
    ///   is longer than a Unix socket allows (unix(7): 107 bytes).
    static func find(option: String?, in surroundings: Surroundings) throws(Failure) -> String {
        let path =
            if let given = option ?? surroundings.variable("REMINDD_SOCKET") {
                given
            } else {
                try runtimeDirectory(surroundings) + "/" + fileName
            }
        do {
            return try SocketAddress(path: path).path
        } catch {
            throw .configuration(
                error.description, hint: "remindctl --socket /run/user/$(id -u)/\(fileName) status")
        }
    }

    private static func runtimeDirectory(_ surroundings: Surroundings) throws(Failure) -> String {
        guard let directory = surroundings.variable("XDG_RUNTIME_DIR") else {
            throw .configuration(
                "XDG_RUNTIME_DIR is not set: there is no private place for the daemon's socket.",
                hint: "export XDG_RUNTIME_DIR=/run/user/$(id -u), or give --socket PATH")
        }
        if let fault = fault(of: directory, for: surroundings.userID) {
            throw .configuration(
                "The runtime directory ‘\(directory)’ \(fault).",
                hint: "Set XDG_RUNTIME_DIR to a directory of yours with mode 0700, "
                    + "or give --socket PATH")
        }
        return directory
    }

    /// Why a directory is not private, as the end of a sentence.
    /// Source: XDG Base Directory Specification 0.8: owned by the user, mode 0700.
    private static func fault(of directory: String, for user: UInt32) -> String? {
        guard directory.hasPrefix("/") else { return "is not an absolute path" }
        var status = stat()
        guard stat(directory, &status) == 0 else {
            return "cannot be used: \(String(cString: strerror(errno)))"
        }
        if status.st_mode & S_IFMT != S_IFDIR { return "is not a directory" }
        if status.st_uid != user { return "belongs to another user" }
        if status.st_mode & 0o077 != 0 { return "is open to others" }
        return nil
    }
}
