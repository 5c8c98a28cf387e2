import Glibc
import RemindAPI
import Testing
import Varlink

@testable import RemindCLI
import VarlinkWire

@Suite struct FailureTests {
    @Test(arguments: [
        (
            "tomorow 9am", 0..<7,
            "  tomorow 9am\n  ^~~~~~~\n"
        ),
        ("Grüße 9", 8..<9, "  Grüße 9\n        ^\n"), ("買い 9am", 7..<10, "  買い 9am\n       ^~~\n"),
        ("9", 1..<1, "  9\n   ^\n"), ("9\u{1B}x", 9..<40, "  9\u{FFFD}x\n     ^\n"),
        ("", 0..<0, ""),
    ])
    func caretStandsUnderTheFault(_ phrase: String, _ range: Range<Int>, _ lines: String) {
        let error = APIError.phrase(
            phrase, at: range, parameter: "at", message: "‘\(phrase)’ is wrong.", hint: "Try 9:00.")
        let failure = Failure(
            VarlinkError(
                name: "org.remindd.Reminders.InvalidPhrase", rawParameters: error.parameters))
        let message = "‘\(phrase.singleLine)’ is wrong."
        #expect(failure.text(json: false) == "remindctl: \(message)\n\(lines)hint: Try 9:00.\n")
        #expect(failure.exit == .data)
    }

    @Test func aLongValueIsCut() {
        let long = String(repeating: "ü", count: 5000)
        let shown = String(repeating: "ü", count: 59) + "…"
        let path = "/" + String(repeating: "x", count: 99)
        let failure = Failure.usage("‘\(long)’, ‘\(path)’ and ‘7’.", hint: "Not ‘\(long)’.")
        let message = "‘\(shown)’, ‘\(path)’ and ‘7’."
        #expect(
            failure.text(json: false) == "remindctl: \(message)\nhint: Not ‘\(shown)’.\n")
        #expect(failure.text(json: true).contains(#""message":"\#(message)""#))
        let quotes = Failure.usage(String(repeating: "‘’", count: 5000), hint: nil)
        #expect(quotes.text(json: false).count < 1300)
    }

    @Test(arguments: [
        [String(repeating: "x", count: 5000)], ["list", String(repeating: "x", count: 5000)],
        ["list", "--" + String(repeating: "x", count: 5000)],
        ["list", "--sort", String(repeating: "x", count: 5000)],
        ["next", String(repeating: "9", count: 5000)],
    ])
    func aLongArgumentIsNotEchoedWhole(_ words: [String]) throws {
        let run = try remindctl(words)
        #expect(run.exit == .usage)
        #expect(run.err.contains("…’"))
        #expect(run.err.count < 300)
    }

    @Test func theCaretIsLeftOutUnderALongPhrase() {
        func text(_ count: Int) -> String {
            let phrase = String(repeating: "x", count: count)
            let error = APIError.phrase(
                phrase, at: 0..<1, parameter: "at", message: "‘\(phrase)’ is no time.", hint: nil)
            return Failure(
                VarlinkError(
                    name: "org.remindd.Reminders.InvalidPhrase", rawParameters: error.parameters)
            ).text(json: false)
        }
        #expect(text(200).split(separator: "\n").count == 3)
        let cut = String(repeating: "x", count: 59) + "…"
        #expect(text(201) == "remindctl: ‘\(cut)’ is no time.\n")
    }

    @Test func jsonErrorHasItsFieldsInOrder() {
        let error = APIError.phrase(
            "x", at: 0..<1, parameter: "at", message: "‘x’ is no time.", hint: nil)
        let failure = Failure(
            VarlinkError(
                name: "org.remindd.Reminders.InvalidPhrase", rawParameters: error.parameters))
        #expect(
            failure.text(json: true)
                == #"{"error":"InvalidPhrase","message":"‘x’ is no time.","hint":null,"#
                + #""parameters":{"parameter":"at","phrase":"x","position":0,"length":1}}"# + "\n")
    }

    @Test(arguments: APIError.Kind.allCases)
    func everyErrorOfTheInterfaceHasACode(_ kind: APIError.Kind) {
        let expected: RemindAPI.ExitStatus =
            switch kind {
            case .invalidPhrase, .inThePast, .invalidArgument, .wrongState: .data
            case .noSuchReminder, .ambiguousReference, .nothingToUndo: .noInput
            case .storeFailed: .inputOutput
            case .busy: .temporary
            }
        #expect(
            RemindAPI.ExitStatus(error: RemindersInterface.qualified(kind.rawValue)) == expected)
    }

    @Test(arguments: [
        (
            VarlinkError.methodNotFound("org.remindd.Reminders.Undo"),
            RemindAPI.ExitStatus.unavailable,
            "The daemon does not know the method ‘org.remindd.Reminders.Undo’."
        ),
        (.methodNotImplemented("x.Y"), .unavailable, "The daemon does not know the method ‘x.Y’."),
        (.interfaceNotFound("x"), .unavailable, "The daemon does not know the interface ‘x’."),
        (
            .invalidParameter("tags[0]"), .software,
            "The daemon does not take the parameter ‘tags[0]’."
        ),
        (.permissionDenied, .unavailable, "The daemon serves its own user only."),
        (
            VarlinkError(name: "org.remindd.Transport.TooManyConnections"), .temporary,
            "The daemon serves as many clients as it can."
        ),
        (
            VarlinkError(name: "x.Odd", rawParameters: Array("[1]".utf8)), .software,
            "The daemon answered ‘x.Odd’."
        ),
    ])
    func errorsOfVarlinkAreSentences(
        _ error: VarlinkError, _ exit: RemindAPI.ExitStatus, _ message: String
    ) {
        let failure = Failure(error)
        #expect(failure.message == message)
        #expect(failure.exit == exit)
    }

    @Test func codesAreThoseOfSysexits() {
        let codes: [RemindAPI.ExitStatus] = [
            .done, .partly, .usage, .data, .noInput, .unavailable, .software, .cannotCreate,
            .inputOutput, .temporary, .configuration,
        ]
        #expect(codes.map(\.rawValue) == [0, 1, 64, 65, 66, 69, 70, 73, 74, 75, 78])
    }
}

@Suite struct SocketPathTests {
    private func find(
        option: String? = nil, _ variables: [String: String]
    ) throws(Failure) -> String {
        let surroundings = Surroundings(
            environment: { variables[$0] }, terminal: nil, inputDescriptor: -1,
            now: { testNow })
        return try SocketPath.find(option: option, in: surroundings)
    }

    @Test func optionGoesBeforeVariableBeforeRuntimeDirectory() throws {
        let folder = try TestFolder()
        let variables = ["REMINDD_SOCKET": "/v", "XDG_RUNTIME_DIR": folder.path]
        #expect(try find(option: "/o", variables) == "/o")
        #expect(try find(variables) == "/v")
        #expect(try find(["XDG_RUNTIME_DIR": folder.path]) == folder.path + "/remindd.sock")
    }

    @Test func runtimeDirectoryMustBePrivate() throws {
        let folder = try TestFolder()
        let variables = ["XDG_RUNTIME_DIR": folder.path]
        for mode: mode_t in [0o755, 0o710, 0o701] {
            chmod(folder.path, mode)
            let failure = #expect(throws: Failure.self) { try find(variables) }
            #expect(
                failure?.message == "The runtime directory ‘\(folder.path)’ is open to other users."
            )
            #expect(failure?.exit == .configuration)
        }
        chmod(folder.path, 0o700)
        #expect(try find(variables).hasPrefix(folder.path))
    }

    @Test(arguments: [nil, "", "relative", "/nowhere/at/all", "/dev/null"])
    func missingRuntimeDirectoryIsAnErrorAndNeverTmp(_ path: String?) {
        let failure = #expect(throws: Failure.self) {
            try find(path.map { ["XDG_RUNTIME_DIR": $0] } ?? [:])
        }
        #expect(failure?.exit == .configuration)
        #expect(failure?.name == "Configuration")
    }

    /// A-sock-02.
    @Test func pathIsLimitedTo107Bytes() throws {
        let fits = "/" + String(repeating: "x", count: 106)
        #expect(try find(option: fits, [:]) == fits)
        let failure = #expect(throws: Failure.self) { try find(option: fits + "x", [:]) }
        #expect(failure?.exit == .configuration)
        #expect(failure?.message.contains("‘\(fits)x’ is 108 bytes") ?? false)
        #expect(failure?.message.contains("107") ?? false)
    }
}

@Suite struct OutputTests {
    @Test func readerThatHasGoneIsNoError() throws {
        signal(SIGPIPE, SIG_IGN)
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        close(ends[0])
        defer { close(ends[1]) }
        let errors = try TestFile()
        let surroundings = Surroundings(
            environment: { _ in nil }, terminal: nil, inputDescriptor: -1, now: { testNow })
        let exit = Program.run(
            [Array("help".utf8)], in: surroundings, output: Output(fd: ends[1]),
            errors: Output(fd: errors.fd))
        #expect(exit == .done)
        #expect(errors.text.isEmpty)
    }

    @Test func fullDiskIsAnInputOutputError() throws {
        let full = open("/dev/full", O_WRONLY)
        try #require(full >= 0)
        defer { close(full) }
        let errors = try TestFile()
        let surroundings = Surroundings(
            environment: { _ in nil }, terminal: nil, inputDescriptor: -1, now: { testNow })
        let exit = Program.run(
            [Array("help".utf8)], in: surroundings, output: Output(fd: full),
            errors: Output(fd: errors.fd))
        #expect(exit == .inputOutput)
        #expect(errors.text.contains("No space left on device"))
    }
}
