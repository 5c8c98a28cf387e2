import RemindAPI
import Testing

@testable import RemindCLI

/// References from stdin, and the question before many tasks change.
@Suite struct ManyReferencesTests {
    private func daemon() throws -> ScriptedDaemon {
        let answer = answering(reply("reminders", [reminderJSON(7, "Pay rent")]))
        return try ScriptedDaemon([
            "Done": answer, "Remove": answer, "Show": answer, "Snooze": answer,
        ])
    }

    @Test func dashReadsReferencesFromStdin() throws {
        let daemon = try daemon()
        let run = try daemon.run("done", "1", "-", "last", input: "7\n\n  8 \n")
        #expect(run.exit == .done)
        let references = ["1", "7", "8", "last"]
        // All with the same group, so that undo takes them back in one step.
        let groups = Set(daemon.calls.compactMap { $0.split(separator: ",").dropFirst().first })
        #expect(groups.count == 1)
        let group = try #require(groups.first)
        #expect(daemon.calls == references.map { #"Done {"reference":"\#($0)",\#(group)"# })
        _ = try daemon.run("snooze", "-", "10m", input: "9\n")
        #expect(daemon.calls.last == #"Snooze {"reference":"9","until":"10m"}"#)
        let none = try daemon.run("rm", "-", input: "\n")
        #expect(none.exit == .done && none.out.isEmpty && none.err.isEmpty)
        #expect(daemon.calls.count == 5)
    }

    @Test(arguments: [
        (["rm", "all"], "remindctl: rm everything that rings? [y/N] "),
        (["done", "1", "2", "3", "4"], "remindctl: done 4 tasks? [y/N] "),
    ])
    func manyAreAskedForOnATerminal(_ words: [String], _ question: String) throws {
        for (answer, goesOn) in [
            ("y\n", true), ("Yes\n", true), ("\n", false), ("n\n", false), ("", false),
            ("yonder\n", false),
        ] {
            let daemon = try daemon()
            let run = try remindctl(
                words, variables: ["XDG_RUNTIME_DIR": daemon.folder.path],
                terminal: Terminal(columns: 80), input: answer, canAsk: true)
            #expect(run.err == question + (goesOn ? "" : "Nothing was changed.\n"))
            #expect(run.exit == (goesOn ? .done : .partly))
            #expect(daemon.calls.isEmpty == !goesOn)
        }
    }

    @Test(arguments: [
        (["rm", "all", "--yes"], true), (["rm", "1", "2", "3"], true),
        (["show", "1", "2", "3", "4"], true), (["rm", "all"], false),
    ])
    func nobodyIsAskedInPipesOrWithYes(_ words: [String], _ canAsk: Bool) throws {
        let daemon = try daemon()
        let run = try remindctl(
            words, variables: ["XDG_RUNTIME_DIR": daemon.folder.path], canAsk: canAsk)
        #expect(run.err.isEmpty)
        #expect(!daemon.calls.isEmpty)
    }
}
