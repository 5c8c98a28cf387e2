import RemindCore
import Testing

@testable import Calendaring

/// Files of other tools.
@Suite struct OtherToolTests {
    /// What came out, in short.
    private static func read(
        _ tool: OtherTool, _ files: [(name: String, text: String)], chunk: Int = 1000
    ) throws -> (items: [ICalendarItem], problems: [ICalendarProblem]) {
        var reader = try #require(tool.lineReader)
        var items: [ICalendarItem] = []
        var problems: [ICalendarProblem] = []
        func take(_ output: ICalendarOutput) {
            switch output {
            case .item(let item): items.append(item)
            case .component: break
            case .problem(let problem): problems.append(problem)
            }
        }
        for file in files {
            reader.begin(file: file.name)
            let bytes = Array(file.text.utf8)
            for start in stride(from: 0, to: bytes.count, by: chunk) {
                reader.feed(Array(bytes[start..<min(start + chunk, bytes.count)]), take)
            }
            reader.endFile(take)
        }
        reader.end(take)
        return (items, problems)
    }

    @Test(
        "a line of todo.txt is a task with its project, contexts, dates and priority",
        arguments: [
            ("Buy milk", "Buy milk"),
            ("(A) Call Mum +Family @phone", "Call Mum | list Family | #phone | high"),
            (
                "(B) 2030-04-01 Ask +Ann about @home work",
                "Ask +Ann about @home work | list Ann | #home"
            ),
            ("(D) Later due:2030-05-01", "Later | 2030-05-01 | low"),
            ("(a) not a priority", "(a) not a priority"),
            (
                "x 2030-04-02 2030-04-01 Rent pri:A due:2030-05-01",
                "Rent | 2030-05-01 | high | done"
            ),
            ("xylophone lesson", "xylophone lesson"),
            ("Rent due:2030-05-01T09:30", "Rent | 2030-05-01T09:30:00"),
            ("Hidden t:2030-05-01", "Hidden | 2030-05-01"),
            ("Bins due:2030-05-01 rec:+1w", "Bins | 2030-05-01 | FREQ=WEEKLY"),
            (
                "Pot due:2030-05-31 rec:1m",
                "Pot | 2030-05-31 | FREQ=MONTHLY;INTERVAL=1 | from completion"
            ),
            (
                "Pay due:2030-05-31 rec:+1m",
                "Pay | 2030-05-31 | FREQ=MONTHLY;BYMONTHDAY=28,29,30,31;BYSETPOS=-1"
            ),
            ("Work due:2030-05-01 rec:+1b", "Work | 2030-05-01 | FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"),
            ("See http://a.example/b:c id:4", "See http://a.example/b:c id:4"),
            ("+Garden @home", "+Garden @home | list Garden | #home"),
            ("a + b @ c", "a + b @ c"),
        ])
    func todoTxt(line: String, expected: String) throws {
        let read = try Self.read(.todoTxt, [("", line + "\r\n\n")])
        #expect(read.items.map(\.said) == [expected])
        #expect(read.problems.isEmpty)
    }

    @Test(
        "what todo.txt says wrongly is left out and reported with its line",
        arguments: [
            ("Rent due:2030-02-30", "‘due:2030-02-30’", "Rent"),
            ("Rent rec:1w", "‘rec:1w’", "Rent"),
            ("Rent due:2030-05-01 rec:often", "‘rec:often’", "Rent | 2030-05-01"),
        ])
    func wrongTodoTxt(line: String, named: String, expected: String) throws {
        let read = try Self.read(.todoTxt, [("", "Tea\n" + line)])
        #expect(read.items.map(\.said) == ["Tea", expected])
        #expect(read.problems.map(\.line) == [2])
        #expect(read.problems.allSatisfy { $0.reason.contains(named) && !$0.isRefusal })
    }

    @Test("a line that says nothing is refused and the rest comes in")
    func emptyTodoTxt() throws {
        let read = try Self.read(.todoTxt, [("", "(A) due:2030-05-01\nTea")])
        #expect(read.items.map(\.summary) == ["Tea"])
        #expect(read.problems.map(\.isRefusal) == [true])
    }

    @Test("a task without an identity keeps the one that is made of it")
    func identities() throws {
        let first = try Self.read(.todoTxt, [("", "Tea due:2030-05-01\nTea\n2030-01-01 Tea")])
        let later = try Self.read(.todoTxt, [("", "(A) Tea due:2031-05-01 @home\nx Tea")])
        #expect(Set(first.items.map(\.uid)).count == 3)
        #expect(later.items.map(\.uid) == first.items.prefix(2).map(\.uid))
        #expect(later.items[0].contentHash != first.items[0].contentHash)
        let again = try Self.read(.todoTxt, [("", "Tea due:2030-05-01")], chunk: 3)
        #expect(again.items[0].contentHash == first.items[0].contentHash)
    }

    /// As calcurse 4.7.1 wrote them.
    private static let apts = """
        05/01/2030 [1] {1Y} May day | with > sign
        05/01/2030 [1] {1D -> 05/03/2030} >dd6a95cc66397b62bd736e002fd801a09b80c179 Three days
        05/01/2030 @ 09:00 -> 05/01/2030 @ 09:30 {2W -> 07/08/2030 w1 w3} !Byday
        05/01/2030 @ 09:00 -> 05/01/2030 @ 09:30 {1W -> 05/01/2031 !05/08/2030} |Weekly
        05/01/2030 @ 09:00 -> 05/01/2030 @ 10:00>6c438459de25822dbc686f5559650f41acd667c5 |Dentist
        05/31/2030 @ 09:00 -> 05/31/2030 @ 10:00 {1M w8 w-12 d-1 m5} |Odd

        """
    private static let todo = """
        [1]>4b61f9110fdc6c1d4ddb0e04f8e31621e755a4f4 Buy milk
        [0] none
        [-5] Done
        [9] Low

        """

    @Test("the files of calcurse come in with their notes")
    func calcurse() throws {
        let files = [
            ("notes/6c438459de25822dbc686f5559650f41acd667c5", "Bring\nthe letter\n\n"),
            ("notes/4b61f9110fdc6c1d4ddb0e04f8e31621e755a4f4", "note"), ("apts", Self.apts),
            ("todo", Self.todo),
        ]
        let read = try Self.read(.calcurse, files, chunk: 7)
        #expect(
            read.items.map(\.said) == [
                "May day | with > sign | 2030-05-01 | FREQ=YEARLY",
                "Three days | 2030-05-01 | FREQ=DAILY;UNTIL=20300503",
                "Byday | 2030-05-01T09:00:00 | FREQ=WEEKLY;INTERVAL=2;UNTIL=20300708T235959;"
                    + "BYDAY=MO,WE | high",
                "Weekly | 2030-05-01T09:00:00 | FREQ=WEEKLY;UNTIL=20310501T235959 | but "
                    + "2030-05-08T09:00:00",
                "Dentist | 2030-05-01T09:00:00 | note Bring\nthe letter",
                "Odd | 2030-05-31T09:00:00 | FREQ=MONTHLY;BYDAY=1MO,-1FR;BYMONTHDAY=-1;BYMONTH=5",
                "Buy milk | high | note note", "none", "Done | done", "Low | low",
            ])
        #expect(read.problems.isEmpty)
        #expect(read.items.map(\.line) == [1, 2, 3, 4, 5, 6, 1, 2, 3, 4])
    }

    @Test(
        "what calcurse would not write is refused",
        arguments: [
            "13/01/2030 [1] Tea", "05/01/2030 @ 25:00 -> 05/01/2030 @ 09:30 |Tea", "Tea",
            "05/01/2030 [1] {1X} Tea", "05/01/2030 [1] {0D} Tea", "05/01/2030 [1] {1D w99} Tea",
            "[12] Tea", "[1", "05/01/2030 [1] {1D", "[1] ", "05/01/2030",
        ])
    func wrongCalcurse(line: String) throws {
        let read = try Self.read(.calcurse, [("", line + "\n[0] Last")])
        #expect(read.items.map(\.summary) == ["Last"])
        #expect(read.problems.map(\.isRefusal) == [true])
    }

    private static func script(_ commands: String) -> String {
        """
        #!/bin/sh
        # atrun uid=0 gid=0
        # mail root 0
        umask 22
        HOME=/root; export HOME
        cd /root || {
        \t echo 'Execution directory inaccessible' >&2
        \t exit 1
        }
        \(commands)

        """
    }

    @Test("jobs of at come in, each text after its line or all texts after all lines")
    func at() throws {
        let lines = [
            "1\tWed May  1 09:00:00 2030 a root\n", "12\tSat Jun 15 19:30:00 2030 b root\n",
        ]
        let texts = [
            Self.script("echo Tea\necho more\n"),
            Self.script(
                "${SHELL:-/bin/sh} << 'marcinDELIMITER0c2a'\nmail bob\n\nmarcinDELIMITER0c2a"),
        ]
        let expected = [
            "echo Tea | 2030-05-01T09:00:00 | note echo Tea\necho more",
            "mail bob | 2030-06-15T19:30:00",
        ]
        for text in [lines[0] + texts[0] + lines[1] + texts[1], (lines + texts).joined()] {
            let read = try Self.read(.at, [("", text)], chunk: 11)
            #expect(read.items.map(\.said) == expected)
            #expect(
                read.items.map(\.uid) == ["at-1-2030-05-01T09:00:00", "at-12-2030-06-15T19:30:00"])
            #expect(read.problems.isEmpty)
        }
    }

    @Test("a job without its text, a text without its job, and other lines are reported")
    func wrongAt() throws {
        let alone = try Self.read(.at, [("", "3\tWed May  1 09:00:00 2030 a root\nMer mai 1\n")])
        #expect(alone.items.map(\.said) == ["at job 3 | 2030-05-01T09:00:00"])
        #expect(alone.problems.map(\.isRefusal) == [true, false])
        let text = try Self.read(.at, [("", Self.script("echo"))])
        #expect(text.items.isEmpty)
        #expect(text.problems.map(\.isRefusal) == [true])
    }

    @Test("a line beyond the limit is refused, one within it comes in", arguments: [0, 1])
    func longLines(more: Int) throws {
        let line = String(repeating: "x", count: ICalendarLimits.lineBytes + more)
        let read = try Self.read(.todoTxt, [("", line + "\nTea")], chunk: 1 << 20)
        #expect(read.items.count == 2 - more)
        #expect(read.problems.map(\.isRefusal) == Array(repeating: true, count: more))
    }
}

extension ICalendarItem {
    /// In short.
    var said: String {
        var parts = [summary]
        if let deadline { parts.append(deadline.said) }
        if let rule = recurrence?.rule.rrule { parts.append(rule) }
        if own?.countsFromCompletion == true { parts.append("from completion") }
        parts += (recurrence?.exceptions ?? []).map { "but " + $0.said }
        if let list = own?.list { parts.append("list " + list) }
        parts += categories.map { "#" + $0 }
        if priority != .normal { parts.append(priority.rawValue) }
        if state == .done { parts.append("done") }
        if let note = description { parts.append("note " + note) }
        return parts.joined(separator: " | ")
    }
}

extension Deadline {
    fileprivate var said: String {
        switch self {
        case .floating(let civil): civil.iso8601
        case .zoned(let civil, let zone): civil.iso8601 + " " + zone
        case .date(let date): date.iso8601
        case .absolute(let instant): utc(instant)
        }
    }
}
