import Glibc
import RemindAPI
import RemindCore
import Testing

@testable import RemindCLI

/// Output that must not change by accident, as files in Tests/RemindCLITests/Golden. After a change
/// that is meant, renew them and read the difference (CONTRIBUTING, “Build and test”):
///
///     REMINDD_RENEW_GOLDEN=1 swift test --filter GoldenTests; git diff Tests
enum Golden {
    private static let folder =
        #filePath.split(separator: "/").dropLast().map { "/" + $0 }.joined() + "/Golden"

    /// Compares a text with the file of that name.
    static func check(
        _ text: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let path = "\(folder)/\(name).txt"
        if getenv("REMINDD_RENEW_GOLDEN") != nil {
            let file = try #require(fopen(path, "w"), "\(path)", sourceLocation: sourceLocation)
            #expect(fputs(text, file) >= 0)
            #expect(fclose(file) == 0)
            return
        }
        let wanted = try contents(path, sourceLocation).split(
            separator: "\n", omittingEmptySubsequences: false)
        let found = text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(found.count == wanted.count, "\(name)", sourceLocation: sourceLocation)
        for (number, (line, expected)) in zip(found, wanted).enumerated() {
            #expect(line == expected, "\(name):\(number + 1)", sourceLocation: sourceLocation)
        }
    }

    private static func contents(
        _ path: String, _ sourceLocation: SourceLocation
    ) throws -> String {
        let fd = open(path, O_RDONLY | O_CLOEXEC)
        try #require(
            fd >= 0, "\(path) is not there: REMINDD_RENEW_GOLDEN=1 makes it",
            sourceLocation: sourceLocation)
        defer { close(fd) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = read(fd, &piece, piece.count), count > 0 { bytes += piece[..<count] }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// A session at a prompt, as text: what was typed, what came on stdout, what came on stderr behind
/// `2> `, and the exit code when it is not 0.
struct Transcript {
    private(set) var text = ""
    var variables: [String: String]
    var terminal: Terminal?

    init(_ daemon: RealDaemon?, locale: String = "C.UTF-8", terminal: Terminal? = nil) {
        variables = ["LC_ALL": locale, "TERM": "dumb"]
        if let daemon { variables["XDG_RUNTIME_DIR"] = daemon.folder }
        self.terminal = terminal
    }

    /// Runs a line, with blanks and double quotes as in a shell.
    mutating func run(_ line: String, input: String = "") throws {
        try run(shellWords(line).map { Array($0.utf8) }, shown: line, input: input)
    }

    /// - Parameter shown: how the transcript has the words.
    mutating func run(_ words: [[UInt8]], shown: String, input: String = "") throws {
        let run = try remindctl(
            words, variables: variables, terminal: terminal, input: input, now: RealDaemon.now)
        text += "$ remindctl \(shown)\n\(run.out)"
        for line in run.err.split(separator: "\n") { text += "2> \(line)\n" }
        if run.exit != .done { text += "exit \(run.exit.rawValue)\n" }
        #expect([.done, .partly].contains(run.exit) || run.out.isEmpty, "\(shown): \(run.out)")
    }

    /// The text with `ID` for each UUID, whose end is random, and control characters to be seen.
    var steady: String {
        text.replacing("\u{7}", with: "^G").replacing(
            /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/, with: "ID")
    }
}
