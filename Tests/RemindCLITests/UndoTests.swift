import RemindAPI
import RemindCore
import Testing

@testable import RemindCLI

/// `undo` and `search`, against a daemon that answers as it is told to.
@Suite struct UndoCommandTests {
    private static let change =
        #"{"what":"done","at":"2024-05-01T10:29:00+02:00","count":1,"number":7,"title":"Pay\u001b rent"}"#

    private func text(_ number: Int64, _ title: String) -> String {
        String(decoding: reminderJSON(number, title), as: UTF8.self)
    }

    private func undone(_ change: String, _ outcome: String) -> String {
        #"{"change":\#(change),"outcome":\#(outcome),"reminders":[\#(text(7, "Pay rent"))],"#
            + #""removed":[\#(text(8, "Gone"))]}"#
    }

    @Test func saysWhatItDid() throws {
        let daemon = try ScriptedDaemon([
            "Undo": answering(undone(Self.change, #""ringing since 09:00""#))
        ])
        let run = try daemon.run("undo")
        #expect(run.exit == .done)
        #expect(run.out.hasPrefix("Undone: done #7 Pay"))
        #expect(run.out.hasSuffix(" rent — ringing since 09:00\n"))
        #expect(!run.out.contains("\u{1B}"))
    }

    @Test func severalAreOneLine() throws {
        let change = #"{"what":"rm","at":"x","count":3,"number":7,"title":"Pay rent"}"#
        let daemon = try ScriptedDaemon(["Undo": answering(undone(change, "null"))])
        #expect(try daemon.run("undo").out == "Undone: rm #7 Pay rent and 2 more\n")
    }

    @Test func jsonHasTheTasksAsTheyNowAre() throws {
        let daemon = try ScriptedDaemon(["Undo": answering(undone(Self.change, "null"))])
        let run = try daemon.run("undo", "--json")
        #expect(run.out == "\(text(7, "Pay rent"))\n\(text(8, "Gone"))\n")
    }

    @Test func nothingLeftIs66() throws {
        let daemon = try ScriptedDaemon(["Undo": failing(.nothingToUndo)])
        let run = try daemon.run("undo")
        #expect(run.exit == .noInput && run.out.isEmpty)
        #expect(run.err.contains("There is nothing to undo."))
    }

    @Test func theListShowsEachStep() throws {
        let daemon = try ScriptedDaemon([
            "Changes": answering(#"{"changes":[\#(Self.change),\#(Self.change)]}"#)
        ])
        let run = try daemon.run("undo", "--list", "--limit", "5")
        #expect(daemon.calls == [#"Changes {"limit":5}"#])
        #expect(run.out.split(separator: "\n").count == 2)
        #expect(run.out.contains("done #7 Pay"))
        let json = try daemon.run("undo", "--list", "--json")
        #expect(json.out == "\(Self.change)\n\(Self.change)\n")
        let none = try ScriptedDaemon(["Changes": answering(#"{"changes":[]}"#)])
        #expect(try none.run("undo", "--list").out == "There is nothing to undo.\n")
    }

    @Test func aLimitWithoutAListIsRefused() throws {
        let daemon = try ScriptedDaemon([:])
        #expect(try daemon.run("undo", "--limit", "5").exit == .usage)
        #expect(daemon.calls.isEmpty)
    }

    @Test func searchSendsItsWordsAsTheyAre() throws {
        let answer = answering(#"{"reminders":[\#(text(7, "Pay rent"))]}"#)
        let daemon = try ScriptedDaemon(["Search": answer])
        let run = try daemon.run("search", "a\"b", "NOT", "--limit", "3", "--", "-x")
        #expect(daemon.calls == [#"Search {"text":"a\"b NOT -x","limit":3,"brief":true}"#])
        #expect(run.out.contains("Pay rent"))
        let json = try daemon.run("search", "rent", "--json")
        #expect(json.out == text(7, "Pay rent") + "\n")
    }
}
