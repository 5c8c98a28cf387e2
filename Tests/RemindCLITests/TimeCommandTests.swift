import RemindAPI
import Testing

@testable import RemindCLI

/// `when`, `pause`, `resume`, `log`, and what `status` says of them.
@Suite struct TimeCommandTests {
    @Test func whenSaysWhatAPhraseMeans() throws {
        let meaning =
            #"{"phrase":"9:00","due":"2026-03-03T09:00:00+01:00","dateOnly":false,"#
            + #""timeZone":null,"rule":"FREQ=DAILY","#
            + #""occurrences":["2026-03-03T09:00:00+01:00","2026-03-04T09:00:00+01:00"],"#
            + #""notes":["09:00 has gone by today."],"#
            + #""understood":{"text":"Tue 3 Mar 2026, 09:00 CET (in 23 hours)","notes":[]}}"#
        let daemon = try ScriptedDaemon(["When": answering(meaning)])
        let run = try daemon.run("when", "tomorrow", "9:00", "--every", "day", "--count", "2")
        #expect(
            run.out == """
                Tue 3 Mar 2026, 09:00 CET (in 23 hours)
                  09:00 has gone by today.
                  repeats every day (FREQ=DAILY)
                Tue 3 Mar 2026, 09:00
                Wed 4 Mar 2026, 09:00

                """)
        #expect(daemon.calls == [#"When {"phrase":"tomorrow 9:00","every":"day","count":2}"#])
        #expect(try daemon.run("when", "--json", "--every", "day").out == meaning + "\n")
        #expect(daemon.calls.last == #"When {"every":"day"}"#)
    }

    @Test(arguments: [
        (["pause"], #"Pause {}"#), (["pause", "45m"], #"Pause {"until":"45m"}"#),
        (["pause", "until", "14:00"], #"Pause {"until":"14:00"}"#),
        (["pause", "Until tomorrow"], #"Pause {"until":"Until tomorrow"}"#),
    ])
    func pausePassesItsPhraseOn(_ words: [String], _ call: String) throws {
        let daemon = try ScriptedDaemon([
            "Pause": answering(#"{"until":null,"understood":null}"#)
        ])
        let run = try remindctl(words, variables: ["XDG_RUNTIME_DIR": daemon.folder.path])
        #expect(daemon.calls == [call])
        #expect(run.out == "Pop-ups are held back until you say: remindctl resume\n")
    }

    @Test(arguments: [
        ["pause", ""], ["pause", " "], ["pause", "until"], ["pause", "until", ""],
    ])
    func pauseWithABlankPhraseIsNotWithoutEnd(_ words: [String]) throws {
        let error = APIError.phrase(
            "", at: 0..<0, parameter: "until", message: "The phrase is empty.", hint: nil)
        let daemon = try ScriptedDaemon(["Pause": failing(error)])
        let run = try remindctl(words, variables: ["XDG_RUNTIME_DIR": daemon.folder.path])
        let sent = words.last == " " ? " " : ""
        #expect(daemon.calls == [#"Pause {"until":"\#(sent)"}"#])
        #expect(run.exit == .data)
        #expect(run.out.isEmpty)
    }

    @Test func pauseAndResumeSayWhatComes() throws {
        let paused =
            #"{"until":"2026-03-02T14:00:00+01:00","#
            + #""understood":{"text":"Mon 2 Mar 2026, 14:00 CET (in 4 hours)","notes":["A note."]}}"#
        let daemon = try ScriptedDaemon([
            "Pause": answering(paused), "Resume": answering(#"{"shown":3}"#),
        ])
        #expect(
            try daemon.run("pause", "until", "14:00").out == """
                Pop-ups are held back until Mon 2 Mar 2026, 14:00 CET (in 4 hours)
                  A note.

                """)
        #expect(try daemon.run("pause", "4h", "--json").out == paused + "\n")
        #expect(
            try daemon.run("resume").out
                == "Pop-ups are shown again; 3 that were held back come now.\n")
        #expect(try daemon.run("resume", "--json").out == "{\"shown\":3}\n")
    }

    private static let entries = [
        #"{"at":"2026-03-02T09:59:00+01:00","kind":"snoozed","number":12,"id":"a","title":"Tea","#
            + #""due":null,"late":null,"missed":0,"origin":"popup","#
            + #""until":"2026-03-02T10:09:00+01:00"}"#,
        #"{"at":"2026-03-01T09:02:00+01:00","kind":"rang","number":7,"id":"b","#
            + #""title":"Water the plants on the balcony","due":"2026-03-01T09:00:00+01:00","#
            + #""late":"PT2M","missed":3,"origin":"daemon","until":null}"#,
        #"{"at":"2026-03-01T09:00:00+01:00","kind":"rang","number":8,"id":"c","#
            + #""title":"x\u001b","due":null,"late":"PT0S","missed":0,"origin":"daemon","#
            + #""until":null}"#,
    ]

    @Test func logIsATable() throws {
        let log = reply("entries", Self.entries.map { Array($0.utf8) })
        let daemon = try ScriptedDaemon(["Log": answering(log)])
        #expect(
            try daemon.run("log", "7", "--limit", "3").out == """
                today 09:59      snoozed  #12 Tea                              in the pop-up, until today 10:09
                yesterday 09:02  rang     #7  Water the plants on the balcony  2 min late, 3 missed before it
                yesterday 09:00  rang     #8  x\u{FFFD}

                """)
        #expect(daemon.calls == [#"Log {"reference":"7","limit":3}"#])
        let narrow = try daemon.run("log", terminal: Terminal(columns: 80)).out
        for line in narrow.split(separator: "\n") { #expect(line.cells <= 80, "\(line)") }
        let json = try daemon.run("log", "--json").out
        #expect(json == Self.entries.map { $0 + "\n" }.joined())
        let empty = try ScriptedDaemon(["Log": answering(reply("entries", []))])
        #expect(try empty.run("log").out == "Nothing has rung yet.\n")
    }

    @Test(arguments: [
        (#""2026-03-02T14:00:00+01:00""#, "today 14:00"), ("null", "remindctl resume"),
    ])
    func statusSaysThatPopupsAreHeldBack(_ until: String, _ words: String) throws {
        let status = #"{"holding":true,"holdingUntil":\#(until),"held":3}"#
        let daemon = try ScriptedDaemon(["Status": answering(status)])
        let out = try daemon.run("status").out
        #expect(out.contains("\n             held back until \(words), 3 waiting\n"))
    }
}
