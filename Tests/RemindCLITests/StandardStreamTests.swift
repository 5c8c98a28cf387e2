import Glibc
import RemindAPI
import Testing

@testable import RemindCLI

/// The program as it is built, started by a shell without some of its streams.
@Suite struct StandardStreamTests {
    private struct Built {
        let exit: Int32
        let out: String
        let err: String
    }

    /// Beside the tests: both are built into one folder.
    private static func program() throws -> String {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        try #require(count > 0)
        let tests = String(decoding: buffer[..<count], as: UTF8.self)
        let folder = tests[..<(tests.lastIndex(of: "/") ?? tests.endIndex)]
        let path = "\(folder)/remindctl"
        try #require(access(path, X_OK) == 0, "‘\(path)’ is not built: swift build")
        return path
    }

    /// `remindctl WORDS REDIRECTIONS` with the streams in files, before they are redirected.
    private func run(_ line: String, socket: String) throws -> Built {
        let (out, err) = (try TestFile(), try TestFile())
        let script = "export REMINDD_SOCKET='\(socket)'; '\(try Self.program())' \(line)"
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, out.fd, 1)
        posix_spawn_file_actions_adddup2(&actions, err.fd, 2)
        var words: [UnsafeMutablePointer<CChar>?] = ["sh", "-c", script].map {
            strdup($0 as String)
        }
        defer { for word in words { free(word) } }
        words.append(nil)
        var child: pid_t = 0
        try #require(posix_spawn(&child, "/bin/sh", &actions, nil, words, environ) == 0)
        var status: Int32 = 0
        try #require(waitpid(child, &status, 0) == child)
        return Built(exit: status >> 8 & 0xFF, out: out.text, err: err.text)
    }

    @Test(arguments: [
        ("list >&-", Int32(74), "remindctl: The output cannot be written: Bad file descriptor.\n"),
        ("list <&- >&-", 74, "remindctl: The output cannot be written: Bad file descriptor.\n"),
        ("list >&- 2>&-", 74, ""), ("--version >&-", 74, nil), ("help >&-", 74, nil),
        ("list --sort x 2>&-", 64, ""), ("list 2>&- <&-", 0, ""),
    ])
    func aClosedStreamIsNeverTheSocket(
        _ line: String, _ exit: Int32, _ err: String?
    ) throws {
        let daemon = try ScriptedDaemon([
            "List": answering(reply("reminders", [reminderJSON(7, "Pay rent")]))
        ])
        let built = try run(line, socket: daemon.folder.path + "/remindd.sock")
        #expect(built.exit == exit)
        if let err { #expect(built.err == err) }
        #expect(built.out.isEmpty == line.contains(">&-") || exit == 0)
        #expect(daemon.calls.count <= 1)
    }

    @Test func aClosedStdinIsAtItsEnd() throws {
        let daemon = try ScriptedDaemon([
            "Add": answering(reply("reminders", [reminderJSON(7, "Tea")]))
        ])
        let built = try run("add Tea --note - <&-", socket: daemon.folder.path + "/remindd.sock")
        #expect(built.exit == 0)
        #expect(built.out == "#7 Tea\n")
        #expect(daemon.calls == [#"Add {"title":"Tea","note":""}"#])
    }

    @Test func aNoteFromAnotherSystemHasNeitherItsByteOrderMarkNorItsLineEnds() throws {
        let daemon = try ScriptedDaemon([
            "Add": answering(reply("reminders", [reminderJSON(7, "Tea")]))
        ])
        let socket = daemon.folder.path + "/remindd.sock"
        let built = try run(
            "add Tea --note - <<'END'\n\u{FEFF}two cups\r\nof milk\r\nEND\n", socket: socket)
        #expect(built.exit == 0)
        #expect(daemon.calls == [#"Add {"title":"Tea","note":"two cups\nof milk"}"#])
    }

    /// It was 74, or 0 when the reader of stderr had gone.
    @Test(arguments: ["show 8", "done 8", "rm 8 9", "--json show 8", "edit 8 --title Tea"])
    func theExitCodeIsTheSameWhereStderrTakesNothing(_ command: String) throws {
        let missing = failing(.noSuchReminder("8", hint: "remindctl list"))
        let daemon = try ScriptedDaemon([
            "Show": missing, "Done": missing, "Remove": missing, "Edit": missing,
        ])
        for stderr in ["2>/dev/null", "2>&-", "2>/dev/full"] {
            let line = "\(command) \(stderr)"
            let built = try run(line, socket: daemon.folder.path + "/remindd.sock")
            #expect(built.exit == 66, "\(line)")
        }
    }
}
