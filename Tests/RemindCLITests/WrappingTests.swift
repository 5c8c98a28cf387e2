import RemindCore
import Testing

@testable import RemindCLI

@Suite("Lines on a narrow terminal")
struct WrappingTests {
    @Test("A line breaks between words, and what follows is further in")
    func breaks() {
        let lines = "  It will ring tomorrow at nine".wrapped(toCells: 16)
        #expect(lines == ["  It will ring", "    tomorrow at", "    nine"])
    }

    @Test("What fits, and what goes to no terminal, stays as it is")
    func stays() {
        #expect("It will  ring".wrapped(toCells: 13) == ["It will  ring"])
        #expect("It will  ring".wrapped(toCells: nil) == ["It will  ring"])
    }

    @Test("A word that is too wide stands alone")
    func wideWord() {
        #expect("a /very/long/path b".wrapped(toCells: 8) == ["a", "  /very/long/path", "  b"])
    }

    @Test("Words of other programs lead to the option that is meant")
    func synonyms() throws {
        for (word, option) in [("--due", "--at"), ("--on", "--at"), ("--repeat", "--every")] {
            let failure = #expect(throws: Failure.self) {
                _ = try ArgumentParser.parse(["add", "Tea", word, "friday"])
            }
            #expect(failure?.hint == "Say \(option); see remindctl help add")
        }
        let failure = #expect(throws: Failure.self) {
            _ = try ArgumentParser.parse(["list", "--within"])
        }
        #expect(failure?.hint?.hasPrefix("remindctl list --upcoming") == true)
    }
}

@Suite("Text under its column on a narrow terminal")
struct HangingTests {
    @Test("What follows goes on under the column, and blanks before it stay")
    func hanging() {
        let lines = "  due       Tue 1 Dec 2026, 09:00 CET".wrapped(toCells: 26, hanging: 12)
        #expect(lines == ["  due       Tue 1 Dec", "            2026, 09:00", "            CET"])
    }

    @Test("A word that has no room under the column takes more")
    func wideWord() {
        let lines = "  id        0123456789012345".wrapped(toCells: 20, hanging: 12)
        #expect(lines == ["  id", "    0123456789012345"])
    }

    @Test("Colours take no cells")
    func colours() {
        let painted = "\u{1B}[2mdue\u{1B}[0m tomorrow at nine"
        #expect(painted.wrapped(toCells: 12) == ["\u{1B}[2mdue\u{1B}[0m tomorrow", "  at nine"])
        #expect("\u{1B}[2mdue\u{1B}[0m".wrapped(toCells: 3).count == 1)
    }

    @Test("An error is broken for the terminal that stderr is, and for nothing else")
    func errors() {
        let failure = Failure.usage("‘x’ is no word that anybody knows.", hint: "remindctl help")
        #expect(
            failure.text(json: false, columns: 24)
                == "remindctl: ‘x’ is no\n  word that anybody\n  knows.\nhint: remindctl help\n")
        #expect(failure.text(json: false).split(separator: "\n").count == 2)
    }

    @Test("Where the log has no room for what was found out, it gets a line")
    func log() throws {
        let entry =
            #"{"at":"2024-05-01T10:00:00+02:00","kind":"rang","number":7,"#
            + #""title":"Pay the rent of the flat","late":"PT25H","missed":2,"origin":"daemon"}"#
        let now = Instant(rfc3339: "2024-05-01T10:30:00+02:00") ?? .earliest
        let row = try LogRow(Array(entry.utf8)[...], now: now)
        let surroundings = Surroundings(
            environment: { $0 == "LC_ALL" ? "C.UTF-8" : nil }, terminal: nil, inputDescriptor: 0,
            now: { now })
        let style = Style(option: "never", in: surroundings)
        #expect(
            LogTable([row], columns: 40, style: style).lines
                == [
                    "today 10:00  rang  #7 Pay the rent of t…",
                    "  1 day 1 h late, 2 missed before it",
                ])
    }
}
