import RemindAPI
import RemindCore
import Testing

@testable import RemindCLI

@Suite struct ArgumentTests {
    struct Accepted: Sendable, CustomTestStringConvertible {
        let line: String
        let command: String
        let operands: [String]
        let fields: String
        var testDescription: String { line }
    }

    static let accepted = [
        Accepted(line: "list", command: "list", operands: [], fields: "{}"),
        Accepted(
            line: "add --at \"2030-05-01 09:00\" Pay rent", command: "add",
            operands: ["Pay", "rent"], fields: #"{"at":"2030-05-01 09:00"}"#),
        Accepted(
            line: "add Pay --at=tomorrow rent", command: "add", operands: ["Pay", "rent"],
            fields: #"{"at":"tomorrow"}"#),
        Accepted(
            line: "--priority high --json add Tea", command: "add", operands: ["Tea"],
            fields: #"{"priority":"high"}"#),
        Accepted(
            line: "add --tag a --tag=b,c Tea --past", command: "add", operands: ["Tea"],
            fields: #"{"tags":["a","b","c"],"past":true}"#),
        Accepted(
            line: "add -- --at -5 degrees", command: "add", operands: ["--at", "-5", "degrees"],
            fields: "{}"),
        Accepted(
            line: "add add --in -5m", command: "add", operands: ["add"], fields: #"{"in":"-5m"}"#),
        Accepted(
            line: "add --note=--x T", command: "add", operands: ["T"], fields: #"{"note":"--x"}"#),
        Accepted(
            line: "list --overdue --sort due --limit 5", command: "list", operands: [],
            fields: #"{"show":"overdue","sort":"due","limit":5}"#),
        Accepted(
            line: "list --open --open", command: "list", operands: [], fields: #"{"show":"open"}"#),
        Accepted(
            line: "done 7 8 last", command: "done", operands: ["7", "8", "last"], fields: "{}"),
        Accepted(
            line: "snooze 7 tomorrow 9am", command: "snooze", operands: ["7", "tomorrow", "9am"],
            fields: "{}"),
        Accepted(
            line: "add Plants --every \"monday at 9:00\"", command: "add", operands: ["Plants"],
            fields: #"{"every":"monday at 9:00"}"#),
        Accepted(
            line: "when --rrule FREQ=DAILY 9:00 --tz Asia/Tokyo --count 3", command: "when",
            operands: ["9:00"], fields: #"{"rrule":"FREQ=DAILY","timeZone":"Asia/Tokyo","count":3}"#
        ),
        Accepted(line: "rm all --yes", command: "rm", operands: ["all"], fields: "{}"),
        Accepted(line: "done - 7", command: "done", operands: ["-", "7"], fields: "{}"),
        Accepted(line: "add --help", command: "add", operands: [], fields: "{}"),
        Accepted(line: "-h", command: "help", operands: [], fields: "{}"),
        Accepted(line: "--version", command: "help", operands: [], fields: "{}"),
    ]

    @Test(arguments: accepted)
    func lineIsTakenApart(_ line: Accepted) throws {
        let arguments = try ArgumentParser.parse(shellWords(line.line))
        #expect(arguments.command.name == line.command)
        #expect(arguments.operands == line.operands)
        var json = JSONWriter()
        json.object { json in
            do { try arguments.writeOptions(to: &json, input: -1) } catch { Issue.record(error) }
        }
        #expect(String(decoding: json.bytes, as: UTF8.self) == line.fields)
    }

    static let refused: [(String, message: String, hint: String)] = [
        ("", "There is no command ‘’.", "remindctl help"),
        ("--color never", "A command is missing.", "remindctl help"),
        ("-V", "‘-V’ is no option, and a command is missing.", "remindctl help"),
        ("--tomorow", "‘--tomorow’ is no option, and a command is missing.", "remindctl help"),
        ("lst", "There is no command ‘lst’.", "remindctl list"),
        ("delete 7", "There is no command ‘delete’.", "remindctl rm 7"),
        ("frobnicate", "There is no command ‘frobnicate’.", "remindctl help"),
        ("help ad", "There is no command ‘ad’.", "remindctl help add"),
        (
            "add --on x T", "‘--on’ is not an option of ‘add’.",
            "Say --at; see remindctl help add"
        ),
        (
            "list --revers", "‘--revers’ is not an option of ‘list’.",
            "Say --reverse; see remindctl help list"
        ),
        (
            "add -5 degrees", "‘-5’ is not an option of ‘add’.",
            "remindctl help add, or -- before words that begin with a dash"
        ),
        ("add T --at", "‘--at’ needs a value: WHEN.", "remindctl help add"),
        ("add T --at --past", "‘--at’ needs a value: WHEN.", "remindctl help add"),
        ("add T --past=yes", "‘--past’ takes no value.", "remindctl help add"),
        ("add T --at 9:00 --at 10:00", "‘--at’ is given twice.", "remindctl help add"),
        (
            "add T --at 9:00 --in 5m", "‘--at’ and ‘--in’ contradict each other.",
            "Give one of them."
        ),
        (
            "add T --every day --rrule FREQ=DAILY",
            "‘--every’ and ‘--rrule’ contradict each other.",
            "Give one of them."
        ),
        ("when", "‘when’ needs a WHEN or a rule.", "remindctl when tomorrow 9am"),
        ("log 7 8", "‘8’ is too much for ‘log’.", "remindctl log"),
        ("log --limit 0", "‘0’ is not a number from 1 to 10000.", "--limit 10"),
        ("resume now", "‘now’ is too much for ‘resume’.", "remindctl resume"),
        (
            "list --open --done", "‘--open’ and ‘--done’ contradict each other.",
            "Give one of them."
        ),
        (
            "add T --priority hihg",
            "‘hihg’ is not a value of ‘--priority’: low, normal or high.", "--priority high"
        ),
        ("list --limit many", "‘many’ is not a number from 1 to 1000000.", "--limit 10"),
        ("list --limit 0", "‘0’ is not a number from 1 to 1000000.", "--limit 10"),
        ("add", "‘add’ needs a TITLE.", "remindctl add --at \"2030-05-01 09:00\" Pay rent"),
        ("done", "‘done’ needs a REF.", "remindctl done 7"),
        ("list 7", "‘7’ is too much for ‘list’.", "remindctl list"),
        ("next 3 4", "‘4’ is too much for ‘next’.", "remindctl next"),
        ("next 0", "‘0’ is not a number from 1 up.", "remindctl next 3"),
    ]

    @Test(arguments: refused.indices)
    func wrongLineIsRefusedWithItsReason(_ index: Int) throws {
        let (line, message, hint) = Self.refused[index]
        let run = try remindctl(shellWords(line))
        #expect(run.err == "remindctl: \(message)\nhint: \(hint)\n")
        #expect(run.out.isEmpty)
        #expect(run.exit == .usage)
    }

    @Test func argumentThatIsNoUTF8IsRefused() throws {
        let run = try remindctl([Array("add".utf8), [0x54, 0xFF]])
        #expect(run.exit == .data)
        #expect(run.err.hasPrefix("remindctl: The argument ‘T\u{FFFD}’ is not UTF-8.\n"))
        #expect(run.out.isEmpty)
    }

    /// A-cli-04.
    @Test(arguments: [["", "tomorrow 9am"], ["   ", "tomorrow 9am"], ["\t\n", "x"], ["\u{A0}"]])
    func blankTitleIsRefused(_ words: [String]) throws {
        let run = try remindctl(["add"] + words)
        #expect(run.exit == .data)
        #expect(run.err.hasPrefix("remindctl: The title is empty.\nhint: remindctl add "))
    }
}

@Suite struct TableTests {
    @Test func everyExampleParsesAndBeginsWithItsCommand() throws {
        for command in CommandTable.commands {
            #expect(!command.examples.isEmpty)
            for example in command.examples {
                let arguments = try ArgumentParser.parse(shellWords(example))
                #expect(arguments.command.name == command.name, "\(example)")
            }
        }
    }

    /// The command may come after options, so their arity cannot depend on it; `undo --list` can
    /// only be said in this order.
    @Test func optionsOfOneNameTakeAValueInEveryCommandOrInNone() {
        var seen: [String: Bool] = [:]
        for option in CommandTable.globalOptions + CommandTable.commands.flatMap(\.options) {
            if option.name == "list", !option.takesValue { continue }
            #expect(seen[option.name, default: option.takesValue] == option.takesValue)
            seen[option.name] = option.takesValue
        }
        #expect(seen.count > 15)
    }

    @Test func fieldsOfOptionsAreParametersOfTheirMethods() {
        let parameters: [String: [String]] = [
            "add": Add.Parameters.CodingKeys.allCases.map(\.rawValue),
            "edit": Edit.Parameters.CodingKeys.allCases.map(\.rawValue),
            "list": List.Parameters.CodingKeys.allCases.map(\.rawValue),
            "watch": List.Parameters.CodingKeys.allCases.map(\.rawValue),
            "done": Done.Parameters.CodingKeys.allCases.map(\.rawValue),
            "when": When.Parameters.CodingKeys.allCases.map(\.rawValue),
            "undo": Changes.Parameters.CodingKeys.allCases.map(\.rawValue),
            "search": Search.Parameters.CodingKeys.allCases.map(\.rawValue),
            "log": Log.Parameters.CodingKeys.allCases.map(\.rawValue),
            "doctor": Doctor.Parameters.CodingKeys.allCases.map(\.rawValue),
            "import": Import.Parameters.CodingKeys.allCases.map(\.rawValue),
            "export": Export.Parameters.CodingKeys.allCases.map(\.rawValue),
        ]
        for command in CommandTable.commands {
            for field in command.options.compactMap(\.field) {
                #expect(parameters[command.name]?.contains("\(field)") ?? false, "\(field)")
            }
        }
    }

    @Test func choicesAreThoseOfTheInterface() throws {
        let list = try #require(CommandTable.command(named: "list"))
        let shows = list.options.filter { $0.oneOf == "show" }.map(\.name)
        #expect(shows == List.Show.allCases.map(\.rawValue))
        for (name, choices) in [
            ("sort", List.Sort.allCases.map(\.rawValue)),
            ("priority", Priority.allCases.map(\.rawValue)),
        ] {
            guard case .choice(let offered) = list.option(named: name)?.kind else {
                Issue.record("\(name) is no choice")
                continue
            }
            #expect(offered == choices)
        }
    }

    @Test(arguments: [
        (["--socket"], "‘--socket’ needs a value: PATH."),
        (["--color"], "‘--color’ needs a value: auto|always|never."),
        (["list", "--socket"], "‘--socket’ needs a value: PATH."),
        (["--socket=", "list"], "‘--socket’ needs a value: it is empty."),
        (["list", "--socket", ""], "‘--socket’ needs a value: it is empty."),
    ])
    func optionWithoutItsValueIsNamed(_ words: [String], _ message: String) throws {
        let run = try remindctl(words)
        #expect(run.err.hasPrefix("remindctl: \(message)\nhint: "))
        #expect(run.exit == .usage)
        #expect(run.out.isEmpty)
    }

    @Test func otherWordsAreNoCommands() {
        for word in CommandTable.commands.flatMap(\.otherWords) {
            #expect(CommandTable.command(named: word) == nil, "\(word)")
        }
    }

    @Test func helpFitsEightyColumns() {
        let texts = [Help.overview] + CommandTable.commands.map { Help.text(for: $0) }
        for line in texts.flatMap({ $0.split(separator: "\n") }) {
            #expect(line.cells <= 80, "\(line)")
        }
    }

    @Test func helpOfDoneReadsAsWritten() throws {
        let expected = """
            Complete tasks; a recurring one moves on.

            Usage: remindctl done REF... [OPTION...]

            REF is a task's number, its UUID, a unique beginning or ending of one (4
            characters or more), last (the one that rang last) or all (everything that rings
            now); - reads them from stdin, one a line.

            Options:
              --series  end a recurring task for good
              --yes     do not ask before many tasks change

            Examples:
              remindctl done 7
              remindctl done 7 9 12
              remindctl done 7 --series

            """
        for words in [["help", "done"], ["done", "--help"], ["-h", "done"]] {
            let run = try remindctl(words)
            #expect(run.out == expected)
            #expect(run.exit == .done)
        }
    }

    @Test func versionIsOneLine() throws {
        let run = try remindctl(["--version"])
        #expect(run.out == "remindctl \(Product.version)\n")
        #expect(run.exit == .done)
    }

    @Test(arguments: [
        ("lst", "list"), ("ad", "add"), ("sohw", "show"), ("snoze", "snooze"), ("stat", "status"),
    ])
    func nearestCommandIsFound(_ word: String, _ name: String) {
        #expect(CommandTable.nearest(to: word)?.name == name)
    }
}
