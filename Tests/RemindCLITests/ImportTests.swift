import Glibc
import RemindAPI
import Testing
import Varlink

@testable import RemindCLI

/// `import`.
@Suite struct ImportTests {
    private static let item =
        #"{"line":2,"uid":"a","title":"Tea\nparty","note":null,"tags":[],"priority":"normal","#
        + #""state":"open","due":"2026-03-03T09:00:00+01:00","dateOnly":false,"timeZone":null,"#
        + #""rule":"FREQ=DAILY","rings":["2026-03-03T08:45:00+01:00"],"notes":["Line 3: odd."]}"#
    private static let problem =
        #"{"line":9,"uid":"b","message":"‘DUE’ has ‘soon’.","refused":true}"#

    private static func reply(_ items: [String], _ problems: [String]) -> String {
        #"{"session":null,"items":["# + items.joined(separator: ",") + #"],"problems":["#
            + problems.joined(separator: ",") + "]}"
    }

    @Test func aDryRunShowsItemsWithTheirRings() throws {
        let daemon = try ScriptedDaemon(["Import": answering(Self.reply([Self.item], []))])
        let run = try daemon.run("import", "--dry-run", "-", "--count", "3", input: "hello")
        #expect(
            run.out == """
                Tea party — Tue 3 Mar 2026, 09:00
                  repeats every day
                  rings Tue 3 Mar 2026, 08:45
                  note: Line 3: odd.
                1 item; nothing was stored.

                """)
        #expect(run.exit == .done)
        #expect(daemon.calls == [#"Import {"base64":"aGVsbG8=","dryRun":true,"count":3}"#])
        let json = try daemon.run("import", "--dry-run", "--json", "-", input: "x")
        #expect(json.out == Self.item + "\n")
    }

    @Test(arguments: [(true, RemindAPI.ExitStatus.partly), (false, .data)])
    func whatIsRefusedIsToldWithItsLine(hasItem: Bool, exit: RemindAPI.ExitStatus) throws {
        let items = hasItem ? [Self.item] : []
        let daemon = try ScriptedDaemon([
            "Import": answering(Self.reply(items, [Self.problem]))
        ])
        let run = try daemon.run("import", "--dry-run", "-", input: "x")
        #expect(run.err == "remindctl: Line 9, UID ‘b’: ‘DUE’ has ‘soon’.\n")
        #expect(run.exit == exit)
        let json = try daemon.run("import", "--dry-run", "--json", "-", input: "x")
        #expect(json.err.hasPrefix(#"{"error":"InvalidItem","message":"Line 9, UID ‘b’"#))
    }

    private static let kept =
        #"{"action":"kept","component":"VJOURNAL","line":4,"uid":"j","notes":["Line 5: odd."]}"#

    @Test func whatIsKeptWithoutRingsIsToldInWordsAndInJSON() throws {
        let daemon = try ScriptedDaemon([
            "Import": answering(
                #"{"session":null,"items":[],"problems":[],"added":2,"changed":0,"unchanged":0,"#
                    + #""kept":[{"component":"","added":9,"changed":0,"unchanged":0},"#
                    + #"{"component":"VJOURNAL","added":1,"changed":1,"unchanged":1},"#
                    + #"{"component":"VPOLL","added":0,"changed":0,"unchanged":4}],"#
                    + #""components":["# + Self.kept + "]}")
        ])
        let run = try daemon.run("import", "-", input: "x")
        #expect(
            run.out.hasSuffix(
                "2 added, 0 changed, 0 left alone.\nKept for the export, without rings: 3 VJOURNAL "
                    + "(1 new, 1 changed), 4 VPOLL (known already), 9 others.\n"))
        let json = try daemon.run("import", "--json", "-", input: "x")
        // Readers of the output count tasks.
        #expect(json.out == "")
        #expect(json.err.hasPrefix(#"{"error":"KeptComponents","message":"Kept for the export"#))
        #expect(json.err.contains(#"{"component":"VPOLL","added":0,"changed":0,"unchanged":4}"#))
        #expect(json.exit == .done)
    }

    @Test func aDryRunShowsWhatWouldBeKept() throws {
        let daemon = try ScriptedDaemon([
            "Import": answering(
                #"{"session":null,"items":[],"problems":[],"components":["# + Self.kept + "]}")
        ])
        let run = try daemon.run("import", "--dry-run", "-", input: "x")
        #expect(
            run.out == """
                VJOURNAL j — kept for the export, without rings
                  note: Line 5: odd.
                0 items; nothing was stored.
                An import keeps for the export, without rings: 1 VJOURNAL.

                """)
    }

    @Test func aLongFileGoesInPieces() throws {
        let daemon = try ScriptedDaemon([
            "Import": { call, responder in
                let first = String(decoding: call.rawParameters.suffix(60), as: UTF8.self)
                    .contains("continues")
                responder.reply(
                    rawParameters: Array(
                        (first ? #"{"session":"s","items":[],"problems":[]}"# : Self.reply([], []))
                            .utf8))
            }
        ])
        let text = String(repeating: "x", count: Import.pieceBytes * 2)
        let run = try daemon.run("import", "--dry-run", "-", input: text)
        #expect(run.exit == .done)
        #expect(daemon.calls.count == 2)
        #expect(daemon.calls[0].hasSuffix(#"","continues":true,"dryRun":true}"#))
        #expect(daemon.calls[1].hasSuffix(#"","session":"s","dryRun":true}"#))
    }

    @Test func whatCannotBeReadIsSaid() throws {
        let daemon = try ScriptedDaemon([:])
        let run = try daemon.run("import", "--dry-run", "/nonexistent")
        #expect(run.exit == .noInput)
        #expect(run.err.contains("‘/nonexistent’"))
    }

    @Test func aFileOfAnotherToolIsSentWithItsFormat() throws {
        let daemon = try ScriptedDaemon(["Import": answering(Self.reply([Self.item], []))])
        let run = try daemon.run("import", "--from", "todo.txt", "--dry-run", "-", input: "x")
        #expect(run.exit == .done)
        #expect(daemon.calls == [#"Import {"base64":"eA==","format":"todo.txt","dryRun":true}"#])
        let wrong = try daemon.run("import", "--from", "org", "-", input: "x")
        #expect(wrong.exit == .usage)
        #expect(wrong.err.contains("‘org’"))
    }

    @Test func aFolderOfCalcurseIsSentWithItsNotesFirst() throws {
        var template = Array("/tmp/remindctl-import-XXXXXX".utf8CString)
        try #require(mkdtemp(&template) != nil)
        let folder = String(
            decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        defer { rmdir(folder) }
        let daemon = try ScriptedDaemon(["Import": answering(Self.reply([], []))])
        let empty = try daemon.run("import", "--from", "calcurse", folder)
        #expect(empty.exit == .noInput)
        #expect(empty.err.contains("neither apts nor todo"))
        #expect(try daemon.run("import", "--from", "at", folder).exit == .usage)

        let names = ["notes/ab", "apts", "todo"]
        try #require(mkdir(folder + "/notes", 0o700) == 0)
        defer { rmdir(folder + "/notes") }
        defer { for name in names { unlink(folder + "/" + name) } }
        for name in names {
            let file = open(folder + "/" + name, O_WRONLY | O_CREAT, 0o600)
            try #require(file >= 0)
            #expect(write(file, "x", 1) == 1)
            close(file)
        }
        let run = try daemon.run("import", "--from", "calcurse", "--dry-run", folder)
        #expect(run.exit == .done)
        let files = names.map { name in
            daemon.calls.firstIndex { $0.contains("\"file\":\"\(name)\"") }
        }
        #expect(files == [0, 1, 2])
        #expect(daemon.calls.map { $0.contains("continues") } == [true, true, false])
    }
}
