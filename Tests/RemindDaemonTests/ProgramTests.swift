import Dispatch
import Glibc
import Synchronization
import Testing

@testable import RemindDaemon

/// Runs one program on a queue of its own, and waits for its end.
private struct Run {
    let end: ChildProcess.End
    let lines: [String]
    let pid: pid_t

    init(_ launch: ChildProcess.Launch) async throws {
        let queue = DispatchQueue(label: "programs")
        let lines = Mutex<[String]>([])
        let box = Mutex<ChildProcess?>(nil)
        let end: ChildProcess.End = try await withCheckedThrowingContinuation { continuation in
            queue.async {
                do {
                    let child = try ChildProcess(
                        launch, queue: queue, line: { line in lines.withLock { $0.append(line) } },
                        ended: { continuation.resume(returning: $0) })
                    box.withLock { $0 = child }
                } catch {
                    continuation.resume(throwing: error)
                }
            }
        }
        self.end = end
        self.lines = lines.withLock { $0 }
        pid = queue.sync { box.withLock { $0?.pid ?? 0 } }
    }
}

extension Programs {
    @Suite("A program beside the daemon")
    struct ChildProcessTests {
        private let folder: TemporaryFolder

        init() throws { folder = try TemporaryFolder() }

        private func script(
            _ text: String, environment: [String] = ["PATH=/usr/bin:/bin"], input: String = "",
            limit: DispatchTimeInterval = .seconds(30), arguments: [String] = []
        ) throws -> ChildProcess.Launch {
            let path = try folder.write("program", "#!/bin/sh\n" + text, mode: 0o755)
            return ChildProcess.Launch(
                path: path, arguments: arguments, environment: environment,
                input: Array(input.utf8),
                timeLimit: limit)
        }

        @Test("It gets its input, its arguments and its environment, and nothing else of ours")
        func given() async throws {
            let launch = try script(
                "cat\necho \"$1 $GREETING\"\nenv | wc -l",
                environment: ["PATH=/bin", "GREETING=a b"],
                input: "from stdin\n", arguments: ["$HOME; ls"])
            let run = try await Run(launch)
            #expect(run.end == .exited(0))
            #expect(run.lines.first == "from stdin")
            #expect(run.lines.dropFirst().first == "$HOME; ls a b")
            // And PWD, which the shell adds.
            #expect(run.lines.last.flatMap { Int($0) } == 3)
        }

        @Test("Input of a megabyte comes through, whether it is read or not")
        func largeInput() async throws {
            let text = String(repeating: "x", count: 1 << 20)
            let read = try await Run(script("wc -c", input: text))
            #expect(read.lines == ["1048576"])
            let unread = try await Run(script("exit 3", input: text))
            #expect(unread.end == .exited(3))
        }

        @Test("None of our files is open in it")
        func descriptors() async throws {
            // Not close-on-exec, as a careless library would leave it.
            let careless = fcntl(0, F_DUPFD, 100)
            try #require(careless >= 100)
            defer { close(careless) }
            let run = try await Run(
                ChildProcess.Launch(
                    path: "/bin/ls", arguments: ["/proc/self/fd"], timeLimit: .seconds(30)))
            // 3 is the folder that it reads, the last one ties its life to ours.
            #expect(Set(run.lines) == ["0", "1", "2", "3", "\(Spawning.lifeDescriptor)"])
        }

        @Test("No signal is blocked or ignored in it")
        func signals() async throws {
            signal(SIGPIPE, SIG_IGN)
            let run = try await Run(
                ChildProcess.Launch(
                    path: "/bin/grep", arguments: ["-E", "^Sig(Blk|Ign)", "/proc/self/status"],
                    timeLimit: .seconds(30)))
            let masks = run.lines.compactMap { UInt64($0.suffix(16), radix: 16) }
            // 32 and 33 belong to the C library, which ignores them in every program that it spawns.
            let own: UInt64 = 1 << 31 | 1 << 32
            #expect(masks.map { $0 & ~own } == [0, 0])
        }

        @Test("One that takes too long is killed with all that it started")
        func hanging() async throws {
            let pipe = try folder.makePipe("alive")
            let reader = open(pipe, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
            try #require(reader >= 0)
            defer { close(reader) }
            let run = try await Run(
                script(
                    "exec 3> \(pipe)\nsleep 1000 &\necho started\nwait", limit: .seconds(3)))
            #expect(run.end == .tookTooLong)
            #expect(run.lines == ["started"])
            // Hung up when the last one that could write is gone.
            var waited = pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
            #expect(poll(&waited, 1, 20_000) == 1)
            #expect(waited.revents & Int16(POLLHUP) != 0)
        }

        @Test(
            "A program that hangs lived on when the daemon was gone: it and all it started end with it",
            arguments: [SIGKILL, SIGTERM])
        func orphaned(signal: Int32) async throws {
            let pipe = try folder.makePipe("alive")
            let reader = open(pipe, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
            try #require(reader >= 0)
            defer { close(reader) }
            let path = try folder.write(
                "program", "#!/bin/sh\nexec 3> \(pipe)\nsleep 1000 &\necho started\nwait\n",
                mode: 0o755)
            await #expect(processExitsWith: .signal(signal)) {
                [path = path as String, signal = signal as Int32] in
                Glibc.signal(signal, SIG_DFL)
                let launch = ChildProcess.Launch(
                    path: path, environment: ["PATH=/usr/bin:/bin"], timeLimit: .seconds(300))
                let queue = DispatchQueue(label: "programs")
                let box = Mutex<ChildProcess?>(nil)
                queue.sync {
                    let child = try? ChildProcess(
                        launch, queue: queue, line: { _ in kill(getpid(), signal) },
                        ended: { _ in })
                    box.withLock { $0 = child }
                }
                while true { pause() }
            }
            var waited = pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
            #expect(poll(&waited, 1, 20_000) == 1)
            #expect(waited.revents & Int16(POLLHUP) != 0)
        }

        @Test("What a program that has ended left in the background lives on")
        func backgroundLives() async throws {
            let done = folder.path + "/done"
            let pipe = try folder.makePipe("go")
            _ = try await Run(
                script(
                    "(read line < \(pipe); echo $line > \(done).new; "
                        + "mv \(done).new \(done)) > /dev/null 2>&1 &"))
            let writer = open(pipe, O_WRONLY | O_CLOEXEC)
            try #require(writer >= 0)
            try #require(write(writer, "on\n", 3) == 3)
            close(writer)
            var text: [UInt8]?
            for _ in 0..<2000 where text == nil {
                text = readFile(done)
                if text == nil { poll(nil, 0, 10) }
            }
            #expect(text == Array("on\n".utf8))
        }

        @Test(
            "It leaves no zombie, however it ends", arguments: ["exit 0", "exit 7", "kill -9 $$"])
        func zombies(text: String) async throws {
            let run = try await Run(script(text))
            var status: Int32 = 0
            #expect(waitpid(run.pid, &status, WNOHANG) == -1)
            #expect(errno == ECHILD)
        }

        @Test(
            "Its end is told",
            arguments: [
                ("exit 0", .exited(0)), ("exit 7", .exited(7)), ("kill -9 $$", .killed(signal: 9)),
                ("kill -TERM $$", .killed(signal: 15)),
            ] as [(String, ChildProcess.End)])
        func ends(text: String, end: ChildProcess.End) async throws {
            #expect(try await Run(script(text)).end == end)
        }

        @Test("What runs on in the background keeps nobody waiting")
        func background() async throws {
            let run = try await Run(script("sleep 5 &\necho ready"))
            #expect(run.end == .exited(0))
            #expect(run.lines == ["ready"])
        }

        @Test("Output and errors are lines; the last one needs no end; long ones and many are cut")
        func output() async throws {
            let run = try await Run(script("echo one; echo two >&2; echo; printf three"))
            #expect(run.lines == ["one", "two", "three"])
            let long = try await Run(script("printf '%05000d\\n' 1"))
            #expect(long.lines.map(\.utf8.count) == [ProgramOutput.lineLimit])
            let many = try await Run(script("seq 1 20000"))
            #expect(many.end == .exited(0))
            #expect(many.lines.count == ProgramOutput.linesLimit + 1)
        }

        @Test(
            "What cannot be run is an error, and leaves nothing behind",
            arguments: ["/nowhere/program", "/etc/passwd", "/tmp"])
        func unstartable(path: String) async throws {
            let error = await #expect(throws: ChildProcess.Failure.self) {
                try await Run(ChildProcess.Launch(path: path, timeLimit: .seconds(1)))
            }
            #expect(error?.message.contains("‘\(path)’ cannot be run") == true)
        }
    }
}
