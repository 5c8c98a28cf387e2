import RemindAPI
import RemindCore
import Testing

@testable import RemindCLI

@Suite struct LocaleTests {
    @Test(arguments: [
        ([:], false), (["LC_ALL": "C"], true), (["LANG": "POSIX"], true),
        (["LC_ALL": "", "LANG": "C"], true), (["LC_ALL": "C.UTF-8", "LANG": "C"], false),
        (["LC_CTYPE": "C", "LANG": "de_DE.UTF-8"], true), (["LANG": "de_DE.utf8"], false),
        (["LANG": "de_DE.UTF-8@euro"], false), (["LANG": "de_DE.ISO-8859-1"], true),
        (["LANG": "de_DE"], false),
    ])
    func theFirstVariableThatIsSetSaysWhetherItIsASCII(
        _ variables: [String: String], _ expected: Bool
    ) {
        let surroundings = Surroundings(
            environment: { variables[$0] }, terminal: nil, inputDescriptor: -1, now: { testNow })
        #expect(surroundings.isASCII == expected)
    }

    @Test(arguments: [
        ("Pay rent", "Pay rent"), ("#7 Tea — noon", "#7 Tea - noon"), ("‘x’…", "'x'..."),
        ("café", "caf?"), ("cafe\u{301}", "caf?"), ("買い物", "??????"),
        ("👩\u{200D}👩\u{200D}👧!", "??!"), ("\u{2068}שלום\u{2069}", "????"), ("a\r\nb", "a\r\nb"),
    ])
    func whatIsNotASCIIIsAQuestionMarkACell(_ text: String, _ expected: String) {
        #expect(text.ascii == expected)
        #expect(text.ascii.utf8.allSatisfy { $0 < 0x80 })
    }

    @Test(arguments: [(0, ""), (1, "."), (3, "..."), (4, "P..."), (7, "Pay ..."), (8, "Pay rent")])
    func theEllipsisOfASCIIIsThreeCells(_ limit: Int, _ expected: String) {
        #expect("Pay rent".cut(toCells: limit, ascii: true) == expected)
    }
}

@Suite struct CompletionTests {
    @Test func scriptsNeedNoDaemon() throws {
        for shell in CompletionScript.shells {
            let run = try remindctl(["completions", shell.name], variables: ["LC_ALL": "C"])
            #expect(run.exit == .done)
            #expect(run.out == shell.text)
            for command in CommandTable.commands {
                #expect(run.out.contains(command.name), "\(command.name)")
                for option in command.options { #expect(run.out.contains(option.name)) }
            }
        }
    }

    @Test(arguments: SuggestionSource.Query.allCases)
    func questionsToADaemonThatIsNotThereHaveNoAnswer(_ query: SuggestionSource.Query) throws {
        let run = try remindctl(["--socket", "/nowhere/x.sock", "completions", query.rawValue])
        #expect(run.exit == .done)
        #expect(run.err.isEmpty)
        #expect(run.out.isEmpty == (query != .zones))
    }

    @Test func questionsAreAnsweredByTheDaemon() throws {
        let daemon = try RealDaemon()
        func said(_ words: String...) throws -> [String] {
            let run = try remindctl(
                words, variables: ["XDG_RUNTIME_DIR": daemon.folder], now: RealDaemon.now)
            #expect(run.exit == .done, "\(run.err)")
            return run.out.split(separator: "\n").map(String.init)
        }
        _ = try said("add", "Pay rent", "--list", "home", "--tag", "a,b")
        _ = try said("add", "Tea", "--tag", "b")
        _ = try said("done", "2")
        let more = ["last\tthe one that rang last", "all\teverything that rings now"]
        #expect(try said("completions", "open") == ["1\tPay rent"] + more)
        #expect(try said("completions", "done") == ["2\tTea"])
        #expect(try said("completions", "all") == ["1\tPay rent", "2\tTea"] + more)
        #expect(try said("completions", "lists") == ["home", "inbox"])
        #expect(try said("completions", "tags") == ["a", "b"])
        #expect(try said("completions", "zones").contains("Europe/Berlin"))
    }

    @Test(arguments: SuggestionSource.moments.map(\.value))
    func everyMomentThatIsSuggestedIsRead(_ phrase: String) throws {
        #expect(throws: Never.self) { try WhenPhrase.parse(phrase) }
    }

    @Test(arguments: SuggestionSource.durations.map(\.value))
    func everyDurationThatIsSuggestedIsRead(_ phrase: String) throws {
        #expect(throws: Never.self) { try DurationPhrase.parse(phrase) }
    }

    @Test(arguments: SuggestionSource.rules.map(\.value))
    func everyRuleThatIsSuggestedIsRead(_ phrase: String) throws {
        #expect(throws: Never.self) { try RuleText.parse(phrase) }
    }
}
