import RemindAPI
import RemindCore
import Testing

@testable import RemindCLI

/// The list that `watch` shows on a terminal, and what a list tells besides titles.
@Suite struct LiveListTests {
    private static func rows(_ reminders: [[UInt8]], now: Instant = testNow) throws -> ListRows {
        let surroundings = Surroundings(
            environment: { _ in nil }, terminal: nil, inputDescriptor: -1, now: { testNow })
        var rows = ListRows(now: now, style: Style(option: "never", in: surroundings))
        #expect(try rows.read(reply("reminders", reminders)))
        return rows
    }

    private static func frame(
        _ count: Int, columns: Int = 40, lines: Int = 8, from wanted: Int = 0,
        notice: String? = nil
    ) throws -> [String] {
        let reminders = (1...max(count, 1)).prefix(count).map { number in
            reminderJSON(Int64(number), "Task \(number)", due: "2026-03-02T18:30:00+01:00")
        }
        var size = Terminal(columns: columns)
        size.rows = lines
        let surroundings = Surroundings(
            environment: { _ in nil }, terminal: size, inputDescriptor: -1, now: { testNow })
        let frame = LiveFrame(
            try rows(Array(reminders)), size: size, isGrouped: true,
            style: Style(option: "never", in: surroundings))
        let file = try TestFile()
        let output = Output(fd: file.fd)
        frame.add(to: output, from: frame.top(wanted: wanted), notice: notice)
        try output.flush()
        return file.text.split(separator: "\r\n", omittingEmptySubsequences: false).map { line in
            #expect(line.hasPrefix("\u{1B}[K"))
            return String(line.dropFirst(3))
        }
    }

    @Test func frameFillsTheScreenAndNoMore() throws {
        #expect(
            try Self.frame(2) == [
                "Today", "1    Task 1  today 18:30", "2    Task 2  today 18:30", "", "", "", "",
                "2 tasks  q: leave",
            ])
        #expect(try Self.frame(0).first == "No reminders.")
        #expect(try Self.frame(0).count == 8)
    }

    @Test func frameOfALongListShowsAPartOfIt() throws {
        let first = try Self.frame(20)
        #expect(first.count == 8)
        #expect(first.last == "20 tasks  (lines 1-7 of 21)  q: leave")
        let last = try Self.frame(20, from: 1000)
        #expect(last.dropLast().last == "20    Task 20  today 18:30")
        #expect(last.last == "20 tasks  (lines 15-21 of 21)  q: leave")
    }

    @Test func frameSaysWhatIsWrong() throws {
        let frame = try Self.frame(1, columns: 20, notice: "The daemon has stopped; waiting for it")
        #expect(frame.last == "The daemon has stop…")
    }

    @Test func keysOfSeveralTerminalsAreKnown() {
        #expect(
            LiveScreen.keys("j\u{1B}[A\u{1B}OB\u{1B}[6~Gq") == [
                .lines(1), .lines(-1), .lines(1), .pages(1), .end, .quit,
            ])
        #expect(LiveScreen.keys("x\u{1B}[24~").allSatisfy { $0 != .quit })
    }

    @Test(arguments: [
        // Overdue after its own instant; a whole day and an undated one at midnight.
        ("2026-03-02T10:30:00+01:00", "2026-03-02T10:30:00.001+01:00"),
        ("2026-03-01T10:30:00+01:00", "2026-03-03T00:00:00+01:00"),
        ("2026-03-04T10:30:00+01:00", "2026-03-03T00:00:00+01:00"),
        ("2026-03-02", "2026-03-03T00:00:00+01:00"),
        ("2026-03-03T05:00:00+05:30", "2026-03-03T00:00:00+05:30"),
    ])
    func listKnowsWhenItsWordsChange(_ due: String, _ change: String) throws {
        let rows = try Self.rows([reminderJSON(1, "A", due: due, dateOnly: due.count == 10)])
        #expect(rows.nextChange == Instant(rfc3339: change))
        let later = try Self.rows(
            [reminderJSON(1, "A", due: due, dateOnly: due.count == 10)],
            now: try #require(Instant(rfc3339: change)))
        #expect(
            later[0].group != rows[0].group
                || later.texts.text(later[0].when) != rows.texts.text(rows[0].when))
    }

    @Test(arguments: [
        ("To the landlord\nby bank", "To the landlord…"), ("a\\\"b\té", "a\\\"b é"),
        (String(repeating: "x", count: 300), String(repeating: "x", count: 39) + "…"),
        (String(repeating: "買", count: 300), String(repeating: "買", count: 19) + "…"),
        ("\u{1B}[2J", "\u{FFFD}[2J"),
    ])
    func notesFirstLineIsAPreview(_ note: String, _ preview: String) throws {
        let rows = try Self.rows([reminderJSON(1, "A", note: note)])
        #expect(rows.texts.text(rows[0].note) == preview)
    }

    @Test func previewTakesWhatIsLeftOfTheTerminal() throws {
        let rows = try Self.rows([
            reminderJSON(
                1, "Pay rent", due: "2026-03-02T18:30:00+01:00", tags: ["home"],
                note: "To the landlord by bank"),
            reminderJSON(2, "Read", priority: .low, alarm: .none),
        ])
        let text = { columns in try ListTableTests.text(rows, columns: columns) }
        #expect(
            try text(nil) == """
                Today
                1    Pay rent  today 18:30  #home  To the landlord by bank

                No date
                2  - Read

                """)
        #expect(try text(50).contains("#home  To the landlor…\n"))
        #expect(try text(40).contains("#home\n"))
    }
}
