import Glibc
import RemindAPI
import Testing

@testable import RemindCLI

/// `edit` without options: the form, the editor, and what becomes of what was typed.
@Suite struct EditFormTests {
    private static let rent = reminderJSON(
        7, "Pay rent", due: "2030-05-01T09:00:00+02:00", rule: "FREQ=MONTHLY", tags: ["home"],
        note: "To the landlord\nby bank")

    private static let written = """
        # Task 7: change what stands behind the names, save and leave the editor.
        # Behind a name, nothing clears. A line that begins with # says nothing.

        Title:    Pay rent
        When:     Wed 1 May 2030, 09:00
        Every:    month
        Before:
        Nag:
        Priority: normal
        Tags:     home
        List:     inbox
        Zone:

        --- Note: all lines below this one ---
        To the landlord
        by bank

        """

    private func original() throws -> EditForm {
        EditForm(try record(Self.rent), rule: "month")
    }

    @Test func formShowsEveryFieldAndTheNote() throws {
        #expect(try original().text(number: 7) == Self.written)
    }

    @Test func formThatIsReadBackHasNoChanges() throws {
        let form = try EditForm(reading: Self.written)
        #expect(form.changes(from: try original()).isEmpty)
        let bare = try EditForm(reading: "# nothing\n\n")
        #expect(bare.changes(from: try original()).isEmpty)
    }

    @Test(arguments: [
        ("Title:    Pay rent", "title:Pay the rent ", #"{"title":"Pay the rent"}"#),
        ("When:     Wed 1 May 2030, 09:00", "When: tomorrow", #"{"at":"tomorrow"}"#),
        ("When:     Wed 1 May 2030, 09:00", "When:", #"{"at":""}"#),
        ("Every:    month", "Every: FREQ=DAILY", #"{"rrule":"FREQ=DAILY"}"#),
        ("Every:    month", "Every: 2 weeks", #"{"every":"2 weeks"}"#),
        ("Before:", "Before: 15m, 1 h", #"{"before":["15m","1 h"]}"#),
        ("Tags:     home", "Tags: #a b,c", #"{"tags":["a","b","c"]}"#),
        ("Tags:     home", "Tags:", #"{"tags":[""]}"#),
        ("Priority: normal", "Priority: high", #"{"priority":"high"}"#),
        ("by bank", "by bank\n# a line", #"{"note":"To the landlord\nby bank\n# a line"}"#),
        (
            "Zone:", "Zone: Europe/Paris",
            #"{"at":"Wed 1 May 2030, 09:00","timeZone":"Europe/Paris","past":true}"#
        ),
    ])
    func changedFieldsAndNoOthersAreSent(_ old: String, _ new: String, _ sent: String) throws {
        let text = Self.written.replacing(old, with: new)
        let form = try EditForm(reading: text)
        let fields = try FormFields(form, from: try original())
        var json = JSONWriter()
        json.object { fields.write(to: &$0) }
        #expect(String(decoding: json.bytes, as: UTF8.self) == sent)
    }

    @Test func zoneThatIsClearedIsSentAsEmpty() throws {
        let due = "2030-05-01T09:00:00+09:00"
        let task = reminderJSON(7, "Call", due: due, timeZone: "Asia/Tokyo")
        let original = EditForm(try record(task), rule: "")
        let text = original.text(number: 7).replacing("Zone:     Asia/Tokyo", with: "Zone:")
        let fields = try FormFields(try EditForm(reading: text), from: original)
        var json = JSONWriter()
        json.object { fields.write(to: &$0) }
        let sent = #"{"at":"Wed 1 May 2030, 09:00","timeZone":"","past":true}"#
        #expect(String(decoding: json.bytes, as: UTF8.self) == sent)
    }

    @Test(arguments: [
        ("Tite: x", "Line 1: there is no field ‘Tite’."),
        ("#\nTitle: a\ntitle: b", "Line 3: ‘Title’ stands in line 2 already."),
        ("buy milk", "Line 1 has no name before a colon: ‘buy milk’."),
    ])
    func lineThatIsNotUnderstoodIsNamed(_ text: String, _ message: String) throws {
        let failure = #expect(throws: Failure.self) { try EditForm(reading: text) }
        #expect(failure?.message == message)
    }

    @Test(arguments: [
        ("code --wait", ["code", "--wait"]), (" vi ", ["vi"]),
        (#""/opt/my editor/run" -n"#, ["/opt/my editor/run", "-n"]),
        (#"a\ b 'c "d'"#, ["a b", #"c "d"#]), ("vi;rm -rf $HOME", ["vi;rm", "-rf", "$HOME"]),
        ("", []),
    ])
    func editorIsWordsAndNoShell(_ text: String, _ words: [String]) {
        #expect(EditorProgram.words(text) == words)
    }
}

/// With an editor that is a script, and a daemon behind it.
@Suite struct EditorTests {
    private static let rent = reminderJSON(7, "Pay rent", due: "2030-05-01T09:00:00+02:00")

    private func daemon(edit: @escaping ScriptedDaemon.Answer) throws -> ScriptedDaemon {
        try ScriptedDaemon([
            "Show": answering(reply("reminders", [Self.rent], more: #","rings":[]"#)), "Edit": edit,
        ])
    }

    /// - Parameter script: what the editor does; `$1` is the file.
    private func edit(
        _ daemon: ScriptedDaemon, _ script: String, answers: String = "", canAsk: Bool = true
    ) throws -> Run {
        let editor = daemon.folder.path + "/an editor"
        let file = open(editor, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o700)
        let text = Array("#!/bin/sh\nset -e\n\(script)\n".utf8)
        try #require(write(file, text, text.count) == text.count)
        close(file)
        defer { unlink(editor) }
        return try remindctl(
            ["edit", "7"],
            variables: ["XDG_RUNTIME_DIR": daemon.folder.path, "EDITOR": "'\(editor)' --wait"],
            input: answers, canAsk: canAsk)
    }

    private func forms(_ daemon: ScriptedDaemon) -> [String] {
        guard let folder = opendir(daemon.folder.path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name.hasSuffix(".txt") { names.append(name) }
        }
        return names
    }

    @Test func whatIsSavedIsSentAndTheFileIsGone() throws {
        let daemon = try daemon(edit: answering(reply("reminders", [Self.rent])))
        let run = try edit(
            daemon,
            "test $1 = --wait; test $(stat -c %a \"$2\") = 600; sed -i 's/Pay/Pay the/' \"$2\"")
        #expect(run.err.isEmpty)
        #expect(run.out == "#7 Pay rent — Wed 1 May 2030, 09:00\n")
        #expect(daemon.calls.last?.hasSuffix(#","title":"Pay the rent"}"#) == true)
        #expect(forms(daemon).isEmpty)
    }

    @Test func aFormThatWasNotChangedWritesNothing() throws {
        let daemon = try daemon(edit: answering(reply("reminders", [Self.rent])))
        let run = try edit(daemon, "true")
        #expect(run.exit == .done)
        #expect(run.err == "Nothing was changed.\n")
        #expect(!daemon.calls.contains { $0.hasPrefix("Edit") })
        #expect(forms(daemon).isEmpty)
    }

    @Test func anErrorNamesItsLineAndTheFileIsKeptWhenGivenUp() throws {
        let error = APIError.phrase(
            "someday", at: 0..<7, parameter: "at", message: "‘someday’ is no time.",
            hint: "Try ‘tomorrow’.")
        let daemon = try daemon(edit: failing(error))
        let run = try edit(daemon, "sed -i 's/^When:.*/When: someday/' \"$2\"", answers: "x\ng\n")
        #expect(run.exit == .data)
        #expect(run.out.isEmpty)
        #expect(
            run.err.hasPrefix(
                "remindctl: Line 5, When: ‘someday’ is no time.\n  someday\n  ^~~~~~~\n"
                    + "hint: Try ‘tomorrow’.\nEdit again (e), save as it is (s) or give up (g)? "))
        let kept = try #require(forms(daemon).first)
        #expect(run.err.hasSuffix("kept in ‘\(daemon.folder.path)/\(kept)’.\n"))
        unlink("\(daemon.folder.path)/\(kept)")
    }

    @Test func editingAgainBeginsWithWhatWasTyped() throws {
        let daemon = try daemon(edit: answering(reply("reminders", [Self.rent])))
        let script = """
            if grep -q Whn "$2"; then sed -i 's/^Whn/When/' "$2"
            else sed -i 's/^When:.*/Whn: tomorrow/' "$2"; fi
            """
        let run = try edit(daemon, script, answers: "e\n")
        #expect(run.exit == .done)
        #expect(run.err.hasPrefix("remindctl: Line 5: there is no field ‘Whn’."))
        #expect(daemon.calls.last?.hasSuffix(#","at":"tomorrow"}"#) == true)
    }

    @Test func anEditorThatFailsLosesNothing() throws {
        let daemon = try daemon(edit: answering(reply("reminders", [Self.rent])))
        let untouched = try edit(daemon, "exit 3")
        #expect(untouched.exit == .inputOutput)
        #expect(untouched.err.hasSuffix("’ ended with code 3.\n"))
        #expect(forms(daemon).isEmpty)
        let killed = try edit(daemon, "sed -i 's/Pay/Get/' \"$2\"; kill -9 $$")
        #expect(killed.exit == .inputOutput)
        #expect(killed.err.contains("was ended by signal 9."))
        let kept = try #require(forms(daemon).first)
        #expect(killed.err.contains(kept))
        unlink("\(daemon.folder.path)/\(kept)")
    }

    @Test func anEditorThatLeavesAPipeHangsNobody() throws {
        let daemon = try daemon(edit: answering(reply("reminders", [Self.rent])))
        let run = try edit(daemon, "rm \"$2\"; mkfifo \"$2\"", answers: "g\n")
        #expect(run.exit == .inputOutput)
        #expect(run.err.hasPrefix("remindctl: The editor has left no regular file in ‘"))
        for name in forms(daemon) { unlink("\(daemon.folder.path)/\(name)") }
    }

    @Test func aTaskThatChangedMeanwhileIsShownAndAsked() throws {
        let shown = Shown([
            Self.rent,
            Array(
                String(decoding: Self.rent, as: UTF8.self)
                    .replacing("\"list\":\"inbox\"", with: "\"list\":\"home\"")
                    .replacing(
                        "\"modified\":\"2026-03-01T09", with: "\"modified\":\"2026-03-02T09"
                    ).utf8),
        ])
        let daemon = try ScriptedDaemon([
            "Show": { call, responder in
                try answering(reply("reminders", [shown.next()], more: #","rings":[]"#))(
                    call, responder)
            },
            "Edit": answering(reply("reminders", [Self.rent])),
        ])
        let run = try edit(daemon, "sed -i 's/Pay/Get/' \"$2\"", answers: "s\n")
        #expect(run.exit == .done)
        #expect(
            run.err.hasPrefix("remindctl: The task was changed meanwhile: List is now ‘home’.\n"))
        #expect(daemon.calls.last?.hasSuffix(#","title":"Get rent"}"#) == true)
    }

    @Test func withoutATerminalNoEditorOpens() throws {
        let daemon = try daemon(edit: answering(reply("reminders", [Self.rent])))
        let run = try edit(daemon, "true", canAsk: false)
        #expect(run.exit == .usage)
        #expect(run.err.contains("on a terminal only"))
        #expect(daemon.calls.isEmpty)
    }
}

import Synchronization

/// One answer after another, the last one again and again.
private final class Shown: Sendable {
    private let rest: Mutex<[[UInt8]]>

    init(_ answers: [[UInt8]]) { rest = Mutex(answers) }

    func next() -> [UInt8] {
        rest.withLock { $0.count > 1 ? $0.removeFirst() : $0.first ?? [] }
    }
}

extension String {
    fileprivate func replacing(_ old: String, with new: String) -> String {
        var (text, rest) = ("", self[...])
        while !rest.isEmpty {
            if rest.hasPrefix(old) {
                text += new
                rest = rest.dropFirst(old.count)
            } else if let first = rest.popFirst() {
                text.append(first)
            }
        }
        return text
    }
}
