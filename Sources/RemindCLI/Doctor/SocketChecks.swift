import Glibc
import RemindAPI

/// The links of the chain that only the caller's side sees: the way to the daemon.
enum SocketChecks {
    /// Where the socket is, whose it is, and who may use it; `stat(2)`.
    static func socket(path: String) -> Doctor.Check {
        var status = stat()
        guard stat(path, &status) == 0 else {
            return failed(
                "‘\(path)’ is not there: remindd does not run",
                hint: "systemctl --user start remindd.socket")
        }
        guard status.st_mode & S_IFMT == S_IFSOCK else {
            return failed("‘\(path)’ is no socket", hint: "Remove it: rm \(path)")
        }
        guard status.st_uid == geteuid() else {
            return failed(
                "‘\(path)’ belongs to user \(status.st_uid), not to you",
                hint: "Call remindctl as that user, or unset REMINDD_SOCKET.")
        }
        guard status.st_mode & 0o077 == 0 else {
            return failed("‘\(path)’ is open to other users", hint: "chmod 600 \(path)")
        }
        return Doctor.Check("socket", .good, "\(path), yours alone")
    }

    /// The two programs are made to work together in one version only.
    static func version(of daemon: String) -> Doctor.Check {
        guard daemon == Product.version else {
            return Doctor.Check(
                "version", .failed,
                "remindd is \(daemon), remindctl is \(Product.version)",
                hint: "systemctl --user restart remindd.service")
        }
        return Doctor.Check("version", .good, "remindd and remindctl are \(daemon)")
    }

    private static func failed(_ text: String, hint: String) -> Doctor.Check {
        Doctor.Check("socket", .failed, text, hint: hint)
    }
}
