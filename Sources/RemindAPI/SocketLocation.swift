import Glibc

/// Where the two programs meet: the same rules on both sides.
package struct SocketLocation: Hashable, Sendable {
    package let path: String

    /// Why there is no place for the socket.
    package struct Failure: Error, Hashable, Sendable {
        /// An English sentence that names the value, and what to do.
        package let message: String
        package let hint: String
    }

    /// - Parameters:
    ///   - option: the value of `--socket`; it wins over everything.
    ///   - environment: `REMINDD_SOCKET` is next, then `remindd.sock` in `XDG_RUNTIME_DIR`.
    /// - Throws: `Failure` when there is no private runtime directory: other users could listen
    ///   in the daemon's place, so there is no fall-back to a shared one.
    package init(
        option: String?, environment: (String) -> String? = SocketLocation.environment
    ) throws(Failure) {
        if let given = option ?? environment("REMINDD_SOCKET"), !given.isEmpty {
            path = given
            return
        }
        guard let directory = environment("XDG_RUNTIME_DIR"), directory.hasPrefix("/") else {
            throw Failure(
                message: "XDG_RUNTIME_DIR is not set, so there is no private place for the socket.",
                hint: "Log in through systemd (pam_systemd sets it), or give --socket PATH.")
        }
        try Self.checkPrivate(directory)
        path = directory + (directory.hasSuffix("/") ? "" : "/") + "remindd.sock"
    }

    /// `getenv(3)`.
    package static func environment(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }

    private static func checkPrivate(_ directory: String) throws(Failure) {
        let hint = "Give --socket PATH, or set XDG_RUNTIME_DIR to a folder of your own, mode 0700."
        var status = stat()
        guard stat(directory, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw Failure(
                message: "The runtime directory ‘\(directory)’ (XDG_RUNTIME_DIR) is not there.",
                hint: hint)
        }
        guard status.st_uid == geteuid() else {
            throw Failure(
                message:
                    "The runtime directory ‘\(directory)’ belongs to user \(status.st_uid), not to you.",
                hint: hint)
        }
        guard status.st_mode & 0o077 == 0 else {
            throw Failure(
                message: "The runtime directory ‘\(directory)’ is open to other users.",
                hint: "chmod 700 \(directory)")
        }
    }
}
