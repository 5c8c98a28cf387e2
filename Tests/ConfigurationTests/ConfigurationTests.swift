import RemindCore
import Testing

@testable import Configuration

private func outcome(_ text: String) -> ConfigurationFile.Outcome {
    ConfigurationFile.read(Array(text.utf8))
}

private func settings(_ change: (inout Settings) -> Void) -> Settings {
    var settings = Settings()
    change(&settings)
    return settings
}

@Suite("A valid file")
struct ValidFileTests {
    private static let time = CivilTime(hour: 7, minute: 30) ?? .noon
    private static let late = CivilTime(hour: 22) ?? .noon

    @Test(
        "Each key sets its setting",
        arguments: [
            ("[Reminders]\nAllDayTime=07:30", settings { $0.allDayTime = time }),
            ("[Reminders]\nMorning=7:30am", settings { $0.morning = time }),
            ("[Reminders]\nEvening=10pm", settings { $0.evening = late }),
            ("[Reminders]\nBefore=1h", settings { $0.before = [CalendarDuration(seconds: 3600)] }),
            (
                "[Reminders]\nBefore=15m, 1d;15m",
                settings {
                    $0.before = [CalendarDuration(seconds: 900), CalendarDuration(days: 1)]
                }
            ),
            ("[Reminders]\nNag=5m", settings { $0.nag = 300 }),
            ("[Reminders]\nNag=1 day", settings { $0.nag = 86_400 }),
            ("[Reminders]\nWeekStart=Sunday", settings { $0.weekStart = .sunday }),
            ("[Reminders]\nDateOrder=dmy", settings { $0.dateOrder = .dayFirst }),
            ("[Reminders]\nDateOrder=MDY", settings { $0.dateOrder = .monthFirst }),
            ("[Popups]\nSnooze=5 min", settings { $0.snooze = CalendarDuration(seconds: 300) }),
            ("[Popups]\nLongSnooze=1 day", settings { $0.longSnooze = CalendarDuration(days: 1) }),
            ("[Popups]\nTimeout=30s", settings { $0.popupTimeout = 30_000 }),
            ("[Popups]\nTimeout=never", Settings()),
            ("[Popups]\nDigestAbove=0", settings { $0.digestAbove = 0 }),
            ("[Popups]\nDigestAbove=1000", settings { $0.digestAbove = 1000 }),
            ("[Popups]\nSound=off", settings { $0.sound = false }),
            (
                "[Quiet]\nFrom=22:00\nUntil=07:30",
                settings { $0.quiet = .init(from: late, until: time) }
            ),
            ("[Hooks]\nOnRing=/usr/bin/true", settings { $0.onRing = "/usr/bin/true" }),
        ])
    func values(text: String, expected: Settings) {
        let outcome = outcome(text)
        #expect(outcome.faults.isEmpty)
        #expect(outcome.settings == expected)
    }

    @Test(
        "What changes nothing",
        arguments: [
            "", "\n\n", "# Sound=off\n", "[Popups]\n", "[Popups]\nSound=\n",
            "[Quiet]\nFrom=\nUntil=",
            "\u{FEFF}[Popups]\r\nSound=on\r\n", "  [Popups]  \n  Sound = on  ",
            "[Popups]\n[Popups]",
        ])
    func nothing(text: String) {
        #expect(outcome(text).faults.isEmpty)
        #expect(outcome(text).settings == Settings())
    }
}

@Suite("A file with faults")
struct FaultTests {
    @Test(
        "A fault names its line, its key, its value and what is allowed",
        arguments: [
            ("[Popups]\n\nSnooze=abc", 3, ["Snooze=abc", "such as 10m"]),
            ("[Popups]\nSnooze=-5m", 2, ["negative"]),
            ("[Popups]\nSnooze=0m", 2, ["no time at all"]),
            ("[Popups]\nSnooze=10m # ten", 2, ["A comment stands on a line of its own"]),
            ("[Reminders]\nAllDayTime=25:00", 2, ["AllDayTime=25:00", "such as 09:00"]),
            ("[Reminders]\nMorning=tomorrow 9am", 2, ["‘tomorrow 9am’ is no time of day"]),
            ("[Reminders]\nMorning=evening", 2, ["‘evening’ is no time of day"]),
            ("[Reminders]\nMorning=now", 2, ["no time of day"]),
            ("[Reminders]\nNag=59s", 2, ["too often", "a minute or more"]),
            ("[Reminders]\nNag=1 month", 2, ["not always equally long"]),
            ("[Reminders]\nWeekStart=mo", 2, ["‘mo’ is no weekday"]),
            ("[Reminders]\nDateOrder=ymd", 2, ["dmy"]),
            ("[Popups]\nTimeout=25 days", 2, ["too long", "24 days"]),
            ("[Popups]\nDigestAbove=1001", 2, ["0 to 1000"]),
            ("[Popups]\nDigestAbove=-1", 2, ["0 to 1000"]),
            ("[Popups]\nSound=loud", 2, ["neither on nor off"]),
            ("[Quiet]\nFrom=22:00", 2, ["needs an Until"]),
            ("[Quiet]\n#\nUntil=7:00", 3, ["needs a From"]),
            ("[Quiet]\nFrom=7:00\nUntil=7am", 3, ["the same time"]),
            ("[Hooks]\nOnRing=notify.sh", 2, ["not a path that begins with /"]),
            ("[Hooks]\nOnRing=/bin/\\q", 2, ["escape"]),
            ("[Popups]\nSnoze=10m", 2, ["‘Snoze’", "Did you mean Snooze?"]),
            ("[Popups]\nsnooze=10m", 2, ["Did you mean Snooze?"]),
            ("[Popups]\nNag=10m", 2, ["belongs into [Reminders]"]),
            ("[Popups]\nEvning=10m", 2, ["Did you mean Evening in [Reminders]?"]),
            ("[Popups]\nColour=red", 2, ["It has Snooze, LongSnooze"]),
            ("[Popup]\nSnooze=10m", 1, ["[Popup]", "Did you mean [Popups]?"]),
            ("[Colours]\nSnooze=10m", 1, ["There are [Reminders], [Popups], [Quiet], [Hooks]"]),
            ("[Popups]\nSound=on\n[Quiet]\n[Popups]\nSound=off", 5, ["set twice", "line 2"]),
            ("Snooze=10m\n[Popups]", 1, ["before the first group"]),
            ("[Popups]\nSound=on\nwhat is this\n", 3, ["‘what is this’", "Key=value"]),
            ("[Popups\nSound=on", 1, ["‘[Popups’"]),
        ] as [(String, Int, [String])])
    func one(text: String, line: Int, parts: [String]) throws {
        let fault = try #require(outcome(text).faults.first)
        #expect(fault.line == line)
        for part in parts { #expect(fault.message.contains(part), "\(fault.message)") }
    }

    @Test("All faults are told, in the order of their lines, and the rest is read")
    func several() {
        let text = """
            [Popups]
            Snooze=soon
            not a line
            Sound=off
            [Colours]
            [Quiet]
            From=22:00
            """
        let outcome = outcome(text)
        #expect(outcome.faults.map(\.line) == [2, 3, 5, 7])
        #expect(!outcome.settings.sound)
        #expect(outcome.settings.snooze == Settings().snooze)
    }

    @Test("A fault is written with file and line, and without a line where there is none")
    func text() {
        #expect(ConfigurationFile.Fault(line: 7, message: "No.").text(path: "/c") == "/c:7: No.")
        #expect(ConfigurationFile.Fault(line: nil, message: "No.").text(path: "/c") == "/c: No.")
    }

    @Test("What a terminal would obey does not come into a message")
    func control() {
        let messages = outcome("[Popups]\nSound=\u{1B}[31mred\n\u{1B}c\n").faults.map(\.message)
        #expect(messages.count == 2)
        #expect(messages.allSatisfy { !$0.unicodeScalars.contains("\u{1B}") })
    }

    @Test("A file that is no text is refused where it is none")
    func noText() {
        let nul = ConfigurationFile.read(Array("[Popups]\nSound=o\0ff".utf8))
        #expect(nul.faults.map(\.line) == [2])
        let latin = ConfigurationFile.read(Array("# ok\n".utf8) + [0xE9])
        #expect(latin.faults.map(\.line) == [2])
    }

    @Test(
        "The largest file is read, one byte more is refused; faults of the syntax are not endless")
    func limits() {
        let comment = [UInt8](repeating: UInt8(ascii: "#"), count: ConfigurationFile.sizeLimit)
        #expect(ConfigurationFile.read(comment).faults.isEmpty)
        #expect(ConfigurationFile.read(comment + [10]).faults.map(\.line) == [nil])
        let noise = String(repeating: "noise\n", count: 100)
        #expect(outcome(noise).faults.count == ConfigurationFile.syntaxFaultLimit)
    }
}

@Suite("The commented default file")
struct DefaultFileTests {
    private static func text() throws -> String {
        let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        return try #require(readText("/" + root + "/docs/remindd.conf"))
    }

    @Test("It is valid, and changes nothing")
    func commented() throws {
        let outcome = outcome(try Self.text())
        #expect(outcome.faults.isEmpty)
        #expect(outcome.settings == Settings())
    }

    @Test("Every key stands in it with its default: uncommented, it still changes nothing")
    func uncommented() throws {
        let text = try Self.text().replacingKeysUncommented()
        let outcome = outcome(text)
        #expect(outcome.faults.isEmpty)
        #expect(outcome.settings == Settings())
        let keys = TextLines(Array(text.utf8)).places.compactMap(\.key)
        #expect(keys == ConfigurationKey.all.map(\.name))
    }
}
