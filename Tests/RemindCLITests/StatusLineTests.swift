import RemindAPI
import RemindCore
import Testing

@testable import RemindCLI

/// `status --format`.
@Suite struct StatusLineTests {
    private static let values: [StatusField: String] = [
        .open: "12", .ringing: "0", .overdue: "3", .nextTitle: #"Say "hi" & <b>100%</b> #1"#,
    ]

    @Test(arguments: [
        ("{open} open", "12 open"), ("{next.time}|", "|"),
        (#"{"text":"{open}","x":{"y":1}}"#, #"{"text":"12","x":{"y":1}}"#),
        ("{{open} {1} {", "{open} {1} {"),
        ("{?ringing}rings{:}calm{/}", "calm"), ("{?overdue}{overdue} late{/}!", "3 late!"),
        ("{?paused}a{/}", ""), ("{?open}{?ringing}r{:}o{/}{/}", "o"),
        ("{next.title|8}", "Say \"hi…"),
        ("{next.title|json}", #"Say \"hi\" & <b>100%</b> #1"#),
        (
            "{next.title|pango|json}",
            #"Say &quot;hi&quot; &amp; &lt;b&gt;100%&lt;/b&gt; #1"#
        ),
        ("{next.title|tmux}", #"Say "hi" & <b>100%</b> ##1"#),
        ("{next.title|polybar}", #"Say "hi" & <b>100%%</b> #1"#),
    ])
    func templateGivesALine(_ format: String, _ line: String) throws {
        #expect(try StatusTemplate(format).line(Self.values) == line)
    }

    @Test(arguments: [
        ("{opn}", "In the format, ‘{opn}’ is no field."),
        ("{?opn|9}a{/}", "In the format, ‘{?opn|9}’ is no field."),
        ("{open", "In the format, ‘{open’ has no } behind it."),
        ("{open|loud}", "In the format, ‘{open|loud}’ has no filter ‘loud’."),
        ("{?open}a", "In the format, ‘{?…}’ has no {/} behind it."),
        ("a{/}", "In the format, ‘{/}’ has no {?field} before it."),
        (
            String(repeating: "{?open}", count: 9000),
            "In the format, ‘{?…}’ stands within more than 32 others."
        ),
    ])
    func formatThatIsNoneIsRefused(_ format: String, _ message: String) throws {
        let run = try remindctl(["status", "--format", format])
        #expect(run.exit == .data)
        #expect(run.err.hasPrefix("remindctl: \(message)\n"))
    }

    @Test(
        arguments: [
            (0, "now", nil), (1, "1 min", 0), (60, "1 min", 0), (61, "2 min", 60),
            (5400, "1 h 30 min", 5340), (50_000, "13 h", nil), (400_000, "4 days", nil),
        ] as [(Int64, String, Int64?)])
    func distanceIsShortAndKnowsWhenItChanges(
        _ seconds: Int64, _ words: String, _ changesAtDistance: Int64?
    ) {
        let ring = testNow.advanced(bySeconds: seconds)
        let distance = Distance(from: testNow, to: ring)
        #expect(distance.words == words)
        if let changesAtDistance {
            #expect(distance.nextChange == ring.advanced(bySeconds: -changesAtDistance))
        }
        guard seconds > 0 else { return }
        #expect(distance.nextChange > testNow)
        #expect(Distance(from: distance.nextChange, to: ring).words != words)
    }

    private static let status =
        #"{"version":"1","processID":1,"database":"d","open":4,"pending":2,"ringing":1,"#
        + #""holding":true,"holdingUntil":null,"held":0,"nextRing":null,"#
        + #""notificationServer":null,"timeZone":"Europe/Berlin","#
        + #""now":"2026-03-02T10:00:00+01:00"}"#

    @Test func formatAsksForWhatItNeeds() throws {
        let tasks = [
            reminderJSON(1, "A", due: "2026-03-01T18:00:00+01:00"),
            reminderJSON(2, "B", due: "2026-03-02T08:00:00+01:00"),
            reminderJSON(3, "C", due: "2026-03-02", dateOnly: true),
            reminderJSON(4, "D", due: "2026-03-05T09:00:00+01:00"),
        ]
        let ring =
            Array(
                #"{"at":"2026-03-02T10:45:00+01:00","due":"2026-03-02T10:45:00+01:00","reminder":"#
                    .utf8)
            + tasks[2] + Array("}".utf8)
        let daemon = try ScriptedDaemon([
            "Status": answering(Self.status), "List": answering(reply("reminders", tasks)),
            "Next": answering(reply("rings", [ring])),
        ])
        let counts = try daemon.run("status", "--format", "{open} {ringing} {paused} {daemon}")
        #expect(counts.out == "4 1 yes running\n")
        #expect(daemon.calls == ["Status {}"])
        let all = try daemon.run(
            "status", "--format", "{overdue} {today} {class} {next.title} {next.time} {next.in}")
        #expect(all.out == "2 2 ringing C today 10:45 45 min\n")
    }

    @Test(arguments: [
        ("2026-03-02T10:45:00+01:00", "today 10:45"),
        ("2026-03-03T01:00:00+01:00", "tomorrow 01:00"),
        ("2026-03-08T09:00:00+01:00", "Sun 09:00"),
        ("2030-05-01T09:00:00+02:00", "Wed 1 May 2030, 09:00"),
    ])
    func nextTimeIsToldByTheClockHere(_ at: String, _ words: String) throws {
        // The task has a zone of its own.
        let task = reminderJSON(1, "Call", due: "2026-03-03T09:00:00+09:00")
        let ring = Array(#"{"at":"\#(at)","due":"2026-03-03T09:00:00+09:00","reminder":"#.utf8)
        let daemon = try ScriptedDaemon([
            "Status": answering(Self.status),
            "Next": answering(reply("rings", [ring + task + Array("}".utf8)])),
        ])
        #expect(try daemon.run("status", "--format", "{next.time}").out == words + "\n")
    }

    @Test func formatAndJSONExcludeEachOther() throws {
        #expect(try remindctl(["status", "--json", "--format", "x"]).exit == .usage)
    }
}
