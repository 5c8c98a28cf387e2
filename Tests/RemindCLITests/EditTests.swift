import RemindAPI
import Testing

@testable import RemindCLI

/// `edit`.
@Suite struct EditTests {
    private static let rent = reminderJSON(7, "Pay rent", due: "2030-05-01T09:00:00+02:00")

    private func daemon() throws -> ScriptedDaemon {
        try ScriptedDaemon(["Edit": answering(reply("reminders", [Self.rent]))])
    }

    @Test(arguments: [
        (
            #"edit 7 --title "Pay the rent" --at "tomorrow 18:00""#,
            #"{"reference":"7","title":"Pay the rent","at":"tomorrow 18:00"}"#
        ),
        (
            "edit --every month last --priority high --list home",
            #"{"reference":"last","every":"month","priority":"high","list":"home"}"#
        ),
        (
            "edit 7 --in 2h --before 15m,1h --nag 5m --tz Europe/Paris --past",
            #"{"reference":"7","in":"2h","before":["15m","1h"],"nag":"5m","#
                + #""timeZone":"Europe/Paris","past":true}"#
        ),
        (
            "edit 7 --rrule FREQ=DAILY --tag a --tag b,c",
            #"{"reference":"7","rrule":"FREQ=DAILY","tags":["a","b","c"]}"#
        ),
    ])
    func optionsOfEditBecomeFields(_ line: String, _ fields: String) throws {
        let daemon = try daemon()
        let run = try remindctl(
            shellWords(line), variables: ["XDG_RUNTIME_DIR": daemon.folder.path])
        #expect(run.exit == .done)
        #expect(run.out == "#7 Pay rent — Wed 1 May 2030, 09:00\n")
        #expect(daemon.calls == ["Edit \(fields)"])
    }

    @Test(arguments: [["edit", "7"], ["edit", "7", "--past"], ["edit", "--json", "7"]])
    func editWithNothingToChangeIsMisuse(_ words: [String]) throws {
        let daemon = try daemon()
        let run = try remindctl(words, variables: ["XDG_RUNTIME_DIR": daemon.folder.path])
        #expect(run.exit == .usage)
        #expect(run.err.contains("There is nothing to change."))
        #expect(run.out.isEmpty)
        #expect(daemon.calls.isEmpty)
    }

    @Test(arguments: [
        ("tag", #""tags":[""]"#), ("note", #""note":"""#), ("at", #""at":"""#),
        ("every", #""every":"""#), ("before", #""before":[""]"#), ("nag", #""nag":"""#),
    ])
    func anEmptyValueIsSentAsEmpty(_ option: String, _ field: String) throws {
        let daemon = try daemon()
        for words in [["--\(option)", ""], ["--\(option)="]] {
            let run = try remindctl(
                ["edit", "7"] + words, variables: ["XDG_RUNTIME_DIR": daemon.folder.path])
            #expect(run.exit == .done)
            #expect(daemon.calls.last == #"Edit {"reference":"7",\#(field)}"#)
        }
        #expect(daemon.calls.count == 2)
    }

    @Test func anEditedTaskIsPrintedAsItNowIs() throws {
        let daemon = try daemon()
        let json = try daemon.run("edit", "7", "--json", "--note", "-", input: "one\ntwo\n")
        #expect(json.out == String(decoding: Self.rent, as: UTF8.self) + "\n")
        #expect(daemon.calls == [#"Edit {"reference":"7","note":"one\ntwo"}"#])
    }

    @Test func anEmptyPriorityIsTheUsualOne() throws {
        let daemon = try daemon()
        #expect(try daemon.run("edit", "7", "--priority", "").exit == .done)
        #expect(daemon.calls == [#"Edit {"reference":"7","priority":"normal"}"#])
        #expect(try daemon.run("add", "Tea", "--priority", "").exit == .usage)
    }
}
