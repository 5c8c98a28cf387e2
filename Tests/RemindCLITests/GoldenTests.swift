import RemindAPI
import Testing

@testable import RemindCLI

@Suite struct GoldenTests {
    @Test func helpReadsAsWritten() throws {
        try Golden.check(remindctl(["help"]).out, "help")
    }

    @Test(arguments: CommandTable.commands.map(\.name))
    func helpOfACommandReadsAsWritten(_ name: String) throws {
        let run = try remindctl(["help", name])
        try Golden.check(run.out, "help-\(name)")
        #expect(run.out.utf8.allSatisfy { $0 < 0x80 })
    }

    @Test func helpOnANarrowTerminalReadsAsWritten() throws {
        let daemon = try RealDaemon()
        var typed = Transcript(daemon, terminal: Terminal(columns: 40))
        for line in ["help", "help add", "help list", "help snooze"] { try typed.run(line) }
        try Golden.check(typed.steady, "help-40")
        for line in typed.text.split(separator: "\n") where !line.hasPrefix("$") {
            #expect(line.cells <= 40 || !line.dropFirst(6).contains(" "), "\(line)")
        }
    }

    /// A task of each group, with text of many scripts.
    private static func seed(_ daemon: RealDaemon) throws {
        var typed = Transcript(daemon)
        for line in [
            "add 買い物リスト --at \"2031-03-02 18:00\" --past --tag home",
            "add Pay rent --at 2031-03-02 --past --priority high",
            "add Water the plants on the balcony and those in the kitchen --at \"today 18:30\" "
                + "--every \"monday at 18:30\" --tag home",
            "add cafe\u{301} 👩\u{200D}👩\u{200D}👧 --at \"tomorrow 09:00\"",
            "add שלום --at friday", "add Tax --at \"2031-05-01 09:00\" --tz Europe/Paris",
            "add Read … --list books --note \"A line.\n\tAnother one.\"", "add 한국어", "done 8",
        ] {
            try typed.run(line)
        }
        daemon.ring()
        try typed.run("snooze 2 2h")
        #expect(!typed.text.contains("2> "), "\(typed.text)")
    }

    @Test(arguments: [40, 80, 200], ["C.UTF-8", "C"])
    func listReadsAsWritten(_ columns: Int, _ locale: String) throws {
        let daemon = try RealDaemon()
        try Self.seed(daemon)
        var typed = Transcript(daemon, locale: locale, terminal: Terminal(columns: columns))
        try typed.run("list --all")
        try typed.run("list --all --sort title")
        try typed.run("next")
        try typed.run("log")
        for line in ["lists", "tags", "show 6", "explain 6", "status", "undo --list"] {
            try typed.run(line)
        }
        try Golden.check(typed.steady, "list-\(columns)-\(locale)")
        for line in typed.text.split(separator: "\n") { #expect(line.cells <= columns, "\(line)") }
        if locale == "C" { #expect(typed.text.utf8.allSatisfy { $0 < 0x80 }) }
    }

    @Test(arguments: ["C.UTF-8", "C"])
    func showReadsAsWritten(_ locale: String) throws {
        let daemon = try RealDaemon()
        try Self.seed(daemon)
        var typed = Transcript(daemon, locale: locale)
        for line in ["show 3", "show 7", "explain 3", "list --all"] { try typed.run(line) }
        for line in ["pause until 14:00", "status", "resume"] { try typed.run(line) }
        try typed.run("when \"monthly on the 31st\" --count 3")
        try Golden.check(typed.steady, "show-\(locale)")
    }

    @Test func jsonReadsAsWritten() throws {
        let daemon = try RealDaemon()
        try Self.seed(daemon)
        // The locale changes nothing of it.
        var typed = Transcript(daemon, locale: "C")
        for line in [
            "add Tea --in 10m --before 5m --nag 5m --tag hot", "list --all", "show 3",
            "edit 9 --title \"Green tea\"", "snooze 9 20m", "dismiss 1", "done 3", "done 9",
            "reopen 9", "lists", "tags", "list --today", "next 2", "log", "explain 6",
            "when \"tomorrow 9am\" --count 1",
            "pause 1h", "resume", "status", "rm 9", "completions tcsh",
        ] {
            try typed.run("--json " + line)
        }
        try typed.run("--json import --dry-run --count 2 -", input: Self.calendar)
        try Golden.check(typed.steady, "json")
    }

    private static let calendar = """
        BEGIN:VCALENDAR\r
        VERSION:2.0\r
        PRODID:-//example//EN\r
        BEGIN:VTODO\r
        UID:tea@example.org\r
        DTSTAMP:20310101T000000Z\r
        SUMMARY:Tea\r
        DUE:20310501T090000Z\r
        RRULE:FREQ=DAILY\r
        END:VTODO\r
        END:VCALENDAR\r

        """
}
