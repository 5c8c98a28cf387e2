import Glibc

/// The descriptors 0, 1 and 2 of this process.
package enum StandardStreams {
    /// What stands in for a stream that the program was started without.
    package enum Placeholder: Sendable {
        /// stdin is at its end; writing to stdout or stderr fails with EBADF, as it would without.
        case unwritable
        /// What is written goes nowhere; stdin is at its end.
        case silent
    }

    /// Opens `/dev/null` in the place of each of the three that is closed (fcntl(2) `F_GETFD`).
    ///
    /// The next descriptor that is opened gets the lowest free number: without this, a socket or a
    /// database would get that of a stream, and what is meant for people would be written into it.
    /// To be called first of all, while there is one thread.
    package static func fill(_ placeholder: Placeholder) {
        for stream in STDIN_FILENO...STDERR_FILENO where fcntl(stream, F_GETFD) < 0 {
            // Those below are open, so this one is the lowest that is free: open(2) returns it.
            _ = open("/dev/null", placeholder == .silent ? O_RDWR : O_RDONLY)
        }
    }
}
