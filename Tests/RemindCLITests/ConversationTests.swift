import RemindAPI
import RemindCore
import Testing
import Varlink

@testable import RemindCLI

/// The program against a peer that answers as it is told to, over a real socket.
@Suite struct ConversationTests {
    static let rent = reminderJSON(
        7, "Pay rent", due: "2030-05-01T09:00:00+02:00", nextRing: "2030-05-01T09:00:00+02:00")

    @Test func addSaysWhatWasUnderstood() throws {
        let understood =
            #"{"text":"Wed 1 May 2030, 09:00 CEST (in 4 years)","notes":["A note."]}"#
        let answer =
            Array(#"{"reminder":"#.utf8) + Self.rent + Array(#","understood":\#(understood)}"#.utf8)
        let daemon = try ScriptedDaemon(["Add": answering(answer)])
        let run = try daemon.run("add", "--at", "2030-05-01 09:00", " Pay ", "rent ")
        #expect(run.out == "#7 Pay rent — Wed 1 May 2030, 09:00 CEST (in 4 years)\n  A note.\n")
        #expect(run.exit == .done)
        #expect(daemon.calls == [#"Add {"title":"Pay  rent","at":"2030-05-01 09:00"}"#])
        let json = try daemon.run("--json", "add", "--note", "-", "T", input: "one\ntwo\n")
        #expect(json.out == String(decoding: Self.rent, as: UTF8.self) + "\n")
        #expect(daemon.calls.last == #"Add {"title":"T","note":"one\ntwo"}"#)
    }

    @Test func addWithoutADeadlineSaysTheTitleAlone() throws {
        let bare = reminderJSON(7, "Read\u{1B}[2J", alarm: .none)
        let answer = Array(#"{"reminder":"#.utf8) + bare + Array(#","understood":null}"#.utf8)
        let daemon = try ScriptedDaemon(["Add": answering(answer)])
        #expect(try daemon.run("add", "Read").out == "#7 Read\u{FFFD}[2J\n")
    }

    @Test func refusalIsOneLineACaretAndAHint() throws {
        let error = APIError.phrase(
            "2020-05-01 09:00", at: 0..<10, parameter: "at",
            message: "‘2020-05-01 09:00’ is 6 years ago.", hint: "Try ‘09:00’.",
            isPast: true)
        let daemon = try ScriptedDaemon(["Add": failing(error)])
        let run = try daemon.run("add", "--at", "2020-05-01 09:00", "Pay rent")
        #expect(run.out.isEmpty)
        #expect(run.exit == .data)
        #expect(
            run.err == """
                remindctl: ‘2020-05-01 09:00’ is 6 years ago.
                  2020-05-01 09:00
                  ^~~~~~~~~~
                hint: Try ‘09:00’, or add --past to keep it.

                """)
        let json = try daemon.run("add", "--json", "--at", "2020-05-01 09:00", "Pay rent")
        #expect(json.err.hasPrefix(#"{"error":"InThePast","message":"#))
        #expect(json.err.split(separator: "\n").count == 1)
    }

    /// The bytes between objects may be laid out anyhow; those inside are handed on as they are.
    @Test func jsonHandsOnTheDaemonsOwnBytes() throws {
        let odd = #"{ "number":1,"x":[1, {"y":"]}\""}],"id":"a","z":null, "title":"t\u00e9" }"#
        let daemon = try ScriptedDaemon([
            "List": { _, responder in
                let first = "{\"reminders\": [\(odd) ,\n \(odd)]}"
                responder.reply(rawParameters: Array(first.utf8), continues: true)
                responder.reply(rawParameters: Array("{\"reminders\":[\(odd)]}".utf8))
            }
        ])
        let run = try daemon.run("list", "--json", "--tag", "x")
        #expect(run.out == "\(odd)\n\(odd)\n\(odd)\n")
        #expect(daemon.calls == [#"List {"tag":"x"}"#])
    }

    @Test func nextOccurrenceIsToldWithItsZone() throws {
        let call = reminderJSON(
            7, "Call", due: "2030-05-01T09:00:00+09:00", timeZone: "Asia/Tokyo", rule: "FREQ=DAILY")
        let daemon = try ScriptedDaemon(["Done": answering(reply("reminders", [call]))])
        let done = try daemon.run("done", "7")
        #expect(done.out == "Done: #7 Call\n  next: Wed 1 May 2030, 09:00 Asia/Tokyo\n")
    }

    @Test func severalReferencesAreAllTried() throws {
        let daemon = try ScriptedDaemon([
            "Done": { call, responder in
                let text = String(decoding: call.rawParameters, as: UTF8.self)
                if text.contains("\"8\"") {
                    try failing(.noSuchReminder("8", hint: "remindctl list"))(call, responder)
                } else {
                    try answering(reply("reminders", [Self.rent]))(call, responder)
                }
            }
        ])
        let some = try daemon.run("done", "8", "7", "--series")
        #expect(some.exit == .partly)
        #expect(some.out == "Done: #7 Pay rent\n  next: Wed 1 May 2030, 09:00\n")
        #expect(some.err == "remindctl: There is no reminder ‘8’.\nhint: remindctl list\n")
        #expect(daemon.calls.count == 2)
        let last = try #require(daemon.calls.last)
        #expect(last.hasPrefix(#"Done {"reference":"7","group":""#))
        #expect(last.hasSuffix(#"","series":true}"#))
        let all = try daemon.run("done", "8", "8")
        #expect(all.exit == .noInput)
        #expect(all.out.isEmpty)
        #expect(try daemon.run("done", "7").exit == .done)
    }

    @Test(arguments: [
        ("Reopen", ["reopen", "7"], "Open again: #7 Pay rent — Wed 1 May 2030, 09:00\n"),
        ("Remove", ["rm", "7"], "Removed: #7 Pay rent\n"),
        ("Dismiss", ["dismiss", "all"], "Dismissed: #7 Pay rent\n"),
    ])
    func answersSayWhatWasDone(_ method: String, _ words: [String], _ text: String) throws {
        let daemon = try ScriptedDaemon([method: answering(reply("reminders", [Self.rent]))])
        #expect(try daemon.run(words[0], words[1]).out == text)
        #expect(daemon.calls == ["\(method) {\"reference\":\"\(words[1])\"}"])
    }

    @Test func snoozeSaysUntilWhen() throws {
        let answer = reply(
            "reminders", [Self.rent], more: #","understood":{"text":"today 10:10","notes":[]}"#)
        let daemon = try ScriptedDaemon(["Snooze": answering(answer)])
        let run = try daemon.run("snooze", "7", "tomorrow", "9am")
        #expect(run.out == "#7 Pay rent — rings today 10:10\n")
        #expect(daemon.calls == [#"Snooze {"reference":"7","until":"tomorrow 9am"}"#])
        _ = try daemon.run("snooze", "7")
        #expect(daemon.calls.last == #"Snooze {"reference":"7"}"#)
    }

    @Test func showAlignsEveryField() throws {
        let task = reminderJSON(
            7, "Pay rent", due: "2030-05-01T09:00:00+02:00", rule: "FREQ=MONTHLY",
            tags: ["home", "money"], note: "To the landlord\nby bank")
        let ring =
            Array(#"{"at":"2026-03-02T11:00:00+01:00","due":"x","reminder":"#.utf8)
            + task + Array("}".utf8)
        let rings = Array(#","rings":["#.utf8) + ring + Array("]".utf8)
        let daemon = try ScriptedDaemon([
            "Show": answering(
                reply("reminders", [task], more: String(decoding: rings, as: UTF8.self)))
        ])
        #expect(
            try daemon.run("show", "7").out == """
                #7 Pay rent
                  due       Wed 1 May 2030, 09:00
                  rings     today 11:00
                  repeats   every month (FREQ=MONTHLY)
                  state     open, pending
                  priority  normal
                  list      inbox
                  tags      home, money
                  note      To the landlord
                            by bank
                  created   Sun 1 Mar 2026, 09:00
                  modified  Sun 1 Mar 2026, 09:00
                  id        0190f0c2-0000-7000-8000-000000000007

                """)
    }

    @Test func nextIsATableAndItsRingsInJSON() throws {
        func ring(_ at: String, _ due: String, _ task: [UInt8]) -> [UInt8] {
            Array(#"{"at":"\#(at)","due":"\#(due)","reminder":"#.utf8) + task + Array("}".utf8)
        }
        let rings = [
            ring(
                "2026-03-02T10:45:00+01:00", "2026-03-02T11:00:00+01:00", reminderJSON(12, "Tea")),
            // Of another zone: the ring by the clock here, the deadline by the clock there.
            ring(
                "2026-03-03T01:00:00+01:00", "2026-03-03T09:00:00+09:00",
                reminderJSON(13, "Call", timeZone: "Asia/Tokyo")),
            ring(
                "2026-03-03T00:00:00+01:00", "2026-03-03T09:00:00+09:00",
                reminderJSON(13, "Call", timeZone: "Asia/Tokyo")),
            ring("2030-05-01T09:00:00+02:00", "2030-05-01T09:00:00+02:00", Self.rent),
        ]
        let daemon = try ScriptedDaemon(["Next": answering(reply("rings", rings))])
        #expect(
            try daemon.run("next", "2").out == """
                today 10:45            #12 Tea  (due today 11:00)
                tomorrow 01:00         #13 Call
                tomorrow 00:00         #13 Call  (due Tue 3 Mar 2026, 09:00 Asia/Tokyo)
                Wed 1 May 2030, 09:00  #7  Pay rent

                """)
        #expect(daemon.calls == [#"Next {"limit":2}"#])
        let json = try daemon.run("next", "--json").out
        #expect(json == rings.map { String(decoding: $0, as: UTF8.self) + "\n" }.joined())
    }

    @Test func statusIsAFewLines() throws {
        let status =
            #"{"version":"1.2","processID":42,"database":"/d","open":3,"ringing":1,"#
            + #""pending":2,"nextRing":"2026-03-02T10:45:00+01:00","#
            + #""holding":false,"holdingUntil":null,"held":0,"#
            + #""notificationServer":null,"timeZone":"Europe/Berlin","#
            + #""now":"2026-03-02T10:00:00+01:00"}"#
        let daemon = try ScriptedDaemon(["Status": answering(status)])
        #expect(try daemon.run("status", "--json").out == status + "\n")
        #expect(
            try daemon.run("status").out == """
                remindd 1.2, process 42
                  database   /d
                  tasks      3 open, 1 of them ringing
                  alarms     2 set
                  next ring  today 10:45
                  pop-ups    none: pop-ups are shown when one appears
                  time       Mon 2 Mar 2026, 10:00 Europe/Berlin

                """)
    }

    @Test func watchPrintsALineAnEvent() throws {
        let event =
            #"{"event":"ringing","reminder":\#(String(decoding: Self.rent, as: UTF8.self))}"#
        let daemon = try ScriptedDaemon([
            "Watch": { _, responder in
                responder.reply(
                    rawParameters: Array(#"{"event":null,"reminder":null}"#.utf8), continues: true)
                responder.reply(rawParameters: Array(event.utf8), continues: true)
                responder.reply(rawParameters: Array(event.utf8))
            }
        ])
        let line = "ringing   #7 Pay rent\n"
        let run = try daemon.run("watch")
        #expect(run.out == line + line)
        #expect(run.exit == .unavailable)
        #expect(run.err.hasPrefix("remindctl: The daemon has stopped"))
        #expect(try daemon.run("watch", "--json").out == "\(event)\n\(event)\n")
    }

    @Test func listIsGroupedAndColouredOnATerminal() throws {
        let daemon = try ScriptedDaemon([
            "List": answering(reply("reminders", [Self.rent, reminderJSON(9, "Read")]))
        ])
        let plain = "Later\n7    Pay rent  Wed 1 May 2030, 09:00\n\nNo date\n9    Read\n"
        #expect(try daemon.run("list").out == plain)
        let terminal = try daemon.run("list", terminal: Terminal(columns: 80)).out
        #expect(terminal.contains("\u{1B}[1mLater\u{1B}[0m\n"))
        let without = try daemon.run("list", "--color=never", terminal: Terminal(columns: 80))
        #expect(without.out == plain)
        let none = try ScriptedDaemon(["List": answering(reply("reminders", []))])
        #expect(try none.run("list").out == "No reminders.\n")
        #expect(try none.run("list", "--json").out.isEmpty)
    }

    @Test func olderDaemonIsNamedAsSuch() throws {
        let run = try ScriptedDaemon([:]).run("next")
        #expect(run.exit == .unavailable)
        #expect(run.err.contains("does not know the method ‘org.remindd.Reminders.Next’"))
        #expect(run.err.contains("hint: Is it older than this remindctl? systemctl --user restart"))
    }

    @Test func absentDaemonIsExit69WithWhatToDo() throws {
        let folder = try TestFolder()
        for words in [["list"], ["done", "7", "8"], ["watch"]] {
            let run = try remindctl(words, variables: ["XDG_RUNTIME_DIR": folder.path])
            #expect(run.exit == .unavailable)
            #expect(
                run.err == "remindctl: No daemon listens on ‘\(folder.path)/remindd.sock’.\n"
                    + "hint: systemctl --user start remindd.socket\n")
            #expect(run.out.isEmpty)
        }
    }

    @Test(arguments: [
        #"{"reminders":{}}"#, #"{"reminders":[{"number":"7"}]}"#, #"{"reminders":[{}]}"#,
        #"{"reminders":[{"number":7,"id":"x","state":"lost"}]}"#,
    ])
    func replyOfAnotherShapeIsADefect(_ answer: String) throws {
        let run = try ScriptedDaemon(["List": answering(answer)]).run("list")
        #expect(run.exit == .software)
        #expect(run.out.isEmpty)
        #expect(run.err.hasPrefix("remindctl: The reply cannot be understood at byte "))
    }

    @Test func noteOnStdinMustBeUTF8AndOfAKeptLength() throws {
        let daemon = try ScriptedDaemon(["Add": answering(reply("reminders", [Self.rent]))])
        let long = String(repeating: "x", count: StandardInput.byteLimit + 1)
        let run = try daemon.run("add", "T", "--note", "-", input: long)
        #expect(run.exit == .data)
        #expect(run.err.contains("longer than 400000 bytes"))
        #expect(daemon.calls.isEmpty)
    }
}
