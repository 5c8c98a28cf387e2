import CLinux
import Dispatch
import Glibc
import Varlink

/// A program that runs beside the daemon: without a shell, for a limited time, in a process group of
/// its own. Nothing waits for it; its end is an event, and it never stays behind as a zombie. When
/// we end, be it by kill -9, the kernel ends it and its process group.
///
/// Unchecked: touched on the queue that it was given, and on no other.
final class ChildProcess: @unchecked Sendable {
    /// What is run.
    struct Launch: Sendable {
        /// The path of the program; it is not looked for.
        var path: String
        /// Without the program's name.
        var arguments: [String] = []
        /// `NAME=value`, all of it.
        var environment: [String] = []
        /// Its standard input.
        var input: [UInt8] = []
        /// Afterwards it and all of its process group are killed.
        var timeLimit: DispatchTimeInterval
    }

    /// How it ended.
    enum End: Hashable, Sendable {
        case exited(Int32)
        case killed(signal: Int32)
        /// It had not ended by the time limit.
        case tookTooLong
    }

    /// It could not be started: a sentence with the system's reason.
    struct Failure: Error, Hashable {
        let message: String
    }

    let pid: pid_t
    private let life: LifeLine
    private let output: ProgramOutput
    private var ending: SwitchedSource?
    private var limit: (any DispatchSourceTimer)?
    private var tookTooLong = false

    /// Starts it (posix_spawn(3)).
    /// - Parameters:
    ///   - queue: where the handlers are called; the caller is on it.
    ///   - line: a line of its output or its errors.
    ///   - ended: called once; the object may be let go then, not before.
    /// - Throws: `Failure`; no handler is called then.
    init(
        _ launch: Launch, queue: DispatchQueue, line: @escaping @Sendable (String) -> Void,
        ended: @escaping @Sendable (End) -> Void
    ) throws(Failure) {
        let input = try Self.memoryFile(launch.input)
        defer { close(input) }
        var ends: [Int32] = [-1, -1]
        guard clinux_pipe(&ends) == 0 else { throw .refused("pipe2") }
        defer { close(ends[1]) }
        do throws(Failure) {
            life = try LifeLine()
            pid = try Spawning(launch).start(input: input, output: ends[1], life: life.reader)
        } catch {
            close(ends[0])
            throw error
        }
        life.ties(group: pid)
        output = ProgramOutput(reading: ends[0], queue: queue, line: line)
        watch(queue, ended)
        setLimit(launch.timeLimit, queue)
    }

    /// Kills it and what it has started, as far as that did not leave its process group.
    func kill() {
        Glibc.kill(-pid, SIGKILL)
        Glibc.kill(pid, SIGKILL)
    }

    /// The reminder goes in by a file in memory: unlike a pipe, it never has to be waited for.
    private static func memoryFile(_ bytes: [UInt8]) throws(Failure) -> Int32 {
        let file = clinux_memory_file("remindd-input")
        guard file >= 0 else { throw .refused("memfd_create") }
        let written = bytes.withUnsafeBytes { pwrite(file, $0.baseAddress, $0.count, 0) }
        guard written == bytes.count else {
            close(file)
            throw .refused("write")
        }
        return file
    }

    private func watch(_ queue: DispatchQueue, _ ended: @escaping @Sendable (End) -> Void) {
        let descriptor = clinux_pidfd(pid)
        guard descriptor >= 0 else {
            // Only without descriptors or memory left: it cannot be watched, so it must not be.
            kill()
            let end = reap()
            queue.async { [self] in finish(end, ended) }
            return
        }
        ending = SwitchedSource.reading(
            descriptor, on: queue, { [self] in finish(reap(), ended) }, ended: { close(descriptor) }
        )
        ending?.turn(on: true)
    }

    /// Takes the ended process off the system's table (waitpid(2)).
    private func reap() -> End {
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
        if tookTooLong { return .tookTooLong }
        let signal = status & 0x7F
        return signal == 0 ? .exited((status >> 8) & 0xFF) : .killed(signal: signal)
    }

    private func finish(_ end: End, _ ended: (End) -> Void) {
        ending?.cancel()
        limit?.cancel()
        (ending, limit) = (nil, nil)
        life.letGo()
        output.finish()
        ended(end)
    }

    private func setLimit(_ time: DispatchTimeInterval, _ queue: DispatchQueue) {
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.setEventHandler { [weak self] in
            guard let self, limit != nil else { return }
            tookTooLong = true
            kill()
        }
        timer.schedule(deadline: .now() + time, leeway: .milliseconds(100))
        limit = timer
        timer.activate()
    }
}

extension ChildProcess.Failure {
    /// - Parameter call: the C function that has set `errno`.
    static func refused(_ call: String, _ code: Int32 = errno) -> Self {
        Self(message: "\(call): \(String(cString: strerror(code)))")
    }
}
