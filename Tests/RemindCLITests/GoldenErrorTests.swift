import RemindAPI
import Testing

@testable import RemindCLI

/// Each kind of error: one line with the value in quotes, a caret under the place, a hint; nothing
/// on stdout.
extension GoldenTests {
    private static let misuses = [
        "", "frobnicate", "lst", "ad Tea", "delete 7", "snoze 7 \"tomorrow 9am\"",
        "list --frobnicate", "list --revrese",
        "done 7 --seris", "-x list", "list --limit", "list --limit 0", "list --limit many",
        "list --sort dew", "list --sort=", "--color sometimes list", "add --at 2031-05-01",
        "add --at 2031-05-01 --in 5m Tea", "add --at noon --at 1pm Tea", "list --open --done",
        "list --reverse=yes", "add", "show", "snooze", "next 3 4", "next x", "help frob",
        "help lst", "completions", "completions tcsh", "completions bsh", "--socket", "status now",
    ]

    private static let refusals = [
        "add --at someday Pay rent", "add --at \"tomorrow 25:00\" Tea", "add --at 2031-02-30 Tea",
        "add --at \"10/05/2031\" Tea", "add --at \"next friday\" Tea", "add --at \"9am EST\" Tea",
        "add --at \"買い物 9am\" Tea", "add --at \"2030-05-01 09:00\" Tea", "add --in soon Tea",
        "add --in -5m Tea", "add --every \"day at 25:00\" Tea", "add --every \"blue moon\" Tea",
        "add --rrule FREQ=NEVER Tea", "add --rrule \"FREQ=DAILY;COUNT=0\" Tea",
        "add --at noon --before soon Tea", "add --at noon --nag 1s Tea",
        "add --at noon --tz Mars/Olympus Tea", "add --tag \"\" Tea", "add \"\"", "add \"   \"",
        "add \"\u{2003}\u{3000}\"", "add \"Pay\u{7}rent\"", "edit 1 --title \"\"",
        "snooze 1 yesterday", "pause someday", "when someday", "when --now noon tomorrow",
    ]

    private static let others = [
        "show 99", "show zzzz", "show 0", "done 2", "reopen 1", "snooze 2", "dismiss 2",
        "edit 99 --title Tea", "log 99", "explain 99",
        "import --dry-run /nowhere/tasks.ics", "--socket /nowhere/remindd.sock list",
    ]

    @Test(
        arguments: [("usage", misuses), ("input", refusals), ("others", others)],
        ["C.UTF-8", "C"])
    func errorsReadAsWritten(_ part: (name: String, lines: [String]), _ locale: String) throws {
        let daemon = try RealDaemon()
        var typed = Transcript(daemon, locale: locale)
        try typed.run("add Tea")
        try typed.run("add Done")
        try typed.run("done 2")
        for line in part.lines {
            if line.isEmpty { try typed.run([], shown: "") } else { try typed.run(line) }
        }
        try Golden.check(typed.steady, "errors-\(part.name)-\(locale)")
    }

    @Test func errorsThatNoLineShows() throws {
        let daemon = try RealDaemon()
        var typed = Transcript(daemon)
        let words = [Array("add".utf8), [0x63, 0x61, 0x66, 0xE9]]
        try typed.run(words, shown: "add caf\\xE9")
        try typed.run("--json add --at someday Pay rent")
        try typed.run("--json show 99")
        try typed.run("add Tea")
        try typed.run("done 1 99")
        try typed.run("--json frobnicate")
        try typed.run("add Tea --note -", input: "a\u{1B}b")
        var alone = Transcript(nil)
        try alone.run("list")
        alone.variables["XDG_RUNTIME_DIR"] = "/nowhere"
        try alone.run("list")
        try Golden.check(typed.steady + alone.steady, "errors-more")
    }

    /// Whatever is wrong, the message stands on one line, and there is a hint.
    @Test func everyErrorIsOneLineWithAHint() throws {
        let daemon = try RealDaemon()
        for line in Self.misuses + Self.refusals + Self.others {
            let words = line.isEmpty ? [] : shellWords(line)
            let run = try remindctl(
                words, variables: ["XDG_RUNTIME_DIR": daemon.folder], now: RealDaemon.now)
            let lines = run.err.split(separator: "\n", omittingEmptySubsequences: false)
            #expect(run.exit != .done, "\(line)")
            #expect(run.out.isEmpty, "\(line)")
            #expect(lines.first?.hasPrefix("remindctl: ") ?? false, "\(line): \(run.err)")
            #expect(lines.count(where: { $0.hasPrefix("hint: ") }) == 1, "\(line): \(run.err)")
            #expect([3, 5].contains(lines.count), "\(line): \(run.err)")
        }
    }

    /// What a hint says in full can be typed: it is no misuse again, and its phrases are read.
    @Test func hintsWork() throws {
        let daemon = try RealDaemon()
        func hint(_ words: [String]) throws -> (run: Run, text: String) {
            let run = try remindctl(
                words, variables: ["XDG_RUNTIME_DIR": daemon.folder], now: RealDaemon.now)
            let line = run.err.split(separator: "\n").first { $0.hasPrefix("hint: ") } ?? ""
            return (run, String(line.dropFirst("hint: ".count)))
        }
        var tried = 0
        for line in Self.misuses + Self.refusals {
            let said = try hint(line.isEmpty ? [] : shellWords(line)).text
            if said.hasPrefix("remindctl "), !said.hasSuffix(".") {
                let command = said.split(separator: ",")[0]
                let again = try hint(Array(shellWords(String(command)).dropFirst()))
                #expect(again.run.exit != .usage, "\(line): \(said)")
                tried += 1
            }
            for phrase in said.matches(of: /(?:Try|or|,) ‘([^’]+)’ \(/).map({ String($0.1) }) {
                #expect(try hint(["when", phrase]).run.exit == .done, "\(line): \(said)")
                tried += 1
            }
        }
        #expect(tried > 30)
    }
}
