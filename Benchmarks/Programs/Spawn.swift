import Glibc

/// A program that is run and timed.
struct Command {
    var arguments: [String]
    var environment: [String]
    /// Read on its standard input; nil: nothing.
    var input: String?

    init(_ arguments: [String], environment: [String] = [], input: String? = nil) {
        (self.arguments, self.environment, self.input) = (arguments, environment, input)
    }
}

struct BenchmarkFailure: Error, CustomStringConvertible {
    let description: String
}

/// What a program did.
struct Outcome {
    /// From the spawn to the end, output read through a pipe.
    let nanoseconds: Double
    let output: [UInt8]

    var text: String { String(decoding: output, as: UTF8.self) }
}

/// `CLOCK_MONOTONIC`, in nanoseconds.
func monotonic() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
}

extension Command {
    /// Runs the program with its output to a pipe, and waits for its end.
    /// - Throws: `BenchmarkFailure` when it cannot be started or ends with an error.
    func run() throws -> Outcome {
        let start = monotonic()
        let (pid, output) = try spawn()
        let bytes = readAll(output)
        close(output)
        var status: Int32 = 0
        waitpid(pid, &status, 0)
        let time = monotonic() - start
        guard status == 0 else {
            throw BenchmarkFailure(
                description: "\(arguments.joined(separator: " ")): status \(status)\n"
                    + String(decoding: bytes, as: UTF8.self))
        }
        return Outcome(nanoseconds: time, output: bytes)
    }

    /// Starts the program; its standard output and error are the descriptor's other end.
    func spawn() throws -> (pid: pid_t, output: Int32) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        let (output, sink) = try Self.pipe()
        let source = try input.map(Self.source)
        if let source {
            posix_spawn_file_actions_adddup2(&actions, source, 0)
        } else {
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        }
        posix_spawn_file_actions_adddup2(&actions, sink, 1)
        posix_spawn_file_actions_adddup2(&actions, sink, 2)
        var pid: pid_t = 0
        let code = withCStrings(arguments) { arguments in
            withCStrings(environment) { environment in
                posix_spawnp(&pid, self.arguments[0], &actions, nil, arguments, environment)
            }
        }
        close(sink)
        if let source { close(source) }
        guard code == 0 else {
            close(output)
            throw BenchmarkFailure(
                description: "\(arguments[0]): \(String(cString: strerror(code)))")
        }
        return (pid, output)
    }

    /// Where a short text can be read.
    private static func source(_ text: String) throws -> Int32 {
        let (source, sink) = try pipe()
        let bytes = Array(text.utf8)
        let written = write(sink, bytes, bytes.count)
        close(sink)
        guard written == bytes.count else {
            throw BenchmarkFailure(description: "write: \(errno)")
        }
        return source
    }

    /// Both ends are closed in programs that are started.
    private static func pipe() throws -> (source: Int32, sink: Int32) {
        var ends: [Int32] = [0, 0]
        guard Glibc.pipe(&ends) == 0 else {
            throw BenchmarkFailure(description: "pipe: \(errno)")
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }
}

private func readAll(_ descriptor: Int32) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
        let count = read(descriptor, &buffer, buffer.count)
        if count <= 0 { return bytes }
        bytes += buffer[..<count]
    }
}

private func withCStrings<Result>(
    _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
) -> Result {
    let pointers: [UnsafeMutablePointer<CChar>?] = texts.map { strdup($0) }
    defer { for pointer in pointers { free(pointer) } }
    return body(pointers + [nil])
}
