import Glibc

/// A folder of its own with a daemon in it, and a private bus.
final class World {
    let folder: String
    let programs: String
    private(set) var daemon: pid_t = 0
    private var output: Int32 = -1
    /// The bus writes to its output also later, and must find it open.
    private var bus: (pid: pid_t, lines: Lines)?

    /// - Parameter programs: the folder of `remindd` and `remindctl`.
    init(programs: String) throws {
        var template = Array("/tmp/remindd-bench-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw BenchmarkFailure(description: "mkdtemp: \(errno)")
        }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        self.programs = programs
        mkdir(folder + "/runtime", 0o700)
        try startBus()
    }

    /// Without one, the daemon would look for it once in a while.
    private func startBus() throws {
        let address = "unix:path=\(folder)/bus"
        let started = try Command(
            ["dbus-daemon", "--session", "--nofork", "--print-address", "--address=\(address)"],
            // It would tell that it is ready where the daemon is to tell it.
            environment: environment.filter { !$0.hasPrefix("NOTIFY_SOCKET=") }
        ).spawn()
        bus = (started.pid, Lines(started.output))
        guard bus?.lines.next() != nil else {
            throw BenchmarkFailure(description: "the bus did not start")
        }
    }

    var environment: [String] {
        [
            "PATH=/usr/local/bin:/usr/bin:/bin", "HOME=\(folder)", "LANG=C.UTF-8",
            "TZ=Europe/Berlin", "XDG_RUNTIME_DIR=\(folder)/runtime",
            "XDG_DATA_HOME=\(folder)/data", "XDG_CONFIG_HOME=\(folder)/config",
            "DBUS_SESSION_BUS_ADDRESS=unix:path=\(folder)/bus",
            "NOTIFY_SOCKET=\(folder)/runtime/notify",
        ]
    }

    var socket: String { folder + "/runtime/remindd.sock" }

    func remindctl(_ arguments: String...) -> Command {
        Command([programs + "/remindctl"] + arguments, environment: environment)
    }

    /// Starts the daemon.
    /// - Returns: nanoseconds from the spawn until it told that it is ready, as it tells systemd.
    @discardableResult
    func start() throws -> Double {
        let told = try Datagrams(path: folder + "/runtime/notify")
        defer { told.close() }
        let start = monotonic()
        (daemon, output) = try Command(
            [programs + "/remindd"], environment: environment
        ).spawn()
        while try !told.next(seconds: 60).contains("READY=1") {}
        return monotonic() - start
    }

    /// - Parameter signal: `SIGTERM` or `SIGKILL`.
    func stop(_ signal: Int32 = SIGTERM) {
        guard daemon != 0 else { return }
        end(daemon, by: signal)
        close(output)
        daemon = 0
    }

    /// Ends a process that was spawned here.
    func end(_ process: pid_t, by signal: Int32 = SIGTERM) {
        kill(process, signal)
        var status: Int32 = 0
        waitpid(process, &status, 0)
    }

    func remove() {
        stop()
        if let bus { end(bus.pid) }
        bus = nil
        _ = try? Command(["rm", "-rf", folder], environment: environment).run()
    }
}

/// Where a service tells that it is ready (`sd_notify`(3)).
private struct Datagrams {
    private let descriptor: Int32

    init(path: String) throws {
        unlink(path)
        descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        let bound = withUnixAddress(path) { bind(descriptor, $0, $1) }
        guard bound == 0 else { throw BenchmarkFailure(description: "bind \(path): \(errno)") }
    }

    func next(seconds: Int32) throws -> String {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&waiting, 1, seconds * 1000) == 1 else {
            throw BenchmarkFailure(description: "remindd did not become ready")
        }
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        return String(decoding: buffer.prefix(max(count, 0)), as: UTF8.self)
    }

    func close() { Glibc.close(descriptor) }
}

/// Calls `body` with the address of a socket in the file system.
func withUnixAddress<Result>(
    _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
) -> Result {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
    return withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
    }
}
