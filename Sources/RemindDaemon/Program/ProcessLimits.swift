import Glibc

/// What the process is allowed, made fit for a daemon.
enum ProcessLimits {
    /// Files that must be allowed to be open: the store, the bus, the watches and a few clients.
    static let fewest: rlim_t = 24
    /// So many are asked for, where the hard limit allows it.
    private static let wanted: rlim_t = 4096

    struct TooFewFiles: Error, Hashable {
        let message: String
    }

    /// Signals that would end us for what others do are errors instead, and the limit on open files is
    /// raised as far as that is allowed.
    /// - Throws: `TooFewFiles`: GLib ends a process that has none left.
    static func prepare() throws(TooFewFiles) {
        // A client that hangs up (write(2): EPIPE), a limit on the size of files (EFBIG), and a reload
        // that comes before its handler: the settings are read now anyway.
        for name in [SIGPIPE, SIGXFSZ, SIGHUP] { signal(name, SIG_IGN) }
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        if limit.rlim_cur < wanted, limit.rlim_cur < limit.rlim_max {
            var raised = limit
            raised.rlim_cur = min(wanted, limit.rlim_max)
            if setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &raised) == 0 {
                limit = raised
            }
        }
        guard limit.rlim_cur < fewest else { return }
        throw TooFewFiles(
            message: "Only \(limit.rlim_cur) files may be open at once; remindd needs \(fewest) at "
                + "least. Raise the limit: ulimit -n 1024")
    }
}
