import Dispatch
import Glibc
import RemindAPI
import Synchronization
import Testing
import Varlink

@testable import RemindCLI
import VarlinkWire

/// A daemon that is stuck, slow or gone.
@Suite struct PatienceTests {
    /// Runs against the socket at `path` with a patience of so many milliseconds.
    private func run(
        _ words: [String], socket path: String, milliseconds: Int, attempts: Int = 0,
        busy: Int = 30
    ) throws -> Run {
        let (output, errors, stdin) = (try TestFile(), try TestFile(), try TestFile("x"))
        var surroundings = Surroundings(
            environment: { $0 == "REMINDD_SOCKET" ? path : nil }, terminal: nil,
            inputDescriptor: stdin.fd, now: { testNow })
        surroundings.patienceMilliseconds = milliseconds
        surroundings.restartAttempts = attempts
        surroundings.busyAttempts = busy
        let exit = Program.run(
            words.map { Array($0.utf8) }, in: surroundings, output: Output(fd: output.fd),
            errors: Output(fd: errors.fd))
        return Run(exit: exit, out: output.text, err: errors.text)
    }

    /// The kernel connects, and nobody answers: what a stopped process looks like.
    @Test(arguments: [
        ["list"], ["status"], ["watch"], ["import", "--dry-run", "-"], ["done", "7"],
    ])
    func aDaemonThatDoesNotAnswerIsGivenUp(_ words: [String]) throws {
        let folder = try TestFolder()
        let path = folder.path + "/remindd.sock"
        let listener = try Syscalls.unixStream()
        defer { close(listener) }
        let address = try SocketAddress(path: path)
        try Syscalls.bind(listener, address)
        try Syscalls.listen(listener)
        let run = try run(words, socket: path, milliseconds: 50)
        #expect(run.exit == .unavailable)
        #expect(run.out.isEmpty)
        #expect(run.err.hasPrefix("remindctl: The daemon has not answered for "))
        #expect(
            run.err.hasSuffix(
                "hint: systemctl --user restart remindd.service, and try again\n"))
    }

    @Test func aStoreThatIsLockedForAMomentIsTriedAgain() throws {
        let replies = Mutex(4)
        let busy = APIError.busy("The database is locked. Nothing was changed.", hint: nil)
        let daemon = try ScriptedDaemon([
            "Pause": { call, responder in
                let left = replies.withLock { left in
                    left -= 1
                    return left
                }
                let answer = left > 0 ? failing(busy) : answering(#"{"until":null}"#)
                try answer(call, responder)
            }
        ])
        let run = try run(
            ["pause"], socket: daemon.folder.path + "/remindd.sock", milliseconds: 9000)
        #expect(run.exit == .done)
        #expect(daemon.calls.count == 4)
        replies.withLock { $0 = 1000 }
        let refused = try self.run(
            ["pause"], socket: daemon.folder.path + "/remindd.sock", milliseconds: 9000, busy: 2)
        #expect(refused.exit == .temporary)
        #expect(refused.err.hasPrefix("remindctl: The database is locked."))
        #expect(daemon.calls.count == 7)
    }

    /// 1,000 connections that ask for everything kept others waiting for seconds.
    @Test func oneOfTooManyListsIsRefusedAtOnce() throws {
        let daemon = try RealDaemon()
        let clients = try (0...64).map { _ in
            try VarlinkClient.connect(path: daemon.folder + "/remindd.sock", milliseconds: 9000)
        }
        let list = VarlinkClient.message(
            method: List.qualifiedName, rawParameters: nil, more: false)
        try daemon.withEngineHeld {
            for client in clients {
                #expect(send(client.descriptor, list, list.count, 0) == list.count)
            }
            var waits = clients.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
            #expect(poll(&waits, nfds_t(waits.count), 9000) == 1)
            let refused = try #require(waits.firstIndex { $0.revents != 0 })
            let reply = try #require(clients[refused].take().first)
            #expect(reply.error == "org.remindd.Reminders.Busy")
        }
    }

    @Test func aListThatIsOneOfTooManyIsAskedForAgain() throws {
        let isFirst = Mutex(true)
        let daemon = try ScriptedDaemon([
            "List": { call, responder in
                let refuses = isFirst.withLock { isFirst in
                    defer { isFirst = false }
                    return isFirst
                }
                let answer =
                    refuses ? failing(.busy("64.", hint: nil)) : answering(#"{"reminders":[]}"#)
                try answer(call, responder)
            }
        ])
        let path = daemon.folder.path + "/remindd.sock"
        let run = try run(["list", "--json"], socket: path, milliseconds: 9000)
        #expect(run.exit == .done)
        #expect(daemon.calls.count == 2)
    }

    @Test func thePatienceOfACallIsThirtySeconds() {
        #expect(Surroundings.process.patienceMilliseconds == 30_000)
    }

    private static let queue = DispatchQueue(label: "later replies")

    @Test(arguments: [
        ("Watch", ["watch"], #"{"event":null,"reminder":null}"#, RemindAPI.ExitStatus.unavailable),
        (
            "Import", ["import", "--dry-run", "-"],
            #"{"session":null,"items":[],"problems":[]}"#, .done
        ),
    ])
    func aStreamThatHasBegunIsWaitedForWithoutLimit(
        _ method: String, _ words: [String], _ answer: String, _ exit: RemindAPI.ExitStatus
    ) throws {
        let daemon = try ScriptedDaemon([
            method: { _, responder in
                responder.reply(rawParameters: Array(answer.utf8), continues: true)
                // Longer than the patience.
                Self.queue.asyncAfter(deadline: .now() + .milliseconds(2200)) {
                    responder.reply(rawParameters: Array(answer.utf8))
                }
            }
        ])
        let run = try run(words, socket: daemon.folder.path + "/remindd.sock", milliseconds: 2000)
        #expect(run.exit == exit)
        #expect(!run.err.contains("not answered"))
    }

    @Test func watchSaysThatTheDaemonHasStopped() throws {
        let daemon = try ScriptedDaemon([
            "Watch": answering(#"{"event":null,"reminder":null}"#)
        ])
        let run = try daemon.run("watch")
        #expect(run.exit == .unavailable)
        #expect(run.out.isEmpty)
        #expect(
            run.err == "remindctl: The daemon has stopped: there is nothing more to watch.\n"
                + "hint: systemctl --user start remindd.socket\n")
        let json = try daemon.run("watch", "--json")
        #expect(json.err.hasPrefix(#"{"error":"Unreachable","message":"The daemon has stopped"#))
    }

    @Test func watchGoesOnWhenTheDaemonIsRestarted() throws {
        let event =
            #"{"event":"ringing","reminder":"#
            + String(decoding: reminderJSON(7, "Tea"), as: UTF8.self) + "}"
        let daemon = try ScriptedDaemon(["Watch": answering(event)])
        let run = try run(
            ["watch"], socket: daemon.folder.path + "/remindd.sock", milliseconds: 9000,
            attempts: 2)
        let line = "ringing   #7 Tea\n"
        let gap =
            "remindctl: The daemon was restarted; what happened meanwhile is not shown.\n"
            + "hint: remindctl list\n"
        #expect(run.out == line + line + line)
        #expect(run.err.hasPrefix(gap + gap + "remindctl: The daemon has stopped"))
        #expect(run.exit == .unavailable)
    }

    @Test(arguments: [
        ("List", ["list"], "reminders"), ("List", ["list", "--json"], "reminders"),
        ("Next", ["next"], "rings"), ("Log", ["log"], "entries"), ("Pause", ["pause"], "until"),
        ("Done", ["done", "7"], "reminders"), ("Add", ["add", "Tea"], "reminders"),
        ("When", ["when", "9:00"], "occurrences"), ("Status", ["status"], "version"),
        ("Import", ["import", "--dry-run", "-"], "items"),
    ])
    func aReplyWithoutItsFieldsIsADefect(
        _ method: String, _ words: [String], _ field: String
    ) throws {
        let daemon = try ScriptedDaemon([method: answering("{}")])
        let run = try run(words, socket: daemon.folder.path + "/remindd.sock", milliseconds: 9000)
        #expect(run.exit == .software)
        #expect(run.out.isEmpty)
        #expect(run.err.contains("The reply has no field ‘\(field)’."))
    }
}
