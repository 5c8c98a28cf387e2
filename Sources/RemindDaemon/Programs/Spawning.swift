import CLinux
import Glibc

/// Starts a program with nothing of ours but what it is given (posix_spawn(3)).
struct Spawning {
    private let launch: ChildProcess.Launch

    init(_ launch: ChildProcess.Launch) { self.launch = launch }

    /// Out of the way of scripts, which begin at 3.
    static let lifeDescriptor: Int32 = 20

    /// - Parameters:
    ///   - input: becomes its standard input.
    ///   - output: becomes its standard output and error.
    ///   - life: is held by it as `lifeDescriptor`.
    func start(input: Int32, output: Int32, life: Int32) throws(ChildProcess.Failure) -> pid_t {
        var files = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&files)
        defer { posix_spawn_file_actions_destroy(&files) }
        posix_spawn_file_actions_adddup2(&files, input, 0)
        posix_spawn_file_actions_adddup2(&files, output, 1)
        posix_spawn_file_actions_adddup2(&files, output, 2)
        // Ours are close-on-exec; a library's might not be.
        posix_spawn_file_actions_adddup2(&files, life, 3)
        posix_spawn_file_actions_addclosefrom_np(&files, 4)
        posix_spawn_file_actions_adddup2(&files, 3, Self.lifeDescriptor)
        posix_spawn_file_actions_addclose(&files, 3)
        var attributes = Self.attributes()
        defer { posix_spawnattr_destroy(&attributes) }
        var pid: pid_t = 0
        let code = Self.withCStrings([launch.path] + launch.arguments) { arguments in
            Self.withCStrings(launch.environment) { environment in
                posix_spawn(&pid, launch.path, &files, &attributes, arguments, environment)
            }
        }
        guard code == 0 else { throw .refused("‘\(launch.path)’ cannot be run", code) }
        return pid
    }

    /// A process group of its own, to be killed as one; and no signal blocked or ignored: threads of
    /// Dispatch block them all, and we ignore some, which a program would inherit.
    private static func attributes() -> posix_spawnattr_t {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setpgroup(&attributes, 0)
        let flags =
            POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP
        posix_spawnattr_setflags(&attributes, Int16(flags))
        return attributes
    }

    /// The texts as C wants them: an array that ends with a null.
    private static func withCStrings<Result>(
        _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let pointers = texts.map { strdup($0) }
        defer { pointers.forEach { free($0) } }
        return body(pointers + [nil])
    }
}
