import CLinux
import Glibc

/// Ties the life of a process group to ours: a pipe whose writing end is ours alone. The group holds
/// the reading end; when we are gone, the kernel kills the group (fcntl(2): F_SETOWN, O_ASYNC).
///
/// prctl(2)'s PR_SET_PDEATHSIG would not do: it fires when the thread ends that made the child, and
/// Dispatch's threads come and go.
final class LifeLine: Sendable {
    let reader: Int32
    private let writer: Int32

    /// - Throws: without descriptors left.
    init() throws(ChildProcess.Failure) {
        var ends: [Int32] = [-1, -1]
        guard clinux_pipe(&ends) == 0 else { throw .refused("pipe2") }
        (reader, writer) = (ends[0], ends[1])
    }

    deinit {
        close(reader)
        close(writer)
    }

    /// - Parameter group: holds `reader`.
    func ties(group: pid_t) { _ = clinux_kill_with_writer(reader, group) }

    /// What the group has left in the background lives on.
    func letGo() { _ = fcntl(reader, F_SETFL, fcntl(reader, F_GETFL) & ~O_ASYNC) }
}
