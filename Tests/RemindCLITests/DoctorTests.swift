import Glibc
import RemindAPI
import RemindCore
import Testing

@testable import RemindCLI

@Suite("doctor")
struct DoctorCommandTests {
    private static let store =
        #"{"name":"store","result":"good","text":"/d, 1 kB, intact","hint":null}"#
    private static let broken =
        #"{"name":"bus","result":"failed","text":"on no bus","hint":"import it","more":1}"#

    private func reply(_ checks: String..., version: String = Product.version) -> String {
        #"{"version":"\#(version)","now":"2026-03-02T10:00:00+01:00","checks":["#
            + checks.joined(separator: ",") + "]}"
    }

    @Test("All well: one line a link, exit 0")
    func well() throws {
        let daemon = try ScriptedDaemon(["Doctor": answering(reply(Self.store))])
        chmod(daemon.folder.path + "/remindd.sock", 0o600)
        let run = try daemon.run("doctor")
        #expect(run.exit == .done)
        #expect(daemon.calls == ["Doctor {}"])
        #expect(run.out.contains("ok      socket        \(daemon.folder.path)/remindd.sock"))
        #expect(run.out.contains("ok      login         remindd.service is started at login\n"))
        #expect(
            run.out.contains("ok      version       remindd and remindctl are \(Product.version)\n")
        )
        #expect(run.out.contains("ok      store         /d, 1 kB, intact\n"))
        #expect(!run.out.contains("FAILED"))
    }

    @Test("A failure says what to do on the line below, and the exit code is 1")
    func failed() throws {
        let daemon = try ScriptedDaemon(["Doctor": answering(reply(Self.store, Self.broken))])
        let run = try daemon.run("doctor")
        #expect(run.exit == .partly)
        #expect(run.out.contains("FAILED  bus           on no bus\n        → import it\n"))
    }

    @Test("--json: one object a check, those of this side too")
    func json() throws {
        let daemon = try ScriptedDaemon(["Doctor": answering(reply(Self.store, Self.broken))])
        let run = try daemon.run("doctor", "--json", "--test")
        #expect(daemon.calls == [#"Doctor {"test":true}"#])
        #expect(run.err.isEmpty)
        let lines = run.out.split(separator: "\n").map(String.init)
        var names: [String] = []
        for line in lines {
            var reader = JSONReader(Array(line.utf8))
            names.append(try Doctor.Check(reading: &reader).name)
        }
        #expect(names.suffix(2) == ["store", "bus"])
        #expect(Set(["socket", "login", "version", "time"]).isSubset(of: names))
    }

    @Test("Without a daemon: what this side sees, and 69")
    func unreachable() throws {
        let folder = try TestFolder()
        let run = try remindctl(["doctor"], variables: ["XDG_RUNTIME_DIR": folder.path])
        #expect(run.exit == .unavailable)
        #expect(
            run.out.contains("FAILED  socket        ‘\(folder.path)/remindd.sock’ is not there"))
        #expect(run.out.contains("FAILED  daemon"))
        #expect(run.out.contains("→ systemctl --user start remindd.socket\n"))
        #expect(run.out.contains("login         remindd.service is started at login"))
        let homeless = try remindctl(["doctor"])
        #expect(homeless.exit == .unavailable)
        #expect(homeless.out.contains("FAILED  socket        XDG_RUNTIME_DIR is not set"))
    }

    @Test("Another version, another clock, an older daemon")
    func mismatch() throws {
        let other = try ScriptedDaemon([
            "Doctor": answering(reply(Self.store, version: "0.0.7"))
        ])
        let run = try other.run("doctor")
        #expect(run.exit == .partly)
        #expect(run.out.contains("FAILED  version       remindd is 0.0.7"))
        let late = reply(Self.store).replacing("10:00:00", with: "09:58:00")
        let slow = try ScriptedDaemon(["Doctor": answering(late)])
        #expect(
            try slow.run("doctor").out.contains("FAILED  time          remindd's clock is 120 s"))
        let old = try ScriptedDaemon([:])
        let unknown = try old.run("doctor")
        #expect(unknown.exit == .unavailable)
        #expect(unknown.out.contains("FAILED  daemon        The daemon does not know the method"))
    }

    @Test(
        "Whether it is started at login",
        arguments: [
            ("enabled", "ok      login"), ("disabled", "FAILED  login"), ("", "note    login"),
            ("not-found", "FAILED  login"), ("static", "FAILED  login"),
        ])
    func login(answer: String, line: String) throws {
        let run = try remindctl(["doctor"], variables: ["SYSTEMCTL": answer])
        #expect(run.out.contains(line))
    }

    @Test("A socket that is another's, open to others, or none")
    func sockets() throws {
        #expect(SocketChecks.socket(path: "/etc/passwd").result == .failed)
        #expect(
            SocketChecks.socket(path: "/nowhere").hint == "systemctl --user start remindd.socket")
        let daemon = try ScriptedDaemon([:])
        let path = daemon.folder.path + "/remindd.sock"
        chmod(path, 0o666)
        #expect(SocketChecks.socket(path: path).text.contains("open to other users"))
        chmod(path, 0o600)
        #expect(SocketChecks.socket(path: path).result == .good)
    }

    @Test("A test pop-up is announced, so that somebody presses it")
    func announced() throws {
        let daemon = try ScriptedDaemon(["Doctor": answering(reply(Self.store))])
        #expect(try daemon.run("doctor", "--test").err.contains("press a button"))
    }
}
