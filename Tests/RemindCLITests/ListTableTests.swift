import RemindAPI
import RemindCore
import Testing

@testable import RemindCLI

@Suite struct ListTableTests {
    static func records(locale: String? = nil) throws -> ListRows {
        let surroundings = Surroundings(
            environment: { $0 == "LC_ALL" ? locale : nil }, terminal: nil, inputDescriptor: -1,
            now: { testNow })
        let style = Style(option: nil, in: surroundings)
        let reminders = [
            reminderJSON(
                3, "買い物リスト", due: "2026-03-01T18:00:00+01:00", tags: ["home"], alarm: .ringing),
            reminderJSON(4, "Pay rent\nnow", due: "2026-03-01", dateOnly: true, priority: .high),
            reminderJSON(
                12, "Water the plants on the balcony and those in the kitchen",
                due: "2026-03-02T18:30:00+01:00", rule: "FREQ=WEEKLY;BYDAY=MO", tags: ["home"],
                alarm: .snoozed),
            reminderJSON(7, "cafe\u{301} 👩‍👩‍👧", due: "2026-03-03T09:00:00+01:00"),
            reminderJSON(8, "שלום", due: "2026-03-06", dateOnly: true),
            reminderJSON(
                120, "Tax", due: "2030-05-01T09:00:00+02:00", timeZone: "Europe/Paris"),
            reminderJSON(9, "Read", alarm: .none),
            reminderJSON(1, "한국어", state: .done, alarm: .none),
        ]
        var rows = ListRows(now: testNow, style: style)
        #expect(try rows.read(reply("reminders", reminders)))
        return rows
    }

    static func text(
        _ rows: ListRows, columns: Int?, color: String = "never", isGrouped: Bool = true
    ) throws -> String {
        let file = try TestFile()
        let output = Output(fd: file.fd)
        let surroundings = Surroundings(
            environment: { _ in nil }, terminal: columns.map(Terminal.init), inputDescriptor: -1,
            now: { testNow })
        let table = ListTable(
            rows, columns: columns, isGrouped: isGrouped,
            style: Style(option: color, in: surroundings))
        try table.write(to: output)
        try output.flush()
        return file.text
    }

    @Test(arguments: [40, 80, 200])
    func linesAreNoWiderThanTheTerminal(_ columns: Int) throws {
        for line in try Self.text(Self.records(), columns: columns).split(separator: "\n") {
            #expect(line.cells <= columns, "\(line)")
        }
    }

    @Test func pipesAreNotCut() throws {
        let text = try Self.text(Self.records(), columns: nil)
        #expect(text.contains("Water the plants on the balcony and those in the kitchen"))
        #expect(!text.contains("\u{2068}"))
        #expect(!text.contains("\u{1B}"))
    }

    @Test func columnsStandUnderEachOther() throws {
        let text = try Self.text(Self.records(), columns: 200)
        let starts = ["yesterday 18:00", "today 18:30", "tomorrow 09:00", "Fri", "Wed 1 May 2030"]
            .compactMap { due in
                text.split(separator: "\n").first { $0.contains("  \(due)") }
                    .flatMap { line in line.range(of: due).map { line[..<$0.lowerBound].cells } }
            }
        #expect(starts.count == 5)
        #expect(Set(starts).count == 1, "\(starts)")
    }

    @Test func headingsAreLeftOutForOtherOrders() throws {
        let text = try Self.text(Self.records(), columns: 80, isGrouped: false)
        #expect(!text.contains("Overdue"))
        #expect(text.split(separator: "\n").count == 8)
    }

    @Test func colourFollowsMeaning() throws {
        let lines = try Self.text(Self.records(), columns: 80, color: "always")
            .split(separator: "\n").map(String.init)
        #expect(lines.contains { $0 == "\u{1B}[1mOverdue\u{1B}[0m" })
        #expect(lines.contains { $0.contains("\u{1B}[1;33m買い物リスト\u{1B}[0m") })
        #expect(lines.contains { $0.contains("\u{1B}[31mPay rent now\u{1B}[0m") })
        #expect(lines.contains { $0.contains("\u{1B}[2;9m한국어\u{1B}[0m") })
    }

    /// A-cli-03.
    @Test(arguments: [
        (["NO_COLOR": "1", "TERM": "xterm-256color"], true, nil, false),
        (["NO_COLOR": "", "TERM": "xterm-256color"], true, nil, true),
        (["TERM": "xterm-256color"], true, nil, true), (["TERM": "dumb"], true, nil, false),
        ([:], true, nil, false), (["TERM": "xterm"], false, nil, false),
        (["TERM": "xterm"], true, "never", false), (["NO_COLOR": "1"], false, "always", true),
    ])
    func colourIsForTerminals(
        _ variables: [String: String], _ terminal: Bool, _ option: String?, _ isOn: Bool
    ) {
        let surroundings = Surroundings(
            environment: { variables[$0] }, terminal: terminal ? Terminal(columns: 80) : nil,
            inputDescriptor: -1, now: { testNow })
        #expect(Style(option: option, in: surroundings).isOn == isOn)
    }

}

extension StringProtocol {
    /// Where `text` first stands.
    fileprivate func range(of text: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(text) {
                return start..<(index(start, offsetBy: text.count))
            }
            start = index(after: start)
        }
        return nil
    }
}
